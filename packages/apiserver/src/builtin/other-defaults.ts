// Defaults of the kinds outside of core, apps and batch.
import type { Draft } from '../resource/strategy.ts';
import { type Fields, objectAt, objectIn, objectsAt, setDefault, setDefaultText, specOf } from './values.ts';

export function setStorageClassDefaults(draft: Draft): void {
  setDefault(draft, 'reclaimPolicy', 'Delete');
  setDefault(draft, 'volumeBindingMode', 'Immediate');
}

export function setCsiDriverDefaults(draft: Draft): void {
  const spec = specOf(draft);
  setDefault(spec, 'attachRequired', true);
  setDefault(spec, 'podInfoOnMount', false);
  setDefault(spec, 'storageCapacity', false);
  setDefault(spec, 'fsGroupPolicy', 'ReadWriteOnceWithFSType');
  setDefault(spec, 'requiresRepublish', false);
  setDefault(spec, 'seLinuxMount', false);
  const modes = spec['volumeLifecycleModes'];
  if (!Array.isArray(modes) || modes.length === 0) spec['volumeLifecycleModes'] = ['Persistent'];
}

export function setPriorityClassDefaults(draft: Draft): void {
  setDefault(draft, 'preemptionPolicy', 'PreemptLowerPriority');
}

export function setNetworkPolicyDefaults(draft: Draft): void {
  const spec = specOf(draft);
  for (const rule of [...objectsAt(spec, 'ingress'), ...objectsAt(spec, 'egress')]) {
    for (const port of objectsAt(rule, 'ports')) setDefaultText(port, 'protocol', 'TCP');
  }
  if (Array.isArray(spec['policyTypes']) && spec['policyTypes'].length > 0) return;
  spec['policyTypes'] = Array.isArray(spec['egress']) ? ['Ingress', 'Egress'] : ['Ingress'];
}

export function setEndpointSliceDefaults(draft: Draft): void {
  for (const port of objectsAt(draft, 'ports')) {
    setDefault(port, 'name', '');
    setDefault(port, 'protocol', 'TCP');
  }
}

export function setAutoscalerV2Defaults(draft: Draft): void {
  const spec = specOf(draft);
  setDefault(spec, 'minReplicas', 1);
  const behavior = objectAt(spec, 'behavior');
  if (behavior !== undefined) setBehaviorDefaults(behavior);
  if (objectsAt(spec, 'metrics').length > 0) return;
  spec['metrics'] = [
    { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
  ];
}

const SCALE_UP = [
  { type: 'Pods', value: 4, periodSeconds: 15 },
  { type: 'Percent', value: 100, periodSeconds: 15 },
];
const SCALE_DOWN = [{ type: 'Percent', value: 100, periodSeconds: 15 }];

/** Who says anything about the way of scaling gets all of it said. */
function setBehaviorDefaults(behavior: Fields): void {
  const up = objectIn(behavior, 'scaleUp');
  setDefault(up, 'stabilizationWindowSeconds', 0);
  for (const [rules, policies] of [
    [up, SCALE_UP],
    [objectIn(behavior, 'scaleDown'), SCALE_DOWN],
  ] as const) {
    setDefault(rules, 'selectPolicy', 'Max');
    setDefault(rules, 'policies', structuredClone(policies));
  }
}

export function setIngressClassDefaults(draft: Draft): void {
  const parameters = objectAt(objectAt(draft, 'spec'), 'parameters');
  if (parameters !== undefined) setDefault(parameters, 'scope', 'Cluster');
}

export function setAutoscalerV1Defaults(draft: Draft): void {
  const spec = specOf(draft);
  setDefault(spec, 'minReplicas', 1);
  const annotations = draft.metadata?.annotations ?? {};
  if (annotations['autoscaling.alpha.kubernetes.io/metrics'] === undefined)
    setDefault(spec, 'targetCPUUtilizationPercentage', 80);
}

/** Roles and bindings speak of the RBAC group unless they say otherwise. */
export function setBindingDefaults(draft: Draft): void {
  const group = 'rbac.authorization.k8s.io';
  const role = objectAt(draft, 'roleRef');
  if (role !== undefined) setDefaultText(role, 'apiGroup', group);
  for (const subject of objectsAt(draft, 'subjects')) {
    if (subject['kind'] === 'User' || subject['kind'] === 'Group') setDefaultText(subject, 'apiGroup', group);
  }
}

export function setWebhookDefaults(draft: Draft): void {
  for (const webhook of objectsAt(draft, 'webhooks')) {
    setDefaultText(webhook, 'failurePolicy', 'Fail');
    setDefaultText(webhook, 'matchPolicy', 'Equivalent');
    setDefault(webhook, 'namespaceSelector', {});
    setDefault(webhook, 'objectSelector', {});
    setDefault(webhook, 'timeoutSeconds', 10);
    if (draft.kind === 'MutatingWebhookConfiguration') setDefaultText(webhook, 'reinvocationPolicy', 'Never');
    const service = objectAt(objectIn(webhook, 'clientConfig'), 'service');
    if (service !== undefined) setDefault(service, 'port', 443);
    for (const rule of objectsAt(webhook, 'rules')) setDefaultText(rule, 'scope', '*');
  }
}

export function setAdmissionPolicyDefaults(draft: Draft): void {
  const spec = specOf(draft);
  setDefaultText(spec, 'failurePolicy', 'Fail');
  setMatchDefaults(objectAt(spec, 'matchConstraints'));
}

export function setPolicyBindingDefaults(draft: Draft): void {
  setMatchDefaults(objectAt(specOf(draft), 'matchResources'));
}

function setMatchDefaults(constraints: Fields | undefined): void {
  if (constraints === undefined) return;
  setDefaultText(constraints, 'matchPolicy', 'Equivalent');
  setDefault(constraints, 'namespaceSelector', {});
  setDefault(constraints, 'objectSelector', {});
  for (const rule of [
    ...objectsAt(constraints, 'resourceRules'),
    ...objectsAt(constraints, 'excludeResourceRules'),
  ])
    setDefaultText(rule, 'scope', '*');
}
