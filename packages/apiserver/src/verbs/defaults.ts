import { deepCopy } from '@windlass/apimachinery';
import type { ResourceDefinition } from '../resource/definition.ts';
import type { Draft, Stored } from '../resource/strategy.ts';

/**
 * Sets the kind's defaults. What the draft shares with the stored object is nobody's to change: it stays as it
 * was stored, even where a default of today was none then.
 */
export function setDefaults({ strategy }: ResourceDefinition, draft: Draft, live: Stored | undefined): void {
  if (strategy.setDefaults === undefined) return;
  const shared = live === undefined ? [] : sharedFields(draft, live);
  try {
    strategy.setDefaults(draft);
  } catch (error) {
    // What is shared is frozen, and had its defaults when it was stored, unless an older release stored it.
    // To copy it each time would take longer than all else that is done for a status.
    if (!(error instanceof TypeError) || shared.length === 0) throw error;
    for (const field of shared) draft[field] = deepCopy(live?.[field]);
    strategy.setDefaults(draft);
    for (const field of shared) draft[field] = live?.[field];
  }
}

function sharedFields(draft: Draft, live: Stored): string[] {
  return Object.keys(draft).filter((field) => {
    const value = draft[field];
    return typeof value === 'object' && value !== null && value === live[field];
  });
}
