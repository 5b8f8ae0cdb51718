import { join } from 'node:path';
import { humanDuration } from '@windlass/apimachinery';
import { realClock } from '@windlass/base';
import type { FoundCluster } from '@windlass/cluster';
import type { Command } from '../command-line/command.ts';
import { EXIT_FAILED, EXIT_OK } from '../command-line/exit.ts';
import { formatBytes } from '../command-line/format-bytes.ts';
import { OUTPUT_OPTIONS, outputFormat } from '../command-line/output-format.ts';
import { parseFlags } from '../command-line/parse-flags.ts';
import { askCluster, type ClusterContents } from './cluster-contents.ts';
import { consoleAddress } from './console-address.ts';
import { type ClusterState, stateOf } from './list.ts';
import { processMemory } from './process-memory.ts';
import {
  dataDirOf,
  noClusterText,
  SELECTION_FLAGS,
  SELECTION_OPTIONS,
  selectCluster,
  selectionText,
} from './selection.ts';

/** What `--output json` prints. */
interface Status extends Partial<ClusterContents> {
  readonly state: ClusterState | 'none';
  readonly dataDir: string;
  readonly name?: string;
  readonly server?: string;
  readonly kubeconfig?: string;
  /** With its token. */
  readonly console?: string;
  readonly pid?: number;
  readonly startedAt?: string;
  readonly memoryBytes?: number;
  /** Why the API server does not answer. */
  readonly problem?: string;
}

async function statusOf(cluster: FoundCluster, signal: AbortSignal): Promise<Status> {
  const { dataDir, record, pid } = cluster;
  const { name, server, startedAt } = record;
  const state = stateOf(cluster);
  const known = { state, dataDir, ...(name !== undefined && { name }) };
  if (pid === undefined) return known;
  const kubeconfig = join(dataDir, 'kubeconfig');
  const memoryBytes = await processMemory(pid);
  const page = await consoleAddress(dataDir);
  return {
    ...known,
    pid,
    ...(startedAt !== undefined && { startedAt }),
    ...(memoryBytes !== undefined && { memoryBytes }),
    ...(server !== undefined && { server, kubeconfig }),
    ...(page !== undefined && { console: page }),
    ...(state === 'running' && server !== undefined && (await askCluster(kubeconfig, signal))),
  };
}

function statusText(status: Status, flags: string): string {
  const { state, name, server, pid, startedAt, memoryBytes, nodes, drives, problem } = status;
  const age = startedAt === undefined ? undefined : realClock.now() - Date.parse(startedAt);
  const ready = (count: { ready: number; total: number } | undefined): string | undefined =>
    count && `${count.ready} of ${count.total} ready`;
  const rows: [string, string | undefined][] = [
    ['cluster', name],
    ['state', state],
    ['API server', problem === undefined ? server : `${server}, which does not answer: ${problem}`],
    ['process', pid === undefined ? undefined : String(pid)],
    ['age', age === undefined ? undefined : humanDuration(age)],
    ['memory', memoryBytes === undefined ? undefined : formatBytes(memoryBytes)],
    ['nodes', ready(nodes)],
    ['drives', ready(drives)],
    ['data dir', status.dataDir],
    ['kubeconfig', status.kubeconfig],
    ['console', status.console],
  ];
  const lines = rows.flatMap(([what, text]) => (text === undefined ? [] : `${what.padEnd(12)}${text}\n`));
  if (state === 'stopped') lines.push(`\nStart it with: windlass up${flags}\n`);
  return lines.join('');
}

export const statusCommand: Command = {
  name: 'status',
  summary: 'show whether a cluster runs, where, and how it is',
  help: `windlass status: whether a cluster runs, where, and how it is

Usage: windlass status [flags]

The exit code is 0 when the cluster runs and answers, and 1 when not.

Flags:
${SELECTION_FLAGS}
  --output FORMAT   text or json                   (default text)

Examples:
  windlass status
  windlass status --name dev --output json
`,
  async run(args, terminal, signal) {
    const { values } = parseFlags('windlass help status', args, {
      options: { ...SELECTION_OPTIONS, ...OUTPUT_OPTIONS },
    });
    const format = outputFormat(values.output);
    const cluster = await selectCluster(values);
    const status: Status =
      cluster === undefined ? { state: 'none', dataDir: dataDirOf(values) } : await statusOf(cluster, signal);
    if (format === 'json') terminal.out(`${JSON.stringify(status, undefined, 2)}\n`);
    else if (cluster === undefined) terminal.out(`${noClusterText(values)}\n`);
    else terminal.out(statusText(status, selectionText(values)));
    return status.state === 'running' && status.problem === undefined ? EXIT_OK : EXIT_FAILED;
  },
};
