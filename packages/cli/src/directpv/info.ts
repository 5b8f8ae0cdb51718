import { type NodeInfo, nodeInfos } from '@windlass/directpv';
import { EXIT_FAILED, EXIT_OK } from '../command-line/exit.ts';
import { formatBytes } from '../command-line/format-bytes.ts';
import type { AdminCommand } from './admin-command.ts';
import { renderTable } from './table.ts';

export const infoCommand: AdminCommand = {
  name: 'info',
  summary: 'show how much each node has',
  flags: [{ name: 'output', short: 'o', value: 'FORMAT', text: 'json or yaml' }],
  examples: ['', '-o json'],
  async run(call) {
    const format = call.outputFormat();
    const nodes = await nodeInfos(await call.client(), { signal: call.signal });
    if (format === 'json' || format === 'yaml') {
      call.printData({ nodes }, format);
      return EXIT_OK;
    }
    if (nodes.length === 0) {
      call.complain('no node runs the driver and there are no drives; install it first');
      return EXIT_FAILED;
    }
    const size = (bytes: number): string => (bytes === 0 ? '-' : formatBytes(bytes));
    const count = (value: number): string => (value === 0 ? '-' : String(value));
    call.print(
      renderTable(
        ['NODE', 'CAPACITY', 'ALLOCATED', 'VOLUMES', 'DRIVES'],
        nodes.map(({ node, capacity, allocated, volumes, drives }) => [
          node,
          size(capacity),
          size(allocated),
          count(volumes),
          count(drives),
        ]),
      ),
    );
    const sum = (field: Exclude<keyof NodeInfo, 'node'>): number =>
      nodes.reduce((total, node) => total + node[field], 0);
    call.print(
      `\n${formatBytes(sum('allocated'))}/${formatBytes(sum('capacity'))} used, ${sum('volumes')} volumes, ${sum('drives')} drives\n`,
    );
    const warnings = [
      [sum('failedDrives'), 'cannot be used now'],
      [sum('overcommittedDrives'), 'have promised volumes more than they have, and get no new ones'],
      [sum('unlimitedDrives'), 'do not enforce quotas: their volumes may take more than their size'],
    ] as const;
    for (const [drives, what] of warnings)
      if (drives > 0) call.note(`${drives} of the drives ${what}; "list drives --all" says which, and why`);
    return EXIT_OK;
  },
};
