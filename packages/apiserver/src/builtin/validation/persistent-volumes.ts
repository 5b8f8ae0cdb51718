import { compareQuantities, deepEqual, FieldPath, Quantity } from '@windlass/apimachinery';
import type { Stored } from '../../resource/strategy.ts';
import { textAt, textsAt } from '../printers/columns.ts';
import { type Fields, objectAt } from '../values.ts';
import { VOLUME_MODES, validateAccessModes } from './claims.ts';
import type { Findings } from './findings.ts';
import type { ValidationsByKind } from './kind-validation.ts';
import { validateNodeSelector } from './node-selectors.ts';
import { validateSource } from './volume-sources.ts';

/** In the order in which they are looked at: only the first counts. */
const SOURCES = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
] as const;
const SECRETS = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
];
const SPEC = FieldPath.of('spec');

export const volumeValidations: ValidationsByKind = {
  '/v1/PersistentVolume': {
    create: (volume, findings) => validateVolumeSpec(objectAt(volume, 'spec') ?? {}, SPEC, findings),
    update: validateVolumeUpdate,
  },
};

/** `isInline` is a volume that an attachment describes by itself. */
export function validateVolumeSpec(
  spec: Fields,
  path: FieldPath,
  findings: Findings,
  isInline = false,
): void {
  const inline = 'may not be specified in the context of inline volumes';
  if (isInline) {
    if (spec['claimRef'] !== undefined) findings.forbidden(path.child('claimRef'), inline);
    if (spec['capacity'] !== undefined) findings.forbidden(path.child('capacity'), inline);
    if (spec['csi'] === undefined)
      findings.required(path.child('csi'), 'has to be specified in the context of inline volumes');
  }
  const modes = textsAt(spec, 'accessModes');
  if (modes.length === 0) findings.required(path.child('accessModes'));
  validateAccessModes(modes, path.child('accessModes'), findings);
  if (!isInline) validateCapacity(objectAt(spec, 'capacity') ?? {}, path.child('capacity'), findings);
  validateReclaim(spec, path.child('persistentVolumeReclaimPolicy'), findings, isInline);
  const affinity = objectAt(spec, 'nodeAffinity');
  if (affinity !== undefined) {
    const required = objectAt(affinity, 'required');
    if (isInline) findings.forbidden(path.child('nodeAffinity'), inline);
    else if (required === undefined)
      findings.required(path.child('nodeAffinity', 'required'), 'must specify required node constraints');
    else validateNodeSelector(required, path.child('nodeAffinity', 'required'), findings);
  }
  validateSources(spec, path, findings);
  const hostPath = objectAt(spec, 'hostPath');
  if (
    hostPath !== undefined &&
    /^\/+(?:\.?\/*)*$/.test(textAt(hostPath, 'path')) &&
    spec['persistentVolumeReclaimPolicy'] === 'Recycle'
  )
    findings.forbidden(
      path.child('persistentVolumeReclaimPolicy'),
      "may not be 'recycle' for a hostPath mount of '/'",
    );
  const storageClass = textAt(spec, 'storageClassName');
  if (storageClass !== '') {
    if (isInline) findings.forbidden(path.child('storageClassName'), inline);
    else findings.subdomain(path.child('storageClassName'), storageClass);
  }
  const mode = spec['volumeMode'];
  if (!isInline) findings.oneOf(path.child('volumeMode'), mode, VOLUME_MODES);
  else if (mode !== undefined && mode !== 'Filesystem')
    findings.forbidden(
      path.child('volumeMode'),
      'may not specify volumeMode other than Filesystem in the context of inline volumes',
    );
  validateAttributesClass(spec, path, findings);
}

function validateCapacity(capacity: Fields, path: FieldPath, findings: Findings): void {
  const names = Object.keys(capacity);
  if (names.length === 0) findings.required(path);
  if (capacity['storage'] === undefined || names.length > 1)
    findings.notSupported(path, capacity, ['storage']);
  for (const [name, value] of Object.entries(capacity)) {
    if (typeof value !== 'string') continue;
    const sign = compareQuantities(value, '0');
    if (sign < 0)
      findings.invalid(path.key(name), Quantity.parse(value).value(), 'must be a valid resource quantity');
    if (sign <= 0) findings.invalid(path.key(name), value, 'must be greater than zero');
  }
}

function validateReclaim(spec: Fields, path: FieldPath, findings: Findings, isInline: boolean): void {
  const policy = textAt(spec, 'persistentVolumeReclaimPolicy');
  if (policy === '') return;
  if (!isInline) findings.oneOf(path, policy, ['Delete', 'Recycle', 'Retain']);
  else if (policy !== 'Retain')
    findings.forbidden(path, 'may only be Retain in the context of inline volumes');
}

function validateSources(spec: Fields, path: FieldPath, findings: Findings): void {
  let count = 0;
  for (const name of SOURCES) {
    const source = objectAt(spec, name);
    if (source === undefined) continue;
    const at = path.child(name);
    // One kind of volume is let pass beside others.
    if (count++ > 0 && name !== 'flexVolume') {
      findings.forbidden(
        path.child(name === 'cephfs' ? 'cephFS' : name),
        'may not specify more than 1 volume type',
      );
      continue;
    }
    validateSource(name, source, path, findings, { isPersistent: true });
    if (name === 'csi') validateCsi(source, at, findings);
    if (name === 'local' && objectAt(spec, 'nodeAffinity') === undefined)
      findings.required(path.child('nodeAffinity'), 'Local volume requires node affinity');
    if (name === 'glusterfs' && source['endpointsNamespace'] === '')
      findings.invalid(
        at.child('endpointsNamespace'),
        '',
        'if the endpointnamespace is set, it must be a valid namespace name',
      );
  }
  if (count === 0) findings.required(path, 'must specify a volume type');
}

function validateCsi(source: Fields, path: FieldPath, findings: Findings): void {
  if (textAt(source, 'volumeHandle') === '') findings.required(path.child('volumeHandle'));
  for (const field of SECRETS) {
    const secret = objectAt(source, field);
    if (secret === undefined) continue;
    const [name, namespace] = [textAt(secret, 'name'), textAt(secret, 'namespace')];
    if (name === '') findings.required(path.child(field, 'name'));
    else findings.subdomain(path.child(field, 'name'), name);
    if (namespace === '') findings.required(path.child(field, 'namespace'));
    else findings.label(path.child(field, 'namespace'), namespace);
  }
}

function validateAttributesClass(spec: Fields, path: FieldPath, findings: Findings): void {
  const name = spec['volumeAttributesClassName'];
  if (typeof name !== 'string') return;
  const at = path.child('volumeAttributesClassName');
  if (name === '') findings.required(at, 'an empty string is disallowed');
  else findings.subdomain(at, name);
  if (spec['csi'] === undefined)
    findings.required(path.child('csi'), 'has to be specified when using volumeAttributesClassName');
}

function validateVolumeUpdate(volume: Stored, old: Stored, findings: Findings): void {
  const spec = objectAt(volume, 'spec') ?? {};
  const before = objectAt(old, 'spec') ?? {};
  validateVolumeSpec(spec, SPEC, findings);
  const sources = (of: Fields): Fields =>
    Object.fromEntries(SOURCES.map((name) => [name, sourceOf(of, name, before)]));
  if (!deepEqual(sources(spec), sources(before)))
    findings.forbidden(
      SPEC.child('persistentvolumesource'),
      'spec.persistentvolumesource is immutable after creation',
    );
  findings.immutable(FieldPath.of('volumeMode'), spec['volumeMode'], before['volumeMode']);
  if (before['nodeAffinity'] !== undefined && !deepEqual(spec['nodeAffinity'], before['nodeAffinity']))
    findings.invalid(
      FieldPath.of('nodeAffinity'),
      spec['nodeAffinity'] ?? null,
      'field is immutable, except for updating from beta label to GA',
    );
  if (before['volumeAttributesClassName'] !== undefined && spec['volumeAttributesClassName'] === undefined)
    findings.forbidden(
      SPEC.child('volumeAttributesClassName'),
      'update from non-nil value to nil is forbidden',
    );
}

/** A secret for growing may be named later. */
function sourceOf(spec: Fields, name: string, before: Fields): unknown {
  const source = objectAt(spec, name);
  const isNew = name === 'csi' && objectAt(before, 'csi')?.['controllerExpandSecretRef'] === undefined;
  if (!isNew || source === undefined) return source;
  const { controllerExpandSecretRef: _later, ...rest } = source;
  return rest;
}
