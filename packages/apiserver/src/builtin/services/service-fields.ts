import { deepEqual } from '@windlass/apimachinery';
import { type Fields, objectsAt } from '../values.ts';

/** Whether the service is reached by a port of every node. */
export function takesNodePorts(spec: Readonly<Fields>): boolean {
  return (
    spec['type'] === 'NodePort' ||
    (spec['type'] === 'LoadBalancer' && spec['allocateLoadBalancerNodePorts'] !== false)
  );
}

/** Every node port that a service holds, that for health checks too. */
export function nodePortsOf(spec: Readonly<Fields> | undefined): number[] {
  const all = [...objectsAt(spec, 'ports').map((port) => port['nodePort']), spec?.['healthCheckNodePort']];
  return all.filter((port) => typeof port === 'number').filter((port) => port !== 0);
}

const hasAddress = (spec: Readonly<Fields>): boolean => spec['type'] !== 'ExternalName';

/** There was room for one address once; whoever speaks of that one alone means the list too. */
export function alignAddresses(spec: Fields, old: Readonly<Fields> | undefined): void {
  const first = spec['clusterIP'];
  if (old === undefined) {
    if (!empty(first) && empty(spec['clusterIPs'])) spec['clusterIPs'] = [first];
    return;
  }
  if (first === old['clusterIP'] || !deepEqual(spec['clusterIPs'], old['clusterIPs'])) return;
  if (empty(first)) delete spec['clusterIPs'];
  else if (Array.isArray(spec['clusterIPs'])) spec['clusterIPs'] = [first, ...spec['clusterIPs'].slice(1)];
}

/** What an update leaves out of what was allocated before stays as it is. */
export function carryOver(spec: Fields, old: Readonly<Fields>): void {
  if (hasAddress(spec) && hasAddress(old)) {
    if (empty(spec['clusterIP'])) spec['clusterIP'] = old['clusterIP'];
    if (empty(spec['clusterIPs']) && spec['clusterIP'] === old['clusterIP'])
      spec['clusterIPs'] = old['clusterIPs'];
    for (const field of ['ipFamilies', 'ipFamilyPolicy'])
      if (empty(spec[field]) && old[field] !== undefined) spec[field] = old[field];
  }
  if (takesNodePorts(spec) && takesNodePorts(old)) {
    const used = new Set(nodePortsOf(spec));
    for (const port of objectsAt(spec, 'ports')) {
      if (!empty(port['nodePort'])) continue;
      const before = objectsAt(old, 'ports').find(
        (other) => other['port'] === port['port'] && other['protocol'] === port['protocol'],
      )?.['nodePort'];
      if (typeof before !== 'number' || used.has(before)) continue;
      port['nodePort'] = before;
      used.add(before);
    }
  }
  if (takesHealthPort(spec) && takesHealthPort(old) && empty(spec['healthCheckNodePort']))
    spec['healthCheckNodePort'] = old['healthCheckNodePort'];
}

/** What the old type needed and the new one may not have goes, unless the client has changed it. */
export function dropForType(spec: Fields, old: Readonly<Fields>): void {
  if (!hasAddress(spec) && hasAddress(old)) {
    if (deepEqual(spec['clusterIP'], old['clusterIP'])) {
      for (const field of ['clusterIP', 'clusterIPs']) delete spec[field];
    }
    for (const field of ['ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy']) delete spec[field];
  }
  if (takesNodePorts(old) && spec['type'] !== 'NodePort' && spec['type'] !== 'LoadBalancer') {
    const before = new Set(nodePortsOf(old));
    for (const port of objectsAt(spec, 'ports')) {
      if (typeof port['nodePort'] === 'number' && before.has(port['nodePort'])) delete port['nodePort'];
    }
  }
  if (takesHealthPort(old) && !takesHealthPort(spec)) delete spec['healthCheckNodePort'];
  if (spec['type'] !== 'NodePort' && spec['type'] !== 'LoadBalancer' && empty(spec['externalIPs']))
    dropUnchanged(spec, old, 'externalTrafficPolicy');
  if (spec['type'] !== 'LoadBalancer') {
    dropUnchanged(spec, old, 'allocateLoadBalancerNodePorts');
    dropUnchanged(spec, old, 'loadBalancerClass');
  }
}

function dropUnchanged(spec: Fields, old: Readonly<Fields>, field: string): void {
  if (deepEqual(spec[field], old[field])) delete spec[field];
}

function takesHealthPort(spec: Readonly<Fields>): boolean {
  return spec['type'] === 'LoadBalancer' && spec['externalTrafficPolicy'] === 'Local';
}

function empty(value: unknown): boolean {
  return value === undefined || value === '' || value === 0 || (Array.isArray(value) && value.length === 0);
}
