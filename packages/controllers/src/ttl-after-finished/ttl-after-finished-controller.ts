import { findCondition, isBeingDeleted, isConflict, parseTime } from '@windlass/apimachinery';
import { Job } from '@windlass/apimachinery/api/batch/v1';
import type { Manager } from '@windlass/runtime';
import { isFinished, type ReadonlyJob } from '../job/job-pods.ts';
import type { ControllerOptions } from '../options/controller-options.ts';

/** When a job's time is over, in milliseconds since 1970; undefined when it has no such time, or has not ended. */
export function expiryOf(job: ReadonlyJob): number | undefined {
  const seconds = job.spec?.ttlSecondsAfterFinished;
  if (seconds === undefined || !isFinished(job) || isBeingDeleted(job)) return undefined;
  const { conditions } = job.status ?? {};
  const ended = (findCondition(conditions, 'Complete') ?? findCondition(conditions, 'Failed'))
    ?.lastTransitionTime;
  return ended ? parseTime(ended) + seconds * 1000 : undefined;
}

/** Deletes jobs some time after they have ended, with their pods. */
export function addTtlAfterFinishedController(
  manager: Manager,
  { name, concurrency }: ControllerOptions,
): void {
  const jobs = manager.objects(Job);
  const { clock } = manager;
  manager
    .controller(name)
    .for(Job, { predicates: [({ type, object }) => type !== 'delete' && expiryOf(object) !== undefined] })
    .reconcile(
      async (key, { signal }) => {
        const job = await jobs.find(key, { signal });
        const expiry = job === undefined ? undefined : expiryOf(job);
        if (job === undefined || expiry === undefined) return undefined;
        if (expiry > clock.now()) return { requeueAfterMs: expiry - clock.now() };
        // Somebody may have given it more time, and the cache does not know yet.
        const fresh = await jobs
          .live(job.metadata.namespace)
          .list({ fieldSelector: `metadata.name=${job.metadata.name}`, signal });
        const [now] = fresh.items;
        const until = now === undefined ? undefined : expiryOf(now);
        if (now === undefined || until === undefined || now.metadata.uid !== job.metadata.uid)
          return undefined;
        if (until > clock.now()) return { requeueAfterMs: until - clock.now() };
        const { resourceVersion } = now.metadata ?? {};
        try {
          await jobs.delete(key, {
            propagationPolicy: 'Foreground',
            preconditions: {
              uid: now.metadata.uid,
              ...(resourceVersion !== undefined && { resourceVersion }),
            },
            signal,
          });
        } catch (error) {
          // It has changed this moment, most likely: another look.
          if (!isConflict(error)) throw error;
          return { requeue: true };
        }
        return undefined;
      },
      { concurrency },
    );
}
