import { FieldPath } from '@windlass/apimachinery';
import type { Container, Pod, PodStatus } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import { familyOf, validateIp } from '../../shared/addresses.ts';
import type { Findings } from '../../shared/findings.ts';

const STATUS = FieldPath.of('status');
const SYSTEM_CONDITIONS = new Set(['PodScheduled', 'Ready', 'Initialized']);

export function validatePodStatus(pod: View<Pod>, old: View<Pod>, findings: Findings): void {
  const [status, before] = [pod.status ?? {}, old.status ?? {}];
  for (const [index, { type = '', observedGeneration }] of (status.conditions ?? []).entries()) {
    const at = STATUS.child('conditions').index(index);
    if (!SYSTEM_CONDITIONS.has(type)) findings.qualifiedName(at.child('Type'), type);
    validateGeneration(observedGeneration, at, findings);
  }
  const { nominatedNodeName: nominated = '' } = status;
  if (nominated !== '' && nominated !== before.nominatedNodeName) {
    findings.subdomain(STATUS.child('nominatedNodeName'), nominated);
    if ((old.spec?.nodeName ?? '') !== '')
      findings.forbidden(
        STATUS.child('nominatedNodeName'),
        'may not be set on pods that are already bound to a node',
      );
  }
  validateGeneration(status.observedGeneration, STATUS, findings);
  findings.immutable(STATUS.child('qosClass'), status.qosClass ?? '', before.qosClass ?? '');
  validateTransitions(pod, old, findings);
  validateClaimStatuses(pod, findings);
  validateAddresses(status, before, 'podIPs', findings);
  const [host] = status.hostIPs ?? [];
  if (host !== undefined && (host.ip ?? '') !== (status.hostIP ?? ''))
    findings.invalid(
      STATUS.child('hostIPs').index(0).child('ip'),
      host.ip ?? '',
      'must be equal to `hostIP`',
    );
  validateAddresses(status, before, 'hostIPs', findings);
}

/** Which claims were made for the pod. */
function validateClaimStatuses({ spec, status }: View<Pod>, findings: Findings): void {
  const claims = new Set((spec?.resourceClaims ?? []).map(({ name = '' }) => name));
  const seen = new Set<string>();
  for (const [index, { name = '', resourceClaimName }] of (status?.resourceClaimStatuses ?? []).entries()) {
    const at = STATUS.child('resourceClaimStatuses').index(index).child('name');
    if (!claims.has(name))
      findings.invalid(at, name, 'must match the name of an entry in `spec.resourceClaims`');
    if (seen.has(name)) findings.duplicate(at, name);
    seen.add(name);
    if (resourceClaimName !== undefined) findings.subdomain(at, resourceClaimName);
  }
}

function validateGeneration(generation: number | undefined, path: FieldPath, findings: Findings): void {
  if (generation !== undefined && generation < 0)
    findings.invalid(path.child('observedGeneration'), generation, 'must be a non-negative integer');
}

/** What has ended stays ended, unless it is to be started again. */
function validateTransitions(pod: View<Pod>, old: View<Pod>, findings: Findings): void {
  for (const [field, list] of [
    ['containerStatuses', 'containers'],
    ['initContainerStatuses', 'initContainers'],
    ['ephemeralContainerStatuses', undefined],
  ] as const) {
    const now = firstByName(pod.status?.[field] ?? []);
    const containers = firstByName(list === undefined ? [] : (old.spec?.[list] ?? []));
    for (const [index, { name = '', state }] of (old.status?.[field] ?? []).entries()) {
      const next = now.get(name);
      if (state?.terminated === undefined || next === undefined) continue;
      if (next.state?.terminated !== undefined) continue;
      if (!isRestarted(containers.get(name), old.spec?.restartPolicy, state.terminated.exitCode ?? 0))
        findings.forbidden(
          STATUS.child(field).index(index).child('state'),
          'may not be transitioned to non-terminated state',
        );
    }
  }
}

/** Of those with one name the first counts, so that it is set last. */
function firstByName<T extends { readonly name?: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.toReversed().map((item) => [item.name ?? '', item]));
}

function isRestarted(
  container: View<Container> | undefined,
  podPolicy: string | undefined,
  exitCode: number,
): boolean {
  if (container === undefined) return false;
  const policy = container.restartPolicy || podPolicy;
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

function validateAddresses(
  status: View<PodStatus>,
  before: View<PodStatus>,
  field: 'podIPs' | 'hostIPs',
  findings: Findings,
): void {
  const entries = status[field] ?? [];
  const addresses = entries.map(({ ip = '' }) => ip);
  const known = new Set((before[field] ?? []).map(({ ip = '' }) => ip));
  const path = STATUS.child(field);
  for (const [index, address] of addresses.entries())
    if (!known.has(address)) validateIp(findings, path.index(index), address);
  if (addresses.length < 2) return;
  const families = new Set(addresses.map(familyOf));
  if (families.size < 2 || addresses.length > 2)
    findings.invalid(path, entries, 'may specify no more than one IP for each IP family');
  const seen = new Set<string>();
  for (const [index, address] of addresses.entries()) {
    if (seen.has(address)) findings.duplicate(path.index(index), { ip: address });
    seen.add(address);
  }
}
