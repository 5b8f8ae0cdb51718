// What only services of the type LoadBalancer have.
import { FieldPath } from '@windlass/apimachinery';
import type { LoadBalancerIngress, Service, ServiceSpec } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import { familyOf, validateBlock, validateIp } from '../../shared/addresses.ts';
import type { Findings } from '../../shared/findings.ts';

const SPEC = FieldPath.of('spec');
const INGRESS = FieldPath.of('status', 'loadBalancer', 'ingress');
const RANGES = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const ONLY_LOAD_BALANCER = "may only be used when `type` is 'LoadBalancer'";

export function validateLoadBalancer(spec: View<ServiceSpec>, findings: Findings): void {
  const isBalancer = spec.type === 'LoadBalancer';
  if (spec.allocateLoadBalancerNodePorts !== undefined && !isBalancer)
    findings.forbidden(SPEC.child('allocateLoadBalancerNodePorts'), ONLY_LOAD_BALANCER);
  if (spec.loadBalancerClass === undefined) return;
  if (isBalancer) findings.qualifiedName(SPEC.child('loadBalancerClass'), spec.loadBalancerClass);
  else findings.forbidden(SPEC.child('loadBalancerClass'), ONLY_LOAD_BALANCER);
}

/** Whose requests a load balancer takes: by a field, or by the older annotation. */
export function validateSourceRanges(
  service: View<Service>,
  old: View<Service> | undefined,
  findings: Findings,
): void {
  const ranges = service.spec?.loadBalancerSourceRanges ?? [];
  const isBalancer = service.spec?.type === 'LoadBalancer';
  if (ranges.length > 0) {
    const path = SPEC.child('LoadBalancerSourceRanges');
    const known = new Set(old?.spec?.loadBalancerSourceRanges?.map((range) => range.trim()));
    if (!isBalancer) findings.forbidden(path, ONLY_LOAD_BALANCER);
    for (const [index, range] of ranges.entries())
      if (!known.has(range.trim())) validateBlock(findings, path.index(index), range.trim());
    return;
  }
  const annotation = service.metadata?.annotations?.[RANGES];
  if (annotation === undefined) return;
  const path = FieldPath.of('metadata', 'annotations').key(RANGES);
  if (!isBalancer) findings.forbidden(path, ONLY_LOAD_BALANCER);
  if (old?.metadata?.annotations?.[RANGES] === annotation || annotation.trim() === '') return;
  for (const range of annotation.split(',')) validateBlock(findings, path, range.trim());
}

export function validateServiceStatus(service: View<Service>, old: View<Service>, findings: Findings): void {
  const given = service.status?.loadBalancer?.ingress ?? [];
  if (service.spec?.type !== 'LoadBalancer') {
    if (given.length > 0) findings.forbidden(INGRESS, "may only be used when `spec.type` is 'LoadBalancer'");
    return;
  }
  const known = new Set(old.status?.loadBalancer?.ingress?.map(({ ip = '' }) => ip));
  for (const [index, ingress] of given.entries())
    validateIngress(ingress, known, INGRESS.index(index), findings);
}

function validateIngress(
  { ip = '', hostname = '', ipMode: mode }: View<LoadBalancerIngress>,
  known: ReadonlySet<string>,
  path: FieldPath,
  findings: Findings,
): void {
  if (ip !== '' && !known.has(ip)) validateIp(findings, path.child('ip'), ip);
  if (mode === undefined) {
    if (ip !== '') findings.required(path.child('ipMode'), 'must be specified when `ip` is set');
  } else if (ip === '') findings.forbidden(path.child('ipMode'), 'may not be specified when `ip` is not set');
  else findings.oneOf(path.child('ipMode'), mode, ['Proxy', 'VIP']);
  if (hostname === '') return;
  findings.subdomain(path.child('hostname'), hostname);
  if (familyOf(hostname) !== undefined)
    findings.invalid(path.child('hostname'), hostname, 'must be a DNS name, not an IP address');
}
