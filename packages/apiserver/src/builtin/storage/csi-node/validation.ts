import { FieldPath } from '@windlass/apimachinery';
import type { CSINode } from '@windlass/apimachinery/api/storage/v1';
import type { View } from '../../../resource/views.ts';
import type { ValidationOf } from '../../define-kind.ts';
import { validateDriverName } from '../../shared/driver-name.ts';
import type { Findings } from '../../shared/findings.ts';

const DRIVERS = FieldPath.of('spec', 'drivers');
const MAX_NODE_ID = 256;

export const csiNodeValidation: ValidationOf<CSINode> = {
  create: validateCsiNode,
  update(object, old, findings) {
    validateCsiNode(object, findings);
    const byName = Map.groupBy(object.spec?.drivers ?? [], ({ name = '' }) => name);
    for (const { allocatable: _then, ...before } of old.spec?.drivers ?? [])
      for (const { allocatable: _now, ...driver } of byName.get(before.name ?? '') ?? [])
        findings.immutable(DRIVERS, driver, before);
  },
};

function validateCsiNode({ spec }: View<CSINode>, findings: Findings): void {
  const names = new Set<string>();
  for (const [index, driver] of (spec?.drivers ?? []).entries()) {
    const path = DRIVERS.index(index);
    const { name = '', nodeID: id = '', allocatable, topologyKeys } = driver;
    validateDriverName(name, path.child('name'), findings);
    if (id === '') findings.required(path.child('nodeID'));
    if (Buffer.byteLength(id) > MAX_NODE_ID)
      findings.invalid(path.child('nodeID'), id, `must be ${MAX_NODE_ID} characters or less`);
    findings.notNegative(path.child('allocatable', 'count'), allocatable?.count);
    if (names.has(name)) findings.duplicate(path.child('name'), name);
    names.add(name);
    validateTopologyKeys(topologyKeys ?? [], path, findings);
  }
}

function validateTopologyKeys(keys: readonly string[], path: FieldPath, findings: Findings): void {
  const seen = new Set<string>();
  for (const key of keys) {
    if (key === '') findings.required(path, key);
    if (seen.has(key)) findings.duplicate(path, key);
    seen.add(key);
    findings.qualifiedName(path, key);
  }
}
