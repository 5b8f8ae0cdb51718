import type { Service, ServicePort, ServiceSpec } from '@windlass/apimachinery/api/core/v1';
import type { DraftOf } from '../../../resource/views.ts';

const AFFINITY_SECONDS = 10_800;

export function setServiceDefaults(draft: DraftOf<Service>): void {
  draft.spec ??= {};
  const { spec } = draft;
  setAffinityDefaults(spec);
  spec.type ||= 'ClusterIP';
  const { type } = spec;
  for (const port of spec.ports ?? []) setPortDefaults(port);
  const isOutside = (spec.externalIPs ?? []).length > 0;
  if (type === 'NodePort' || type === 'LoadBalancer' || (type === 'ClusterIP' && isOutside))
    spec.externalTrafficPolicy ||= 'Cluster';
  if (type === 'NodePort' || type === 'LoadBalancer' || type === 'ClusterIP')
    spec.internalTrafficPolicy ??= 'Cluster';
  if (type !== 'LoadBalancer') return;
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const ingress of draft.status?.loadBalancer?.ingress ?? [])
    if ((ingress.ip ?? '') !== '') ingress.ipMode ??= 'VIP';
}

function setAffinityDefaults(spec: DraftOf<ServiceSpec>): void {
  spec.sessionAffinity ||= 'None';
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity !== 'ClientIP') return;
  spec.sessionAffinityConfig ??= {};
  spec.sessionAffinityConfig.clientIP ??= {};
  spec.sessionAffinityConfig.clientIP.timeoutSeconds ??= AFFINITY_SECONDS;
}

function setPortDefaults(port: DraftOf<ServicePort>): void {
  port.protocol ||= 'TCP';
  // No target, by number or by name, is the port itself.
  if (!port.targetPort && port.port !== undefined) port.targetPort = port.port;
}
