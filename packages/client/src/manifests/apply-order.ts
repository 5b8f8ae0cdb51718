import type { Manifest } from './manifest.ts';

/**
 * What comes before what, so that whatever is named is there already: namespaces before what lives in them, definitions
 * before their objects, accounts and settings before the pods that use them. What judges writes comes last, because the
 * programs that answer for it must run first.
 */
const ORDER: readonly (readonly string[])[] = [
  ['Namespace'],
  ['CustomResourceDefinition.apiextensions.k8s.io'],
  [
    'PriorityClass.scheduling.k8s.io',
    'RuntimeClass.node.k8s.io',
    'StorageClass.storage.k8s.io',
    'CSIDriver.storage.k8s.io',
    'IngressClass.networking.k8s.io',
    'DeviceClass.resource.k8s.io',
  ],
  ['ResourceQuota', 'LimitRange', 'NetworkPolicy.networking.k8s.io'],
  ['ServiceAccount'],
  ['ClusterRole.rbac.authorization.k8s.io', 'Role.rbac.authorization.k8s.io'],
  ['ClusterRoleBinding.rbac.authorization.k8s.io', 'RoleBinding.rbac.authorization.k8s.io'],
  ['Secret', 'ConfigMap'],
  ['PersistentVolume'],
  ['PersistentVolumeClaim'],
  ['Service', 'Endpoints', 'EndpointSlice.discovery.k8s.io'],
  ['PodDisruptionBudget.policy'],
  [
    'DaemonSet.apps',
    'Pod',
    'ReplicationController',
    'ReplicaSet.apps',
    'Deployment.apps',
    'StatefulSet.apps',
  ],
  ['Job.batch', 'CronJob.batch', 'HorizontalPodAutoscaler.autoscaling', 'Ingress.networking.k8s.io'],
  ['APIService.apiregistration.k8s.io'],
  // All other kinds, custom resources first of all.
  ['*'],
  [
    'ValidatingAdmissionPolicy.admissionregistration.k8s.io',
    'MutatingAdmissionPolicy.admissionregistration.k8s.io',
  ],
  [
    'ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io',
    'MutatingAdmissionPolicyBinding.admissionregistration.k8s.io',
    'ValidatingWebhookConfiguration.admissionregistration.k8s.io',
    'MutatingWebhookConfiguration.admissionregistration.k8s.io',
  ],
];

const RANKS: ReadonlyMap<string, number> = new Map(
  ORDER.flatMap((kinds, rank) => kinds.map((kind): [string, number] => [kind, rank])),
);

/** The lower comes first. */
export function applyRank(groupKind: string): number {
  return RANKS.get(groupKind) ?? RANKS.get('*') ?? 0;
}

/** Those of one rank stay in the order in which they are written. */
export function inApplyOrder<T extends Pick<Manifest, 'group' | 'kind'>>(manifests: readonly T[]): T[] {
  return manifests.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function rankOf({ group, kind }: Pick<Manifest, 'group' | 'kind'>): number {
  return applyRank(group === '' ? kind : `${kind}.${group}`);
}
