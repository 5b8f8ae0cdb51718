import { hostname } from 'node:os';
import { orAbort } from '@windlass/base';
import { addKubelet, type ClusterDns, CriRuntime, thisMachine } from '@windlass/kubelet';
import { Manager } from '@windlass/runtime';
import { admissionCheck } from '@windlass/scheduler';
import { type NodesOptions, type RunningNodes, servingOf } from './nodes.ts';
import { MANAGER_STOP_MS } from './stop-limits.ts';

/** This machine as a node, whose pods are containers of a container runtime. */
export interface MachineOptions {
  /** Where the runtime listens: `unix:///run/containerd/containerd.sock` */
  readonly endpoint: string;
  /** @default the host's name */
  readonly name?: string;
  /** How pods find names of the cluster. @default they have the machine's resolver */
  readonly dns?: ClusterDns;
}

export function machineName({ name }: MachineOptions): string {
  return name ?? hostname().toLowerCase();
}

export interface MachineNodeOptions extends Omit<NodesOptions, 'nodes'> {
  readonly machine: MachineOptions;
  /** The node's folder. */
  readonly root: string;
  /** The cluster is gone with this process, and so is what it has started. */
  readonly isPassing: boolean;
}

/**
 * Starts the agent of this machine; resolves when the node is registered. Its containers run on when it is stopped, and
 * the next start takes them up.
 * @throws RuntimeEndpointError when there is no container runtime
 */
export async function startMachineNode(options: MachineNodeOptions): Promise<RunningNodes> {
  const { machine, root, serving, signal, isPassing, ...shared } = options;
  const name = machineName(machine);
  const { clock, logger } = shared;
  const spec = { ...(await thisMachine(name, root)), root };
  const runtime = await CriRuntime.connect({
    endpoint: machine.endpoint,
    node: name,
    address: spec.address,
    root,
    clock,
    logger,
    dns: machine.dns,
  });
  const agent = new Manager({
    ...shared,
    identity: 'windlass',
    gracefulStopMs: MANAGER_STOP_MS,
    clientOptions: { fieldManager: 'kubelet' },
  });
  const kubelet = addKubelet(agent, {
    nodes: [spec],
    runtime,
    answers: (context) => runtime.answers(context),
    admit: admissionCheck,
    ...(serving !== undefined && { serving: servingOf(serving.authority, shared) }),
  });
  const leave = serving?.network.add(kubelet);
  const stop = async (): Promise<void> => {
    leave?.();
    try {
      await kubelet.stopServing();
    } finally {
      await agent.stop();
      if (isPassing) await runtime.removeEverything();
      await runtime[Symbol.asyncDispose]();
    }
  };
  try {
    await agent.start(signal);
    await orAbort(kubelet.registered, signal);
  } catch (error) {
    await stop();
    throw error;
  }
  return { managers: [agent], kubelet, [Symbol.asyncDispose]: stop };
}
