import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import { Quantity } from '@windlass/apimachinery';
import type { Container, Pod } from '@windlass/apimachinery/api/core/v1';
import { cpuQuota, cpuShares, milliCpus } from './resources.ts';

/** A file of a cgroup, and what is written into it. */
export interface CgroupFile {
  /** Of the first version of cgroups, which has a hierarchy for each. */
  readonly controller: 'cpu' | 'memory' | 'pids';
  readonly name: string;
  readonly value: string;
}

/** More processes than any pod needs, and far fewer than a machine has room for. */
export const MAX_PROCESSES = 8192;
const PERIOD_US = 100_000;

/** What a pod as a whole may take: a limit only where each of its containers has one. */
export function podCgroupFiles(pod: Cached<Pod>, version: 'v1' | 'v2'): CgroupFile[] {
  const cpuLimit = whole(pod, (container) => {
    const limit = container.resources?.limits?.['cpu'];
    return limit === undefined ? undefined : milliCpus(limit);
  });
  const memory = whole(pod, ({ resources }) => {
    const limit = resources?.limits?.['memory'];
    return limit === undefined ? undefined : Quantity.parse(limit).value();
  });
  const shares = cpuShares(
    whole(pod, ({ resources }) => milliCpus(resources?.requests?.['cpu'] ?? resources?.limits?.['cpu'])) ?? 0,
  );
  const isFirst = version === 'v1';
  const quota = cpuLimit === undefined ? undefined : cpuQuota(cpuLimit);
  return [
    ...(memory === undefined
      ? []
      : [
          {
            controller: 'memory' as const,
            name: isFirst ? 'memory.limit_in_bytes' : 'memory.max',
            value: String(memory),
          },
        ]),
    ...(quota === undefined
      ? []
      : [
          {
            controller: 'cpu' as const,
            name: isFirst ? 'cpu.cfs_quota_us' : 'cpu.max',
            value: isFirst ? String(quota) : `${quota} ${PERIOD_US}`,
          },
        ]),
    {
      controller: 'cpu',
      name: isFirst ? 'cpu.shares' : 'cpu.weight',
      value: String(isFirst ? shares : weightOf(shares)),
    },
    { controller: 'pids', name: 'pids.max', value: String(MAX_PROCESSES) },
  ];
}

/**
 * What all containers that run at a time take together: the main ones and the sidecars, or one of the init containers with
 * the sidecars before it. Undefined when one of them has no bound.
 */
function whole(
  { spec }: Cached<Pod>,
  amountOf: (container: DeepReadonly<Container>) => number | undefined,
): number | undefined {
  let sidecars = 0;
  let most = 0;
  for (const container of spec?.initContainers ?? []) {
    const amount = amountOf(container);
    if (amount === undefined) return undefined;
    if (container.restartPolicy === 'Always') sidecars += amount;
    else most = Math.max(most, sidecars + amount);
  }
  let mains = sidecars;
  for (const container of spec?.containers ?? []) {
    const amount = amountOf(container);
    if (amount === undefined) return undefined;
    mains += amount;
  }
  return Math.max(most, mains);
}

/** Shares go from 2 to 262144, weights from 1 to 10000. */
export function weightOf(shares: number): number {
  return 1 + Math.floor(((shares - 2) * 9999) / 262_142);
}
