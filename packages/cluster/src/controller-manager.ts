import type { Transport } from '@windlass/apimachinery';
import type { Clock, Logger, MetricsRegistry, Random } from '@windlass/base';
import { addControllers } from '@windlass/controllers';
import { Manager } from '@windlass/runtime';

export interface ControllerManagerOptions {
  /** As `--controllers` takes them. */
  readonly controllers: readonly string[];
  readonly transport: Transport;
  /** PEM. Undefined publishes none. */
  readonly rootCa: string | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** Starts the controllers in this process, next to the server. */
export async function startControllerManager(options: ControllerManagerOptions): Promise<Manager> {
  const { controllers, rootCa, ...surroundings } = options;
  const manager = new Manager({
    ...surroundings,
    identity: 'windlass',
    clientOptions: { fieldManager: 'kube-controller-manager' },
  });
  addControllers(manager, { controllers, ...(rootCa !== undefined && { rootCa }) });
  await manager.start();
  return manager;
}
