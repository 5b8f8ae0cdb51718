import { type FieldPath, validateAnnotations, validateLabels } from '@windlass/apimachinery';
import { numberAt, textAt } from '../../printers/columns.ts';
import { type Fields, objectAt, objectsAt } from '../../values.ts';
import { validateClaimSpec } from '../claims.ts';
import { validateKeyToPath, validateMode, validateUnreservedPath } from '../file-paths.ts';
import { Findings } from '../findings.ts';
import { validateSource } from '../volume-sources.ts';
import { validateFieldReference, validateResourceReference } from './references.ts';

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
] as const;
const FILE_FIELDS = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];
const MIN_TOKEN_SECONDS = 600;
const MAX_TOKEN_SECONDS = 2 ** 32;

/** The volumes that are well formed, by name: only these can be mounted. */
export function validateVolumes(
  volumes: readonly Fields[],
  podName: string,
  path: FieldPath,
  findings: Findings,
): Map<string, Fields> {
  const known = new Map<string, Fields>();
  const made = new Set(
    podName === ''
      ? []
      : volumes
          .filter(({ ephemeral }) => ephemeral !== undefined)
          .map((volume) => `${podName}-${textAt(volume, 'name')}`),
  );
  for (const [index, volume] of volumes.entries()) {
    const at = path.index(index);
    const name = textAt(volume, 'name');
    const own = new Findings();
    validateVolume(volume, at, own);
    if (name === '') own.required(at.child('name'));
    else own.label(at.child('name'), name);
    if (known.has(name)) own.duplicate(at.child('name'), name);
    if (own.errors.length === 0) known.set(name, volume);
    findings.add(own.errors);
    const claim = textAt(objectAt(volume, 'persistentVolumeClaim') ?? {}, 'claimName');
    if (made.has(claim))
      findings.invalid(
        at.child('persistentVolumeClaim', 'claimName'),
        claim,
        'must not reference a PVC that gets created for an ephemeral volume',
      );
  }
  return known;
}

function validateVolume(volume: Fields, path: FieldPath, findings: Findings): void {
  let count = 0;
  for (const name of SOURCES) {
    const source = objectAt(volume, name);
    if (source === undefined) continue;
    if (count++ > 0) {
      findings.forbidden(
        path.child(name === 'cephfs' ? 'cephFS' : name),
        'may not specify more than 1 volume type',
      );
      continue;
    }
    const at = path.child(name);
    switch (name) {
      case 'emptyDir':
        validateEmptyDir(source, at, findings);
        break;
      case 'downwardAPI':
        validateMode(source, 'defaultMode', at, findings);
        // Upstream leaves out which file it is.
        for (const file of objectsAt(source, 'items')) validateDownwardFile(file, at, findings);
        break;
      case 'projected':
        validateProjected(source, at, findings);
        break;
      case 'ephemeral':
        validateEphemeral(source, at, findings);
        break;
      case 'image':
        if (textAt(source, 'reference') === '') findings.required(at.child('reference'));
        validatePullPolicy(textAt(source, 'pullPolicy'), at.child('pullPolicy'), findings);
        break;
      default:
        validateSource(name, source, path, findings, { isPersistent: false });
        if (name === 'csi') validateCsiSecret(source, at, findings);
    }
  }
  if (count === 0) findings.required(path, 'must specify a volume type');
}

export function validatePullPolicy(policy: string, path: FieldPath, findings: Findings): void {
  if (policy === '') findings.required(path);
  else findings.oneOf(path, policy, ['Always', 'IfNotPresent', 'Never']);
}

function validateEmptyDir(source: Fields, path: FieldPath, findings: Findings): void {
  const own = new Findings();
  own.notNegativeQuantity(path, source['sizeLimit']);
  if (own.errors.length > 0)
    findings.forbidden(path.child('sizeLimit'), 'SizeLimit field must be a valid resource quantity');
}

function validateCsiSecret(source: Fields, path: FieldPath, findings: Findings): void {
  const secret = objectAt(source, 'nodePublishSecretRef');
  if (secret === undefined) return;
  const name = textAt(secret, 'name');
  if (name === '') findings.required(path.child('nodePublishSecretRef', 'name'));
  else findings.subdomain(path.child('name'), name);
}

function validateDownwardFile(file: Fields, path: FieldPath, findings: Findings): void {
  if (textAt(file, 'path') === '') findings.required(path.child('path'));
  validateUnreservedPath(textAt(file, 'path'), path.child('path'), findings);
  const field = objectAt(file, 'fieldRef');
  const resource = objectAt(file, 'resourceFieldRef');
  if (field !== undefined) {
    validateFieldReference(field, FILE_FIELDS, path.child('fieldRef'), findings);
    if (resource !== undefined)
      findings.invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously');
  } else if (resource !== undefined)
    validateResourceReference(resource, path.child('resourceFieldRef'), findings, true);
  else findings.required(path, 'one of fieldRef and resourceFieldRef is required');
  validateMode(file, 'mode', path, findings);
}

function validateProjected(source: Fields, path: FieldPath, findings: Findings): void {
  validateMode(source, 'defaultMode', path, findings);
  const paths = new Set<string>();
  const take = (file: string, value: unknown): void => {
    if (file === '') return;
    if (paths.has(file)) findings.invalid(path, value, 'conflicting duplicate paths');
    paths.add(file);
  };
  for (const [index, projection] of objectsAt(source, 'sources').entries()) {
    const at = path.child('sources').index(index);
    let count = 0;
    for (const name of ['secret', 'configMap']) {
      const part = objectAt(projection, name);
      if (part === undefined) continue;
      count++;
      if (textAt(part, 'name') === '') findings.required(at.child(name, 'name'));
      for (const [place, item] of objectsAt(part, 'items').entries()) {
        validateKeyToPath(item, at.child(name, 'items').index(place), findings);
        take(textAt(item, 'path'), textAt(part, 'name'));
      }
    }
    const downward = objectAt(projection, 'downwardAPI');
    if (downward !== undefined) {
      count++;
      for (const file of objectsAt(downward, 'items')) {
        validateDownwardFile(file, at.child('downwardAPI'), findings);
        take(textAt(file, 'path'), textAt(file, 'path'));
      }
    }
    const token = objectAt(projection, 'serviceAccountToken');
    if (token !== undefined) {
      count++;
      validateToken(token, at.child('serviceAccountToken'), path, findings);
    }
    const bundle = objectAt(projection, 'clusterTrustBundle');
    if (bundle !== undefined) {
      count++;
      validateTrustBundle(bundle, at.child('clusterTrustBundle'), findings);
      const file = textAt(bundle, 'path');
      if (paths.has(file)) findings.invalid(path, file, 'conflicting duplicate paths');
      paths.add(file);
    }
    if (objectAt(projection, 'podCertificate') !== undefined) count++;
    if (count > 1) findings.forbidden(at, 'may not specify more than 1 volume type per source');
  }
}

function validateToken(token: Fields, path: FieldPath, volumePath: FieldPath, findings: Findings): void {
  const seconds = numberAt(token, 'expirationSeconds');
  const at = path.child('expirationSeconds');
  if (seconds < MIN_TOKEN_SECONDS)
    findings.invalid(at, seconds, 'may not specify a duration less than 10 minutes');
  if (seconds > MAX_TOKEN_SECONDS)
    findings.invalid(at, seconds, 'may not specify a duration larger than 2^32 seconds');
  const file = textAt(token, 'path');
  if (file === '') findings.required(volumePath.child('path'));
  else validateUnreservedPath(file, volumePath.child('path'), findings);
}

function validateTrustBundle(bundle: Fields, path: FieldPath, findings: Findings): void {
  const { name, signerName } = bundle;
  if (name !== undefined && signerName !== undefined)
    findings.invalid(path, bundle, 'only one of name and signerName may be used');
  else if (name !== undefined) {
    if (name === '') findings.required(path.child('name'), 'must be a valid object name');
    const selector = bundle['labelSelector'];
    if (selector !== undefined)
      findings.invalid(
        path.child('labelSelector'),
        selector,
        'labelSelector must be unset if name is specified',
      );
  } else if (signerName !== undefined) {
    if (signerName === '') findings.required(path.child('signerName'), 'must be a valid signer name');
    findings.selector(path.child('labelSelector'), objectAt(bundle, 'labelSelector'));
  } else findings.required(path, 'either name or signerName must be specified');
  if (textAt(bundle, 'path') === '') findings.required(path.child('path'));
  validateUnreservedPath(textAt(bundle, 'path'), path.child('path'), findings);
}

const METADATA_FIELDS = new Set(['labels', 'annotations']);

function validateEphemeral(source: Fields, path: FieldPath, findings: Findings): void {
  const template = objectAt(source, 'volumeClaimTemplate');
  const at = path.child('volumeClaimTemplate');
  if (template === undefined) {
    findings.required(at);
    return;
  }
  const metadata = objectAt(template, 'metadata') ?? {};
  // The typed form makes them texts.
  findings.add(
    validateAnnotations(
      (objectAt(metadata, 'annotations') ?? {}) as Record<string, string>,
      at.child('metadata', 'annotations'),
    ),
  );
  findings.add(
    validateLabels(
      (objectAt(metadata, 'labels') ?? {}) as Record<string, string>,
      at.child('metadata', 'labels'),
    ),
  );
  for (const field of Object.keys(metadata))
    if (!METADATA_FIELDS.has(field)) findings.forbidden(at.child('metadata', field), 'cannot be set');
  validateClaimSpec(objectAt(template, 'spec') ?? {}, at.child('spec'), findings);
}
