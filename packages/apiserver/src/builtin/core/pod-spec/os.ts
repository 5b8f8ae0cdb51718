import type { FieldPath } from '@windlass/apimachinery';
import type { PodSecurityContext, PodSpec, SecurityContext } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';

/** A security context, of a pod or of a container: each has some of these fields. */
type SomeSecurity = Partial<View<PodSecurityContext> & View<SecurityContext>>;

const NOT_ON_WINDOWS: readonly (keyof SomeSecurity)[] = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
];
const WINDOWS = 'cannot be set for a windows pod';

/** Some fields mean something on one operating system only. */
export function validateOs(spec: View<PodSpec>, path: FieldPath, findings: Findings): void {
  if (spec.os === undefined) return;
  const { name = '' } = spec.os;
  if (name === '') findings.required(path.child('os', 'name'));
  else if (name === 'linux') validateLinux(spec, path, findings);
  else if (name === 'windows') validateWindows(spec, path, findings);
  else findings.notSupported(path.child('os'), name, ['linux', 'windows']);
}

function validateLinux(spec: View<PodSpec>, path: FieldPath, findings: Findings): void {
  for (const [context, at] of contextsOf(spec, path))
    if (context.windowsOptions !== undefined)
      findings.forbidden(at.child('windowsOptions'), 'windows options cannot be set for a linux pod');
}

function validateWindows(spec: View<PodSpec>, path: FieldPath, findings: Findings): void {
  for (const [context, at] of contextsOf(spec, path))
    for (const field of NOT_ON_WINDOWS)
      if (context[field] !== undefined) findings.forbidden(at.child(field), WINDOWS);
  for (const field of ['hostUsers', 'shareProcessNamespace'] as const)
    if (spec[field] !== undefined) findings.forbidden(path.child(field), WINDOWS);
  for (const field of ['hostPID', 'hostIPC'] as const)
    if (spec[field] === true) findings.forbidden(path.child(field), WINDOWS);
}

function contextsOf(spec: View<PodSpec>, path: FieldPath): [SomeSecurity, FieldPath][] {
  const contexts: [SomeSecurity, FieldPath][] = [[spec.securityContext ?? {}, path.child('securityContext')]];
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'] as const)
    for (const [index, { securityContext = {} }] of (spec[list] ?? []).entries())
      contexts.push([securityContext, path.child(list).index(index).child('securityContext')]);
  return contexts;
}
