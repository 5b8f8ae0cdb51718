import type { Clock } from '@windlass/base';
import type * as wire from '../generated/api/meta/v1.ts';
import { formatTime } from '../time/time.ts';

/** Whether a condition holds. */
export type ConditionStatus = 'True' | 'False' | 'Unknown';

/** What all conditions have in common. Some kinds' have more fields; they are kept. */
export interface Condition extends Partial<Omit<wire.Condition, 'type' | 'status' | 'lastTransitionTime'>> {
  type: string;
  status: ConditionStatus | (string & {});
  lastTransitionTime?: string | null;
}

/** A condition as a controller states it: when it came to be so may be left open. */
export type ConditionStatement<C extends Condition> = Omit<C, 'lastTransitionTime'> & {
  lastTransitionTime?: string | null;
};

/** The conditions after a change, and whether there was one. */
export interface ConditionsChange<C> {
  /** The very array that was passed when nothing changed. */
  readonly conditions: readonly C[];
  readonly changed: boolean;
}

/**
 * Sets the condition of that type. `lastTransitionTime` moves only when the status does: to the given
 * one, or to now. The others (reason, message, observedGeneration) become what is given, absent ones
 * included. The order of conditions stays; a new one comes last.
 */
export function setCondition<C extends Condition>(
  conditions: readonly C[] | undefined,
  next: ConditionStatement<C>,
  clock: Clock,
): ConditionsChange<C> {
  const list = conditions ?? [];
  const at = list.findIndex((condition) => condition.type === next.type);
  const current = list[at];
  if (current === undefined) {
    const added = { ...next, lastTransitionTime: next.lastTransitionTime ?? formatTime(clock.now()) };
    // With the time it has all that a C has.
    return { conditions: [...list, added as unknown as C], changed: true };
  }
  const moved = current.status !== next.status;
  const changed =
    moved ||
    (current.reason ?? '') !== (next.reason ?? '') ||
    (current.message ?? '') !== (next.message ?? '') ||
    (current.observedGeneration ?? 0) !== (next.observedGeneration ?? 0);
  if (!changed) return { conditions: list, changed: false };
  const { reason: _reason, message: _message, observedGeneration: _generation, ...kept } = current;
  const { lastTransitionTime: since, ...given } = next;
  const lastTransitionTime = since ?? formatTime(clock.now());
  // What is spread was a C, and the fields that are taken out are put back from another C.
  const updated = { ...kept, ...given, ...(moved ? { lastTransitionTime } : {}) } as unknown as C;
  return { conditions: list.with(at, updated), changed: true };
}

/** The conditions without the one of that type. */
export function removeCondition<C extends Condition>(
  conditions: readonly C[] | undefined,
  type: string,
): ConditionsChange<C> {
  const list = conditions ?? [];
  const kept = list.filter((condition) => condition.type !== type);
  return kept.length === list.length
    ? { conditions: list, changed: false }
    : { conditions: kept, changed: true };
}

/** The condition of that type; undefined when there is none. */
export function findCondition<C extends { readonly type: string }>(
  conditions: readonly C[] | undefined,
  type: string,
): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

interface Stated {
  readonly type: string;
  readonly status: string;
}

/** Whether there is a condition of that type and its status is `True`. */
export function isConditionTrue(conditions: readonly Stated[] | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

/** False is not the same as absent or unknown. */
export function isConditionFalse(conditions: readonly Stated[] | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === 'False';
}
