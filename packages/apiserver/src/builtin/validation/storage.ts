// Storage classes and what CSI drivers say of themselves.
import { deepEqual, FieldPath } from '@windlass/apimachinery';
import type { Stored } from '../../resource/strategy.ts';
import { textAt, textsAt } from '../printers/columns.ts';
import { type Fields, objectAt, objectsAt } from '../values.ts';
import { validateDriverName } from './driver-name.ts';
import type { Findings } from './findings.ts';
import type { ValidationsByKind } from './kind-validation.ts';
import { validateVolumeSpec } from './persistent-volumes.ts';

const SPEC = FieldPath.of('spec');
const MAX_PARAMETERS = 512;
const MAX_PARAMETER_BYTES = 256 * 1024;
const MAX_NODE_ID = 256;
const MAX_INT32 = 2 ** 31 - 1;

export const storageValidations: ValidationsByKind = {
  'storage.k8s.io/v1/StorageClass': {
    create: validateStorageClass,
    update(object, old, findings) {
      for (const field of ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'])
        findings.immutable(FieldPath.of(field), object[field], old[field]);
      validateStorageClass(object, findings);
    },
  },
  'storage.k8s.io/v1/VolumeAttachment': {
    create: validateAttachment,
    update(object, old, findings) {
      validateAttachment(object, findings);
      findings.immutable(SPEC, object['spec'], old['spec']);
    },
    status: (object, _old, findings) => validateAttachmentStatus(object, findings),
  },
  'storage.k8s.io/v1/CSINode': { create: validateCsiNode, update: validateCsiNodeUpdate },
  'storage.k8s.io/v1/CSIDriver': {
    create: validateDriver,
    update(object, old, findings) {
      validateDriver(object, findings);
      const [spec, before] = [objectAt(object, 'spec') ?? {}, objectAt(old, 'spec') ?? {}];
      findings.immutable(SPEC.child('attachedRequired'), spec['attachRequired'], before['attachRequired']);
      findings.immutable(
        SPEC.child('volumeLifecycleModes'),
        spec['volumeLifecycleModes'],
        before['volumeLifecycleModes'],
      );
    },
  },
  'storage.k8s.io/v1/CSIStorageCapacity': {
    create: validateCapacity,
    update(object, old, findings) {
      validateCapacity(object, findings);
      findings.immutable(FieldPath.of('nodeTopology'), object['nodeTopology'], old['nodeTopology']);
      findings.immutable(
        FieldPath.of('storageClassName'),
        textAt(object, 'storageClassName'),
        textAt(old, 'storageClassName'),
      );
    },
  },
  'storage.k8s.io/v1/VolumeAttributesClass': {
    create: validateAttributesClass,
    update(object, old, findings) {
      for (const field of ['driverName', 'parameters'])
        if (!deepEqual(object[field], old[field]))
          findings.forbidden(FieldPath.of(field), `updates to ${field} are forbidden.`);
      validateAttributesClass(object, findings);
    },
  },
};

function validateCapacity(object: Stored, findings: Findings): void {
  findings.selector(FieldPath.of('nodeTopology'), objectAt(object, 'nodeTopology'));
  findings.subdomain(FieldPath.of('storageClassName'), textAt(object, 'storageClassName'));
  findings.notNegativeQuantity(FieldPath.of('capacity'), object['capacity']);
}

function validateProvisioner(name: string, path: FieldPath, findings: Findings): void {
  if (name === '') findings.required(path);
  else findings.qualifiedName(path, name.toLowerCase());
}

function validateParameters(parameters: Fields, path: FieldPath, findings: Findings): void {
  const entries = Object.entries(parameters);
  if (entries.length > MAX_PARAMETERS) {
    findings.tooLong(path, MAX_PARAMETERS);
    return;
  }
  let bytes = 0;
  for (const [key, value] of entries) {
    if (key === '') findings.invalid(path, key, 'field can not be empty.');
    bytes += Buffer.byteLength(key) + Buffer.byteLength(String(value));
  }
  if (bytes > MAX_PARAMETER_BYTES) findings.tooLong(path, MAX_PARAMETER_BYTES);
}

function validateStorageClass(object: Stored, findings: Findings): void {
  validateProvisioner(textAt(object, 'provisioner'), FieldPath.of('provisioner'), findings);
  validateParameters(objectAt(object, 'parameters') ?? {}, FieldPath.of('parameters'), findings);
  if (object['reclaimPolicy'] !== '')
    findings.oneOf(FieldPath.of('reclaimPolicy'), object['reclaimPolicy'], ['Delete', 'Retain']);
  const mode = object['volumeBindingMode'];
  if (mode === undefined) findings.required(FieldPath.of('volumeBindingMode'));
  else findings.oneOf(FieldPath.of('volumeBindingMode'), mode, ['Immediate', 'WaitForFirstConsumer']);
  validateTopologies(objectsAt(object, 'allowedTopologies'), FieldPath.of('allowedTopologies'), findings);
}

function validateAttributesClass(object: Stored, findings: Findings): void {
  const parameters = objectAt(object, 'parameters') ?? {};
  validateProvisioner(textAt(object, 'driverName'), FieldPath.of('driverName'), findings);
  validateParameters(parameters, FieldPath.of('parameters'), findings);
  if (Object.keys(parameters).length === 0)
    findings.required(FieldPath.of('parameters'), 'must contain at least one key/value pair');
}

function validateTopologies(terms: readonly Fields[], path: FieldPath, findings: Findings): void {
  const seen: Record<string, string[]>[] = [];
  for (const [index, term] of terms.entries()) {
    const at = path.index(index).child('matchLabelExpressions');
    const raw: Record<string, string[]> = {};
    for (const [place, expression] of objectsAt(term, 'matchLabelExpressions').entries()) {
      const key = textAt(expression, 'key');
      const values = textsAt(expression, 'values');
      const where = at.index(place);
      if (values.length === 0) findings.required(where.child('values'));
      for (const [number, value] of values.entries())
        if (values.indexOf(value) < number) findings.duplicate(where.child('values').index(number), value);
      findings.qualifiedName(where.child('key'), key);
      if (raw[key] !== undefined) findings.duplicate(where.child('key'), key);
      raw[key] = [...new Set(values)].toSorted();
    }
    // A term that asks for nothing is one too many from the first.
    if (Object.keys(raw).length === 0 || seen.some((other) => deepEqual(other, raw)))
      findings.duplicate(at, '');
    seen.push(raw);
  }
}

function validateAttachment(object: Stored, findings: Findings): void {
  const spec = objectAt(object, 'spec') ?? {};
  const source = objectAt(spec, 'source') ?? {};
  const at = SPEC.child('source');
  validateDriverName(textAt(spec, 'attacher'), SPEC.child('attacher'), findings);
  const name = source['persistentVolumeName'];
  const inline = objectAt(source, 'inlineVolumeSpec');
  const one = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (inline === undefined && name === undefined) findings.required(at, one);
  else if (inline !== undefined && name !== undefined) findings.forbidden(at, one);
  else if (name === '')
    findings.required(at.child('persistentVolumeName'), 'must specify non empty persistentVolumeName');
  else if (inline !== undefined) validateVolumeSpec(inline, at.child('inlineVolumeSpec'), findings, true);
  findings.subdomain(SPEC.child('nodeName'), textAt(spec, 'nodeName'));
  validateAttachmentStatus(object, findings);
  if (typeof name === 'string') findings.subdomain(FieldPath.of('spec.source.persistentVolumeName'), name);
}

function validateAttachmentStatus(object: Stored, findings: Findings): void {
  const status = objectAt(object, 'status');
  for (const field of ['attachError', 'detachError']) {
    const code = objectAt(status, field)?.['errorCode'];
    if (typeof code === 'number' && code < 0)
      findings.invalid(
        FieldPath.of('status', field, 'errorCode'),
        code,
        `must be between 0 and ${MAX_INT32}, inclusive`,
      );
  }
}

function validateCsiNode(object: Stored, findings: Findings): void {
  const names = new Set<string>();
  for (const [index, driver] of objectsAt(objectAt(object, 'spec'), 'drivers').entries()) {
    const path = SPEC.child('drivers').index(index);
    const [name, id] = [textAt(driver, 'name'), textAt(driver, 'nodeID')];
    validateDriverName(name, path.child('name'), findings);
    if (id === '') findings.required(path.child('nodeID'));
    if (Buffer.byteLength(id) > MAX_NODE_ID)
      findings.invalid(path.child('nodeID'), id, `must be ${MAX_NODE_ID} characters or less`);
    findings.notNegative(path.child('allocatable', 'count'), objectAt(driver, 'allocatable')?.['count']);
    if (names.has(name)) findings.duplicate(path.child('name'), name);
    names.add(name);
    const keys = new Set<string>();
    for (const key of textsAt(driver, 'topologyKeys')) {
      if (key === '') findings.required(path, key);
      if (keys.has(key)) findings.duplicate(path, key);
      keys.add(key);
      findings.qualifiedName(path, key);
    }
  }
}

function validateCsiNodeUpdate(object: Stored, old: Stored, findings: Findings): void {
  validateCsiNode(object, findings);
  const drivers = (of: Stored): Fields[] => objectsAt(objectAt(of, 'spec'), 'drivers');
  for (const before of drivers(old)) {
    for (const driver of drivers(object)) {
      if (textAt(driver, 'name') !== textAt(before, 'name')) continue;
      const { allocatable: _now, ...rest } = driver;
      const { allocatable: _then, ...restBefore } = before;
      findings.immutable(SPEC.child('drivers'), rest, restBefore);
    }
  }
}

function validateDriver(object: Stored, findings: Findings): void {
  const spec = objectAt(object, 'spec') ?? {};
  for (const [field, name] of [
    ['attachRequired', 'attachedRequired'],
    ['podInfoOnMount', 'podInfoOnMount'],
    ['storageCapacity', 'storageCapacity'],
  ] as const)
    if (spec[field] === undefined) findings.required(SPEC.child(name));
  findings.oneOf(SPEC.child('fsGroupPolicy'), spec['fsGroupPolicy'], [
    'File',
    'None',
    'ReadWriteOnceWithFSType',
  ]);
  const requests = objectsAt(spec, 'tokenRequests');
  const audiences = new Set<string>();
  for (const [index, request] of requests.entries()) {
    const path = SPEC.child('tokenRequests').index(index);
    const audience = textAt(request, 'audience');
    if (audiences.has(audience)) {
      findings.duplicate(path.child('audience'), audience);
      continue;
    }
    audiences.add(audience);
    const seconds = request['expirationSeconds'];
    if (typeof seconds !== 'number') continue;
    if (seconds < 600)
      findings.invalid(
        path.child('expirationSeconds'),
        seconds,
        'may not specify a duration less than 10 minutes',
      );
    if (seconds > 2 ** 32)
      findings.invalid(
        path.child('expirationSeconds'),
        seconds,
        'may not specify a duration larger than 2^32 seconds',
      );
  }
  for (const mode of textsAt(spec, 'volumeLifecycleModes'))
    findings.oneOf(SPEC.child('volumeLifecycleModes'), mode, ['Persistent', 'Ephemeral']);
  const period = spec['nodeAllocatableUpdatePeriodSeconds'];
  if (typeof period === 'number' && period < 10)
    findings.invalid(
      SPEC.child('nodeAllocatableUpdatePeriodSeconds'),
      period,
      'must be greater than or equal to 10 seconds',
    );
  const inSecrets = spec['serviceAccountTokenInSecrets'];
  if (inSecrets !== undefined && requests.length === 0)
    findings.invalid(
      SPEC.child('serviceAccountTokenInSecrets'),
      inSecrets,
      'serviceAccountTokenInSecrets is set but no tokenRequests are specified',
    );
}
