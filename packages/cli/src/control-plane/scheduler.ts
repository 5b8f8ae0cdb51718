import { compileDeviceSelector } from '@windlass/apiserver';
import { Scheduler } from '@windlass/scheduler';
import type { Command } from '../command-line/command.ts';
import { EXIT_OK } from '../command-line/exit.ts';
import type { Terminal } from '../command-line/terminal.ts';
import { MANAGER_FLAGS, managerFor, splitFlags } from './manager-flags.ts';

/** Gives pods to nodes in the cluster of the kubeconfig, until the signal aborts. */
async function scheduler(args: readonly string[], terminal: Terminal, signal: AbortSignal): Promise<number> {
  const flags = splitFlags(args, ['--scheduler-name', '--metrics-port']);
  const manager = await managerFor('kube-scheduler', flags, terminal);
  const name = flags.own.get('--scheduler-name')?.at(-1);
  await manager.add(
    new Scheduler(manager, {
      ...(name !== undefined && { name }),
      deviceSelectors: { compile: compileDeviceSelector },
    }),
  );
  await manager.run(signal);
  return EXIT_OK;
}

export const schedulerCommand: Command = {
  name: 'scheduler',
  summary: 'give pods to nodes, in any cluster',
  help: `windlass scheduler: gives pods to nodes, in any cluster

Usage: windlass scheduler [flags]

Flags:
${MANAGER_FLAGS}
  --leader-elect       let one of several replicas lead
  --scheduler-name S   whose pods                     (default default-scheduler)

Examples:
  windlass scheduler --kubeconfig .windlass/kubeconfig
  windlass scheduler --scheduler-name mine --leader-elect
`,
  run: scheduler,
};
