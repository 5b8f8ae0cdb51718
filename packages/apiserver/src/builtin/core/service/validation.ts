import { FieldPath, validateLabels, validatePortNumber } from '@windlass/apimachinery';
import type { Service, ServiceSpec } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { ValidationOf } from '../../define-kind.ts';
import { validateEndpointIp, validateIp } from '../../shared/addresses.ts';
import type { Findings } from '../../shared/findings.ts';
import { IMMUTABLE } from '../../shared/immutable.ts';
import { isHeadless, validateAddresses, validateAddressesUpdate } from './addresses-validation.ts';
import {
  validateLoadBalancer,
  validateServiceStatus,
  validateSourceRanges,
} from './load-balancer-validation.ts';
import { validatePortNumbers, validatePorts } from './ports-validation.ts';
import { takesHealthPort } from './service-fields.ts';

type Spec = View<ServiceSpec>;

const SPEC = FieldPath.of('spec');
const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const MAX_AFFINITY_SECONDS = 86_400;

export const serviceValidation: ValidationOf<Service> = {
  create: (service, findings) => validateService(service, undefined, findings),
  update(service, old, findings) {
    validateUnchanged(service.spec ?? {}, old.spec ?? {}, findings);
    validateService(service, old, findings);
  },
  status: validateServiceStatus,
};

function validateService(service: View<Service>, old: View<Service> | undefined, findings: Findings): void {
  const { spec = {} } = service;
  const { type = '' } = spec;
  const ports = spec.ports ?? [];
  if (ports.length === 0 && !isHeadless(spec) && type !== 'ExternalName')
    findings.required(SPEC.child('ports'));
  if (type === 'ExternalName') validateExternalName(spec, findings);
  else if (type !== 'ClusterIP' && TYPES.includes(type) && isHeadless(spec))
    findings.invalid(
      SPEC.child('clusterIPs').index(0),
      'None',
      `may not be set to 'None' for ${type} services`,
    );
  validatePorts(ports, findings);
  findings.add(validateLabels(spec.selector ?? {}, SPEC.child('selector')));
  validateAffinity(spec, findings);
  if (type !== 'ExternalName') validateAddresses(spec, old?.spec, findings);
  const known = new Set(old?.spec?.externalIPs);
  for (const [index, ip] of (spec.externalIPs ?? []).entries()) {
    const at = SPEC.child('externalIPs').index(index);
    if (known.has(ip) || validateIp(findings, at, ip)) validateEndpointIp(findings, at, ip);
  }
  findings.oneOf(SPEC.child('type'), type, TYPES);
  validatePortNumbers(ports, type, findings);
  validateSourceRanges(service, old, findings);
  validateLoadBalancer(spec, findings);
  validateTraffic(spec, findings);
}

function validateExternalName(spec: Spec, findings: Findings): void {
  const not = 'may not be set for ExternalName services';
  if ((spec.clusterIPs ?? []).length > 0) findings.forbidden(SPEC.child('clusterIPs'), not);
  if ((spec.ipFamilies ?? []).length > 0) findings.forbidden(SPEC.child('ipFamilies'), not);
  if (spec.ipFamilyPolicy !== undefined) findings.forbidden(SPEC.child('ipFamilyPolicy'), not);
  const name = (spec.externalName ?? '').replace(/\.$/, '');
  if (name === '') findings.required(SPEC.child('externalName'));
  else findings.subdomain(SPEC.child('externalName'), name);
}

function validateAffinity(spec: Spec, findings: Findings): void {
  const { sessionAffinity: affinity = '', sessionAffinityConfig: config } = spec;
  const path = SPEC.child('sessionAffinityConfig');
  if (affinity === '') findings.required(SPEC.child('sessionAffinity'));
  else findings.oneOf(SPEC.child('sessionAffinity'), affinity, ['ClientIP', 'None']);
  if (affinity === 'None' && config !== undefined)
    findings.forbidden(path, 'must not be set when session affinity is None');
  if (affinity !== 'ClientIP') return;
  const seconds = config?.clientIP?.timeoutSeconds;
  if (config === undefined) findings.required(path, 'when session affinity type is ClientIP');
  else if (config.clientIP === undefined)
    findings.required(path.child('clientIP'), 'when session affinity type is ClientIP');
  else if (seconds === undefined)
    findings.required(path.child('clientIP', 'timeoutSeconds'), 'when session affinity type is ClientIP');
  else if (seconds <= 0 || seconds > MAX_AFFINITY_SECONDS)
    findings.invalid(
      path.child('clientIP', 'timeoutSeconds'),
      seconds,
      `must be greater than 0 and less than ${MAX_AFFINITY_SECONDS}`,
    );
}

function validateTraffic(spec: Spec, findings: Findings): void {
  const { type = '', externalTrafficPolicy: policy = '', healthCheckNodePort: health = 0 } = spec;
  const isOutside =
    type === 'LoadBalancer' ||
    type === 'NodePort' ||
    (type === 'ClusterIP' && (spec.externalIPs ?? []).length > 0);
  const path = SPEC.child('externalTrafficPolicy');
  if (!isOutside) {
    if (policy !== '') findings.invalid(path, policy, 'may only be set for externally-accessible services');
  } else if (policy === '') findings.required(path);
  else findings.oneOf(path, policy, ['Cluster', 'Local']);
  const at = SPEC.child('healthCheckNodePort');
  if (!takesHealthPort(spec)) {
    if (health !== 0)
      findings.invalid(
        at,
        health,
        "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      );
  } else if (health === 0) findings.required(at);
  else findings.problems(at, health, validatePortNumber(health));
  const { internalTrafficPolicy: internal } = spec;
  if (internal === undefined && ['NodePort', 'LoadBalancer', 'ClusterIP'].includes(type))
    findings.required(SPEC.child('internalTrafficPolicy'));
  findings.oneOf(SPEC.child('internalTrafficPolicy'), internal, ['Cluster', 'Local']);
  findings.oneOf(SPEC.child('trafficDistribution'), spec.trafficDistribution, [
    'PreferClose',
    'PreferSameZone',
    'PreferSameNode',
  ]);
}

function validateUnchanged(spec: Spec, old: Spec, findings: Findings): void {
  validateAddressesUpdate(spec, old, findings);
  const isBalancer = spec.type === 'LoadBalancer' && old.type === 'LoadBalancer';
  if (isBalancer && spec.loadBalancerClass !== old.loadBalancerClass)
    findings.invalid(
      SPEC.child('loadBalancerClass'),
      spec.loadBalancerClass ?? null,
      'may not change once set',
    );
  if (takesHealthPort(spec) && takesHealthPort(old) && spec.healthCheckNodePort !== old.healthCheckNodePort)
    findings.forbidden(SPEC.child('healthCheckNodePort'), IMMUTABLE);
}
