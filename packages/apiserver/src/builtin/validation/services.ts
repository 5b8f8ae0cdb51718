import { FieldPath, validateLabels, validatePortName, validatePortNumber } from '@windlass/apimachinery';
import type { Stored } from '../../resource/strategy.ts';
import { numberAt, textAt, textsAt } from '../printers/columns.ts';
import { type Fields, objectAt, objectsAt } from '../values.ts';
import { familyOf, validateBlock, validateEndpointIp, validateIp } from './addresses.ts';
import type { Findings } from './findings.ts';
import type { ValidationsByKind } from './kind-validation.ts';

const SPEC = FieldPath.of('spec');
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const RANGES = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const MAX_AFFINITY_SECONDS = 86_400;
const ONLY_LOAD_BALANCER = "may only be used when `type` is 'LoadBalancer'";

export const serviceValidations: ValidationsByKind = {
  '/v1/Service': {
    create: (service, findings) => validateService(service, undefined, findings),
    update(service, old, findings) {
      validateUnchanged(objectAt(service, 'spec') ?? {}, objectAt(old, 'spec') ?? {}, findings);
      validateService(service, old, findings);
    },
    status: validateStatus,
  },
};

const isHeadless = (spec: Fields): boolean => {
  const addresses = textsAt(spec, 'clusterIPs');
  return addresses.length === 1 && addresses[0] === 'None';
};
const needsHealthCheck = (spec: Fields): boolean =>
  spec['type'] === 'LoadBalancer' && spec['externalTrafficPolicy'] === 'Local';

function validateService(service: Stored, old: Stored | undefined, findings: Findings): void {
  const spec = objectAt(service, 'spec') ?? {};
  const type = textAt(spec, 'type');
  const ports = objectsAt(spec, 'ports');
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
  // The typed form makes them texts.
  findings.add(
    validateLabels((objectAt(spec, 'selector') ?? {}) as Record<string, string>, SPEC.child('selector')),
  );
  validateAffinity(spec, findings);
  if (type !== 'ExternalName') validateAddresses(spec, objectAt(old, 'spec'), findings);
  const known = new Set(textsAt(objectAt(old, 'spec'), 'externalIPs'));
  for (const [index, ip] of textsAt(spec, 'externalIPs').entries()) {
    const at = SPEC.child('externalIPs').index(index);
    if (known.has(ip) || validateIp(findings, at, ip)) validateEndpointIp(findings, at, ip);
  }
  findings.oneOf(SPEC.child('type'), type, TYPES);
  validatePortNumbers(ports, type, findings);
  validateSourceRanges(service, old, findings);
  if (spec['allocateLoadBalancerNodePorts'] !== undefined && type !== 'LoadBalancer')
    findings.forbidden(SPEC.child('allocateLoadBalancerNodePorts'), ONLY_LOAD_BALANCER);
  const balancer = spec['loadBalancerClass'];
  if (typeof balancer === 'string') {
    if (type === 'LoadBalancer') findings.qualifiedName(SPEC.child('loadBalancerClass'), balancer);
    else findings.forbidden(SPEC.child('loadBalancerClass'), ONLY_LOAD_BALANCER);
  }
  validateTraffic(spec, findings);
}

function validateExternalName(spec: Fields, findings: Findings): void {
  const not = 'may not be set for ExternalName services';
  if (textsAt(spec, 'clusterIPs').length > 0) findings.forbidden(SPEC.child('clusterIPs'), not);
  if (textsAt(spec, 'ipFamilies').length > 0) findings.forbidden(SPEC.child('ipFamilies'), not);
  if (spec['ipFamilyPolicy'] !== undefined) findings.forbidden(SPEC.child('ipFamilyPolicy'), not);
  const name = textAt(spec, 'externalName').replace(/\.$/, '');
  if (name === '') findings.required(SPEC.child('externalName'));
  else findings.subdomain(SPEC.child('externalName'), name);
}

function validatePorts(ports: readonly Fields[], findings: Findings): void {
  const names = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const at = SPEC.child('ports').index(index);
    const [name, protocol] = [textAt(port, 'name'), textAt(port, 'protocol')];
    if (name === '') {
      if (ports.length > 1) findings.required(at.child('name'));
    } else {
      findings.label(at.child('name'), name);
      if (names.has(name)) findings.duplicate(at.child('name'), name);
      names.add(name);
    }
    const number = numberAt(port, 'port');
    findings.problems(at.child('port'), number, validatePortNumber(number));
    if (protocol === '') findings.required(at.child('protocol'));
    else findings.oneOf(at.child('protocol'), protocol, PROTOCOLS);
    const target = port['targetPort'];
    if (typeof target === 'string')
      findings.problems(at.child('targetPort'), target, validatePortName(target));
    else findings.problems(at.child('targetPort'), target ?? 0, validatePortNumber(Number(target ?? 0)));
    const application = port['appProtocol'];
    if (typeof application === 'string') findings.qualifiedName(at.child('appProtocol'), application);
  }
}

function validatePortNumbers(ports: readonly Fields[], type: string, findings: Findings): void {
  const [nodePorts, numbers] = [new Set<string>(), new Set<string>()];
  for (const [index, port] of ports.entries()) {
    const at = SPEC.child('ports').index(index);
    const nodePort = numberAt(port, 'nodePort');
    if (type === 'ClusterIP' && nodePort !== 0)
      findings.forbidden(at.child('nodePort'), "may not be used when `type` is 'ClusterIP'");
    const protocol = textAt(port, 'protocol');
    if (nodePort !== 0 && nodePorts.has(`${protocol}/${nodePort}`))
      findings.duplicate(at.child('nodePort'), nodePort);
    nodePorts.add(`${protocol}/${nodePort}`);
    const key = `${protocol}/${numberAt(port, 'port')}`;
    if (numbers.has(key)) findings.duplicate(at, { port: port['port'], protocol });
    numbers.add(key);
  }
}

function validateAffinity(spec: Fields, findings: Findings): void {
  const affinity = textAt(spec, 'sessionAffinity');
  const config = objectAt(spec, 'sessionAffinityConfig');
  const path = SPEC.child('sessionAffinityConfig');
  if (affinity === '') findings.required(SPEC.child('sessionAffinity'));
  else findings.oneOf(SPEC.child('sessionAffinity'), affinity, ['ClientIP', 'None']);
  if (affinity === 'None' && config !== undefined)
    findings.forbidden(path, 'must not be set when session affinity is None');
  if (affinity !== 'ClientIP') return;
  const seconds = objectAt(config, 'clientIP')?.['timeoutSeconds'];
  if (config === undefined) findings.required(path, 'when session affinity type is ClientIP');
  else if (objectAt(config, 'clientIP') === undefined)
    findings.required(path.child('clientIP'), 'when session affinity type is ClientIP');
  else if (typeof seconds !== 'number')
    findings.required(path.child('clientIP', 'timeoutSeconds'), 'when session affinity type is ClientIP');
  else if (seconds <= 0 || seconds > MAX_AFFINITY_SECONDS)
    findings.invalid(
      path.child('clientIP', 'timeoutSeconds'),
      seconds,
      `must be greater than 0 and less than ${MAX_AFFINITY_SECONDS}`,
    );
}

/** Whether its addresses and their families can be at all. */
export function validateAddresses(spec: Fields, old: Fields | undefined, findings: Findings): void {
  const first = textAt(spec, 'clusterIP');
  const addresses = textsAt(spec, 'clusterIPs');
  const families = textsAt(spec, 'ipFamilies');
  const path = SPEC.child('clusterIPs');
  if (first === '') {
    if (addresses.length > 0)
      findings.invalid(path, addresses, 'must be empty when `clusterIP` is not specified');
  } else if (addresses.length === 0) findings.required(path);
  else if (addresses[0] !== first) findings.invalid(path, addresses, 'first value must match `clusterIP`');
  for (const [index, family] of families.entries()) {
    findings.oneOf(SPEC.child('ipFamilies').index(index), family, ['IPv4', 'IPv6']);
    if (families.indexOf(family) < index) findings.duplicate(SPEC.child('ipFamilies').index(index), family);
  }
  findings.oneOf(SPEC.child('ipFamilyPolicy'), spec['ipFamilyPolicy'], [
    'PreferDualStack',
    'RequireDualStack',
    'SingleStack',
  ]);
  const known = new Set(textsAt(old, 'clusterIPs'));
  let isFine = true;
  for (const [index, address] of addresses.entries()) {
    if (index === 0 && address === 'None') {
      if (addresses.length === 1) continue;
      isFine = false;
      findings.invalid(path, addresses, "'None' must be the first and only value");
    } else if (!known.has(address)) isFine = validateIp(findings, path.index(index), address) && isFine;
  }
  if (addresses.length > 2) findings.invalid(path, addresses, 'may only hold up to 2 values');
  if (!isFine) return;
  if (addresses.length > 1 && new Set(addresses.map(familyOf)).size < 2)
    findings.invalid(path, addresses, 'may specify no more than one IP for each IP family');
  if (isHeadless(spec)) return;
  for (const [index, address] of addresses.entries()) {
    const family = families[index];
    if ((family === 'IPv4' && familyOf(address) === 6) || (family === 'IPv6' && familyOf(address) !== 6))
      findings.invalid(
        path.index(index),
        address,
        `expected an ${family} value as indicated by \`ipFamilies[${index}]\``,
      );
  }
}

function validateSourceRanges(service: Stored, old: Stored | undefined, findings: Findings): void {
  const spec = objectAt(service, 'spec') ?? {};
  const ranges = textsAt(spec, 'loadBalancerSourceRanges');
  const isBalancer = spec['type'] === 'LoadBalancer';
  if (ranges.length > 0) {
    const path = SPEC.child('LoadBalancerSourceRanges');
    const known = new Set(
      textsAt(objectAt(old, 'spec'), 'loadBalancerSourceRanges').map((range) => range.trim()),
    );
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

function validateTraffic(spec: Fields, findings: Findings): void {
  const type = textAt(spec, 'type');
  const policy = textAt(spec, 'externalTrafficPolicy');
  const isOutside =
    type === 'LoadBalancer' ||
    type === 'NodePort' ||
    (type === 'ClusterIP' && textsAt(spec, 'externalIPs').length > 0);
  const path = SPEC.child('externalTrafficPolicy');
  if (!isOutside) {
    if (policy !== '') findings.invalid(path, policy, 'may only be set for externally-accessible services');
  } else if (policy === '') findings.required(path);
  else findings.oneOf(path, policy, ['Cluster', 'Local']);
  const health = numberAt(spec, 'healthCheckNodePort');
  const at = SPEC.child('healthCheckNodePort');
  if (!needsHealthCheck(spec)) {
    if (health !== 0)
      findings.invalid(
        at,
        health,
        "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      );
  } else if (health === 0) findings.required(at);
  else findings.problems(at, health, validatePortNumber(health));
  const internal = spec['internalTrafficPolicy'];
  if (internal === undefined && ['NodePort', 'LoadBalancer', 'ClusterIP'].includes(type))
    findings.required(SPEC.child('internalTrafficPolicy'));
  findings.oneOf(SPEC.child('internalTrafficPolicy'), internal, ['Cluster', 'Local']);
  findings.oneOf(SPEC.child('trafficDistribution'), spec['trafficDistribution'], [
    'PreferClose',
    'PreferSameZone',
    'PreferSameNode',
  ]);
}

function validateUnchanged(spec: Fields, old: Fields, findings: Findings): void {
  if (spec['type'] !== 'ExternalName' && old['type'] !== 'ExternalName') {
    if (!(isHeadless(spec) && isHeadless(old))) validateSame(spec, old, 'clusterIPs', 'clusterIP', findings);
    if (!isHeadless(spec) && !isHeadless(old)) validateSame(spec, old, 'ipFamilies', 'ipFamily', findings);
  }
  const isBalancer = spec['type'] === 'LoadBalancer' && old['type'] === 'LoadBalancer';
  if (isBalancer && spec['loadBalancerClass'] !== old['loadBalancerClass'])
    findings.invalid(
      SPEC.child('loadBalancerClass'),
      spec['loadBalancerClass'] ?? null,
      'may not change once set',
    );
  if (
    needsHealthCheck(spec) &&
    needsHealthCheck(old) &&
    spec['healthCheckNodePort'] !== old['healthCheckNodePort']
  )
    findings.forbidden(SPEC.child('healthCheckNodePort'), 'field is immutable');
}

/** The first stays; a second may come and go. */
function validateSame(spec: Fields, old: Fields, field: string, noun: string, findings: Findings): void {
  const [now, before] = [textsAt(spec, field), textsAt(old, field)];
  const path = SPEC.child(field);
  if (now.length === before.length) {
    for (const [index, value] of before.entries())
      if (now[index] !== value)
        findings.invalid(path.index(field === 'ipFamilies' ? 0 : index), now, 'may not change once set');
    return;
  }
  if (now.length < before.length && textsAt(spec, 'clusterIPs').length === 0)
    findings.invalid(path.index(0), now, `primary ${noun} can not be unset`);
  if (now.length > 0 && before.length > 0 && now[0] !== before[0])
    findings.invalid(path.index(0), textsAt(spec, 'clusterIPs'), 'may not change once set');
  if (now.length === 1 && before.length === 2 && spec['ipFamilyPolicy'] !== 'SingleStack')
    findings.invalid(
      SPEC.child('ipFamilyPolicy'),
      spec['ipFamilyPolicy'] ?? null,
      `must be set to 'SingleStack' when releasing the secondary ${noun}`,
    );
}

function validateStatus(service: Stored, old: Stored, findings: Findings): void {
  const ingresses = (of: Stored): Fields[] =>
    objectsAt(objectAt(objectAt(of, 'status'), 'loadBalancer'), 'ingress');
  const path = FieldPath.of('status', 'loadBalancer', 'ingress');
  const given = ingresses(service);
  if (objectAt(service, 'spec')?.['type'] !== 'LoadBalancer') {
    if (given.length > 0) findings.forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'");
    return;
  }
  const known = new Set(ingresses(old).map((ingress) => textAt(ingress, 'ip')));
  for (const [index, ingress] of given.entries()) {
    const at = path.index(index);
    const [ip, hostname] = [textAt(ingress, 'ip'), textAt(ingress, 'hostname')];
    const mode = ingress['ipMode'];
    if (ip !== '' && !known.has(ip)) validateIp(findings, at.child('ip'), ip);
    if (mode === undefined) {
      if (ip !== '') findings.required(at.child('ipMode'), 'must be specified when `ip` is set');
    } else if (ip === '') findings.forbidden(at.child('ipMode'), 'may not be specified when `ip` is not set');
    else findings.oneOf(at.child('ipMode'), mode, ['Proxy', 'VIP']);
    if (hostname === '') continue;
    findings.subdomain(at.child('hostname'), hostname);
    if (familyOf(hostname) !== undefined)
      findings.invalid(at.child('hostname'), hostname, 'must be a DNS name, not an IP address');
  }
}
