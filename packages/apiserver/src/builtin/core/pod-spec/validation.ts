import { type FieldPath, validateInRange, validateLabels } from '@windlass/apimachinery';
import type { PodResourceClaim, PodSpec } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import { validateIp } from '../../shared/addresses.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateAffinity } from './affinity.ts';
import { validateContainers } from './containers.ts';
import { validateDns } from './dns.ts';
import { validateOs } from './os.ts';
import { validatePodResources } from './pod-resources.ts';
import { validateHostNetwork } from './ports.ts';
import { validateContainerResources } from './resources.ts';
import { validatePodSecurity } from './security.ts';
import { validateSpreading } from './spreading.ts';
import { validateTolerations } from './tolerations.ts';
import { validateVolumes } from './volumes.ts';
import { validateHostProcess } from './windows-options.ts';

const MAX_INT32 = 2 ** 31 - 1;
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

export interface PodSpecOptions {
  /** Empty in a template, whose pods have none yet. */
  readonly podName: string;
  readonly isTemplate: boolean;
}

/** What every pod needs to run at all, and a template of pods with it. */
export function validatePodSpec(
  spec: View<PodSpec>,
  path: FieldPath,
  findings: Findings,
  { podName, isTemplate }: PodSpecOptions,
): void {
  const volumes = validateVolumes(spec.volumes ?? [], podName, path.child('volumes'), findings);
  const claims = validateResourceClaims(spec.resourceClaims ?? [], path.child('resourceClaims'), findings);
  validateContainers({ spec, volumes, claims }, path, findings);
  validatePodResources(spec, path, findings);
  validateHostNetwork(spec, path.child('containers'), findings, isTemplate);
  const { restartPolicy = '', activeDeadlineSeconds: deadline, overhead } = spec;
  if (restartPolicy === '') findings.required(path.child('restartPolicy'));
  else findings.oneOf(path.child('restartPolicy'), restartPolicy, ['Always', 'OnFailure', 'Never']);
  findings.oneOf(path.child('dnsPolicy'), spec.dnsPolicy, DNS_POLICIES);
  findings.add(validateLabels(spec.nodeSelector ?? {}, path.child('nodeSelector')));
  validatePodSecurity(spec, path, findings);
  validateHostProcess(spec, path, findings);
  validateAffinity(spec.affinity, path.child('affinity'), findings);
  validateDns(spec, path.child('dnsConfig'), findings);
  validateGates(spec, path, findings);
  validateSpreading(spec.topologySpreadConstraints ?? [], path.child('topologySpreadConstraints'), findings);
  validateHostUsers(spec, path, findings);
  validateNames(spec, path, findings);
  if (deadline !== undefined)
    findings.problems(path.child('activeDeadlineSeconds'), deadline, validateInRange(deadline, 1, MAX_INT32));
  validateTolerations(spec.tolerations ?? [], path.child('tolerations'), findings);
  validateHostAliases(spec, path.child('hostAliases'), findings);
  if (spec.preemptionPolicy === '') findings.required(path.child('preemptionPolicy'));
  else
    findings.oneOf(path.child('preemptionPolicy'), spec.preemptionPolicy, ['PreemptLowerPriority', 'Never']);
  if (overhead !== undefined)
    validateContainerResources({ limits: overhead }, new Set(), path.child('overhead'), findings);
  validateOs(spec, path, findings);
}

/** The names of the claims. */
function validateResourceClaims(
  claims: readonly View<PodResourceClaim>[],
  path: FieldPath,
  findings: Findings,
): Set<string> {
  const names = new Set<string>();
  for (const [index, claim] of claims.entries()) {
    const at = path.index(index);
    const { name = '', resourceClaimName, resourceClaimTemplateName } = claim;
    if (name === '') findings.required(at.child('name'));
    else if (names.has(name)) findings.duplicate(at.child('name'), name);
    else {
      findings.label(at.child('name'), name);
      names.add(name);
    }
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined)
      findings.invalid(
        at,
        claim,
        'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
      );
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined)
      findings.invalid(at, claim, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`');
    if (resourceClaimName !== undefined) findings.subdomain(at.child('resourceClaimName'), resourceClaimName);
    if (resourceClaimTemplateName !== undefined)
      findings.subdomain(at.child('resourceClaimTemplateName'), resourceClaimTemplateName);
  }
  return names;
}

function validateGates(
  { readinessGates, schedulingGates }: View<PodSpec>,
  path: FieldPath,
  findings: Findings,
): void {
  for (const [index, { conditionType = '' }] of (readinessGates ?? []).entries())
    findings.qualifiedName(path.child('readinessGates').index(index).child('conditionType'), conditionType);
  const names = new Set<string>();
  for (const [index, { name = '' }] of (schedulingGates ?? []).entries()) {
    const at = path.child('schedulingGates').index(index);
    findings.qualifiedName(at, name);
    if (names.has(name)) findings.duplicate(at, name);
    names.add(name);
  }
}

function validateHostUsers(spec: View<PodSpec>, path: FieldPath, findings: Findings): void {
  if (spec.hostUsers !== false) return;
  const when = 'when `hostUsers` is false';
  if (spec.hostNetwork === true) findings.forbidden(path.child('hostNetwork'), when);
  if (spec.hostPID === true) findings.forbidden(path.child('HostPID'), when);
  if (spec.hostIPC === true) findings.forbidden(path.child('HostIPC'), when);
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'] as const)
    for (const [index, { volumeDevices }] of (spec[list] ?? []).entries())
      if ((volumeDevices ?? []).length > 0)
        findings.forbidden(path.child(list).index(index).child('volumeDevices'), when);
}

function validateNames(spec: View<PodSpec>, path: FieldPath, findings: Findings): void {
  const { hostnameOverride: override, runtimeClassName: runtime } = spec;
  if (override !== undefined) {
    const at = path.child('hostnameOverride');
    if (spec.setHostnameAsFQDN === true)
      findings.forbidden(at, 'may not be specified when setHostnameAsFQDN is true');
    if (spec.hostNetwork === true) findings.forbidden(at, 'may not be specified when hostNetwork is true');
    if (Buffer.byteLength(override) > 64) findings.tooLong(at, 64);
    findings.subdomain(at, override);
  }
  for (const field of ['serviceAccountName', 'nodeName', 'priorityClassName'] as const) {
    const name = spec[field] ?? '';
    if (name !== '') findings.subdomain(path.child(field), name);
  }
  for (const field of ['hostname', 'subdomain'] as const) {
    const name = spec[field] ?? '';
    if (name !== '') findings.label(path.child(field), name);
  }
  if (runtime !== undefined) findings.subdomain(path.child('runtimeClassName'), runtime);
}

function validateHostAliases({ hostAliases }: View<PodSpec>, path: FieldPath, findings: Findings): void {
  for (const [index, { ip = '', hostnames }] of (hostAliases ?? []).entries()) {
    const at = path.index(index);
    validateIp(findings, at.child('ip'), ip);
    for (const [place, name] of (hostnames ?? []).entries())
      findings.subdomain(at.child('hostnames').index(place), name);
  }
}
