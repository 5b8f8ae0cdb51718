import { nodeInfos } from '@windlass/directpv';
import { EXIT_FAILED, EXIT_OK } from '../exit.ts';
import type { AdminCommand } from './admin-command.ts';
import { formatBytes, renderTable } from './table.ts';

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
    const sum = (field: 'capacity' | 'allocated' | 'volumes' | 'drives'): number =>
      nodes.reduce((total, node) => total + node[field], 0);
    call.print(
      `\n${formatBytes(sum('allocated'))}/${formatBytes(sum('capacity'))} used, ${sum('volumes')} volumes, ${sum('drives')} drives\n`,
    );
    return EXIT_OK;
  },
};
