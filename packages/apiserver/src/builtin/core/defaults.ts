import type { Draft } from '../../resource/strategy.ts';
import { type Fields, objectAt, objectIn, objectsAt, setDefault, setDefaultText, specOf } from '../values.ts';
import { setPodOnlyDefaults, setPodSpecDefaults, setSourceDefaults } from './pod-spec-defaults.ts';
import { roundResources } from './resource-lists.ts';

export function setPodDefaults(draft: Draft): void {
  const spec = specOf(draft);
  setPodSpecDefaults(spec);
  setPodOnlyDefaults(spec);
}

export function setPodTemplateDefaults(template: Fields | undefined): void {
  const spec = objectAt(template, 'spec');
  if (spec !== undefined) setPodSpecDefaults(spec);
}

export function setReplicationControllerDefaults(draft: Draft): void {
  const spec = specOf(draft);
  const template = objectAt(spec, 'template');
  const labels = objectAt(objectAt(template, 'metadata'), 'labels');
  if (labels !== undefined) {
    setDefault(spec, 'selector', { ...labels });
    draft.metadata ??= {};
    draft.metadata.labels ??= { ...(labels as Record<string, string>) };
  }
  setDefault(spec, 'replicas', 1);
  setPodTemplateDefaults(template);
}

export function setServiceDefaults(draft: Draft): void {
  const spec = specOf(draft);
  setDefaultText(spec, 'sessionAffinity', 'None');
  if (spec['sessionAffinity'] === 'None') delete spec['sessionAffinityConfig'];
  if (spec['sessionAffinity'] === 'ClientIP') {
    setDefault(objectIn(objectIn(spec, 'sessionAffinityConfig'), 'clientIP'), 'timeoutSeconds', 10_800);
  }
  setDefaultText(spec, 'type', 'ClusterIP');
  const type = spec['type'];
  for (const port of objectsAt(spec, 'ports')) {
    setDefaultText(port, 'protocol', 'TCP');
    if (port['targetPort'] === undefined || port['targetPort'] === 0 || port['targetPort'] === '')
      port['targetPort'] = port['port'];
  }
  const isOutside = Array.isArray(spec['externalIPs']) && spec['externalIPs'].length > 0;
  if (type === 'NodePort' || type === 'LoadBalancer' || (type === 'ClusterIP' && isOutside))
    setDefaultText(spec, 'externalTrafficPolicy', 'Cluster');
  if (type === 'NodePort' || type === 'LoadBalancer' || type === 'ClusterIP')
    setDefault(spec, 'internalTrafficPolicy', 'Cluster');
  if (type !== 'LoadBalancer') return;
  setDefault(spec, 'allocateLoadBalancerNodePorts', true);
  for (const ingress of objectsAt(objectAt(objectAt(draft, 'status'), 'loadBalancer'), 'ingress'))
    if (ingress['ip'] !== undefined && ingress['ip'] !== '') setDefault(ingress, 'ipMode', 'VIP');
}

export function setEndpointsDefaults(draft: Draft): void {
  for (const subset of objectsAt(draft, 'subsets')) {
    for (const port of objectsAt(subset, 'ports')) setDefaultText(port, 'protocol', 'TCP');
  }
}

export function setSecretDefaults(draft: Draft): void {
  setDefaultText(draft, 'type', 'Opaque');
  const texts = objectAt(draft, 'stringData');
  // Only ever written: what is read is the data.
  delete draft['stringData'];
  if (texts === undefined) return;
  const data = objectIn(draft, 'data');
  for (const [key, text] of Object.entries(texts)) data[key] = Buffer.from(String(text)).toString('base64');
}

export function setNamespaceDefaults(draft: Draft): void {
  const name = draft.metadata?.name;
  setDefaultText(objectIn(draft, 'status'), 'phase', 'Active');
  if (name === undefined || name === '') return;
  draft.metadata ??= {};
  draft.metadata.labels = { ...draft.metadata.labels, 'kubernetes.io/metadata.name': name };
}

export function setNodeDefaults(draft: Draft): void {
  const spec = objectAt(draft, 'spec');
  if (spec !== undefined) setPodBlocks(spec);
  const status = objectAt(draft, 'status');
  roundResources(status, 'capacity', 'allocatable');
  const capacity = objectAt(status, 'capacity');
  if (status === undefined || capacity === undefined) return;
  setDefault(status, 'allocatable', { ...capacity });
}

export function setPersistentVolumeDefaults(draft: Draft): void {
  const spec = specOf(draft);
  roundResources(spec, 'capacity');
  setDefaultText(spec, 'persistentVolumeReclaimPolicy', 'Retain');
  setDefault(spec, 'volumeMode', 'Filesystem');
  setDefaultText(objectIn(draft, 'status'), 'phase', 'Pending');
  const hostPath = objectAt(spec, 'hostPath');
  if (hostPath !== undefined) setDefault(hostPath, 'type', '');
  setSourceDefaults(spec);
}

export function setPersistentVolumeClaimDefaults(draft: Draft): void {
  roundResources(objectAt(specOf(draft), 'resources'), 'limits', 'requests');
  roundResources(objectAt(draft, 'status'), 'capacity', 'allocatedResources');
  setDefault(specOf(draft), 'volumeMode', 'Filesystem');
  setDefaultText(objectIn(draft, 'status'), 'phase', 'Pending');
}

export function setResourceQuotaDefaults(draft: Draft): void {
  roundResources(objectAt(draft, 'spec'), 'hard');
  roundResources(objectAt(draft, 'status'), 'hard', 'used');
}

/** A limit that names a maximum is also the default where none is given. */
export function setLimitRangeDefaults(draft: Draft): void {
  for (const limit of objectsAt(objectAt(draft, 'spec'), 'limits')) {
    roundResources(limit, 'max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio');
    if (limit['type'] !== 'Container') continue;
    const max = objectAt(limit, 'max');
    if (max !== undefined) {
      const defaults = objectIn(limit, 'default');
      for (const [name, value] of Object.entries(max)) setDefault(defaults, name, value);
    }
    const limits = objectAt(limit, 'default');
    const min = objectAt(limit, 'min');
    if (limits === undefined && min === undefined) continue;
    const requests = objectIn(limit, 'defaultRequest');
    for (const [name, value] of Object.entries(limits ?? {})) setDefault(requests, name, value);
    for (const [name, value] of Object.entries(min ?? {})) setDefault(requests, name, value);
  }
}

/** There was room for one block once; the two fields say the same, and the older one counts. */
function setPodBlocks(spec: Fields): void {
  const blocks = Array.isArray(spec['podCIDRs']) ? (spec['podCIDRs'] as unknown[]) : [];
  const first = spec['podCIDR'];
  if (typeof first === 'string' && first !== '') {
    if (blocks[0] !== first) spec['podCIDRs'] = [first];
  } else if (blocks.length > 0) spec['podCIDR'] = blocks[0];
}
