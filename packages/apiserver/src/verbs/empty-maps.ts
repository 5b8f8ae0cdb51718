import { isRecord } from '@windlass/base';
import type { ResourceDefinition } from '../resource/definition.ts';
import type { Draft, Stored } from '../resource/strategy.ts';

/**
 * An empty map is none, and nobody owns it. Only where the stored object is frozen upstream tells the two apart: there
 * it stays until validation has refused it.
 */
export function leaveOutEmptyMaps(
  { strategy }: ResourceDefinition,
  draft: Draft,
  live: Stored | undefined,
): void {
  const { emptyMaps } = strategy;
  if (emptyMaps === undefined || (live !== undefined && emptyMaps.isFrozen(live))) return;
  for (const field of emptyMaps.fields) {
    const value = draft[field];
    if (isRecord(value) && Object.keys(value).length === 0) delete draft[field];
  }
}
