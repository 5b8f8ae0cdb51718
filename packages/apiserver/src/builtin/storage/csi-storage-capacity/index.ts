import { FieldPath } from '@windlass/apimachinery';
import { CSIStorageCapacity } from '@windlass/apimachinery/api/storage/v1';
import type { View } from '../../../resource/views.ts';
import { defineKind } from '../../define-kind.ts';
import { namedAndDated } from '../../shared/columns.ts';
import type { Findings } from '../../shared/findings.ts';

const TOPOLOGY = FieldPath.of('nodeTopology');
const CLASS_NAME = FieldPath.of('storageClassName');

export const csiStorageCapacity = defineKind(CSIStorageCapacity, {
  strategy: { allowUnconditionalUpdate: false },
  validation: {
    create: validateCapacity,
    update(object, old, findings) {
      validateCapacity(object, findings);
      findings.immutable(TOPOLOGY, object.nodeTopology, old.nodeTopology);
      findings.immutable(CLASS_NAME, object.storageClassName ?? '', old.storageClassName ?? '');
    },
  },
  printer: namedAndDated,
});

function validateCapacity(object: View<CSIStorageCapacity>, findings: Findings): void {
  findings.selector(TOPOLOGY, object.nodeTopology);
  findings.subdomain(CLASS_NAME, object.storageClassName ?? '');
  findings.notNegativeQuantity(FieldPath.of('capacity'), object.capacity);
}
