import type { Transport } from '@windlass/apimachinery';
import type { Clock, KeyPair, Logger, MetricsRegistry, Random } from '@windlass/base';
import { addControllers, type ServingApproval } from '@windlass/controllers';
import { Manager } from '@windlass/runtime';
import { MANAGER_STOP_MS } from './stop-limits.ts';

export interface ControllerManagerOptions {
  /** As `--controllers` takes them. */
  readonly controllers: readonly string[];
  readonly transport: Transport;
  /** PEM. Undefined publishes none. */
  readonly rootCa: string | undefined;
  /** Signs tokens in secrets. @default none is signed */
  readonly serviceAccountKey?: string | undefined;
  /** Signs certificates that are asked for. @default none is signed */
  readonly signing?: KeyPair | undefined;
  /** Approves the serving certificates of nodes. @default they are left to people */
  readonly servingApproval?: ServingApproval | undefined;
  /** Of which load balancers get their addresses. @default they get none here */
  readonly loadBalancerCidr?: string | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  /** Ends the start. */
  readonly signal?: AbortSignal | undefined;
}

/** Starts the controllers in this process, next to the server. */
export async function startControllerManager(options: ControllerManagerOptions): Promise<Manager> {
  const { controllers, rootCa, serviceAccountKey, signing, signal, ...others } = options;
  const { servingApproval, loadBalancerCidr, ...environment } = others;
  const manager = new Manager({
    ...environment,
    identity: 'windlass',
    gracefulStopMs: MANAGER_STOP_MS,
    clientOptions: {
      fieldManager: 'kube-controller-manager',
      // Endpoints are deprecated, and keeping them is these controllers' job.
      onWarning: () => {},
    },
  });
  addControllers(manager, {
    controllers,
    ...(rootCa !== undefined && { rootCa }),
    ...(serviceAccountKey !== undefined && { serviceAccountKey }),
    ...(signing !== undefined && { signing }),
    ...(servingApproval !== undefined && { servingApproval }),
    ...(loadBalancerCidr !== undefined && { loadBalancerCidr }),
  });
  await manager.start(signal);
  return manager;
}
