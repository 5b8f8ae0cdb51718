import {
  deepEqual,
  FieldPath,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateLabels,
  validateLabelValue,
} from '@windlass/apimachinery';
import type { Endpoint, EndpointSlice, ForNode, ForZone } from '@windlass/apimachinery/api/discovery/v1';
import type { View } from '../../../resource/views.ts';
import type { ValidationOf } from '../../define-kind.ts';
import { canonicalIp, familyOf, validateEndpointIp, validateIp } from '../../shared/addresses.ts';
import { validateEndpointProtocol } from '../../shared/endpoint-protocol.ts';
import type { Findings } from '../../shared/findings.ts';

const ADDRESS_TYPES = ['FQDN', 'IPv4', 'IPv6'];
const MAX_ADDRESSES = 100;
const MAX_HINTS = 8;

export const endpointSliceValidation: ValidationOf<EndpointSlice> = {
  create: (slice, findings) => validateSlice(slice, undefined, findings),
  update(slice, old, findings) {
    validateSlice(slice, old, findings);
    findings.immutable(FieldPath.of('addressType'), slice.addressType, old.addressType);
  },
};

function validateSlice(
  slice: View<EndpointSlice>,
  old: View<EndpointSlice> | undefined,
  findings: Findings,
): void {
  const { addressType: type = '' } = slice;
  if (type === '') findings.required(FieldPath.of('addressType'));
  else findings.oneOf(FieldPath.of('addressType'), type, ADDRESS_TYPES);
  const names = new Set<string>();
  for (const [index, port] of (slice.ports ?? []).entries()) {
    const path = FieldPath.of('ports').index(index);
    const { name = '' } = port;
    if (name !== '') findings.problems(path.child('name'), name, validateDns1123Label(name));
    if (names.has(name)) findings.duplicate(path.child('name'), name);
    names.add(name);
    validateEndpointProtocol(port, path, findings);
  }
  if (old !== undefined && deepEqual(slice.endpoints, old.endpoints)) return;
  for (const [index, endpoint] of (slice.endpoints ?? []).entries())
    validateEndpoint(endpoint, type, FieldPath.of('endpoints').index(index), findings);
}

function validateEndpoint(endpoint: View<Endpoint>, type: string, path: FieldPath, findings: Findings): void {
  const { nodeName, hostname, hints } = endpoint;
  const addresses = endpoint.addresses ?? [];
  const at = path.child('addresses');
  if (addresses.length === 0) findings.required(at, 'must contain at least 1 address');
  else if (addresses.length > MAX_ADDRESSES) findings.tooMany(at, addresses.length, MAX_ADDRESSES);
  for (const [index, address] of addresses.entries()) {
    if (type === 'FQDN') validateDomain(address, at.index(index), findings);
    else if (type === 'IPv4' || type === 'IPv6') validateSliceIp(address, type, at, index, findings);
  }
  if (nodeName !== undefined) findings.subdomain(path.child('nodeName'), nodeName);
  findings.add(validateLabels(endpoint.deprecatedTopology ?? {}, path.child('deprecatedTopology')));
  if (hostname !== undefined) findings.label(path.child('hostname'), hostname);
  if (hints === undefined) return;
  for (const [field, validate] of [
    ['forZones', validateLabelValue],
    ['forNodes', validateDns1123Subdomain],
  ] as const)
    if (!validateHints(hints[field] ?? [], validate, path.child('hints', field), findings)) return;
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
  hints: readonly View<ForZone | ForNode>[],
  validate: (name: string) => string[],
  path: FieldPath,
  findings: Findings,
): boolean {
  if (hints.length > MAX_HINTS) {
    findings.tooMany(path, hints.length, MAX_HINTS);
    return false;
  }
  const names = new Set<string>();
  for (const [index, { name = '' }] of hints.entries()) {
    const at = path.index(index).child('name');
    if (names.has(name)) findings.duplicate(at, name);
    names.add(name);
    findings.problems(at, name, validate(name));
  }
  return true;
}
