// Volumes that nodes reach by iSCSI or Fibre Channel.
import type { FieldPath } from '@windlass/apimachinery';
import type {
  FCVolumeSource,
  ISCSIPersistentVolumeSource,
  ISCSIVolumeSource,
} from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../resource/views.ts';
import type { Findings } from './findings.ts';

const MAX_LUN = 255;
const QUALIFIED = [
  ['iqn', /^iqn\.\d{4}-\d{2}\.([A-Za-z0-9-.]+)(:[^,;*&$|\s]+)$/],
  ['eui', /^eui.[0-9A-Fa-f]{16}$/],
  ['naa', /^naa.[0-9A-Fa-f]{32}$/],
] as const;

export function validateIscsi(
  source: View<ISCSIVolumeSource | ISCSIPersistentVolumeSource>,
  path: FieldPath,
  findings: Findings,
  isPersistent: boolean,
): void {
  const { iqn = '', lun, secretRef: secret, initiatorName } = source;
  const wrong = isPersistent ? 'must be valid format' : 'must be valid format starting with iqn, eui, or naa';
  const qualified = (value: string, at: FieldPath): void => {
    const form = QUALIFIED.find(([prefix]) => value.startsWith(prefix));
    if (form === undefined) findings.invalid(at, value, wrong);
    else if (!form[1].test(value)) findings.invalid(at, value, 'must be valid format');
  };
  if (iqn !== '') qualified(iqn, path.child('iqn'));
  validateLun(lun, path, findings);
  if ((source.chapAuthDiscovery === true || source.chapAuthSession === true) && secret === undefined)
    findings.required(path.child('secretRef'));
  if (isPersistent && secret !== undefined && (secret.name ?? '') === '')
    findings.required(path.child('secretRef', 'name'));
  if (initiatorName !== undefined) qualified(initiatorName, path.child('initiatorname'));
}

export function validateFibre(
  { targetWWNs, wwids, lun }: View<FCVolumeSource>,
  path: FieldPath,
  findings: Findings,
): void {
  const [names, ids] = [targetWWNs ?? [], wwids ?? []];
  if (names.length === 0 && ids.length === 0)
    findings.required(path.child('targetWWNs'), 'must specify either targetWWNs or wwids, but not both');
  if (names.length > 0 && ids.length > 0)
    findings.invalid(
      path.child('targetWWNs'),
      names,
      'targetWWNs and wwids can not be specified simultaneously',
    );
  if (names.length === 0) return;
  if (lun === undefined) findings.required(path.child('lun'), 'lun is required if targetWWNs is specified');
  else validateLun(lun, path, findings);
}

function validateLun(lun: number | undefined, path: FieldPath, findings: Findings): void {
  if (lun !== undefined && (lun < 0 || lun > MAX_LUN))
    findings.invalid(path.child('lun'), lun, `must be between 0 and ${MAX_LUN}, inclusive`);
}
