import { findCondition, formatTime, parseTime } from '@windlass/apimachinery';
import type { ReadonlyPod } from '../shared/pods.ts';
import type { ReadonlyService } from './service-pods.ts';

/** Since when what is published now could have been published: how late we are can be measured from it. */
export const LAST_CHANGE_TRIGGER_TIME = 'endpoints.kubernetes.io/last-change-trigger-time';

interface Known {
  readonly service: string;
  readonly pods: ReadonlyMap<string, number>;
}

/** The time of the oldest change of a service and its pods that has not been published yet. */
export class TriggerTimes {
  readonly #known = new Map<string, Known>();

  /** Undefined when nothing changed since the last time it was asked. */
  next(key: string, service: ReadonlyService, pods: readonly ReadonlyPod[]): string | undefined {
    const before = this.#known.get(key);
    const times = new Map<string, number>();
    const changed: number[] = [];
    for (const pod of pods) {
      // That it became ready, or that it ceased to be.
      const { lastTransitionTime } = findCondition(pod.status?.conditions, 'Ready') ?? {};
      const since = lastTransitionTime ? parseTime(lastTransitionTime) : undefined;
      if (since === undefined) continue;
      times.set(pod.metadata.name, since);
      if (since > (before?.pods.get(pod.metadata.name) ?? 0)) changed.push(since);
    }
    const created = service.metadata.creationTimestamp;
    this.#known.set(key, { service: created, pods: times });
    // Of a service that was there before we were, nobody knows what has been published.
    if (before === undefined && created !== '') return created;
    if (before !== undefined && before.service !== created && created !== '') return created;
    return changed.length === 0 ? undefined : formatTime(Math.min(...changed));
  }

  forget(key: string): void {
    this.#known.delete(key);
  }
}
