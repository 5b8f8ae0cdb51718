import {
  type FieldPath,
  validateDns1123SubdomainWithUnderscore,
  validateInRange,
  validateLabels,
} from '@windlass/apimachinery';
import { numberAt, textAt, textsAt } from '../../printers/columns.ts';
import { type Fields, objectAt, objectsAt } from '../../values.ts';
import { validateIp } from '../addresses.ts';
import type { Findings } from '../findings.ts';
import { type PodContext, validateContainers } from './containers.ts';
import { validateContainerResources, validatePodResources } from './resources.ts';
import { validateAffinity, validateSpreading, validateTolerations } from './scheduling.ts';
import { validatePodSecurity } from './security.ts';
import { validateVolumes } from './volumes.ts';

const MAX_INT32 = 2 ** 31 - 1;
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const MAX_NAMESERVERS = 3;
const MAX_SEARCHES = 32;
const MAX_SEARCH_CHARACTERS = 2048;

export interface PodSpecOptions {
  /** Empty in a template, whose pods have none yet. */
  readonly podName: string;
  readonly isTemplate: boolean;
}

/** What every pod needs to run at all, and a template of pods with it. */
export function validatePodSpec(
  spec: Fields,
  path: FieldPath,
  findings: Findings,
  options: PodSpecOptions,
): void {
  const volumes = validateVolumes(
    objectsAt(spec, 'volumes'),
    options.podName,
    path.child('volumes'),
    findings,
  );
  const claims = validateResourceClaims(spec, path.child('resourceClaims'), findings);
  const context: PodContext = { spec, volumes, claims };
  validateContainers(context, path, findings);
  validatePodResources(spec, path, findings);
  validateHostNetwork(spec, path.child('containers'), findings, options.isTemplate);
  const restart = textAt(spec, 'restartPolicy');
  if (restart === '') findings.required(path.child('restartPolicy'));
  else findings.oneOf(path.child('restartPolicy'), restart, ['Always', 'OnFailure', 'Never']);
  findings.oneOf(path.child('dnsPolicy'), spec['dnsPolicy'], DNS_POLICIES);
  // The typed form makes them texts.
  findings.add(
    validateLabels(
      (objectAt(spec, 'nodeSelector') ?? {}) as Record<string, string>,
      path.child('nodeSelector'),
    ),
  );
  validatePodSecurity(spec, path, findings);
  validateAffinity(objectAt(spec, 'affinity'), path.child('affinity'), findings);
  validateDns(spec, path.child('dnsConfig'), findings);
  validateGates(spec, path, findings);
  validateSpreading(
    objectsAt(spec, 'topologySpreadConstraints'),
    path.child('topologySpreadConstraints'),
    findings,
  );
  validateHostUsers(spec, path, findings);
  validateNames(spec, path, findings);
  const deadline = spec['activeDeadlineSeconds'];
  if (typeof deadline === 'number')
    findings.problems(path.child('activeDeadlineSeconds'), deadline, validateInRange(deadline, 1, MAX_INT32));
  validateTolerations(objectsAt(spec, 'tolerations'), path.child('tolerations'), findings);
  for (const [index, alias] of objectsAt(spec, 'hostAliases').entries()) {
    const at = path.child('hostAliases').index(index);
    validateIp(findings, at.child('ip'), textAt(alias, 'ip'));
    for (const [place, name] of textsAt(alias, 'hostnames').entries())
      findings.subdomain(at.child('hostnames').index(place), name);
  }
  const preemption = spec['preemptionPolicy'];
  if (preemption === '') findings.required(path.child('preemptionPolicy'));
  else findings.oneOf(path.child('preemptionPolicy'), preemption, ['PreemptLowerPriority', 'Never']);
  const overhead = objectAt(spec, 'overhead');
  if (overhead !== undefined)
    validateContainerResources({ limits: overhead }, new Set(), path.child('overhead'), findings);
  validateOs(spec, path, findings);
}

function validateResourceClaims(spec: Fields, path: FieldPath, findings: Findings): Set<string> {
  const names = new Set<string>();
  for (const [index, claim] of objectsAt(spec, 'resourceClaims').entries()) {
    const at = path.index(index);
    const name = textAt(claim, 'name');
    if (name === '') findings.required(at.child('name'));
    else if (names.has(name)) findings.duplicate(at.child('name'), name);
    else {
      findings.label(at.child('name'), name);
      names.add(name);
    }
    const { resourceClaimName, resourceClaimTemplateName } = claim;
    const one = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`';
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined)
      findings.invalid(
        at,
        claim,
        'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
      );
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined)
      findings.invalid(at, claim, one);
    for (const [field, value] of [
      ['resourceClaimName', resourceClaimName],
      ['resourceClaimTemplateName', resourceClaimTemplateName],
    ] as const)
      if (typeof value === 'string') findings.subdomain(at.child(field), value);
  }
  return names;
}

function validateHostNetwork(spec: Fields, path: FieldPath, findings: Findings, isTemplate: boolean): void {
  if (spec['hostNetwork'] !== true) return;
  for (const [index, container] of objectsAt(spec, 'containers').entries()) {
    for (const [place, port] of objectsAt(container, 'ports').entries()) {
      const host = numberAt(port, 'hostPort');
      if ((!isTemplate || host !== 0) && host !== numberAt(port, 'containerPort'))
        findings.invalid(
          path.index(index).child('ports').index(place).child('hostPort'),
          host,
          'must match `containerPort` when `hostNetwork` is true',
        );
    }
  }
}

function validateDns(spec: Fields, path: FieldPath, findings: Findings): void {
  const config = objectAt(spec, 'dnsConfig');
  const servers = textsAt(config, 'nameservers');
  if (spec['dnsPolicy'] === 'None') {
    if (config === undefined) {
      findings.required(path, 'must provide `dnsConfig` when `dnsPolicy` is None');
      return;
    }
    if (servers.length === 0) {
      findings.required(
        path.child('nameservers'),
        'must provide at least one DNS nameserver when `dnsPolicy` is None',
      );
      return;
    }
  }
  if (servers.length > MAX_NAMESERVERS)
    findings.invalid(
      path.child('nameservers'),
      servers,
      `must not have more than ${MAX_NAMESERVERS} nameservers`,
    );
  for (const [index, server] of servers.entries())
    validateIp(findings, path.child('nameservers').index(index), server);
  const searches = textsAt(config, 'searches');
  if (searches.length > MAX_SEARCHES)
    findings.invalid(
      path.child('searches'),
      searches,
      `must not have more than ${MAX_SEARCHES} search paths`,
    );
  if (searches.join(' ').length > MAX_SEARCH_CHARACTERS)
    findings.invalid(
      path.child('searches'),
      searches,
      `must not have more than ${MAX_SEARCH_CHARACTERS} characters (including spaces) in the search list`,
    );
  for (const [index, search] of searches.entries()) {
    if (search === '.') continue;
    const bare = search.replace(/\.$/, '');
    findings.problems(
      path.child('searches').index(index),
      bare,
      validateDns1123SubdomainWithUnderscore(bare),
    );
  }
  for (const [index, option] of objectsAt(config, 'options').entries())
    if (textAt(option, 'name') === '')
      findings.required(path.child('options').index(index), 'must not be empty');
}

function validateGates(spec: Fields, path: FieldPath, findings: Findings): void {
  for (const [index, gate] of objectsAt(spec, 'readinessGates').entries())
    findings.qualifiedName(
      path.child('readinessGates').index(index).child('conditionType'),
      textAt(gate, 'conditionType'),
    );
  const names = new Set<string>();
  for (const [index, gate] of objectsAt(spec, 'schedulingGates').entries()) {
    const at = path.child('schedulingGates').index(index);
    const name = textAt(gate, 'name');
    findings.qualifiedName(at, name);
    if (names.has(name)) findings.duplicate(at, name);
    names.add(name);
  }
}

function validateHostUsers(spec: Fields, path: FieldPath, findings: Findings): void {
  if (spec['hostUsers'] !== false) return;
  const when = 'when `hostUsers` is false';
  for (const [field, name] of [
    ['hostNetwork', 'hostNetwork'],
    ['hostPID', 'HostPID'],
    ['hostIPC', 'HostIPC'],
  ] as const)
    if (spec[field] === true) findings.forbidden(path.child(name), when);
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'])
    for (const [index, container] of objectsAt(spec, list).entries())
      if (objectsAt(container, 'volumeDevices').length > 0)
        findings.forbidden(path.child(list).index(index).child('volumeDevices'), when);
}

function validateNames(spec: Fields, path: FieldPath, findings: Findings): void {
  const override = spec['hostnameOverride'];
  if (typeof override === 'string') {
    const at = path.child('hostnameOverride');
    if (spec['setHostnameAsFQDN'] === true)
      findings.forbidden(at, 'may not be specified when setHostnameAsFQDN is true');
    if (spec['hostNetwork'] === true) findings.forbidden(at, 'may not be specified when hostNetwork is true');
    if (Buffer.byteLength(override) > 64) findings.tooLong(at, 64);
    findings.subdomain(at, override);
  }
  for (const field of ['serviceAccountName', 'nodeName', 'priorityClassName'])
    if (textAt(spec, field) !== '') findings.subdomain(path.child(field), textAt(spec, field));
  for (const field of ['hostname', 'subdomain'])
    if (textAt(spec, field) !== '') findings.label(path.child(field), textAt(spec, field));
  const runtime = spec['runtimeClassName'];
  if (typeof runtime === 'string') findings.subdomain(path.child('runtimeClassName'), runtime);
}

function validateOs(spec: Fields, path: FieldPath, findings: Findings): void {
  const os = objectAt(spec, 'os');
  if (os === undefined) return;
  const name = textAt(os, 'name');
  if (name === '') findings.required(path.child('os', 'name'));
  else if (name !== 'linux' && name !== 'windows')
    findings.notSupported(path.child('os'), name, ['linux', 'windows']);
  else validateOsFields(spec, name, path, findings);
}

const NOT_ON_WINDOWS = [
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

function validateOsFields(spec: Fields, os: 'linux' | 'windows', path: FieldPath, findings: Findings): void {
  const contexts: [Fields | undefined, FieldPath][] = [
    [objectAt(spec, 'securityContext'), path.child('securityContext')],
  ];
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'])
    for (const [index, container] of objectsAt(spec, list).entries())
      contexts.push([
        objectAt(container, 'securityContext'),
        path.child(list).index(index).child('securityContext'),
      ]);
  for (const [context, at] of contexts) {
    if (os === 'linux') {
      if (context?.['windowsOptions'] !== undefined)
        findings.forbidden(at.child('windowsOptions'), 'windows options cannot be set for a linux pod');
    } else
      for (const field of NOT_ON_WINDOWS)
        if (context?.[field] !== undefined)
          findings.forbidden(at.child(field), 'cannot be set for a windows pod');
  }
  if (os === 'linux') return;
  for (const field of ['hostUsers', 'shareProcessNamespace'])
    if (spec[field] !== undefined) findings.forbidden(path.child(field), 'cannot be set for a windows pod');
  for (const field of ['hostPID', 'hostIPC'])
    if (spec[field] === true) findings.forbidden(path.child(field), 'cannot be set for a windows pod');
}
