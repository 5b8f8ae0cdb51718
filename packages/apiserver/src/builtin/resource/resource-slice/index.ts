import { ResourceSlice } from '@windlass/apimachinery/api/resource/v1';
import { defineKind } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, printer } from '../../shared/columns.ts';
import { dropAlphaFields, setTaintTimes } from './prepare.ts';
import { resourceSliceValidation } from './validation.ts';

export const resourceSlice = defineKind(ResourceSlice, {
  strategy: {
    generation: 'spec',
    returnsDeletedObject: true,
    prepareForCreate(draft, { clock }) {
      dropAlphaFields(draft);
      setTaintTimes(draft, clock.now());
    },
    prepareForUpdate(draft, _old, { clock }) {
      dropAlphaFields(draft);
      setTaintTimes(draft, clock.now());
    },
    warnings: ({ spec }) => driverWarnings(spec?.driver ?? ''),
  },
  validation: resourceSliceValidation,
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

function driverWarnings(driver: string): string[] {
  if (driver === driver.toLowerCase()) return [];
  return [
    `spec.driver: driver names should be lowercase; ${JSON.stringify(driver)} contains uppercase characters`,
  ];
}
