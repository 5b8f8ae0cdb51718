import {
  FieldPath,
  failureStatus,
  fieldInvalid,
  newInternalError,
  newInvalid,
  StatusError,
} from '@windlass/apimachinery';
import type { ServicePort, ServiceSpec } from '@windlass/apimachinery/api/core/v1';
import type { DraftOf, View } from '../../../resource/views.ts';
import type { PortClaims } from './port-claims.ts';
import { takesHealthPort, takesNodePorts } from './service-fields.ts';

type Draft = DraftOf<ServiceSpec>;
type Spec = View<ServiceSpec>;

/**
 * Gives a service the node ports that it names, and others for those that it leaves out.
 *
 * @throws StatusError for the first that it cannot have
 */
export function assignNodePorts(name: string, spec: Draft, old: Spec | undefined, claims: PortClaims): void {
  if (spec.type === 'NodePort' || spec.type === 'LoadBalancer') {
    const take = (index: number, port: number): void => {
      const problem = claims.take(port);
      if (problem === undefined) return;
      const path = FieldPath.of('spec', 'ports').index(index).child('nodePort');
      throw newInvalid({ group: '', kind: 'Service' }, name, [fieldInvalid(path, port, problem)]);
    };
    if (old === undefined) assignNew(spec, claims, take);
    else assignChanged(spec, old, claims, take);
  }
  if (takesHealthPort(spec) && (old === undefined || !takesHealthPort(old))) assignHealthPort(spec, claims);
}

type Take = (index: number, port: number) => void;

/** Ports of the same number, which differ in their protocols, share a node port. */
function assignNew(spec: Draft, claims: PortClaims, take: Take): void {
  const shared = new Map<number, number>();
  const ports = spec.ports ?? [];
  for (const [index, port] of ports.entries()) {
    const { port: number = 0, nodePort: wanted = 0 } = port;
    if (wanted === 0 && !takesNodePorts(spec)) continue;
    const given = shared.get(number);
    if (given === undefined) {
      const named = requestedFor(number, ports);
      if (named !== 0) take(index, named);
      port.nodePort = named === 0 ? takeFree(claims) : named;
      shared.set(number, port.nodePort);
    } else if (wanted === 0) port.nodePort = given;
    else if (wanted !== given) take(index, wanted);
  }
}

/** The node port that the first port of this number names; 0 when none does. */
function requestedFor(number: number, ports: readonly View<ServicePort>[]): number {
  const found = ports.find(({ port = 0, nodePort = 0 }) => port === number && nodePort !== 0);
  return found?.nodePort ?? 0;
}

function assignChanged(spec: Draft, old: Spec, claims: PortClaims, take: Take): void {
  const held = new Set((old.ports ?? []).map(({ nodePort = 0 }) => nodePort));
  const seen = new Set<string>();
  for (const [index, port] of (spec.ports ?? []).entries()) {
    const { nodePort: wanted = 0, protocol = '' } = port;
    if (wanted === 0 && !takesNodePorts(spec)) continue;
    if (wanted === 0) port.nodePort = takeFree(claims);
    else if (!held.has(wanted)) {
      take(index, wanted);
      held.add(wanted);
    }
    const place = `{${protocol} ${port.nodePort ?? 0}}`;
    // Upstream has no reason for it, and calls it its own fault.
    if (seen.has(place)) throw new StatusError(failureStatus(500, '', `duplicate nodePort: ${place}`));
    seen.add(place);
  }
}

function takeFree(claims: PortClaims): number {
  const port = claims.takeFree();
  if (port === undefined) throw newInternalError(new Error('failed to allocate a nodePort: range is full'));
  return port;
}

function assignHealthPort(spec: Draft, claims: PortClaims): void {
  const { healthCheckNodePort: wanted = 0 } = spec;
  if (wanted === 0) {
    const port = claims.takeFree();
    if (port === undefined)
      throw newInternalError(new Error('failed to allocate a HealthCheck NodePort 0: range is full'));
    spec.healthCheckNodePort = port;
    return;
  }
  const problem = claims.take(wanted);
  if (problem !== undefined)
    throw newInternalError(
      new Error(`failed to allocate requested HealthCheck NodePort ${wanted}: ${problem}`),
    );
}
