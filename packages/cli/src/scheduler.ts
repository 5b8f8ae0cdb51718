import { Scheduler } from '@windlass/scheduler';
import { EXIT_OK } from './exit.ts';
import { managerFor, splitFlags } from './manager-flags.ts';
import type { Terminal } from './terminal.ts';

/** Gives pods to nodes in the cluster of the kubeconfig, until the signal aborts. */
export async function scheduler(
  args: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const flags = splitFlags(args, ['--scheduler-name', '--metrics-port']);
  const manager = await managerFor('kube-scheduler', flags, terminal);
  const name = flags.own.get('--scheduler-name')?.at(-1);
  await manager.add(new Scheduler(manager, name === undefined ? {} : { name }));
  await manager.run(signal);
  return EXIT_OK;
}
