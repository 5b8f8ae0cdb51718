import type { APIServiceSpec } from '@windlass/apimachinery/api/apiregistration/v1';

/** Where a group version stands in discovery: the higher, the earlier. */
export type Priority = Readonly<Pick<APIServiceSpec, 'groupPriorityMinimum' | 'versionPriority'>>;

/** The priorities of the built-in groups and of their versions, as kube-apiserver registers them. */
const BUILTIN: Readonly<Record<string, { readonly group: number; readonly versions: Versions }>> = {
  '': { group: 18_000, versions: { v1: 1 } },
  apps: { group: 17_800, versions: { v1: 15 } },
  'events.k8s.io': { group: 17_750, versions: { v1: 15, v1beta1: 5 } },
  'authentication.k8s.io': { group: 17_700, versions: { v1: 15, v1beta1: 9, v1alpha1: 1 } },
  'authorization.k8s.io': { group: 17_600, versions: { v1: 15 } },
  autoscaling: { group: 17_500, versions: { v2: 30, v1: 15 } },
  batch: { group: 17_400, versions: { v1: 15, v1beta1: 9 } },
  'certificates.k8s.io': { group: 17_300, versions: { v1: 15, v1beta1: 9, v1alpha1: 1 } },
  'networking.k8s.io': { group: 17_200, versions: { v1: 15, v1beta1: 9 } },
  policy: { group: 17_100, versions: { v1: 15, v1beta1: 9 } },
  'rbac.authorization.k8s.io': { group: 17_000, versions: { v1: 15 } },
  'storage.k8s.io': { group: 16_800, versions: { v1: 15, v1beta1: 9, v1alpha1: 1 } },
  'admissionregistration.k8s.io': { group: 16_700, versions: { v1: 15, v1beta1: 12, v1alpha1: 9 } },
  'apiextensions.k8s.io': { group: 16_700, versions: { v1: 15 } },
  'scheduling.k8s.io': { group: 16_600, versions: { v1: 15, v1alpha2: 2 } },
  'coordination.k8s.io': { group: 16_500, versions: { v1: 15, v1beta1: 13, v1alpha2: 12 } },
  'node.k8s.io': { group: 16_300, versions: { v1: 15, v1beta1: 9, v1alpha1: 1 } },
  'discovery.k8s.io': { group: 16_200, versions: { v1: 15, v1beta1: 12 } },
  'resource.k8s.io': { group: 16_200, versions: { v1: 21, v1beta2: 15, v1beta1: 9, v1alpha3: 1 } },
  'flowcontrol.apiserver.k8s.io': { group: 16_100, versions: { v1: 21, v1beta3: 18 } },
  'internal.apiserver.k8s.io': { group: 16_000, versions: { v1alpha1: 9 } },
  'storagemigration.k8s.io': { group: 15_800, versions: { v1beta1: 9 } },
  // As metrics-server registers itself.
  'metrics.k8s.io': { group: 100, versions: { v1beta1: 100 } },
};

type Versions = Readonly<Record<string, number>>;

/** Custom resources come after everything that is built in, and their versions stand in Kubernetes' own order. */
export const CUSTOM_PRIORITY: Priority = Object.freeze({ groupPriorityMinimum: 1000, versionPriority: 100 });

/** The group of APIServices has none of itself, and is always the first. */
export const REGISTRATION_GROUP = 'apiregistration.k8s.io';
export const FIRST_PRIORITY: Priority = Object.freeze({ groupPriorityMinimum: 20_001, versionPriority: 1 });

/** Undefined for a group version that kube-apiserver registers no APIService for. */
export function builtinPriority(group: string, version: string): Priority | undefined {
  const known = BUILTIN[group];
  const ofVersion = known?.versions[version];
  if (known === undefined || ofVersion === undefined) return undefined;
  return { groupPriorityMinimum: known.group, versionPriority: ofVersion };
}
