// Where the bytes of a volume come from: the same for the volumes of pods and for persistent ones.
import type { FieldPath } from '@windlass/apimachinery';
import type {
  AzureDiskVolumeSource,
  FlockerVolumeSource,
  HostPathVolumeSource,
  PersistentVolumeSpec,
  QuobyteVolumeSource,
  Volume,
} from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../resource/views.ts';
import { validateFibre, validateIscsi } from './block-volume-sources.ts';
import { validateDriverName } from './driver-name.ts';
import { validateKeyToPath, validateMode, validateNoBacksteps, validateRelativePath } from './file-paths.ts';
import type { Findings } from './findings.ts';

/** Sources that only the volumes of pods have are checked there. */
type OnlyOfPods = 'downwardAPI' | 'emptyDir' | 'ephemeral' | 'image' | 'projected';

export type SourceName = Exclude<keyof Volume, 'name' | OnlyOfPods> | 'local';

type FieldOf<T, Name> = Name extends keyof T ? NonNullable<T[Name]> : never;

/** Some sources have one form in pods and another in persistent volumes. */
type Sources = {
  readonly [Name in SourceName]: View<FieldOf<Volume, Name> | FieldOf<PersistentVolumeSpec, Name>>;
};

export interface SourceContext {
  /** A persistent volume names secrets in any namespace. */
  readonly isPersistent: boolean;
}

type Rule<Source> = (source: Source, path: FieldPath, findings: Findings, context: SourceContext) => void;

const RULES: { readonly [Name in SourceName]: Rule<Sources[Name]> } = {
  awsElasticBlockStore(source, path, findings) {
    requireTexts(source, ['volumeID'], path, findings);
    validatePartition(source, path, findings);
  },
  azureDisk: validateAzureDisk,
  azureFile(source, path, findings) {
    requireTexts(source, ['secretName', 'shareName'], path, findings);
    if ('secretNamespace' in source && source.secretNamespace === '')
      findings.required(path.child('secretNamespace'));
  },
  cephfs: requireMonitors,
  cinder(source, path, findings, context) {
    requireTexts(source, ['volumeID'], path, findings);
    validateSecretName(source, path, findings, context);
  },
  configMap(source, path, findings) {
    requireTexts(source, ['name'], path, findings);
    validateFiles(source, path, findings);
  },
  csi: ({ driver = '' }, path, findings) => validateDriverName(driver, path.child('driver'), findings),
  fc: validateFibre,
  flexVolume(source, path, findings) {
    requireTexts(source, ['driver'], path, findings);
    validateOptions(source.options ?? {}, path.child('options'), findings);
  },
  flocker: validateFlocker,
  gcePersistentDisk(source, path, findings) {
    requireTexts(source, ['pdName'], path, findings);
    validatePartition(source, path, findings);
  },
  gitRepo(source, path, findings) {
    requireTexts(source, ['repository'], path, findings);
    validateRelativePath(source.directory ?? '', path.child('directory'), findings);
  },
  glusterfs: (source, path, findings) => requireTexts(source, ['endpoints', 'path'], path, findings),
  hostPath: validateHostPath,
  iscsi(source, path, findings, { isPersistent }) {
    requireTexts(source, ['targetPortal', 'iqn'], path, findings);
    validateIscsi(source, path, findings, isPersistent);
  },
  local(source, path, findings) {
    requireTexts(source, ['path'], path, findings);
    validateNoBacksteps(source.path ?? '', path.child('path'), findings);
  },
  nfs(source, path, findings) {
    requireTexts(source, ['server', 'path'], path, findings);
    const { path: directory = '' } = source;
    if (!directory.startsWith('/'))
      findings.invalid(path.child('path'), directory, 'must be an absolute path');
  },
  persistentVolumeClaim: (source, path, findings) => requireTexts(source, ['claimName'], path, findings),
  photonPersistentDisk: (source, path, findings) => requireTexts(source, ['pdID'], path, findings),
  portworxVolume: (source, path, findings) => requireTexts(source, ['volumeID'], path, findings),
  quobyte: validateQuobyte,
  rbd(source, path, findings) {
    requireTexts(source, ['image'], path, findings);
    requireMonitors(source, path, findings);
  },
  scaleIO: (source, path, findings) =>
    requireTexts(source, ['gateway', 'system', 'volumeName'], path, findings),
  secret(source, path, findings) {
    requireTexts(source, ['secretName'], path, findings);
    validateFiles(source, path, findings);
  },
  storageos(source, path, findings, context) {
    requireTexts(source, ['volumeName'], path, findings);
    for (const field of ['volumeName', 'volumeNamespace'] as const) {
      const value = source[field] ?? '';
      if (value !== '') findings.label(path.child(field), value);
    }
    validateSecretName(source, path, findings, context);
  },
  vsphereVolume: (source, path, findings) => requireTexts(source, ['volumePath'], path, findings),
};

/** Checks one source. */
export function validateSource<Name extends SourceName>(
  name: Name,
  source: Sources[Name],
  parent: FieldPath,
  findings: Findings,
  context: SourceContext,
): void {
  // Upstream calls one of them by its old name.
  const path = parent.child(name === 'gcePersistentDisk' ? 'persistentDisk' : name);
  RULES[name](source, path, findings, context);
}

/** Texts that a source cannot do without. */
function requireTexts<T extends object>(
  source: T,
  fields: readonly (keyof T & string)[],
  path: FieldPath,
  findings: Findings,
): void {
  for (const field of fields) if ((source[field] ?? '') === '') findings.required(path.child(field));
}

function requireMonitors(
  { monitors }: { readonly monitors?: readonly string[] | null },
  path: FieldPath,
  findings: Findings,
): void {
  if ((monitors ?? []).length === 0) findings.required(path.child('monitors'));
}

function validateFiles(
  { defaultMode, items }: Pick<Sources['secret'], 'defaultMode' | 'items'>,
  path: FieldPath,
  findings: Findings,
): void {
  validateMode(defaultMode, path.child('defaultMode'), findings);
  for (const [index, item] of (items ?? []).entries())
    validateKeyToPath(item, path.child('items').index(index), findings);
}

function validateHostPath(
  { path: directory = '', type }: View<HostPathVolumeSource>,
  path: FieldPath,
  findings: Findings,
): void {
  if (directory === '') {
    findings.required(path.child('path'));
    return;
  }
  validateNoBacksteps(directory, path.child('path'), findings);
  findings.oneOf(path.child('type'), type, HOST_PATH_TYPES);
}

const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

/** None is a partition too, though upstream does not say so. */
function validatePartition(
  { partition = 0 }: { readonly partition?: number },
  path: FieldPath,
  findings: Findings,
): void {
  if (partition < 0 || partition > 255)
    findings.invalid(path.child('partition'), partition, 'must be between 1 and 255, inclusive');
}

function validateFlocker(
  { datasetName: name = '', datasetUUID: uuid = '' }: View<FlockerVolumeSource>,
  path: FieldPath,
  findings: Findings,
): void {
  if (name === '' && uuid === '') findings.required(path, 'one of datasetName and datasetUUID is required');
  if (name !== '' && uuid !== '')
    findings.invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously');
  if (name.includes('/')) findings.invalid(path.child('datasetName'), name, "must not contain '/'");
}

function validateQuobyte(
  { registry = '', tenant = '', volume = '' }: View<QuobyteVolumeSource>,
  path: FieldPath,
  findings: Findings,
): void {
  const pairs = 'must be a host:port pair or multiple pairs separated by commas';
  if (registry === '') findings.required(path.child('registry'), pairs);
  else if (tenant.length >= 65)
    findings.required(path.child('tenant'), 'must be a UUID and may not exceed a length of 64 characters');
  else
    for (const pair of registry.split(','))
      if (!/^(?:[^:[\]]*|\[[^\]]*\]):[^:]*$/.test(pair))
        findings.invalid(path.child('registry'), registry, pairs);
  if (volume === '') findings.required(path.child('volume'));
}

function validateSecretName(
  {
    secretRef: secret,
  }: { readonly secretRef?: { readonly name?: string; readonly namespace?: string } | null },
  path: FieldPath,
  findings: Findings,
  { isPersistent }: SourceContext,
): void {
  if (secret === undefined || secret === null) return;
  requireTexts(secret, isPersistent ? ['name', 'namespace'] : ['name'], path.child('secretRef'), findings);
}

function validateAzureDisk(source: View<AzureDiskVolumeSource>, path: FieldPath, findings: Findings): void {
  const { kind, diskURI: uri = '', cachingMode } = source;
  requireTexts(source, ['diskName', 'diskURI'], path, findings);
  findings.oneOf(path.child('cachingMode'), cachingMode, ['None', 'ReadOnly', 'ReadWrite']);
  findings.oneOf(path.child('kind'), kind, ['Dedicated', 'Managed', 'Shared']);
  if (kind === 'Managed' && !uri.startsWith('/subscriptions/'))
    findings.notSupported(path.child('diskURI'), uri, [
      '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}',
    ]);
  if (kind !== undefined && kind !== 'Managed' && !uri.startsWith('https://'))
    findings.notSupported(path.child('diskURI'), uri, [
      'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd',
    ]);
}

function validateOptions(
  options: Readonly<Record<string, string>>,
  path: FieldPath,
  findings: Findings,
): void {
  for (const key of Object.keys(options)) {
    const domain = `.${(key.split('/')[0] ?? key).toLowerCase()}`;
    if (domain.endsWith('.kubernetes.io') || domain.endsWith('.k8s.io'))
      findings.invalid(path.key(key), key, 'kubernetes.io and k8s.io namespaces are reserved');
  }
}
