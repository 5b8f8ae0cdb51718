import type { FoundCluster } from '@windlass/cluster';
import { columns } from '../command-line/columns.ts';
import type { Command } from '../command-line/command.ts';
import { EXIT_OK } from '../command-line/exit.ts';
import { OUTPUT_OPTIONS, outputFormat } from '../command-line/output-format.ts';
import { parseFlags } from '../command-line/parse-flags.ts';
import { Registry } from './registry.ts';

export type ClusterState = 'running' | 'starting' | 'stopped';

export function stateOf({ pid, record }: FoundCluster): ClusterState {
  if (pid === undefined) return 'stopped';
  return record.isReady === true ? 'running' : 'starting';
}

export const clusterListCommand: Command = {
  name: 'list',
  summary: 'show the clusters that you have, running or stopped',
  help: `windlass list: the clusters that this user has started and not reset

Usage: windlass list [flags]

Flags:
  --output FORMAT  text or json  (default text)

Examples:
  windlass list
  windlass list --output json
`,
  async run(args, terminal) {
    const { values } = parseFlags('windlass help list', args, { options: OUTPUT_OPTIONS });
    const format = outputFormat(values.output);
    const clusters = (await new Registry().clusters()).map((cluster) => ({
      name: cluster.record.name ?? '',
      state: stateOf(cluster),
      server: cluster.pid === undefined ? '' : (cluster.record.server ?? ''),
      dataDir: cluster.dataDir,
    }));
    if (format === 'json') terminal.out(`${JSON.stringify(clusters, undefined, 2)}\n`);
    else if (clusters.length === 0) terminal.out('there are no clusters; windlass up starts one\n');
    else
      terminal.out(
        columns(
          ['NAME', 'STATE', 'ADDRESS', 'DATA DIR'],
          clusters.map(({ name, state, server, dataDir }) => [name, state, server, dataDir]),
        ),
      );
    return EXIT_OK;
  },
};
