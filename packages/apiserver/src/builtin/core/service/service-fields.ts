// What a service has by its type, and what of it stays when the service is changed.
import { deepEqual } from '@windlass/apimachinery';
import type { ServiceSpec } from '@windlass/apimachinery/api/core/v1';
import type { DraftOf, View } from '../../../resource/views.ts';

type Draft = DraftOf<ServiceSpec>;
type Spec = View<ServiceSpec>;

/** Whether the service is reached by a port of every node. */
export function takesNodePorts({ type, allocateLoadBalancerNodePorts }: Spec): boolean {
  return type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false);
}

/** Whether the load balancer asks each node for its health. */
export function takesHealthPort({ type, externalTrafficPolicy }: Spec): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
}

const mayHaveNodePorts = ({ type }: Spec): boolean => type === 'NodePort' || type === 'LoadBalancer';

/** Node ports by which the service itself is reached. */
function portNumbersOf(spec: Spec): number[] {
  return (spec.ports ?? []).map(({ nodePort = 0 }) => nodePort).filter((port) => port !== 0);
}

/** Every node port that a service holds, that for health checks too. */
export function nodePortsOf(spec: Spec | undefined): number[] {
  const all = [...(spec?.ports ?? []).map(({ nodePort }) => nodePort), spec?.healthCheckNodePort];
  return all.filter((port) => port !== undefined).filter((port) => port !== 0);
}

const hasAddress = ({ type }: Spec): boolean => type !== 'ExternalName';
const isEmpty = (list: readonly string[] | null | undefined): boolean => (list ?? []).length === 0;

/** There was room for one address once; whoever speaks of that one alone means the list too. */
export function alignAddresses(spec: Draft, old: Spec | undefined): void {
  const { clusterIP: first = '', clusterIPs: all } = spec;
  if (old === undefined) {
    if (first !== '' && isEmpty(all)) spec.clusterIPs = [first];
    return;
  }
  if (spec.clusterIP === old.clusterIP || !deepEqual(all, old.clusterIPs)) return;
  if (first === '') delete spec.clusterIPs;
  else if (all) spec.clusterIPs = [first, ...all.slice(1)];
}

/** What an update leaves out of what was allocated before stays as it is. */
export function carryOver(spec: Draft, old: Spec): void {
  if (hasAddress(spec) && hasAddress(old)) carryAddresses(spec, old);
  if (mayHaveNodePorts(spec) && mayHaveNodePorts(old)) carryNodePorts(spec, old);
  const { healthCheckNodePort: health } = old;
  if (takesHealthPort(spec) && takesHealthPort(old) && health !== undefined)
    spec.healthCheckNodePort ||= health;
}

function carryAddresses(spec: Draft, old: Spec): void {
  if (old.clusterIP !== undefined) spec.clusterIP ||= old.clusterIP;
  if (old.clusterIPs && isEmpty(spec.clusterIPs) && spec.clusterIP === old.clusterIP)
    spec.clusterIPs = [...old.clusterIPs];
}

function carryNodePorts(spec: Draft, old: Spec): void {
  const used = new Set(nodePortsOf(spec));
  // A port is known by its name, also when its number changes.
  const known = new Map((old.ports ?? []).map(({ name = '', nodePort }) => [name, nodePort]));
  for (const port of spec.ports ?? []) {
    if (port.nodePort) continue;
    const before = known.get(port.name ?? '');
    if (before === undefined || used.has(before)) continue;
    port.nodePort = before;
    used.add(before);
  }
}

/** What the old type needed and the new one may not have goes, unless the client has changed it. */
export function dropForType(spec: Draft, old: Spec): void {
  if (!hasAddress(spec) && hasAddress(old)) dropAddresses(spec, old);
  if (mayHaveNodePorts(old) && !mayHaveNodePorts(spec)) {
    const before = new Set(portNumbersOf(old));
    if (portNumbersOf(spec).every((number) => before.has(number)))
      for (const port of spec.ports ?? []) delete port.nodePort;
  }
  if (takesHealthPort(old) && !takesHealthPort(spec)) delete spec.healthCheckNodePort;
  if (!mayHaveNodePorts(spec) && isEmpty(spec.externalIPs)) dropUnchanged(spec, old, 'externalTrafficPolicy');
  if (spec.type !== 'LoadBalancer') {
    dropUnchanged(spec, old, 'allocateLoadBalancerNodePorts');
    dropUnchanged(spec, old, 'loadBalancerClass');
  }
}

function dropAddresses(spec: Draft, old: Spec): void {
  if (spec.clusterIP === old.clusterIP && deepEqual(spec.clusterIPs, old.clusterIPs)) {
    delete spec.clusterIP;
    delete spec.clusterIPs;
  }
  if (deepEqual(spec.ipFamilies, old.ipFamilies)) delete spec.ipFamilies;
  dropUnchanged(spec, old, 'ipFamilyPolicy');
}

function dropUnchanged(
  spec: Draft,
  old: Spec,
  field: 'ipFamilyPolicy' | 'externalTrafficPolicy' | 'allocateLoadBalancerNodePorts' | 'loadBalancerClass',
): void {
  if (spec[field] === old[field]) delete spec[field];
}
