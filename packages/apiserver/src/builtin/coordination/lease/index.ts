import { Lease } from '@windlass/apimachinery/api/coordination/v1';
import type { DraftOf, View } from '../../../resource/views.ts';
import { defineKind } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, printer } from '../../shared/columns.ts';
import { leaseValidation } from './validation.ts';

export const lease = defineKind(Lease, {
  strategy: {
    allowUnconditionalUpdate: false,
    allowCreateOnUpdate: true,
    prepareForCreate: (draft) => dropCoordination(draft, undefined),
    prepareForUpdate: dropCoordination,
  },
  validation: leaseValidation,
  anyFinalizers: true,
  printer: printer([column('Holder'), AGE_COLUMN], (object, now) => [
    object.spec?.holderIdentity ?? '',
    ageOf(object, now),
  ]),
});

/** Coordinated elections are not served; who has one keeps it. */
function dropCoordination({ spec }: DraftOf<Lease>, old: View<Lease> | undefined): void {
  if (spec === undefined || old?.spec?.strategy !== undefined || old?.spec?.preferredHolder !== undefined)
    return;
  delete spec.strategy;
  delete spec.preferredHolder;
}
