import { type FieldPath, validatePortName, validatePortNumber } from '@windlass/apimachinery';
import type { Container, ContainerPort, PodSpec } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

export function validatePorts(
  ports: readonly View<ContainerPort>[],
  path: FieldPath,
  findings: Findings,
): void {
  const names = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const at = path.index(index);
    const { name = '', protocol = '', containerPort: number = 0, hostPort = 0 } = port;
    if (name !== '') {
      const problems = validatePortName(name);
      findings.problems(at.child('name'), name, problems);
      if (problems.length === 0 && names.has(name)) findings.duplicate(at.child('name'), name);
      names.add(name);
    }
    if (number === 0) findings.required(at.child('containerPort'));
    else findings.problems(at.child('containerPort'), number, validatePortNumber(number));
    if (hostPort !== 0) findings.problems(at.child('hostPort'), hostPort, validatePortNumber(hostPort));
    if (protocol === '') findings.required(at.child('protocol'));
    else findings.oneOf(at.child('protocol'), protocol, PROTOCOLS);
  }
}

/** A port of a node is for one container. */
export function validateHostPorts(
  containers: readonly View<Container>[],
  path: FieldPath,
  findings: Findings,
): void {
  const taken = new Set<string>();
  for (const [index, { ports }] of containers.entries()) {
    for (const [place, { hostPort = 0, protocol = '', hostIP = '' }] of (ports ?? []).entries()) {
      if (hostPort === 0) continue;
      const key = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(key))
        findings.duplicate(path.index(index).child('ports').index(place).child('hostPort'), key);
      taken.add(key);
    }
  }
}

/** In the network of the node a container's port is the node's own. */
export function validateHostNetwork(
  { hostNetwork, containers }: View<PodSpec>,
  path: FieldPath,
  findings: Findings,
  isTemplate: boolean,
): void {
  if (hostNetwork !== true) return;
  for (const [index, { ports }] of (containers ?? []).entries()) {
    for (const [place, { hostPort = 0, containerPort = 0 }] of (ports ?? []).entries())
      if ((!isTemplate || hostPort !== 0) && hostPort !== containerPort)
        findings.invalid(
          path.index(index).child('ports').index(place).child('hostPort'),
          hostPort,
          'must match `containerPort` when `hostNetwork` is true',
        );
  }
}
