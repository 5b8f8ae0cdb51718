// Network policies, ingresses and their classes.
import {
  FieldPath,
  validateDns1123Subdomain,
  validatePortName,
  validatePortNumber,
  validateWildcardDns1123Subdomain,
} from '@windlass/apimachinery';
import type { Stored } from '../../resource/strategy.ts';
import { textAt, textsAt } from '../printers/columns.ts';
import { type Fields, objectAt, objectsAt } from '../values.ts';
import { containsBlock, familyOf, parseBlock, validateBlock, validateIp } from './addresses.ts';
import { validateDomainPath } from './domain-path.ts';
import type { Findings } from './findings.ts';
import type { ValidationsByKind } from './kind-validation.ts';

const SPEC = FieldPath.of('spec');
const PROTOCOLS = ['TCP', 'UDP', 'SCTP'];
const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix'];
const MAX_CONTROLLER = 250;

export const networkingValidations: ValidationsByKind = {
  'networking.k8s.io/v1/NetworkPolicy': {
    create: (object, findings) => validatePolicy(object, new Set(), findings),
    update: (object, old, findings) => validatePolicy(object, blocksOf(old), findings),
  },
  'networking.k8s.io/v1/Ingress': {
    create(object, findings) {
      validateIngress(object, findings);
      const annotation = object.metadata?.annotations?.['kubernetes.io/ingress.class'];
      const name = objectAt(object, 'spec')?.['ingressClassName'];
      if (annotation !== undefined && name !== undefined && annotation !== name)
        findings.invalid(
          FieldPath.of('annotations', 'kubernetes.io/ingress.class'),
          annotation,
          'must match `ingressClassName` when both are specified',
        );
    },
    update: (object, _old, findings) => validateIngress(object, findings),
    status: validateIngressStatus,
  },
  'networking.k8s.io/v1/IngressClass': {
    create: validateIngressClass,
    update(object, old, findings) {
      const controller = (of: Stored): string => textAt(objectAt(of, 'spec') ?? {}, 'controller');
      findings.immutable(SPEC.child('controller'), controller(object), controller(old));
      validateIngressClass(object, findings);
    },
  },
};

function validatePolicy(object: Stored, known: ReadonlySet<string>, findings: Findings): void {
  const spec = objectAt(object, 'spec') ?? {};
  findings.selector(SPEC.child('podSelector'), objectAt(spec, 'podSelector'));
  for (const [direction, peers] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const) {
    for (const [index, rule] of objectsAt(spec, direction).entries()) {
      const path = SPEC.child(direction).index(index);
      for (const [at, port] of objectsAt(rule, 'ports').entries())
        validatePolicyPort(port, path.child('ports').index(at), findings);
      for (const [at, peer] of objectsAt(rule, peers).entries())
        validatePeer(peer, path.child(peers).index(at), known, findings);
    }
  }
  const types = textsAt(spec, 'policyTypes');
  if (types.length > 2) {
    findings.invalid(SPEC.child('policyTypes'), types, 'may not specify more than two policyTypes');
    return;
  }
  for (const [index, type] of types.entries())
    findings.oneOf(SPEC.child('policyTypes').index(index), type, ['Ingress', 'Egress']);
}

function validatePolicyPort(given: Fields, path: FieldPath, findings: Findings): void {
  const { port, endPort } = given;
  findings.oneOf(path.child('protocol'), given['protocol'], PROTOCOLS);
  const end = path.child('endPort');
  if (typeof port === 'number') {
    findings.problems(path.child('port'), port, validatePortNumber(port));
    if (typeof endPort !== 'number') return;
    if (endPort < port) findings.invalid(end, port, 'must be greater than or equal to `port`');
    findings.problems(end, endPort, validatePortNumber(endPort));
  } else if (typeof port === 'string') {
    if (endPort !== undefined)
      findings.invalid(end, endPort, 'may not be specified when `port` is non-numeric');
    findings.problems(path.child('port'), port, validatePortName(port));
  } else if (endPort !== undefined)
    findings.invalid(end, endPort, 'may not be specified when `port` is not specified');
}

function validatePeer(peer: Fields, path: FieldPath, known: ReadonlySet<string>, findings: Findings): void {
  const block = objectAt(peer, 'ipBlock');
  let count = 0;
  for (const field of ['podSelector', 'namespaceSelector']) {
    const selector = objectAt(peer, field);
    if (selector === undefined) continue;
    count++;
    findings.selector(path.child(field), selector);
  }
  if (block !== undefined) {
    count++;
    validateIpBlock(block, path.child('ipBlock'), known, findings);
  }
  if (count === 0) findings.required(path, 'must specify a peer');
  else if (count > 1 && block !== undefined)
    findings.forbidden(path, 'may not specify both ipBlock and another peer');
}

function validateIpBlock(
  given: Fields,
  path: FieldPath,
  known: ReadonlySet<string>,
  findings: Findings,
): void {
  const cidr = textAt(given, 'cidr');
  if (cidr === '') {
    findings.required(path.child('cidr'));
    return;
  }
  if (!known.has(cidr)) validateBlock(findings, path.child('cidr'), cidr);
  const block = parseBlock(cidr);
  if (block === undefined) return;
  for (const [index, text] of textsAt(given, 'except').entries()) {
    const at = path.child('except').index(index);
    if (!known.has(text)) validateBlock(findings, at, text);
    const inner = parseBlock(text);
    if (inner !== undefined && (!containsBlock(block, inner) || block.prefix >= inner.prefix))
      findings.invalid(at, text, 'must be a strict subset of `cidr`');
  }
}

/** What was accepted once is accepted again. */
function blocksOf(policy: Stored): Set<string> {
  const spec = objectAt(policy, 'spec');
  const peers = [
    ...objectsAt(spec, 'ingress').flatMap((rule) => objectsAt(rule, 'from')),
    ...objectsAt(spec, 'egress').flatMap((rule) => objectsAt(rule, 'to')),
  ];
  return new Set(
    peers.flatMap((peer) => {
      const block = objectAt(peer, 'ipBlock');
      return block === undefined ? [] : [textAt(block, 'cidr'), ...textsAt(block, 'except')];
    }),
  );
}

function validateIngress(object: Stored, findings: Findings): void {
  const spec = objectAt(object, 'spec') ?? {};
  const rules = objectsAt(spec, 'rules');
  const backend = objectAt(spec, 'defaultBackend');
  if (rules.length === 0 && backend === undefined)
    findings.invalid(SPEC, rules, 'either `defaultBackend` or `rules` must be specified');
  if (backend !== undefined) validateBackend(backend, SPEC.child('defaultBackend'), findings);
  for (const [index, rule] of rules.entries()) validateRule(rule, SPEC.child('rules').index(index), findings);
  for (const [index, tls] of objectsAt(spec, 'tls').entries()) {
    const path = SPEC.child('tls').index(index);
    for (const [at, host] of textsAt(tls, 'hosts').entries())
      validateHost(host, path.child('hosts').index(at), findings);
    const secret = textAt(tls, 'secretName');
    if (secret !== '') findings.subdomain(path.child('secretName'), secret);
  }
  const name = spec['ingressClassName'];
  if (typeof name === 'string') findings.subdomain(SPEC.child('ingressClassName'), name);
}

function validateHost(host: string, path: FieldPath, findings: Findings): void {
  const validate = host.includes('*') ? validateWildcardDns1123Subdomain : validateDns1123Subdomain;
  findings.problems(path, host, validate(host));
}

function validateRule(rule: Fields, path: FieldPath, findings: Findings): void {
  const host = textAt(rule, 'host');
  if (host !== '') {
    if (familyOf(host) !== undefined)
      findings.invalid(path.child('host'), host, 'must be a DNS name, not an IP address');
    validateHost(host, path.child('host'), findings);
  }
  const http = objectAt(rule, 'http');
  if (http === undefined) return;
  const paths = objectsAt(http, 'paths');
  if (paths.length === 0) findings.required(path.child('http', 'paths'));
  for (const [index, given] of paths.entries())
    validateHttpPath(given, path.child('http', 'paths').index(index), findings);
}

function validateHttpPath(given: Fields, at: FieldPath, findings: Findings): void {
  const type = given['pathType'];
  const path = textAt(given, 'path');
  const where = at.child('path');
  if (type === undefined || type === null) {
    findings.required(at.child('pathType'), 'pathType must be specified');
    return;
  }
  if (type === 'Exact' || type === 'Prefix') {
    if (!path.startsWith('/')) findings.invalid(where, path, 'must be an absolute path');
    for (const part of ['//', '/./', '/../', '%2f', '%2F'])
      if (path.includes(part)) findings.invalid(where, path, `must not contain '${part}'`);
    for (const end of ['/..', '/.'])
      if (path.endsWith(end)) findings.invalid(where, path, `cannot end with '${end}'`);
  } else if (type === 'ImplementationSpecific') {
    if (path !== '' && !path.startsWith('/')) findings.invalid(where, path, 'must be an absolute path');
  } else findings.notSupported(at.child('pathType'), type, PATH_TYPES);
  validateBackend(objectAt(given, 'backend') ?? {}, at.child('backend'), findings);
}

function validateBackend(backend: Fields, path: FieldPath, findings: Findings): void {
  const resource = objectAt(backend, 'resource');
  const service = objectAt(backend, 'service');
  if (resource !== undefined && service !== undefined)
    findings.invalid(path, '', 'cannot set both resource and service backends');
  else if (resource !== undefined) validateReference(resource, path.child('resource'), findings);
  else if (service === undefined) findings.invalid(path, '', 'resource or service backend is required');
  else validateServiceBackend(service, path, findings);
}

function validateServiceBackend(service: Fields, path: FieldPath, findings: Findings): void {
  const name = textAt(service, 'name');
  if (name === '') findings.required(path.child('service', 'name'));
  else findings.label(path.child('service', 'name'), name);
  const port = objectAt(service, 'port') ?? {};
  const portName = textAt(port, 'name');
  const number = typeof port['number'] === 'number' ? port['number'] : 0;
  if (portName !== '' && number !== 0) findings.invalid(path, '', 'cannot set both port name & port number');
  else if (portName !== '')
    findings.problems(path.child('service', 'port', 'name'), portName, validatePortName(portName));
  else if (number !== 0)
    findings.problems(path.child('service', 'port', 'number'), number, validatePortNumber(number));
  else findings.required(path, 'port name or number is required');
}

function validateReference(reference: Fields, path: FieldPath, findings: Findings): void {
  const group = reference['apiGroup'];
  if (typeof group === 'string') findings.subdomain(path.child('apiGroup'), group);
  for (const field of ['kind', 'name']) {
    const value = textAt(reference, field);
    if (value === '') findings.required(path.child(field));
    else findings.pathSegment(path.child(field), value);
  }
}

function validateIngressStatus(object: Stored, old: Stored, findings: Findings): void {
  const ingresses = (of: Stored): Fields[] =>
    objectsAt(objectAt(objectAt(of, 'status'), 'loadBalancer'), 'ingress');
  const known = new Set(ingresses(old).map((ingress) => textAt(ingress, 'ip')));
  for (const [index, ingress] of ingresses(object).entries()) {
    const path = FieldPath.of('status', 'loadBalancer', 'ingress').index(index);
    const ip = textAt(ingress, 'ip');
    const hostname = textAt(ingress, 'hostname');
    if (ip !== '' && !known.has(ip)) validateIp(findings, path.child('ip'), ip);
    if (hostname === '') continue;
    findings.subdomain(path.child('hostname'), hostname);
    if (familyOf(hostname) !== undefined)
      findings.invalid(path.child('hostname'), hostname, 'must be a DNS name, not an IP address');
  }
}

function validateIngressClass(object: Stored, findings: Findings): void {
  const spec = objectAt(object, 'spec') ?? {};
  const controller = textAt(spec, 'controller');
  const path = SPEC.child('controller');
  if (Buffer.byteLength(controller) > MAX_CONTROLLER) findings.tooLong(path, MAX_CONTROLLER);
  validateDomainPath(controller, path, findings);
  const parameters = objectAt(spec, 'parameters');
  if (parameters === undefined) return;
  const at = SPEC.child('parameters');
  validateReference(parameters, at, findings);
  const { scope, namespace } = parameters;
  if (scope === undefined) {
    findings.required(at.child('scope'));
    return;
  }
  if (scope !== 'Namespace' && scope !== 'Cluster') {
    findings.notSupported(at.child('scope'), scope, ['Cluster', 'Namespace']);
    return;
  }
  if (scope === 'Cluster') {
    if (namespace !== undefined)
      findings.forbidden(at.child('namespace'), "`parameters.scope` is set to 'Cluster'");
  } else if (namespace === undefined)
    findings.required(at.child('namespace'), "`parameters.scope` is set to 'Namespace'");
  else findings.label(at.child('namespace'), textAt(parameters, 'namespace'));
}
