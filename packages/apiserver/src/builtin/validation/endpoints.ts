// Endpoints and the slices of them.
import {
  deepEqual,
  FieldPath,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateLabels,
  validateLabelValue,
  validatePortNumber,
} from '@windlass/apimachinery';
import type { Stored } from '../../resource/strategy.ts';
import { textAt, textsAt } from '../printers/columns.ts';
import { type Fields, objectAt, objectsAt } from '../values.ts';
import { canonicalIp, familyOf, validateEndpointIp, validateIp } from './addresses.ts';
import type { Findings } from './findings.ts';
import type { ValidationsByKind } from './kind-validation.ts';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const ADDRESS_TYPES = ['FQDN', 'IPv4', 'IPv6'];
const MAX_ADDRESSES = 100;
const MAX_HINTS = 8;

export const endpointValidations: ValidationsByKind = {
  '/v1/Endpoints': {
    create: validateSubsets,
    // What was accepted once, under older rules, stays.
    update: (object, old, findings) =>
      deepEqual(object['subsets'], old['subsets']) ? undefined : validateSubsets(object, findings),
  },
  'discovery.k8s.io/v1/EndpointSlice': {
    create: (object, findings) => validateSlice(object, undefined, findings),
    update(object, old, findings) {
      validateSlice(object, old, findings);
      findings.immutable(FieldPath.of('addressType'), object['addressType'], old['addressType']);
    },
  },
};

function validateSubsets(object: Stored, findings: Findings): void {
  for (const [index, subset] of objectsAt(object, 'subsets').entries()) {
    const path = FieldPath.of('subsets').index(index);
    const ports = objectsAt(subset, 'ports');
    const lists = ['addresses', 'notReadyAddresses'].map(
      (field) => [field, objectsAt(subset, field)] as const,
    );
    if (lists.every(([, addresses]) => addresses.length === 0))
      findings.required(path, 'must specify `addresses` or `notReadyAddresses`');
    for (const [field, addresses] of lists)
      for (const [at, address] of addresses.entries())
        validateAddress(address, path.child(field).index(at), findings);
    for (const [at, port] of ports.entries())
      validatePort(port, ports.length > 1, path.child('ports').index(at), findings);
  }
}

function validateAddress(address: Fields, path: FieldPath, findings: Findings): void {
  const [ip, hostname] = [textAt(address, 'ip'), textAt(address, 'hostname')];
  validateIp(findings, path.child('ip'), ip);
  if (hostname !== '') findings.label(path.child('hostname'), hostname);
  const node = address['nodeName'];
  if (typeof node === 'string') findings.subdomain(path.child('nodeName'), node);
  validateEndpointIp(findings, path.child('ip'), ip);
}

function validatePort(port: Fields, isNamed: boolean, path: FieldPath, findings: Findings): void {
  const name = textAt(port, 'name');
  if (isNamed && name === '') findings.required(path.child('name'));
  else if (name !== '') findings.label(path.child('name'), name);
  const number = Number(port['port'] ?? 0);
  findings.problems(path.child('port'), number, validatePortNumber(number));
  validateProtocol(port, path, findings);
}

function validateProtocol(port: Fields, path: FieldPath, findings: Findings): void {
  const { protocol } = port;
  if (protocol === undefined) findings.required(path.child('protocol'));
  else findings.oneOf(path.child('protocol'), protocol, PROTOCOLS);
  const application = port['appProtocol'];
  if (typeof application === 'string') findings.qualifiedName(path.child('appProtocol'), application);
}

function validateSlice(slice: Stored, old: Stored | undefined, findings: Findings): void {
  const type = textAt(slice, 'addressType');
  if (type === '') findings.required(FieldPath.of('addressType'));
  else findings.oneOf(FieldPath.of('addressType'), type, ADDRESS_TYPES);
  const names = new Set<string>();
  for (const [index, port] of objectsAt(slice, 'ports').entries()) {
    const path = FieldPath.of('ports').index(index);
    const name = textAt(port, 'name');
    if (name !== '') findings.problems(path.child('name'), name, validateDns1123Label(name));
    if (names.has(name)) findings.duplicate(path.child('name'), name);
    names.add(name);
    validateProtocol(port, path, findings);
  }
  if (old !== undefined && deepEqual(slice['endpoints'], old['endpoints'])) return;
  for (const [index, endpoint] of objectsAt(slice, 'endpoints').entries())
    validateEndpoint(endpoint, type, FieldPath.of('endpoints').index(index), findings);
}

function validateEndpoint(endpoint: Fields, type: string, path: FieldPath, findings: Findings): void {
  const addresses = textsAt(endpoint, 'addresses');
  const at = path.child('addresses');
  if (addresses.length === 0) findings.required(at, 'must contain at least 1 address');
  else if (addresses.length > MAX_ADDRESSES) findings.tooMany(at, addresses.length, MAX_ADDRESSES);
  for (const [index, address] of addresses.entries()) {
    if (type === 'FQDN') validateDomain(address, at.index(index), findings);
    else if (type === 'IPv4' || type === 'IPv6') validateSliceIp(address, type, at, index, findings);
  }
  const node = endpoint['nodeName'];
  if (typeof node === 'string') findings.subdomain(path.child('nodeName'), node);
  const topology = objectAt(endpoint, 'deprecatedTopology') ?? {};
  // The typed form makes them texts.
  findings.add(validateLabels(topology as Record<string, string>, path.child('deprecatedTopology')));
  const hostname = endpoint['hostname'];
  if (typeof hostname === 'string') findings.label(path.child('hostname'), hostname);
  const hints = objectAt(endpoint, 'hints');
  if (hints === undefined) return;
  for (const [field, validate] of [
    ['forZones', validateLabelValue],
    ['forNodes', validateDns1123Subdomain],
  ] as const)
    if (!validateHints(objectsAt(hints, field), validate, path.child('hints', field), findings)) return;
}

function validateSliceIp(
  address: string,
  type: 'IPv4' | 'IPv6',
  at: FieldPath,
  index: number,
  findings: Findings,
): void {
  const isFine = validateIp(findings, at.index(index), address);
  if (!isFine) return;
  if (type === 'IPv6' && canonicalIp(address) !== address) {
    findings.invalid(
      at.index(index),
      address,
      `must be in canonical form (${JSON.stringify(canonicalIp(address))})`,
    );
    return;
  }
  if (familyOf(address) !== (type === 'IPv4' ? 4 : 6))
    findings.invalid(at, address, `must be an ${type} address`);
  validateEndpointIp(findings, at.index(index), address);
}

function validateDomain(name: string, path: FieldPath, findings: Findings): void {
  if (name === '') {
    findings.required(path);
    return;
  }
  const bare = name.endsWith('.') ? name.slice(0, -1) : name;
  const problems = validateDns1123Subdomain(bare);
  if (problems.length > 0) findings.invalid(path, bare, problems.join(','));
  else if (!bare.includes('.'))
    findings.invalid(path, bare, 'should be a domain with at least two segments separated by dots');
  else {
    const bad = bare.split('.').find((label) => validateDns1123Label(label).length > 0);
    if (bad !== undefined) findings.invalid(path, bad, validateDns1123Label(bad).join(','));
  }
}

function validateHints(
  hints: readonly Fields[],
  validate: (name: string) => string[],
  path: FieldPath,
  findings: Findings,
): boolean {
  if (hints.length > MAX_HINTS) {
    findings.tooMany(path, hints.length, MAX_HINTS);
    return false;
  }
  const names = new Set<string>();
  for (const [index, hint] of hints.entries()) {
    const at = path.index(index).child('name');
    const name = textAt(hint, 'name');
    if (names.has(name)) findings.duplicate(at, name);
    names.add(name);
    findings.problems(at, name, validate(name));
  }
  return true;
}
