import {
  type Cached,
  type Condition,
  deepEqual,
  type KubeObject,
  setCondition,
} from '@windlass/apimachinery';
import type { Clock } from '@windlass/base';
import type { Verdict } from './conditions.ts';

/** A status as far as it is known here. */
export interface StatusLike {
  readonly conditions?: readonly Condition[];
  readonly [field: string]: unknown;
}

/** The status of any object. */
export function statusOf(object: Cached<KubeObject>): StatusLike {
  // Kinds with dependents have conditions, and other fields that are only compared.
  return (object as { readonly status?: StatusLike }).status ?? {};
}

/**
 * The part of the status that changes, as a merge patch; undefined when nothing does. A field that is given
 * as undefined is removed.
 */
export function statusPatch(
  parent: Cached<KubeObject>,
  verdicts: readonly Verdict[],
  fields: Readonly<Record<string, unknown>>,
  clock: Clock,
): Readonly<Record<string, unknown>> | undefined {
  const current = statusOf(parent);
  const patch: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields))
    if (!deepEqual(current[name], value)) patch[name] = value ?? null;
  const observedGeneration = parent.metadata.generation;
  let conditions = current.conditions ?? [];
  for (const verdict of verdicts) {
    const next = { ...verdict, ...(observedGeneration !== undefined && { observedGeneration }) };
    conditions = setCondition<Condition>(conditions, next, clock).conditions;
  }
  if (conditions !== current.conditions) patch['conditions'] = conditions;
  return Object.keys(patch).length === 0 ? undefined : patch;
}
