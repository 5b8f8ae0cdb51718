import type { Transport } from '@windlass/apimachinery';
import type { Clock, KeyPair, Logger, MetricsRegistry, Random } from '@windlass/base';
import { addControllers } from '@windlass/controllers';
import { Manager } from '@windlass/runtime';

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
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** Starts the controllers in this process, next to the server. */
export async function startControllerManager(options: ControllerManagerOptions): Promise<Manager> {
  const { controllers, rootCa, serviceAccountKey, signing, ...surroundings } = options;
  const manager = new Manager({
    ...surroundings,
    identity: 'windlass',
    clientOptions: { fieldManager: 'kube-controller-manager' },
  });
  addControllers(manager, {
    controllers,
    ...(rootCa !== undefined && { rootCa }),
    ...(serviceAccountKey !== undefined && { serviceAccountKey }),
    ...(signing !== undefined && { signing }),
  });
  await manager.start();
  return manager;
}
