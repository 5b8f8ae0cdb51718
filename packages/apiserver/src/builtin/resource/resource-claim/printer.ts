import type { ResourceClaim } from '@windlass/apimachinery/api/resource/v1';
import type { View } from '../../../resource/views.ts';
import type { PrinterOf } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, printer } from '../../shared/columns.ts';

export const resourceClaimPrinter: PrinterOf<ResourceClaim> = printer(
  [column('State'), AGE_COLUMN],
  (claim, now) => [stateOf(claim), ageOf(claim, now)],
);

function stateOf({ metadata, status }: View<ResourceClaim>): string {
  const isDeleted = metadata?.deletionTimestamp !== undefined;
  const states = isDeleted ? ['deleted'] : [];
  if (status?.allocation === undefined) {
    if (!isDeleted) states.push('pending');
  } else {
    states.push('allocated');
    if ((status.reservedFor ?? []).length > 0) states.push('reserved');
  }
  return states.join(',');
}
