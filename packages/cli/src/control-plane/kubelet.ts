import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { makeDirectory } from '@windlass/base';
import {
  addKubelet,
  type ClusterDns,
  CriRuntime,
  type NodeSpec,
  thisMachine,
  VISIBLE_TERMINATING_MS,
} from '@windlass/kubelet';
import { admissionCheck } from '@windlass/scheduler';
import type { Command } from '../command-line/command.ts';
import { EXIT_OK, UsageError } from '../command-line/exit.ts';
import type { Terminal } from '../command-line/terminal.ts';
import {
  MANAGER_FLAGS,
  managerFor,
  mergePairs,
  parsePairs,
  type SplitFlags,
  splitFlags,
} from './manager-flags.ts';

const DEFAULT_ROOT = '/var/lib/windlass-kubelet';
const DEFAULT_DOMAIN = 'cluster.local';

/** Is one or more simulated nodes of the cluster of the kubeconfig, or this machine, until the signal aborts. */
async function kubelet(args: readonly string[], terminal: Terminal, signal: AbortSignal): Promise<number> {
  const flags = splitFlags(args, [
    '--node-name',
    '--node-labels',
    '--capacity',
    '--root-dir',
    '--runtime-endpoint',
    '--cluster-dns',
    '--cluster-domain',
    '--metrics-port',
  ]);
  const pairs = (flag: string): Record<string, string> =>
    mergePairs((flags.own.get(flag) ?? []).map((text) => parsePairs(flag, text)));
  const nodes = nodesOf(flags, pairs('--node-labels'), pairs('--capacity'));
  const endpoint = last(flags, '--runtime-endpoint');
  const dns = dnsOf(flags);
  if (endpoint !== undefined) return runMachine({ endpoint, dns }, nodes, flags, terminal, signal);
  const manager = await managerFor('kubelet', flags, terminal);
  addKubelet(manager, { nodes, admit: admissionCheck, terminatingMs: VISIBLE_TERMINATING_MS });
  await manager.run(signal);
  return EXIT_OK;
}

function nodesOf(
  flags: SplitFlags,
  labels: Readonly<Record<string, string>>,
  capacity: Readonly<Record<string, string>>,
): NodeSpec[] {
  const names = flags.own.get('--node-name') ?? [hostname().toLowerCase()];
  const root = last(flags, '--root-dir');
  return names.map((name) => ({
    name,
    labels,
    capacity,
    // Several nodes in one process have a folder each.
    ...(root !== undefined && { root: names.length === 1 ? resolve(root) : resolve(root, name) }),
  }));
}

function last({ own }: SplitFlags, flag: string): string | undefined {
  return own.get(flag)?.at(-1);
}

/** The pods of the node are containers of this machine. They run on when the agent ends. */
async function runMachine(
  { endpoint, dns }: { readonly endpoint: string; readonly dns: ClusterDns | undefined },
  nodes: readonly NodeSpec[],
  flags: SplitFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const [node, another] = nodes;
  if (node === undefined || another !== undefined)
    throw new UsageError(
      `--runtime-endpoint is for one node, this machine, but --node-name was given ${nodes.length} times`,
    );
  const { name, root = DEFAULT_ROOT } = node;
  await makeDirectory(root, { mode: 0o700 });
  const machine = await thisMachine(name, root);
  const manager = await managerFor('kubelet', flags, terminal);
  const { clock, logger } = manager;
  const { address } = machine;
  await using runtime = await CriRuntime.connect({ endpoint, node: name, address, root, clock, logger, dns });
  const { labels = {} } = node;
  const capacity = { ...machine.capacity, ...node.capacity };
  addKubelet(manager, {
    nodes: [{ ...machine, capacity, labels, root }],
    runtime,
    answers: (context) => runtime.answers(context),
    admit: admissionCheck,
  });
  if (runtime.problem !== undefined) terminal.err(`windlass kubelet: ${runtime.problem}\n`);
  await manager.run(signal);
  return EXIT_OK;
}

function dnsOf(flags: SplitFlags): ClusterDns | undefined {
  const servers = flags.own.get('--cluster-dns')?.flatMap((list) => list.split(','));
  const wrong = servers?.find((server) => isIP(server) === 0);
  if (wrong !== undefined)
    throw new UsageError(`--cluster-dns takes addresses such as 10.0.0.10, not "${wrong}"`);
  const domain = last(flags, '--cluster-domain') ?? DEFAULT_DOMAIN;
  return servers === undefined ? undefined : { servers, domain };
}

export const kubeletCommand: Command = {
  name: 'kubelet',
  summary: 'simulated nodes for any cluster, or this machine as one',
  help: `windlass kubelet: one or more simulated nodes for any cluster, or this machine as a node

Usage: windlass kubelet [flags]

Flags:
${MANAGER_FLAGS}
  --node-name NAME     a node to be; may be given again (default the host's name)
  --node-labels K=V,…  beside those that every node has
  --capacity K=V,…     such as cpu=8,memory=32Gi,pods=110
  --root-dir DIR       where volumes are mounted and CSI drivers register, in plugins_registry; with
                       several nodes DIR/NAME (default none: no CSI drivers;
                       with --runtime-endpoint ${DEFAULT_ROOT})
  --runtime-endpoint SOCKET  run pods as containers of this machine, in the container runtime that
                       listens there, such as unix:///run/containerd/containerd.sock; needs root
  --cluster-dns IP,…       name servers of pods       (default those of the machine)
  --cluster-domain DOMAIN  the domain of the cluster  (default ${DEFAULT_DOMAIN})

Examples:
  windlass kubelet --node-name one --node-name two
  windlass kubelet --node-name big --capacity cpu=64,memory=256Gi,pods=250
  windlass kubelet --runtime-endpoint unix:///run/containerd/containerd.sock
`,
  run: kubelet,
};
