import type { Command } from '../command-line/command.ts';
import { EXIT_OK } from '../command-line/exit.ts';
import { parseFlags } from '../command-line/parse-flags.ts';
import { noClusterText, SELECTION_FLAGS, SELECTION_OPTIONS, selectCluster } from './selection.ts';
import { stopCluster } from './stop-process.ts';

export const stopCommand: Command = {
  name: 'stop',
  summary: 'stop a cluster; its state stays',
  help: `windlass stop: stops a cluster that runs somewhere else, such as one of windlass up --detach

Usage: windlass stop [flags]

It returns when the cluster has stopped, and succeeds also when it did not run. The next windlass up
continues with the same state.

Flags:
${SELECTION_FLAGS}

Examples:
  windlass stop
  windlass stop --name dev
`,
  async run(args, terminal, signal) {
    const { values } = parseFlags('windlass help stop', args, { options: SELECTION_OPTIONS });
    const cluster = await selectCluster(values);
    if (cluster === undefined) terminal.out(`${noClusterText(values)}\n`);
    else if (await stopCluster(cluster, signal)) terminal.out(`stopped the cluster in ${cluster.dataDir}\n`);
    else terminal.out(`the cluster in ${cluster.dataDir} does not run\n`);
    return EXIT_OK;
  },
};
