import type { Cached } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';

/** Who makes cgroups: the runtime by itself, or systemd, whose slices have names of their own. */
export type CgroupDriver = 'cgroupfs' | 'systemd';

/** Above all pods of this agent. Another agent of this machine looks after its own. */
export const CGROUP_ROOT = 'windlass';

/** Where a pod's containers stand: below those of its class. */
export function podCgroup({ metadata, status }: Cached<Pod>, driver: CgroupDriver): string {
  const { qosClass = 'BestEffort' } = status ?? {};
  const names = [
    CGROUP_ROOT,
    ...(qosClass === 'Guaranteed' ? [] : [qosClass.toLowerCase()]),
    `pod${metadata.uid}`,
  ];
  if (driver === 'cgroupfs') return `/${names.join('/')}`;
  // A slice names all that are above it.
  return `${names.map((name) => name.replaceAll('-', '_')).join('-')}.slice`;
}
