// Persistent volume claims, and the templates of them.
import {
  compareQuantities,
  deepEqual,
  FieldPath,
  type LabelSelectorObject,
  Quantity,
} from '@windlass/apimachinery';
import type { Stored } from '../../resource/strategy.ts';
import { textAt, textsAt } from '../printers/columns.ts';
import { type Fields, objectAt } from '../values.ts';
import type { Findings } from './findings.ts';
import type { ValidationsByKind } from './kind-validation.ts';

const SPEC = FieldPath.of('spec');
const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
export const VOLUME_MODES = ['Block', 'Filesystem'];
const RESIZE_STATES = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
];

export const claimValidations: ValidationsByKind = {
  '/v1/PersistentVolumeClaim': {
    create: (claim, findings) => validateClaimSpec(objectAt(claim, 'spec') ?? {}, SPEC, findings),
    update: validateClaimUpdate,
    status: validateClaimStatus,
  },
};

/** One mode only a single pod may use; it goes with no other. */
export function validateAccessModes(modes: readonly string[], path: FieldPath, findings: Findings): void {
  for (const mode of modes) findings.oneOf(path, mode, ACCESS_MODES);
  const isShared = modes.some((mode) => mode !== 'ReadWriteOncePod' && ACCESS_MODES.includes(mode));
  if (modes.includes('ReadWriteOncePod') && isShared)
    findings.forbidden(path, 'may not use ReadWriteOncePod with other access modes');
}

export function validateClaimSpec(spec: Fields, path: FieldPath, findings: Findings): void {
  const modes = textsAt(spec, 'accessModes');
  if (modes.length === 0) findings.required(path.child('accessModes'), 'at least 1 access mode is required');
  const selector: LabelSelectorObject | undefined = objectAt(spec, 'selector');
  findings.selector(path.child('selector'), selector as Fields | undefined);
  validateAccessModes(modes, path.child('accessModes'), findings);
  const storage = objectAt(objectAt(spec, 'resources'), 'requests')?.['storage'];
  const at = path.child('resources').key('storage');
  if (typeof storage !== 'string') findings.required(at);
  else if (compareQuantities(storage, '0') <= 0) findings.invalid(at, storage, 'must be greater than zero');
  for (const field of ['storageClassName', 'volumeAttributesClassName'])
    if (textAt(spec, field) !== '') findings.subdomain(path.child(field), textAt(spec, field));
  findings.oneOf(path.child('volumeMode'), spec['volumeMode'], VOLUME_MODES);
  validateSources(spec, path, findings);
}

function validateSources(spec: Fields, path: FieldPath, findings: Findings): void {
  const source = objectAt(spec, 'dataSource');
  const reference = objectAt(spec, 'dataSourceRef');
  for (const [field, value] of [
    ['dataSource', source],
    ['dataSourceRef', reference],
  ] as const)
    if (value !== undefined) validateDataSource(value, path.child(field), findings);
  if (source === undefined || reference === undefined) return;
  const at = path.child('dataSource');
  if (textAt(reference, 'namespace') !== '')
    findings.invalid(path, at, 'may not be specified when dataSourceRef.namespace is specified');
  else if (['apiGroup', 'kind', 'name'].some((field) => source[field] !== reference[field]))
    findings.invalid(path, at, 'must match dataSourceRef');
}

function validateDataSource(source: Fields, path: FieldPath, findings: Findings): void {
  const [name, kind, group] = ['name', 'kind', 'apiGroup'].map((field) => textAt(source, field));
  if (name === '') findings.required(path.child('name'));
  if (kind === '') findings.required(path.child('kind'));
  if (group === '' && kind !== 'PersistentVolumeClaim')
    findings.invalid(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
  if (group !== '') findings.subdomain(path.child('apiGroup'), group ?? '');
  const namespace = textAt(source, 'namespace');
  if (namespace !== '') findings.label(path.child('namespace'), namespace);
}

const requestOf = (claim: Stored): string =>
  textAt(objectAt(objectAt(objectAt(claim, 'spec'), 'resources'), 'requests'), 'storage', '0');

function validateClaimUpdate(claim: Stored, old: Stored, findings: Findings): void {
  const spec = objectAt(claim, 'spec') ?? {};
  const before = objectAt(old, 'spec') ?? {};
  validateClaimSpec(spec, SPEC, findings);
  if (!deepEqual(comparable(spec, before, claim), comparable(before, before, claim, spec)))
    findings.forbidden(
      SPEC,
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
    );
  const capacity = textAt(objectAt(objectAt(old, 'status'), 'capacity'), 'storage', '0');
  const isSmaller = compareQuantities(requestOf(claim), requestOf(old)) < 0;
  if (isSmaller && compareQuantities(requestOf(claim), capacity) <= 0)
    findings.forbidden(
      SPEC.child('resources', 'requests', 'storage'),
      'field can not be less than status.capacity',
    );
  findings.immutable(FieldPath.of('volumeMode'), spec['volumeMode'], before['volumeMode']);
}

/** A claim's spec with what may change taken from the old one. */
function comparable(spec: Fields, before: Fields, claim: Stored, next?: Fields): Fields {
  const copy: Fields = { ...spec };
  const isBound = objectAt(claim, 'status')?.['phase'] === 'Bound';
  if (next !== undefined && textAt(before, 'volumeName') === '') copy['volumeName'] = next['volumeName'];
  if (before['storageClassName'] === undefined) delete copy['storageClassName'];
  if (isBound) {
    const resources = objectAt(spec, 'resources');
    const requests = objectAt(resources, 'requests');
    const size = objectAt(objectAt(before, 'resources'), 'requests')?.['storage'];
    if (requests !== undefined)
      copy['resources'] = { ...resources, requests: { ...requests, storage: size } };
    copy['volumeAttributesClassName'] = before['volumeAttributesClassName'];
  }
  for (const [field, value] of Object.entries(copy)) if (value === undefined) delete copy[field];
  return copy;
}

function validateClaimStatus(claim: Stored, _old: Stored, findings: Findings): void {
  const status = objectAt(claim, 'status');
  const path = FieldPath.of('status');
  for (const [name, value] of Object.entries(objectAt(status, 'capacity') ?? {}))
    validateAmount(value, path.child('capacity').key(name), findings);
  for (const [name, value] of Object.entries(objectAt(status, 'allocatedResourceStatuses') ?? {})) {
    const at = path.child('allocatedResourceStatuses');
    validateResourceKey(name, at, findings);
    if (!RESIZE_STATES.includes(String(value))) findings.notSupported(at, name, RESIZE_STATES);
  }
  for (const [name, value] of Object.entries(objectAt(status, 'allocatedResources') ?? {})) {
    const at = path.child('allocatedResources');
    if (validateResourceKey(name, at, findings)) findings.notNegativeQuantity(at.key(name), value);
  }
}

function validateAmount(value: unknown, path: FieldPath, findings: Findings): void {
  const amount = typeof value === 'string' ? Quantity.parse(value).value() : 0;
  if (amount < 0) findings.invalid(path, amount, 'must be a valid resource quantity');
}

function validateResourceKey(name: string, path: FieldPath, findings: Findings): boolean {
  const before = findings.errors.length;
  findings.qualifiedName(path, name);
  const isNative = !name.includes('/') || name.includes('kubernetes.io/');
  if (findings.errors.length === before && isNative && name !== 'storage')
    findings.notSupported(path, name, ['storage']);
  return findings.errors.length === before;
}
