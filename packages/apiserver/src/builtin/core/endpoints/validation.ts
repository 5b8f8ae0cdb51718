import { deepEqual, FieldPath, validatePortNumber } from '@windlass/apimachinery';
import type { EndpointAddress, EndpointPort, Endpoints } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { ValidationOf } from '../../define-kind.ts';
import { validateEndpointIp, validateIp } from '../../shared/addresses.ts';
import { validateEndpointProtocol } from '../../shared/endpoint-protocol.ts';
import type { Findings } from '../../shared/findings.ts';

export const endpointsValidation: ValidationOf<Endpoints> = {
  create: validateSubsets,
  // What was accepted once, under older rules, stays.
  update: (object, old, findings) =>
    deepEqual(object.subsets, old.subsets) ? undefined : validateSubsets(object, findings),
};

function validateSubsets({ subsets }: View<Endpoints>, findings: Findings): void {
  for (const [index, subset] of (subsets ?? []).entries()) {
    const path = FieldPath.of('subsets').index(index);
    const ports = subset.ports ?? [];
    const lists = (['addresses', 'notReadyAddresses'] as const).map(
      (field) => [field, subset[field] ?? []] as const,
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

function validateAddress(
  { ip = '', hostname = '', nodeName }: View<EndpointAddress>,
  path: FieldPath,
  findings: Findings,
): void {
  validateIp(findings, path.child('ip'), ip);
  if (hostname !== '') findings.label(path.child('hostname'), hostname);
  if (nodeName !== undefined) findings.subdomain(path.child('nodeName'), nodeName);
  validateEndpointIp(findings, path.child('ip'), ip);
}

function validatePort(port: View<EndpointPort>, isNamed: boolean, path: FieldPath, findings: Findings): void {
  const { name = '', port: number = 0 } = port;
  if (isNamed && name === '') findings.required(path.child('name'));
  else if (name !== '') findings.label(path.child('name'), name);
  findings.problems(path.child('port'), number, validatePortNumber(number));
  validateEndpointProtocol(port, path, findings);
}
