// Where an ingress sends requests to, and which.
import { type FieldPath, validatePortName, validatePortNumber } from '@windlass/apimachinery';
import type {
  HTTPIngressPath,
  IngressBackend,
  IngressServiceBackend,
} from '@windlass/apimachinery/api/networking/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateReference } from '../references.ts';

const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix'];

export function validateHttpPath(given: View<HTTPIngressPath>, at: FieldPath, findings: Findings): void {
  const { pathType: type, path = '', backend = {} } = given;
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
  validateBackend(backend, at.child('backend'), findings);
}

export function validateBackend(
  { resource, service }: View<IngressBackend>,
  path: FieldPath,
  findings: Findings,
): void {
  if (resource !== undefined && service !== undefined)
    findings.invalid(path, '', 'cannot set both resource and service backends');
  else if (resource !== undefined) validateReference(resource, path.child('resource'), findings);
  else if (service === undefined) findings.invalid(path, '', 'resource or service backend is required');
  else validateServiceBackend(service, path, findings);
}

function validateServiceBackend(
  { name = '', port = {} }: View<IngressServiceBackend>,
  path: FieldPath,
  findings: Findings,
): void {
  if (name === '') findings.required(path.child('service', 'name'));
  else findings.label(path.child('service', 'name'), name);
  const { name: portName = '', number = 0 } = port;
  if (portName !== '' && number !== 0) findings.invalid(path, '', 'cannot set both port name & port number');
  else if (portName !== '')
    findings.problems(path.child('service', 'port', 'name'), portName, validatePortName(portName));
  else if (number !== 0)
    findings.problems(path.child('service', 'port', 'number'), number, validatePortNumber(number));
  else findings.required(path, 'port name or number is required');
}
