import type { WorkItem, WorkQueue } from '@windlass/workqueue';
import type { ResultLabel } from './controller-metrics.ts';
import type { Reason } from './reason.ts';
import type { ReconcileResult } from './result.ts';

/** Queues a key again as the result of its run says, and forgets its failures unless it is to be tried again. */
export function requeue<K>(
  queue: WorkQueue<K, Reason>,
  controller: string,
  item: WorkItem<K, Reason>,
  result: ReconcileResult,
): ResultLabel {
  const { key } = item;
  const { requeueAfterMs = 0, requeue = false, priority = item.priority } = result;
  if (requeueAfterMs > 0) {
    queue.forget(key);
    queue.addAfter(key, requeueAfterMs, {
      priority,
      reason: { type: 'requeue', source: controller, message: `after ${requeueAfterMs} ms` },
    });
    return 'requeue_after';
  }
  if (requeue) {
    queue.addRateLimited(key, { priority, reason: { type: 'requeue', source: controller } });
    return 'requeue';
  }
  queue.forget(key);
  return 'success';
}
