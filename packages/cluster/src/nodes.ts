import type { Transport } from '@windlass/apimachinery';
import type { Clock, Logger, MetricsRegistry, Random } from '@windlass/base';
import { Kubelet, type NodeSpec } from '@windlass/kubelet';
import { Manager } from '@windlass/runtime';
import { admissionCheck, Scheduler } from '@windlass/scheduler';

export interface NodesOptions {
  readonly nodes: readonly NodeSpec[];
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** Starts a scheduler and simulated nodes in this process; resolves when all of them are registered. */
export async function startNodes(options: NodesOptions): Promise<AsyncDisposable> {
  const { nodes, ...surroundings } = options;
  const scheduling = new Manager({
    ...surroundings,
    identity: 'windlass',
    clientOptions: { fieldManager: 'kube-scheduler' },
  });
  await scheduling.add(new Scheduler(scheduling));
  const agents = new Manager({
    ...surroundings,
    identity: 'windlass',
    clientOptions: { fieldManager: 'kubelet' },
  });
  const kubelet = new Kubelet(agents, { nodes, admit: admissionCheck });
  const stop = async (): Promise<void> => {
    await scheduling.stop();
    await agents.stop();
  };
  try {
    await scheduling.start();
    await agents.start();
    await kubelet.registered;
  } catch (error) {
    await stop();
    throw error;
  }
  return { [Symbol.asyncDispose]: stop };
}
