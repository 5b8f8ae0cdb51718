import {
  FieldPath,
  validateDns1123Subdomain,
  validateWildcardDns1123Subdomain,
} from '@windlass/apimachinery';
import type { Ingress, IngressRule, IngressTLS } from '@windlass/apimachinery/api/networking/v1';
import type { View } from '../../../resource/views.ts';
import type { ValidationOf } from '../../define-kind.ts';
import { familyOf, validateIp } from '../../shared/addresses.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateBackend, validateHttpPath } from './backends.ts';

const SPEC = FieldPath.of('spec');
const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';

export const ingressValidation: ValidationOf<Ingress> = {
  create(ingress, findings) {
    validateIngress(ingress, findings);
    const annotation = ingress.metadata?.annotations?.[CLASS_ANNOTATION];
    const name = ingress.spec?.ingressClassName;
    if (annotation !== undefined && name !== undefined && annotation !== name)
      findings.invalid(
        FieldPath.of('annotations', CLASS_ANNOTATION),
        annotation,
        'must match `ingressClassName` when both are specified',
      );
  },
  update: (ingress, _old, findings) => validateIngress(ingress, findings),
  status: validateIngressStatus,
};

function validateIngress({ spec = {} }: View<Ingress>, findings: Findings): void {
  const { defaultBackend, ingressClassName } = spec;
  const rules = spec.rules ?? [];
  if (rules.length === 0 && defaultBackend === undefined)
    findings.invalid(SPEC, rules, 'either `defaultBackend` or `rules` must be specified');
  if (defaultBackend !== undefined) validateBackend(defaultBackend, SPEC.child('defaultBackend'), findings);
  for (const [index, rule] of rules.entries()) validateRule(rule, SPEC.child('rules').index(index), findings);
  for (const [index, tls] of (spec.tls ?? []).entries())
    validateTls(tls, SPEC.child('tls').index(index), findings);
  if (ingressClassName !== undefined) findings.subdomain(SPEC.child('ingressClassName'), ingressClassName);
}

function validateTls(
  { hosts, secretName = '' }: View<IngressTLS>,
  path: FieldPath,
  findings: Findings,
): void {
  for (const [index, host] of (hosts ?? []).entries())
    validateHost(host, path.child('hosts').index(index), findings);
  if (secretName !== '') findings.subdomain(path.child('secretName'), secretName);
}

function validateHost(host: string, path: FieldPath, findings: Findings): void {
  const validate = host.includes('*') ? validateWildcardDns1123Subdomain : validateDns1123Subdomain;
  findings.problems(path, host, validate(host));
}

function validateRule({ host = '', http }: View<IngressRule>, path: FieldPath, findings: Findings): void {
  if (host !== '') {
    if (familyOf(host) !== undefined)
      findings.invalid(path.child('host'), host, 'must be a DNS name, not an IP address');
    validateHost(host, path.child('host'), findings);
  }
  if (http === undefined) return;
  const paths = http.paths ?? [];
  if (paths.length === 0) findings.required(path.child('http', 'paths'));
  for (const [index, given] of paths.entries())
    validateHttpPath(given, path.child('http', 'paths').index(index), findings);
}

function validateIngressStatus({ status }: View<Ingress>, old: View<Ingress>, findings: Findings): void {
  const known = new Set((old.status?.loadBalancer?.ingress ?? []).map(({ ip = '' }) => ip));
  for (const [index, { ip = '', hostname = '' }] of (status?.loadBalancer?.ingress ?? []).entries()) {
    const path = FieldPath.of('status', 'loadBalancer', 'ingress').index(index);
    if (ip !== '' && !known.has(ip)) validateIp(findings, path.child('ip'), ip);
    if (hostname === '') continue;
    findings.subdomain(path.child('hostname'), hostname);
    if (familyOf(hostname) !== undefined)
      findings.invalid(path.child('hostname'), hostname, 'must be a DNS name, not an IP address');
  }
}
