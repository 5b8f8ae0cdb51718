// Persistent volume claims, and the templates of them.
import { compareQuantities, deepEqual, FieldPath } from '@windlass/apimachinery';
import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  TypedObjectReference,
} from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { ValidationOf } from '../../define-kind.ts';
import type { Findings } from '../../shared/findings.ts';
import { VOLUME_MODES, validateAccessModes } from '../access-modes.ts';
import { validateClaimStatus } from './status-validation.ts';

type Claim = View<PersistentVolumeClaim>;
type Spec = View<PersistentVolumeClaimSpec>;

const SPEC = FieldPath.of('spec');

export const claimValidation: ValidationOf<PersistentVolumeClaim> = {
  create: ({ spec = {} }, findings) => validateClaimSpec(spec, SPEC, findings),
  update: validateClaimUpdate,
  status: (claim, _old, findings) => validateClaimStatus(claim.status ?? {}, findings),
};

interface ClaimOptions {
  /** Whether the group of a data source may be anything. @default false */
  readonly anyGroup?: boolean;
}

export function validateClaimSpec(
  spec: Spec,
  path: FieldPath,
  findings: Findings,
  options: ClaimOptions = {},
): void {
  const modes = spec.accessModes ?? [];
  if (modes.length === 0) findings.required(path.child('accessModes'), 'at least 1 access mode is required');
  findings.selector(path.child('selector'), spec.selector);
  validateAccessModes(modes, path.child('accessModes'), findings);
  const storage = spec.resources?.requests?.['storage'];
  const at = path.child('resources').key('storage');
  if (storage === undefined) findings.required(at);
  else if (compareQuantities(storage, '0') <= 0) findings.invalid(at, storage, 'must be greater than zero');
  for (const field of ['storageClassName', 'volumeAttributesClassName'] as const) {
    const name = spec[field] ?? '';
    if (name !== '') findings.subdomain(path.child(field), name);
  }
  findings.oneOf(path.child('volumeMode'), spec.volumeMode, VOLUME_MODES);
  validateSources(spec, path, findings, options);
}

function validateSources(spec: Spec, path: FieldPath, findings: Findings, options: ClaimOptions): void {
  const { dataSource: source, dataSourceRef: reference } = spec;
  if (source !== undefined) validateDataSource(source, path.child('dataSource'), findings, options);
  if (reference !== undefined) validateDataSource(reference, path.child('dataSourceRef'), findings, options);
  if (source === undefined || reference === undefined) return;
  const at = path.child('dataSource');
  if ((reference.namespace ?? '') !== '')
    findings.invalid(path, at, 'may not be specified when dataSourceRef.namespace is specified');
  else if ((['apiGroup', 'kind', 'name'] as const).some((field) => source[field] !== reference[field]))
    findings.invalid(path, at, 'must match dataSourceRef');
}

function validateDataSource(
  { name = '', kind = '', apiGroup, namespace = '' }: View<TypedObjectReference>,
  path: FieldPath,
  findings: Findings,
  { anyGroup = false }: ClaimOptions,
): void {
  const group = apiGroup ?? '';
  if (name === '') findings.required(path.child('name'));
  if (kind === '') findings.required(path.child('kind'));
  if (group === '' && kind !== 'PersistentVolumeClaim')
    findings.invalid(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
  if (group !== '' && !anyGroup) findings.subdomain(path.child('apiGroup'), group);
  if (namespace !== '') findings.label(path.child('namespace'), namespace);
}

const requestOf = ({ spec }: Claim): string => spec?.resources?.requests?.['storage'] || '0';

function validateClaimUpdate(claim: Claim, old: Claim, findings: Findings): void {
  const [spec, before] = [claim.spec ?? {}, old.spec ?? {}];
  // Groups were not looked at once, so one that is there may be followed by any.
  const hadGroup = [before.dataSource, before.dataSourceRef].some((source) => source?.apiGroup !== undefined);
  validateClaimSpec(spec, SPEC, findings, { anyGroup: hadGroup });
  const isBound = claim.status?.phase === 'Bound';
  // The name of a volume may be given once.
  const volumeName = before.volumeName || spec.volumeName;
  if (!deepEqual(fixedPart(spec, before, isBound), { ...fixedPart(before, before, isBound), volumeName }))
    findings.forbidden(
      SPEC,
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
    );
  const capacity = old.status?.capacity?.['storage'] || '0';
  const isSmaller = compareQuantities(requestOf(claim), requestOf(old)) < 0;
  if (isSmaller && compareQuantities(requestOf(claim), capacity) <= 0)
    findings.forbidden(
      SPEC.child('resources', 'requests', 'storage'),
      'field can not be less than status.capacity',
    );
  findings.immutable(FieldPath.of('volumeMode'), spec.volumeMode, before.volumeMode);
}

/** A claim's spec with what may change taken from the old one. Fields that are undefined count as absent. */
function fixedPart(spec: Spec, before: Spec, isBound: boolean): object {
  const part = before.storageClassName === undefined ? { ...spec, storageClassName: undefined } : spec;
  if (!isBound) return part;
  const { resources } = spec;
  const size = before.resources?.requests?.['storage'];
  return {
    ...part,
    ...(resources?.requests && {
      resources: { ...resources, requests: { ...resources.requests, storage: size } },
    }),
    volumeAttributesClassName: before.volumeAttributesClassName,
  };
}
