// Security contexts of pods and of containers.
import { type FieldPath, validateInRange } from '@windlass/apimachinery';
import { textAt, textsAt } from '../../printers/columns.ts';
import { type Fields, objectAt, objectsAt } from '../../values.ts';
import { validateRelativePath } from '../file-paths.ts';
import type { Findings } from '../findings.ts';

const MAX_ID = 2 ** 31 - 1;
const SYSCTL_MAX = 253;
const SYSCTL = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const PROFILE_TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];

function validateIds(context: Fields, fields: readonly string[], path: FieldPath, findings: Findings): void {
  for (const field of fields) {
    const id = context[field];
    if (typeof id === 'number') findings.problems(path.child(field), id, validateInRange(id, 0, MAX_ID));
  }
}

export function validateContainerSecurity(
  context: Fields | undefined,
  path: FieldPath,
  findings: Findings,
  hasHostUsers: boolean,
): void {
  if (context === undefined) return;
  validateIds(context, ['runAsUser', 'runAsGroup'], path, findings);
  const proc = context['procMount'];
  if (typeof proc === 'string') {
    findings.oneOf(path.child('procMount'), proc, ['Default', 'Unmasked']);
    if (hasHostUsers && proc === 'Unmasked')
      findings.invalid(path.child('procMount'), proc, '`hostUsers` must be false to use `Unmasked`');
  }
  validateSeccomp(objectAt(context, 'seccompProfile'), path.child('seccompProfile'), findings);
  if (context['allowPrivilegeEscalation'] === false) {
    if (context['privileged'] === true)
      findings.invalid(
        path,
        context,
        'cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
      );
    for (const capability of textsAt(objectAt(context, 'capabilities'), 'add'))
      if (capability === 'CAP_SYS_ADMIN')
        findings.invalid(
          path,
          context,
          'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
        );
  }
  validateAppArmor(objectAt(context, 'appArmorProfile'), path.child('appArmorProfile'), findings);
}

function validateSeccomp(profile: Fields | undefined, path: FieldPath, findings: Findings): void {
  if (profile === undefined) return;
  const type = textAt(profile, 'type');
  const local = profile['localhostProfile'];
  const at = path.child('localhostProfile');
  if (type === '') findings.required(path.child('type'), 'type is required when seccompProfile is set');
  else findings.oneOf(path.child('type'), type, PROFILE_TYPES);
  if (type !== 'Localhost') {
    if (local !== undefined) findings.invalid(at, profile, 'can only be set when seccomp type is Localhost');
  } else if (typeof local !== 'string') findings.required(at, 'must be set when seccomp type is Localhost');
  else validateRelativePath(local, at, findings);
}

function validateAppArmor(profile: Fields | undefined, path: FieldPath, findings: Findings): void {
  if (profile === undefined) return;
  const type = textAt(profile, 'type');
  const local = profile['localhostProfile'];
  const at = path.child('localhostProfile');
  const must = 'must be set when AppArmor type is Localhost';
  if (type === 'Localhost') {
    if (typeof local !== 'string') findings.required(at, must);
    else if (local.trim() !== local) findings.invalid(at, local, 'must not be padded with whitespace');
    else if (local === '') findings.required(at, must);
    else if (Buffer.byteLength(local) > 4096) findings.tooLong(at, 4096);
    return;
  }
  if (type === 'RuntimeDefault' || type === 'Unconfined') {
    if (local !== undefined) findings.invalid(at, local, 'can only be set when AppArmor type is Localhost');
  } else if (type === '')
    findings.required(path.child('type'), 'type is required when appArmorProfile is set');
  else findings.notSupported(path.child('type'), type, PROFILE_TYPES);
}

export function validatePodSecurity(spec: Fields, path: FieldPath, findings: Findings): void {
  const context = objectAt(spec, 'securityContext');
  const at = path.child('securityContext');
  if (spec['shareProcessNamespace'] === true && spec['hostPID'] === true)
    findings.invalid(
      at.child('shareProcessNamespace'),
      true,
      'ShareProcessNamespace and HostPID cannot both be enabled',
    );
  if (context === undefined) return;
  validateIds(context, ['fsGroup', 'runAsUser', 'runAsGroup'], at, findings);
  const groups = Array.isArray(context['supplementalGroups']) ? context['supplementalGroups'] : [];
  for (const [index, group] of groups.entries())
    findings.problems(
      at.child('supplementalGroups').index(index),
      group,
      validateInRange(Number(group), 0, MAX_ID),
    );
  validateSysctls(spec, context, at.child('sysctls'), findings);
  findings.oneOf(at.child('fsGroupChangePolicy'), context['fsGroupChangePolicy'], [
    'Always',
    'OnRootMismatch',
  ]);
  validateSeccomp(objectAt(context, 'seccompProfile'), at.child('seccompProfile'), findings);
  validateAppArmor(objectAt(context, 'appArmorProfile'), at.child('appArmorProfile'), findings);
  findings.oneOf(at.child('supplementalGroupsPolicy'), context['supplementalGroupsPolicy'], [
    'Merge',
    'Strict',
  ]);
  findings.oneOf(at.child('seLinuxChangePolicy'), context['seLinuxChangePolicy'], ['Recursive']);
}

function validateSysctls(spec: Fields, context: Fields, path: FieldPath, findings: Findings): void {
  const names = new Set<string>();
  for (const [index, sysctl] of objectsAt(context, 'sysctls').entries()) {
    const at = path.index(index).child('name');
    const name = textAt(sysctl, 'name');
    if (name === '') findings.required(at);
    else if (Buffer.byteLength(name) > SYSCTL_MAX || !new RegExp(SYSCTL).test(name))
      findings.invalid(at, name, `must have at most ${SYSCTL_MAX} characters and match regex ${SYSCTL}`);
    else if (names.has(name)) findings.duplicate(at, name);
    names.add(name);
    if (spec['hostNetwork'] === true && /^net[./]/.test(name))
      findings.invalid(at, name, "may not be specified when 'hostNetwork' is true");
    else if (spec['hostIPC'] === true && /^(?:kernel[./](?:shm|msg|sem)|fs[./]mqueue[./])/.test(name))
      findings.invalid(at, name, "may not be specified when 'hostIPC' is true");
  }
}
