import type { Transport } from '@windlass/apimachinery';
import { compileDeviceSelector } from '@windlass/apiserver';
import {
  type Clock,
  issueCertificate,
  type KeyPair,
  type Logger,
  type MetricsRegistry,
  orAbort,
  type Random,
  realClock,
} from '@windlass/base';
import {
  addKubelet,
  type Kubelet,
  type NodeSpec,
  type ServingOptions,
  VISIBLE_TERMINATING_MS,
} from '@windlass/kubelet';
import { Manager } from '@windlass/runtime';
import { admissionCheck, Scheduler } from '@windlass/scheduler';
import type { SimulatedNetwork } from './simulated-network.ts';
import { MANAGER_STOP_MS } from './stop-limits.ts';

export interface NodesOptions {
  readonly nodes: readonly NodeSpec[];
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  /** How the API server reaches them, and who signs their certificates. @default nobody can ask them for anything */
  readonly serving?: { readonly network: SimulatedNetwork; readonly authority: KeyPair } | undefined;
  /** Ends the start. */
  readonly signal?: AbortSignal | undefined;
}

export interface RunningNodes extends AsyncDisposable {
  readonly managers: readonly Manager[];
  readonly kubelet: Kubelet;
}

/** Starts a scheduler and simulated nodes in this process; resolves when all of them are registered. */
export async function startNodes(options: NodesOptions): Promise<RunningNodes> {
  const { nodes, signal, serving, ...shared } = options;
  const scheduling = new Manager({
    ...shared,
    identity: 'windlass',
    gracefulStopMs: MANAGER_STOP_MS,
    clientOptions: { fieldManager: 'kube-scheduler' },
  });
  await scheduling.add(new Scheduler(scheduling, { deviceSelectors: { compile: compileDeviceSelector } }));
  const agents = new Manager({
    ...shared,
    identity: 'windlass',
    gracefulStopMs: MANAGER_STOP_MS,
    clientOptions: { fieldManager: 'kubelet' },
  });
  const kubelet = addKubelet(agents, {
    nodes,
    admit: admissionCheck,
    terminatingMs: shared.clock === realClock ? VISIBLE_TERMINATING_MS : 0,
    ...(serving !== undefined && { serving: servingOf(serving.authority, shared) }),
  });
  const leave = serving?.network.add(kubelet);
  const stop = async (): Promise<void> => {
    leave?.();
    try {
      await kubelet.stopServing();
    } finally {
      await Promise.all([scheduling.stop(), agents.stop()]);
    }
  };
  try {
    await scheduling.start(signal);
    await agents.start(signal);
    await orAbort(kubelet.registered, signal);
  } catch (error) {
    await stop();
    throw error;
  }
  return { managers: [scheduling, agents], kubelet, [Symbol.asyncDispose]: stop };
}

const SERVING_DAYS = 365;

/** Each node's certificate is made when the node is first asked for something. */
export function servingOf(
  authority: KeyPair,
  issuer: Pick<NodesOptions, 'clock' | 'random'>,
): ServingOptions {
  return {
    clientAuthority: authority.cert,
    certificateFor: ({ name, address }) =>
      issueCertificate(
        {
          commonName: `system:node:${name}`,
          organizations: ['system:nodes'],
          usage: 'server',
          hosts: [name, address],
          validDays: SERVING_DAYS,
        },
        issuer,
        authority,
      ),
  };
}
