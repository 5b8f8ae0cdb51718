// Where the bytes of a volume come from: the same for the volumes of pods and for persistent ones.
import type { FieldPath } from '@windlass/apimachinery';
import { textAt, textsAt } from '../printers/columns.ts';
import { type Fields, objectAt, objectsAt } from '../values.ts';
import { validateDriverName } from './driver-name.ts';
import { validateKeyToPath, validateMode, validateNoBacksteps, validateRelativePath } from './file-paths.ts';
import type { Findings } from './findings.ts';

/** Texts that a source cannot do without. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  gitRepo: ['repository'],
  gcePersistentDisk: ['pdName'],
  awsElasticBlockStore: ['volumeID'],
  secret: ['secretName'],
  configMap: ['name'],
  nfs: ['server', 'path'],
  iscsi: ['targetPortal', 'iqn'],
  glusterfs: ['endpoints', 'path'],
  persistentVolumeClaim: ['claimName'],
  rbd: ['image'],
  cinder: ['volumeID'],
  flexVolume: ['driver'],
  azureFile: ['secretName', 'shareName'],
  azureDisk: ['diskName', 'diskURI'],
  vsphereVolume: ['volumePath'],
  photonPersistentDisk: ['pdID'],
  portworxVolume: ['volumeID'],
  scaleIO: ['gateway', 'system', 'volumeName'],
  storageos: ['volumeName'],
  local: ['path'],
  quobyte: ['volume'],
};

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

export interface SourceContext {
  /** A persistent volume names secrets in any namespace. */
  readonly isPersistent: boolean;
}

/** Checks one source; those that only one kind of volume has are checked there. */
export function validateSource(
  name: string,
  source: Fields,
  parent: FieldPath,
  findings: Findings,
  context: SourceContext,
): void {
  // Upstream calls one of them by its old name.
  const path = parent.child(name === 'gcePersistentDisk' ? 'persistentDisk' : name);
  if (name !== 'hostPath' && name !== 'quobyte')
    for (const field of REQUIRED[name] ?? [])
      if (textAt(source, field) === '') findings.required(path.child(field));
  switch (name) {
    case 'hostPath':
      validateHostPath(source, path, findings);
      break;
    case 'gitRepo':
      validateRelativePath(textAt(source, 'directory'), path.child('directory'), findings);
      break;
    case 'gcePersistentDisk':
    case 'awsElasticBlockStore':
      validatePartition(source, path, findings);
      break;
    case 'secret':
    case 'configMap':
      validateMode(source, 'defaultMode', path, findings);
      for (const [index, item] of objectsAt(source, 'items').entries())
        validateKeyToPath(item, path.child('items').index(index), findings);
      break;
    case 'nfs':
      if (!textAt(source, 'path').startsWith('/'))
        findings.invalid(path.child('path'), textAt(source, 'path'), 'must be an absolute path');
      break;
    case 'local':
      if (textAt(source, 'path') !== '')
        validateNoBacksteps(textAt(source, 'path'), path.child('path'), findings);
      break;
    case 'iscsi':
      validateIscsi(source, path, findings, context);
      break;
    case 'fc':
      validateFibre(source, path, findings);
      break;
    case 'flocker':
      validateFlocker(source, path, findings);
      break;
    case 'rbd':
    case 'cephfs':
      if (textsAt(source, 'monitors').length === 0) findings.required(path.child('monitors'));
      break;
    case 'quobyte':
      validateQuobyte(source, path, findings);
      break;
    case 'cinder':
      validateSecretName(source, path, findings, context);
      break;
    case 'storageos':
      for (const field of ['volumeName', 'volumeNamespace'])
        if (textAt(source, field) !== '') findings.label(path.child(field), textAt(source, field));
      validateSecretName(source, path, findings, context);
      break;
    case 'azureFile':
      if (context.isPersistent && source['secretNamespace'] === '')
        findings.required(path.child('secretNamespace'));
      break;
    case 'azureDisk':
      validateAzureDisk(source, path, findings);
      break;
    case 'flexVolume':
      validateOptions(source, path, findings);
      break;
    case 'csi':
      validateDriverName(textAt(source, 'driver'), path.child('driver'), findings);
      break;
    default:
  }
}

function validateHostPath(source: Fields, path: FieldPath, findings: Findings): void {
  const value = textAt(source, 'path');
  if (value === '') {
    findings.required(path.child('path'));
    return;
  }
  validateNoBacksteps(value, path.child('path'), findings);
  findings.oneOf(path.child('type'), source['type'], HOST_PATH_TYPES);
}

/** None is a partition too, though upstream does not say so. */
function validatePartition(source: Fields, path: FieldPath, findings: Findings): void {
  const { partition } = source;
  if (typeof partition === 'number' && (partition < 0 || partition > 255))
    findings.invalid(path.child('partition'), partition, 'must be between 1 and 255, inclusive');
}

function validateRange(
  source: Fields,
  field: string,
  min: number,
  max: number,
  path: FieldPath,
  findings: Findings,
): void {
  const value = source[field];
  if (typeof value === 'number' && (value < min || value > max))
    findings.invalid(path.child(field), value, `must be between ${min} and ${max}, inclusive`);
}

const QUALIFIED = [
  ['iqn', /^iqn\.\d{4}-\d{2}\.([A-Za-z0-9-.]+)(:[^,;*&$|\s]+)$/],
  ['eui', /^eui.[0-9A-Fa-f]{16}$/],
  ['naa', /^naa.[0-9A-Fa-f]{32}$/],
] as const;

function validateIscsi(
  source: Fields,
  path: FieldPath,
  findings: Findings,
  { isPersistent }: SourceContext,
): void {
  const wrong = isPersistent ? 'must be valid format' : 'must be valid format starting with iqn, eui, or naa';
  const qualified = (value: string, at: FieldPath): void => {
    const form = QUALIFIED.find(([prefix]) => value.startsWith(prefix));
    if (form === undefined) findings.invalid(at, value, wrong);
    else if (!form[1].test(value)) findings.invalid(at, value, 'must be valid format');
  };
  if (textAt(source, 'iqn') !== '') qualified(textAt(source, 'iqn'), path.child('iqn'));
  validateRange(source, 'lun', 0, 255, path, findings);
  const secret = objectAt(source, 'secretRef');
  if ((source['chapAuthDiscovery'] === true || source['chapAuthSession'] === true) && secret === undefined)
    findings.required(path.child('secretRef'));
  if (isPersistent && secret !== undefined && textAt(secret, 'name') === '')
    findings.required(path.child('secretRef', 'name'));
  const initiator = source['initiatorName'];
  if (typeof initiator === 'string') qualified(initiator, path.child('initiatorname'));
}

function validateFibre(source: Fields, path: FieldPath, findings: Findings): void {
  const names = textsAt(source, 'targetWWNs');
  const ids = textsAt(source, 'wwids');
  if (names.length === 0 && ids.length === 0)
    findings.required(path.child('targetWWNs'), 'must specify either targetWWNs or wwids, but not both');
  if (names.length > 0 && ids.length > 0)
    findings.invalid(
      path.child('targetWWNs'),
      names,
      'targetWWNs and wwids can not be specified simultaneously',
    );
  if (names.length === 0) return;
  if (source['lun'] === undefined)
    findings.required(path.child('lun'), 'lun is required if targetWWNs is specified');
  else validateRange(source, 'lun', 0, 255, path, findings);
}

function validateFlocker(source: Fields, path: FieldPath, findings: Findings): void {
  const [name, uuid] = [textAt(source, 'datasetName'), textAt(source, 'datasetUUID')];
  if (name === '' && uuid === '') findings.required(path, 'one of datasetName and datasetUUID is required');
  if (name !== '' && uuid !== '')
    findings.invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously');
  if (name.includes('/')) findings.invalid(path.child('datasetName'), name, "must not contain '/'");
}

function validateQuobyte(source: Fields, path: FieldPath, findings: Findings): void {
  const registry = textAt(source, 'registry');
  const pairs = 'must be a host:port pair or multiple pairs separated by commas';
  if (registry === '') findings.required(path.child('registry'), pairs);
  else if (textAt(source, 'tenant').length >= 65)
    findings.required(path.child('tenant'), 'must be a UUID and may not exceed a length of 64 characters');
  else
    for (const pair of registry.split(','))
      if (!/^(?:[^:[\]]*|\[[^\]]*\]):[^:]*$/.test(pair))
        findings.invalid(path.child('registry'), registry, pairs);
  if (textAt(source, 'volume') === '') findings.required(path.child('volume'));
}

function validateSecretName(
  source: Fields,
  path: FieldPath,
  findings: Findings,
  { isPersistent }: SourceContext,
): void {
  const secret = objectAt(source, 'secretRef');
  if (secret === undefined) return;
  for (const field of isPersistent ? ['name', 'namespace'] : ['name'])
    if (textAt(secret, field) === '') findings.required(path.child('secretRef', field));
}

function validateAzureDisk(source: Fields, path: FieldPath, findings: Findings): void {
  const { kind } = source;
  const uri = textAt(source, 'diskURI');
  findings.oneOf(path.child('cachingMode'), source['cachingMode'], ['None', 'ReadOnly', 'ReadWrite']);
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

function validateOptions(source: Fields, path: FieldPath, findings: Findings): void {
  for (const key of Object.keys(objectAt(source, 'options') ?? {})) {
    const domain = `.${(key.split('/')[0] ?? key).toLowerCase()}`;
    if (domain.endsWith('.kubernetes.io') || domain.endsWith('.k8s.io'))
      findings.invalid(
        path.child('options').key(key),
        key,
        'kubernetes.io and k8s.io namespaces are reserved',
      );
  }
}
