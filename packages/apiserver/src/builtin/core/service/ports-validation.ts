import { FieldPath, validatePortName, validatePortNumber } from '@windlass/apimachinery';
import type { ServicePort } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';

type Ports = readonly View<ServicePort>[];

const PORTS = FieldPath.of('spec', 'ports');
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

export function validatePorts(ports: Ports, findings: Findings): void {
  const names = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const at = PORTS.index(index);
    const { name = '', protocol = '', port: number = 0, targetPort: target = 0, appProtocol } = port;
    if (name === '') {
      if (ports.length > 1) findings.required(at.child('name'));
    } else {
      findings.label(at.child('name'), name);
      if (names.has(name)) findings.duplicate(at.child('name'), name);
      names.add(name);
    }
    findings.problems(at.child('port'), number, validatePortNumber(number));
    if (protocol === '') findings.required(at.child('protocol'));
    else findings.oneOf(at.child('protocol'), protocol, PROTOCOLS);
    findings.problems(
      at.child('targetPort'),
      target,
      typeof target === 'string' ? validatePortName(target) : validatePortNumber(target),
    );
    if (appProtocol !== undefined) findings.qualifiedName(at.child('appProtocol'), appProtocol);
  }
}

/** Whether each port, and each port of the nodes, is there once. */
export function validatePortNumbers(ports: Ports, type: string, findings: Findings): void {
  const [nodePorts, numbers] = [new Set<string>(), new Set<string>()];
  for (const [index, { port, nodePort = 0, protocol = '' }] of ports.entries()) {
    const at = PORTS.index(index);
    if (type === 'ClusterIP' && nodePort !== 0)
      findings.forbidden(at.child('nodePort'), "may not be used when `type` is 'ClusterIP'");
    if (nodePort !== 0 && nodePorts.has(`${protocol}/${nodePort}`))
      findings.duplicate(at.child('nodePort'), nodePort);
    nodePorts.add(`${protocol}/${nodePort}`);
    const key = `${protocol}/${port ?? 0}`;
    if (numbers.has(key)) findings.duplicate(at, { port, protocol });
    numbers.add(key);
  }
}
