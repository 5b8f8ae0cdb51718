import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import { Quantity } from '@windlass/apimachinery';
import type { Pod, ResourceRequirements } from '@windlass/apimachinery/api/core/v1';
import type { MessageInit } from '@windlass/grpc';
import type { LinuxContainerResources } from '../generated/cri.ts';

type Resources = DeepReadonly<ResourceRequirements>;

const SHARES_PER_CPU = 1024;
const MIN_SHARES = 2;
const MAX_SHARES = 262_144;
const PERIOD_US = 100_000;
const MIN_QUOTA_US = 1000;

/** How readily the kernel ends a process when memory is short: 1000 first, -1000 never. */
const SCORE = { guaranteed: -997, mostOfBurstable: 999, leastOfBurstable: 2, bestEffort: 1000 } as const;

/** A container's share of the machine, as its cgroup has it. */
export function containerResources(
  resources: Resources,
  pod: Cached<Pod>,
  machineMemory: number,
): MessageInit<LinuxContainerResources> {
  const { limits = {}, requests = {} } = resources;
  const cpuLimit = milliCpus(limits['cpu']);
  const cpu = milliCpus(requests['cpu'] ?? limits['cpu']);
  const memory = limits['memory'];
  return {
    cpuPeriod: PERIOD_US,
    cpuQuota: cpuQuota(cpuLimit),
    cpuShares: cpuShares(cpu),
    memoryLimitInBytes: memory === undefined ? 0 : Quantity.parse(memory).value(),
    oomScoreAdj: oomScore(pod, requests['memory'] ?? memory, machineMemory),
    hugepageLimits: Object.entries(limits)
      .filter(([name]) => name.startsWith('hugepages-'))
      .map(([name, size]) => ({ pageSize: hugepageName(name), limit: Quantity.parse(size).value() })),
  };
}

export function cpuShares(milli: number): number {
  return Math.min(MAX_SHARES, Math.max(MIN_SHARES, Math.floor((milli * SHARES_PER_CPU) / 1000)));
}

/** 0: as much as there is. */
export function cpuQuota(milli: number): number {
  return milli === 0 ? 0 : Math.max(MIN_QUOTA_US, (milli * PERIOD_US) / 1000);
}

export function milliCpus(amount: string | undefined): number {
  return amount === undefined ? 0 : Quantity.parse(amount).milliValue();
}

export function oomScore(pod: Cached<Pod>, request: string | undefined, machineMemory: number): number {
  const { qosClass = 'BestEffort' } = pod.status ?? {};
  if (qosClass === 'Guaranteed' || pod.spec?.priorityClassName === 'system-node-critical')
    return SCORE.guaranteed;
  if (qosClass === 'BestEffort') return SCORE.bestEffort;
  const asked = request === undefined ? 0 : Quantity.parse(request).value();
  const score = 1000 - Math.floor((1000 * asked) / machineMemory);
  return Math.min(SCORE.mostOfBurstable, Math.max(SCORE.leastOfBurstable, score));
}

/** `hugepages-2Mi` is `2MB` for the kernel. */
function hugepageName(resource: string): string {
  return resource.slice('hugepages-'.length).replace(/i$/, 'B');
}
