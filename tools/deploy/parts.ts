import type { InstallObject } from '@windlass/directpv';

/** Which file an object is in, in the order in which they are applied. */
const PARTS: readonly (readonly [file: string, kinds: readonly string[]])[] = [
  ['namespace.yaml', ['Namespace']],
  ['rbac.yaml', ['ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding']],
  ['definitions.yaml', ['CustomResourceDefinition']],
  ['driver.yaml', ['CSIDriver', 'StorageClass']],
  ['node-server.yaml', ['DaemonSet']],
  ['controller.yaml', ['Deployment', 'PodDisruptionBudget']],
];

/** The objects by file. @throws when an object belongs nowhere */
export function partsOf(objects: readonly InstallObject[]): [file: string, objects: InstallObject[]][] {
  const parts = PARTS.map(([file, kinds]): [string, InstallObject[]] => [
    file,
    objects.filter(({ kind }) => kinds.includes(kind)),
  ]);
  const placed = parts.reduce((sum, [, some]) => sum + some.length, 0);
  if (placed !== objects.length) throw new Error('an object to install has no file; name its kind in PARTS');
  return parts;
}
