import { deepEqual, FieldPath } from '@windlass/apimachinery';
import { VolumeAttributesClass } from '@windlass/apimachinery/api/storage/v1';
import type { View } from '../../../resource/views.ts';
import { defineKind } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, printer } from '../../shared/columns.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateParameters, validateProvisioner } from '../parameters.ts';

export const volumeAttributesClass = defineKind(VolumeAttributesClass, {
  strategy: { returnsDeletedObject: true },
  validation: {
    create: validateAttributesClass,
    update(object, old, findings) {
      for (const field of ['driverName', 'parameters'] as const)
        if (!deepEqual(object[field], old[field]))
          findings.forbidden(FieldPath.of(field), `updates to ${field} are forbidden.`);
      validateAttributesClass(object, findings);
    },
  },
  printer: printer([column('DriverName'), AGE_COLUMN], (object, now) => [
    object.driverName ?? '',
    ageOf(object, now),
  ]),
});

function validateAttributesClass(object: View<VolumeAttributesClass>, findings: Findings): void {
  const parameters = object.parameters ?? {};
  validateProvisioner(object.driverName ?? '', FieldPath.of('driverName'), findings);
  validateParameters(parameters, FieldPath.of('parameters'), findings);
  if (Object.keys(parameters).length === 0)
    findings.required(FieldPath.of('parameters'), 'must contain at least one key/value pair');
}
