import type { PodWorker } from './pod-worker.ts';

/** Ends a pod because its node needs what it takes. */
export function evictPod(worker: PodWorker, message: string): void {
  const why = message === '' || message === 'true' ? 'The node was low on resource: memory. ' : message;
  worker.end({
    reason: 'Evicted',
    message: why,
    graceMs: 0,
    disruption: { reason: 'TerminationByKubelet', message: why },
  });
}
