import type { LimitRange } from '@windlass/apimachinery/api/core/v1';
import type { DraftOf } from '../../../resource/views.ts';
import { roundResources } from '../resource-lists.ts';

/** A limit that names a maximum is also the default where none is given. */
export function setLimitRangeDefaults({ spec }: DraftOf<LimitRange>): void {
  for (const limit of spec?.limits ?? []) {
    roundResources(limit, 'max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio');
    if (limit.type !== 'Container') continue;
    const { max, min } = limit;
    if (max) {
      limit.default ??= {};
      addMissing(limit.default, max);
    }
    const { default: limits } = limit;
    if (!limits && !min) continue;
    limit.defaultRequest ??= {};
    addMissing(limit.defaultRequest, limits ?? {});
    addMissing(limit.defaultRequest, min ?? {});
  }
}

function addMissing(amounts: Record<string, string>, more: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(more)) amounts[name] ??= value;
}
