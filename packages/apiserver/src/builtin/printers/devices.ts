import type { Stored } from '../../resource/strategy.ts';
import { objectAt, objectsAt } from '../values.ts';
import { AGE_COLUMN, ageOf, column, type Printers, printer, textAt } from './columns.ts';

export const devicePrinters: Printers = {
  'resource.k8s.io/v1/ResourceClaim': printer([column('State'), AGE_COLUMN], (object, now) => [
    claimState(object),
    ageOf(object, now),
  ]),
  'resource.k8s.io/v1/ResourceSlice': printer(
    [column('Node'), column('Driver'), column('Pool'), AGE_COLUMN],
    (object, now) => {
      const spec = objectAt(object, 'spec');
      return [
        textAt(spec, 'nodeName'),
        textAt(spec, 'driver'),
        textAt(objectAt(spec, 'pool'), 'name'),
        ageOf(object, now),
      ];
    },
  ),
};

function claimState(claim: Stored): string {
  const status = objectAt(claim, 'status');
  const isDeleted = claim.metadata?.deletionTimestamp !== undefined;
  const states = isDeleted ? ['deleted'] : [];
  if (objectAt(status, 'allocation') === undefined) {
    if (!isDeleted) states.push('pending');
  } else {
    states.push('allocated');
    if (objectsAt(status, 'reservedFor').length > 0) states.push('reserved');
  }
  return states.join(',');
}
