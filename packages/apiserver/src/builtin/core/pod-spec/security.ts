// Security contexts of pods and of containers.
import { type FieldPath, validateInRange } from '@windlass/apimachinery';
import type {
  AppArmorProfile,
  PodSecurityContext,
  PodSpec,
  SeccompProfile,
  SecurityContext,
} from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import { validateRelativePath } from '../../shared/file-paths.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateWindowsOptions } from './windows-options.ts';

const MAX_ID = 2 ** 31 - 1;
const SYSCTL_MAX = 253;
const SYSCTL = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const PROFILE_TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];

/** Absent is fine. */
function validateId(id: number | undefined, path: FieldPath, findings: Findings): void {
  if (id !== undefined) findings.problems(path, id, validateInRange(id, 0, MAX_ID));
}

export function validateContainerSecurity(
  context: View<SecurityContext> | undefined,
  path: FieldPath,
  findings: Findings,
  hasHostUsers: boolean,
): void {
  if (context === undefined) return;
  for (const field of ['runAsUser', 'runAsGroup'] as const)
    validateId(context[field], path.child(field), findings);
  const { procMount } = context;
  if (procMount !== undefined) {
    findings.oneOf(path.child('procMount'), procMount, ['Default', 'Unmasked']);
    if (hasHostUsers && procMount === 'Unmasked')
      findings.invalid(path.child('procMount'), procMount, '`hostUsers` must be false to use `Unmasked`');
  }
  validateSeccomp(context.seccompProfile, path.child('seccompProfile'), findings);
  validateWindowsOptions(context.windowsOptions, path.child('windowsOptions'), findings);
  validateEscalation(context, path, findings);
  validateAppArmor(context.appArmorProfile, path.child('appArmorProfile'), findings);
}

function validateEscalation(context: View<SecurityContext>, path: FieldPath, findings: Findings): void {
  if (context.allowPrivilegeEscalation !== false) return;
  if (context.privileged === true)
    findings.invalid(
      path,
      context,
      'cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
    );
  for (const capability of context.capabilities?.add ?? [])
    if (capability === 'CAP_SYS_ADMIN')
      findings.invalid(
        path,
        context,
        'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
      );
}

function validateSeccomp(
  profile: View<SeccompProfile> | undefined,
  path: FieldPath,
  findings: Findings,
): void {
  if (profile === undefined) return;
  const { type = '', localhostProfile: local } = profile;
  const at = path.child('localhostProfile');
  if (type === '') findings.required(path.child('type'), 'type is required when seccompProfile is set');
  else findings.oneOf(path.child('type'), type, PROFILE_TYPES);
  if (type !== 'Localhost') {
    if (local !== undefined) findings.invalid(at, profile, 'can only be set when seccomp type is Localhost');
  } else if (local === undefined) findings.required(at, 'must be set when seccomp type is Localhost');
  else validateRelativePath(local, at, findings);
}

function validateAppArmor(
  profile: View<AppArmorProfile> | undefined,
  path: FieldPath,
  findings: Findings,
): void {
  if (profile === undefined) return;
  const { type = '', localhostProfile: local } = profile;
  const at = path.child('localhostProfile');
  const must = 'must be set when AppArmor type is Localhost';
  if (type === 'Localhost') {
    if (local === undefined) findings.required(at, must);
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

export function validatePodSecurity(spec: View<PodSpec>, path: FieldPath, findings: Findings): void {
  const { securityContext: context } = spec;
  const at = path.child('securityContext');
  if (spec.shareProcessNamespace === true && spec.hostPID === true)
    findings.invalid(
      at.child('shareProcessNamespace'),
      true,
      'ShareProcessNamespace and HostPID cannot both be enabled',
    );
  if (context === undefined) return;
  for (const field of ['fsGroup', 'runAsUser', 'runAsGroup'] as const)
    validateId(context[field], at.child(field), findings);
  for (const [index, group] of (context.supplementalGroups ?? []).entries())
    validateId(group, at.child('supplementalGroups').index(index), findings);
  validateSysctls(spec, context, at.child('sysctls'), findings);
  validateWindowsOptions(context.windowsOptions, at.child('windowsOptions'), findings);
  findings.oneOf(at.child('fsGroupChangePolicy'), context.fsGroupChangePolicy, ['Always', 'OnRootMismatch']);
  validateSeccomp(context.seccompProfile, at.child('seccompProfile'), findings);
  validateAppArmor(context.appArmorProfile, at.child('appArmorProfile'), findings);
  findings.oneOf(at.child('supplementalGroupsPolicy'), context.supplementalGroupsPolicy, ['Merge', 'Strict']);
  findings.oneOf(at.child('seLinuxChangePolicy'), context.seLinuxChangePolicy, ['Recursive']);
}

function validateSysctls(
  { hostNetwork, hostIPC }: View<PodSpec>,
  { sysctls }: View<PodSecurityContext>,
  path: FieldPath,
  findings: Findings,
): void {
  const names = new Set<string>();
  for (const [index, { name = '' }] of (sysctls ?? []).entries()) {
    const at = path.index(index).child('name');
    if (name === '') findings.required(at);
    else if (Buffer.byteLength(name) > SYSCTL_MAX || !new RegExp(SYSCTL).test(name))
      findings.invalid(at, name, `must have at most ${SYSCTL_MAX} characters and match regex ${SYSCTL}`);
    else if (names.has(name)) findings.duplicate(at, name);
    names.add(name);
    if (hostNetwork === true && /^net[./]/.test(name))
      findings.invalid(at, name, "may not be specified when 'hostNetwork' is true");
    else if (hostIPC === true && /^(?:kernel[./](?:shm|msg|sem)|fs[./]mqueue[./])/.test(name))
      findings.invalid(at, name, "may not be specified when 'hostIPC' is true");
  }
}
