import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { addKubelet, VISIBLE_TERMINATING_MS } from '@windlass/kubelet';
import { admissionCheck } from '@windlass/scheduler';
import type { Command } from '../command-line/command.ts';
import { EXIT_OK } from '../command-line/exit.ts';
import type { Terminal } from '../command-line/terminal.ts';
import { MANAGER_FLAGS, managerFor, mergePairs, parsePairs, splitFlags } from './manager-flags.ts';

/** Is one or more simulated nodes of the cluster of the kubeconfig, until the signal aborts. */
async function kubelet(args: readonly string[], terminal: Terminal, signal: AbortSignal): Promise<number> {
  const flags = splitFlags(args, [
    '--node-name',
    '--node-labels',
    '--capacity',
    '--root-dir',
    '--metrics-port',
  ]);
  const pairs = (flag: string): Record<string, string> =>
    mergePairs((flags.own.get(flag) ?? []).map((text) => parsePairs(flag, text)));
  const labels = pairs('--node-labels');
  const capacity = pairs('--capacity');
  const names = flags.own.get('--node-name') ?? [hostname().toLowerCase()];
  const root = flags.own.get('--root-dir')?.at(-1);
  const manager = await managerFor('kubelet', flags, terminal);
  addKubelet(manager, {
    nodes: names.map((name) => ({
      name,
      labels,
      capacity,
      // Several nodes in one process have a folder each.
      ...(root !== undefined && { root: names.length === 1 ? resolve(root) : resolve(root, name) }),
    })),
    admit: admissionCheck,
    terminatingMs: VISIBLE_TERMINATING_MS,
  });
  await manager.run(signal);
  return EXIT_OK;
}

export const kubeletCommand: Command = {
  name: 'kubelet',
  summary: 'simulated nodes for any cluster',
  help: `windlass kubelet: one or more simulated nodes for any cluster

Usage: windlass kubelet [flags]

Flags:
${MANAGER_FLAGS}
  --node-name NAME     a node to be; may be given again (default the host's name)
  --node-labels K=V,…  beside those that every node has
  --capacity K=V,…     such as cpu=8,memory=32Gi,pods=110
  --root-dir DIR       where volumes are mounted and CSI drivers register, in plugins_registry; with
                       several nodes DIR/NAME (default none: no CSI drivers)

Examples:
  windlass kubelet --node-name one --node-name two
  windlass kubelet --node-name big --capacity cpu=64,memory=256Gi,pods=250
`,
  run: kubelet,
};
