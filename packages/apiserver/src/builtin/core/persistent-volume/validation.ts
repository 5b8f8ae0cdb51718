import { compareQuantities, deepEqual, FieldPath, Quantity } from '@windlass/apimachinery';
import type { PersistentVolume, PersistentVolumeSpec } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { ValidationOf } from '../../define-kind.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateNodeSelector } from '../../shared/node-selectors.ts';
import { VOLUME_MODES, validateAccessModes } from '../access-modes.ts';
import { validateSources, validateSourcesUpdate } from './sources.ts';

type Spec = View<PersistentVolumeSpec>;

const SPEC = FieldPath.of('spec');
const INLINE = 'may not be specified in the context of inline volumes';
const ROOT = /^\/+(?:\.?\/*)*$/;

export const volumeValidation: ValidationOf<PersistentVolume> = {
  create: ({ spec = {} }, findings) => validateVolumeSpec(spec, SPEC, findings),
  update: ({ spec = {} }, { spec: old = {} }, findings) => validateVolumeUpdate(spec, old, findings),
};

/** `isInline` is a volume that an attachment describes by itself. */
export function validateVolumeSpec(spec: Spec, path: FieldPath, findings: Findings, isInline = false): void {
  if (isInline) {
    if (spec.claimRef !== undefined) findings.forbidden(path.child('claimRef'), INLINE);
    if (spec.capacity !== undefined) findings.forbidden(path.child('capacity'), INLINE);
    if (spec.csi === undefined)
      findings.required(path.child('csi'), 'has to be specified in the context of inline volumes');
  }
  const modes = spec.accessModes ?? [];
  if (modes.length === 0) findings.required(path.child('accessModes'));
  validateAccessModes(modes, path.child('accessModes'), findings);
  if (!isInline) validateCapacity(spec.capacity ?? {}, path.child('capacity'), findings);
  validateReclaim(spec, path.child('persistentVolumeReclaimPolicy'), findings, isInline);
  validateAffinity(spec, path.child('nodeAffinity'), findings, isInline);
  validateSources(spec, path, findings);
  if (ROOT.test(spec.hostPath?.path ?? '') && spec.persistentVolumeReclaimPolicy === 'Recycle')
    findings.forbidden(
      path.child('persistentVolumeReclaimPolicy'),
      "may not be 'recycle' for a hostPath mount of '/'",
    );
  const { storageClassName: storageClass = '', volumeMode: mode } = spec;
  if (storageClass !== '') {
    if (isInline) findings.forbidden(path.child('storageClassName'), INLINE);
    else findings.subdomain(path.child('storageClassName'), storageClass);
  }
  if (!isInline) findings.oneOf(path.child('volumeMode'), mode, VOLUME_MODES);
  else if (mode !== undefined && mode !== 'Filesystem')
    findings.forbidden(
      path.child('volumeMode'),
      'may not specify volumeMode other than Filesystem in the context of inline volumes',
    );
  validateAttributesClass(spec, path, findings);
}

function validateCapacity(
  capacity: Readonly<Record<string, string>>,
  path: FieldPath,
  findings: Findings,
): void {
  const names = Object.keys(capacity);
  if (names.length === 0) findings.required(path);
  if (capacity['storage'] === undefined || names.length > 1)
    findings.notSupported(path, capacity, ['storage']);
  for (const [name, value] of Object.entries(capacity)) {
    const sign = compareQuantities(value, '0');
    if (sign < 0)
      findings.invalid(path.key(name), Quantity.parse(value).value(), 'must be a valid resource quantity');
    if (sign <= 0) findings.invalid(path.key(name), value, 'must be greater than zero');
  }
}

function validateReclaim(spec: Spec, path: FieldPath, findings: Findings, isInline: boolean): void {
  const { persistentVolumeReclaimPolicy: policy = '' } = spec;
  if (policy === '') return;
  if (!isInline) findings.oneOf(path, policy, ['Delete', 'Recycle', 'Retain']);
  else if (policy !== 'Retain')
    findings.forbidden(path, 'may only be Retain in the context of inline volumes');
}

function validateAffinity(
  { nodeAffinity }: Spec,
  path: FieldPath,
  findings: Findings,
  isInline: boolean,
): void {
  if (nodeAffinity === undefined) return;
  if (isInline) findings.forbidden(path, INLINE);
  else if (nodeAffinity.required === undefined)
    findings.required(path.child('required'), 'must specify required node constraints');
  else validateNodeSelector(nodeAffinity.required, path.child('required'), findings);
}

function validateAttributesClass(spec: Spec, path: FieldPath, findings: Findings): void {
  const { volumeAttributesClassName: name } = spec;
  if (name === undefined) return;
  const at = path.child('volumeAttributesClassName');
  if (name === '') findings.required(at, 'an empty string is disallowed');
  else findings.subdomain(at, name);
  if (spec.csi === undefined)
    findings.required(path.child('csi'), 'has to be specified when using volumeAttributesClassName');
}

function validateVolumeUpdate(spec: Spec, old: Spec, findings: Findings): void {
  validateVolumeSpec(spec, SPEC, findings);
  validateSourcesUpdate(spec, old, findings);
  findings.immutable(FieldPath.of('volumeMode'), spec.volumeMode, old.volumeMode);
  if (old.nodeAffinity !== undefined && !deepEqual(spec.nodeAffinity, old.nodeAffinity))
    findings.invalid(
      FieldPath.of('nodeAffinity'),
      spec.nodeAffinity ?? null,
      'field is immutable, except for updating from beta label to GA',
    );
  if (old.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined)
    findings.forbidden(
      SPEC.child('volumeAttributesClassName'),
      'update from non-nil value to nil is forbidden',
    );
}
