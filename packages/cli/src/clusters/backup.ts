import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { backupCluster, restoreCluster } from '@windlass/cluster';
import type { Command } from '../command-line/command.ts';
import { EXIT_FAILED, EXIT_OK, UsageError } from '../command-line/exit.ts';
import { formatBytes } from '../command-line/format-bytes.ts';
import { parseFlags } from '../command-line/parse-flags.ts';
import { Registry } from './registry.ts';
import {
  checkName,
  dataDirOf,
  noClusterText,
  SELECTION_FLAGS,
  SELECTION_OPTIONS,
  selectCluster,
  selectionText,
} from './selection.ts';

function oneFile(positionals: readonly string[], command: string): string {
  const [file, ...more] = positionals;
  if (file === undefined || file === '')
    throw new UsageError(`FILE is missing: windlass ${command} cluster.backup`);
  if (more.length > 0) throw new UsageError(`one FILE is enough, but there is also "${more[0]}"`);
  return resolve(file);
}

export const backupCommand: Command = {
  name: 'backup',
  summary: 'write all objects of a cluster to a file, also while it runs',
  help: `windlass backup: writes all objects of a cluster to a file, as they are at one moment

Usage: windlass backup FILE [flags]

The cluster may run or not. The file also has the authority and the keys of the cluster: keep it as you keep
those. What is on drives, in the volumes of pods, is not in it.

Flags:
${SELECTION_FLAGS}

Examples:
  windlass backup cluster.backup
  windlass backup dev.backup --name dev
`,
  async run(args, terminal, signal) {
    const { values, positionals } = parseFlags('windlass help backup', args, {
      allowPositionals: true,
      options: SELECTION_OPTIONS,
    });
    const file = oneFile(positionals, 'backup');
    const cluster = await selectCluster(values);
    if (cluster === undefined) {
      terminal.err(`windlass: ${noClusterText(values)}\n`);
      return EXIT_FAILED;
    }
    const { objects, revision } = await backupCluster(cluster.dataDir, file, { signal });
    const { size } = await stat(file);
    terminal.out(`${file}: ${objects} objects at revision ${revision}, ${formatBytes(size)}\n`);
    return EXIT_OK;
  },
};

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'make a cluster from a backup',
  help: `windlass restore: makes a cluster from a file of windlass backup

Usage: windlass restore FILE [flags]

There must be no cluster yet where it goes. Every object has the resourceVersion that it had, and kubeconfigs
and tokens of the cluster are good again. New writes get revisions far above, so that no client takes them
for something that it has seen. A file that is damaged is refused.

Flags:
${SELECTION_FLAGS}

Examples:
  windlass restore cluster.backup --data-dir restored
  windlass restore dev.backup --name dev-again
`,
  async run(args, terminal) {
    const { values, positionals } = parseFlags('windlass help restore', args, {
      allowPositionals: true,
      options: SELECTION_OPTIONS,
    });
    const file = oneFile(positionals, 'restore');
    const dataDir = dataDirOf(values);
    const { objects, revision, createdAt } = await restoreCluster(file, dataDir, {
      name: checkName(values.name),
    });
    // Without the note it is a cluster all the same.
    await new Registry().add(dataDir).catch(() => undefined);
    terminal.out(`restored ${objects} objects at revision ${revision}, of ${createdAt}, into ${dataDir}

Start it with: windlass up${selectionText(values)}
`);
    return EXIT_OK;
  },
};
