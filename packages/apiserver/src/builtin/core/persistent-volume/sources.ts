// Where the bytes of a persistent volume come from.
import { deepEqual, FieldPath } from '@windlass/apimachinery';
import type { CSIPersistentVolumeSource, PersistentVolumeSpec } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateSource } from '../../shared/volume-sources.ts';

type Spec = View<PersistentVolumeSpec>;

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
] as const;

export function validateSources(spec: Spec, path: FieldPath, findings: Findings): void {
  let count = 0;
  for (const name of SOURCES) {
    const source = spec[name];
    if (source === undefined) continue;
    // One kind of volume is let pass beside others.
    if (count++ > 0 && name !== 'flexVolume') {
      findings.forbidden(
        path.child(name === 'cephfs' ? 'cephFS' : name),
        'may not specify more than 1 volume type',
      );
      continue;
    }
    validateSource(name, source, path, findings, { isPersistent: true });
    if (name === 'csi') validateCsi(spec[name] ?? {}, path.child(name), findings);
    if (name === 'local' && spec.nodeAffinity === undefined)
      findings.required(path.child('nodeAffinity'), 'Local volume requires node affinity');
    if (name === 'glusterfs')
      validateEndpointsNamespace(spec[name]?.endpointsNamespace, path.child(name), findings);
  }
  if (count === 0) findings.required(path, 'must specify a volume type');
}

function validateEndpointsNamespace(
  namespace: string | undefined,
  path: FieldPath,
  findings: Findings,
): void {
  if (namespace === undefined) return;
  const at = path.child('endpointsNamespace');
  if (namespace === '')
    findings.invalid(at, '', 'if the endpointnamespace is set, it must be a valid namespace name');
  else findings.label(at, namespace);
}

function validateCsi(source: View<CSIPersistentVolumeSource>, path: FieldPath, findings: Findings): void {
  if ((source.volumeHandle ?? '') === '') findings.required(path.child('volumeHandle'));
  for (const field of SECRETS) {
    const secret = source[field];
    if (secret === undefined) continue;
    const { name = '', namespace = '' } = secret;
    if (name === '') findings.required(path.child(field, 'name'));
    else findings.subdomain(path.child(field, 'name'), name);
    if (namespace === '') findings.required(path.child(field, 'namespace'));
    else findings.label(path.child(field, 'namespace'), namespace);
  }
}

export function validateSourcesUpdate(spec: Spec, old: Spec, findings: Findings): void {
  // The secret for growing a volume may be named later.
  const isLater = old.csi?.controllerExpandSecretRef === undefined;
  const isSame = SOURCES.every((name) =>
    name === 'csi' && isLater
      ? deepEqual(withoutExpandSecret(spec.csi), withoutExpandSecret(old.csi))
      : deepEqual(spec[name], old[name]),
  );
  if (!isSame)
    findings.forbidden(
      FieldPath.of('spec', 'persistentvolumesource'),
      'spec.persistentvolumesource is immutable after creation',
    );
}

function withoutExpandSecret(source: Spec['csi']): Spec['csi'] {
  if (source === undefined) return undefined;
  const { controllerExpandSecretRef: _later, ...rest } = source;
  return rest;
}
