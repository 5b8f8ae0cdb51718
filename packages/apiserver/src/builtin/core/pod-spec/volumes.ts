import { type FieldPath, validateAnnotations, validateLabels } from '@windlass/apimachinery';
import type {
  CSIVolumeSource,
  EmptyDirVolumeSource,
  EphemeralVolumeSource,
  Volume,
} from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import { validateMode } from '../../shared/file-paths.ts';
import { Findings } from '../../shared/findings.ts';
import { validateSource } from '../../shared/volume-sources.ts';
import { validateClaimSpec } from '../persistent-volume-claim/validation.ts';
import { validateDownwardFile } from './downward-files.ts';
import { validateProjected } from './projected-volumes.ts';
import { validatePullPolicy } from './pull-policy.ts';

/** In the order in which they are looked at: only the first counts. */
const SOURCES = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'quobyte',
  'downwardAPI',
  'fc',
  'flexVolume',
  'configMap',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'projected',
  'scaleIO',
  'csi',
  'ephemeral',
  'image',
] as const satisfies readonly (keyof Volume)[];

/** The volumes that are well formed, by name: only these can be mounted. */
export function validateVolumes(
  volumes: readonly View<Volume>[],
  podName: string,
  path: FieldPath,
  findings: Findings,
): Map<string, View<Volume>> {
  const known = new Map<string, View<Volume>>();
  const made = new Set(
    podName === ''
      ? []
      : volumes
          .filter(({ ephemeral }) => ephemeral !== undefined)
          .map(({ name = '' }) => `${podName}-${name}`),
  );
  for (const [index, volume] of volumes.entries()) {
    const at = path.index(index);
    const { name = '' } = volume;
    const own = new Findings();
    validateVolume(volume, at, own);
    if (name === '') own.required(at.child('name'));
    else own.label(at.child('name'), name);
    if (known.has(name)) own.duplicate(at.child('name'), name);
    if (own.errors.length === 0) known.set(name, volume);
    findings.add(own.errors);
    const claim = volume.persistentVolumeClaim?.claimName ?? '';
    if (made.has(claim))
      findings.invalid(
        at.child('persistentVolumeClaim', 'claimName'),
        claim,
        'must not reference a PVC that gets created for an ephemeral volume',
      );
  }
  return known;
}

function validateVolume(volume: View<Volume>, path: FieldPath, findings: Findings): void {
  const [first, ...others] = SOURCES.filter((name) => volume[name] !== undefined);
  if (first === undefined) {
    findings.required(path, 'must specify a volume type');
    return;
  }
  validateVolumeSource(volume, first, path, findings);
  for (const name of others)
    findings.forbidden(
      path.child(name === 'cephfs' ? 'cephFS' : name),
      'may not specify more than 1 volume type',
    );
}

function validateVolumeSource(
  volume: View<Volume>,
  name: (typeof SOURCES)[number],
  path: FieldPath,
  findings: Findings,
): void {
  const at = path.child(name);
  switch (name) {
    case 'emptyDir':
      validateEmptyDir(volume[name] ?? {}, at, findings);
      break;
    case 'downwardAPI':
      validateMode(volume[name]?.defaultMode, at.child('defaultMode'), findings);
      // Upstream leaves out which file it is.
      for (const file of volume[name]?.items ?? []) validateDownwardFile(file, at, findings);
      break;
    case 'projected':
      validateProjected(volume[name] ?? {}, at, findings);
      break;
    case 'ephemeral':
      validateEphemeral(volume[name] ?? {}, at, findings);
      break;
    case 'image':
      if ((volume[name]?.reference ?? '') === '') findings.required(at.child('reference'));
      validatePullPolicy(volume[name]?.pullPolicy, at.child('pullPolicy'), findings);
      break;
    default:
      validateSource(name, volume[name] ?? {}, path, findings, { isPersistent: false });
      if (name === 'csi') validateCsiSecret(volume[name] ?? {}, at, findings);
  }
}

function validateEmptyDir(
  { sizeLimit }: View<EmptyDirVolumeSource>,
  path: FieldPath,
  findings: Findings,
): void {
  const own = new Findings();
  own.notNegativeQuantity(path, sizeLimit);
  if (own.errors.length > 0)
    findings.forbidden(path.child('sizeLimit'), 'SizeLimit field must be a valid resource quantity');
}

function validateCsiSecret(
  { nodePublishSecretRef: secret }: View<CSIVolumeSource>,
  path: FieldPath,
  findings: Findings,
): void {
  if (secret === undefined) return;
  const { name = '' } = secret;
  if (name === '') findings.required(path.child('nodePublishSecretRef', 'name'));
  else findings.subdomain(path.child('name'), name);
}

const METADATA_FIELDS = new Set(['labels', 'annotations']);

function validateEphemeral(
  { volumeClaimTemplate: template }: View<EphemeralVolumeSource>,
  path: FieldPath,
  findings: Findings,
): void {
  const at = path.child('volumeClaimTemplate');
  if (template === undefined) {
    findings.required(at);
    return;
  }
  const { metadata = {}, spec = {} } = template;
  const { annotations = {}, labels = {} } = metadata;
  findings.add(validateAnnotations(annotations, at.child('metadata', 'annotations')));
  findings.add(validateLabels(labels, at.child('metadata', 'labels')));
  for (const field of Object.keys(metadata))
    if (!METADATA_FIELDS.has(field)) findings.forbidden(at.child('metadata', field), 'cannot be set');
  validateClaimSpec(spec, at.child('spec'), findings);
}
