import { hostname } from 'node:os';
import { Kubelet } from '@windlass/kubelet';
import { admissionCheck } from '@windlass/scheduler';
import { EXIT_OK } from './exit.ts';
import { managerFor, parsePairs, splitFlags } from './manager-flags.ts';
import type { Terminal } from './terminal.ts';

/** Is one or more simulated nodes of the cluster of the kubeconfig, until the signal aborts. */
export async function kubelet(
  args: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const flags = splitFlags(args, ['--node-name', '--node-labels', '--capacity', '--metrics-port']);
  const pairs = (flag: string): Record<string, string> =>
    Object.assign({}, ...(flags.own.get(flag) ?? []).map((text) => parsePairs(flag, text))) as Record<
      string,
      string
    >;
  const labels = pairs('--node-labels');
  const capacity = pairs('--capacity');
  const names = flags.own.get('--node-name') ?? [hostname().toLowerCase()];
  const manager = await managerFor('kubelet', flags, terminal);
  void new Kubelet(manager, {
    nodes: names.map((name) => ({ name, labels, capacity })),
    admit: admissionCheck,
  });
  await manager.run(signal);
  return EXIT_OK;
}
