import { keyOf } from '@windlass/apimachinery';
import type { ReadonlyCronJob } from './cron-job.ts';

interface Known {
  readonly uid: string;
  readonly schedule: string;
  readonly since: number;
}

/**
 * When schedules changed, as far as this process has seen it. A time that a new schedule names but that was
 * over before it became the schedule was never due.
 */
export class ScheduleChanges {
  readonly #known = new Map<string, Known>();

  /** Milliseconds since 1970; minus infinity when it has always been so. */
  since(cronJob: ReadonlyCronJob, now: number): number {
    const key = keyOf(cronJob);
    const uid = cronJob.metadata.uid;
    const schedule = JSON.stringify([cronJob.spec?.schedule, cronJob.spec?.timeZone]);
    const known = this.#known.get(key);
    const isKnown = known?.uid === uid;
    if (isKnown && known.schedule === schedule) return known.since;
    const since = isKnown ? now : Number.NEGATIVE_INFINITY;
    this.#known.set(key, { uid, schedule, since });
    return since;
  }

  forget(key: string): void {
    this.#known.delete(key);
  }
}
