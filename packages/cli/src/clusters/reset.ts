import { type FoundCluster, findCluster, type ResetResult, resetDataDir } from '@windlass/cluster';
import type { Command } from '../command-line/command.ts';
import { EXIT_FAILED, EXIT_OK, UsageError } from '../command-line/exit.ts';
import { parseFlags } from '../command-line/parse-flags.ts';
import type { Terminal } from '../command-line/terminal.ts';
import {
  dataDirOf,
  noClusterText,
  SELECTION_FLAGS,
  SELECTION_OPTIONS,
  selectCluster,
  selectionText,
} from './selection.ts';
import { stopCluster } from './stop-process.ts';

/** Whether somebody means it. */
async function isMeant(dataDir: string, terminal: Terminal, signal: AbortSignal): Promise<boolean> {
  if (terminal.ask === undefined)
    throw new UsageError(
      `reset deletes the cluster in ${dataDir} for good, and there is no terminal to ask on; add --yes if you mean it`,
    );
  const answer = await terminal.ask(`Delete the cluster in ${dataDir} for good? [y/N] `, signal);
  return /^y(es)?$/i.test(answer.trim());
}

function resultText(dataDir: string, result: ResetResult): string {
  const { unmounted, detached, takenOutOf, left } = result;
  const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;
  return [
    ...(unmounted > 0 || detached > 0
      ? [`released ${count(unmounted, 'mount')} and ${count(detached, 'loop device')}\n`]
      : []),
    ...(takenOutOf === undefined ? [] : [`took it out of ${takenOutOf}\n`]),
    `deleted the cluster in ${dataDir}\n`,
    ...(left.length === 0 ? [] : [`left what is not the cluster's: ${left.join(', ')}\n`]),
  ].join('');
}

export const resetCommand: Command = {
  name: 'reset',
  summary: 'delete a cluster, with its mounts and loop devices',
  help: `windlass reset: deletes a cluster for good: its objects, certificates, drives and volumes

Usage: windlass reset [flags]

It unmounts and detaches what a killed cluster has left, which deleting the directory by hand cannot do.
Mounts, loop devices and files that are not the cluster's stay as they are. A cluster that was merged into
your kubeconfig is taken out of it.

Flags:
${SELECTION_FLAGS}
  --stop            stop it first if it runs       (default refuse)
  --yes             do not ask

Examples:
  windlass reset
  windlass reset --name dev --stop --yes
`,
  async run(args, terminal, signal) {
    const { values } = parseFlags('windlass help reset', args, {
      options: { ...SELECTION_OPTIONS, stop: { type: 'boolean' }, yes: { type: 'boolean' } },
    });
    const dataDir = (await selectCluster(values))?.dataDir ?? dataDirOf(values);
    const running = (cluster: FoundCluster | undefined): number | undefined => cluster?.pid;
    const cluster = await findCluster(dataDir);
    if (running(cluster) !== undefined && values.stop !== true)
      throw new UsageError(
        `the cluster in ${dataDir} runs in process ${running(cluster)}; stop it with windlass stop${selectionText(values)}, or add --stop`,
      );
    if (values.yes !== true && !(await isMeant(dataDir, terminal, signal))) {
      terminal.err('nothing was deleted\n');
      return EXIT_FAILED;
    }
    if (cluster !== undefined && (await stopCluster(cluster, signal))) terminal.out('stopped it\n');
    const result = await resetDataDir(dataDir);
    const isNothing = result.deleted.length === 0 && cluster === undefined;
    terminal.out(isNothing ? `${noClusterText(values)}\n` : resultText(dataDir, result));
    return EXIT_OK;
  },
};
