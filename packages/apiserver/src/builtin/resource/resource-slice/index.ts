import { ResourceSlice } from '@windlass/apimachinery/api/resource/v1';
import { defineKind } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, printer } from '../../shared/columns.ts';

export const resourceSlice = defineKind(ResourceSlice, {
  printer: printer([column('Node'), column('Driver'), column('Pool'), AGE_COLUMN], (slice, now) => [
    slice.spec?.nodeName ?? '',
    slice.spec?.driver ?? '',
    slice.spec?.pool?.name ?? '',
    ageOf(slice, now),
  ]),
  selectableFields: {
    'spec.nodeName': ({ spec }) => spec?.nodeName ?? '',
    'spec.driver': ({ spec }) => spec?.driver ?? '',
  },
});
