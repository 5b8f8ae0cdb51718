import { canonicalQuantity } from '@windlass/apimachinery';
import type { ResourceQuota } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { PrinterOf } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, printer } from '../../shared/columns.ts';

export const quotaPrinter: PrinterOf<ResourceQuota> = printer(
  [column('Request'), column('Limit'), AGE_COLUMN],
  (quota, now) => [quotaText(quota, false), quotaText(quota, true), ageOf(quota, now)],
);

/** `cpu: 1/2, pods: 0/10`: used and allowed, of requests or of limits. */
function quotaText({ status }: View<ResourceQuota>, ofLimits: boolean): string {
  const used = status?.used ?? {};
  return Object.entries(status?.hard ?? {})
    .filter(([name]) => name.startsWith('limits.') === ofLimits)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, hard]) => `${name}: ${canonicalQuantity(used[name] ?? '0')}/${canonicalQuantity(hard)}`)
    .join(', ');
}
