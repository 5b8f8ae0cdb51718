import {
  type Cached,
  type DeepReadonly,
  findCondition,
  formatTime,
  parseMicroTime,
  parseTime,
} from '@windlass/apimachinery';
import type { Lease } from '@windlass/apimachinery/api/coordination/v1';
import type { NodeCondition } from '@windlass/apimachinery/api/core/v1';
import type { ReadonlyNode } from './node-taints.ts';

type ReadonlyCondition = DeepReadonly<NodeCondition>;

/** What is known of a node. Times are those at which this process heard of things: clocks of nodes differ. */
export interface NodeHealth {
  readonly heardAt: number;
  /** As it was last reported; undefined before it ever was. */
  readonly ready: ReadonlyCondition | undefined;
  /** Of the lease, in milliseconds since 1970. */
  readonly renewedAt: number | undefined;
}

export interface HealthInput {
  readonly node: ReadonlyNode;
  readonly lease: Cached<Lease> | undefined;
  readonly before: NodeHealth | undefined;
  readonly now: number;
  readonly graceMs: number;
  readonly startupGraceMs: number;
}

export interface HealthReport {
  readonly health: NodeHealth;
  /** The conditions to write, because the node has been silent for too long. */
  readonly conditions: readonly ReadonlyCondition[] | undefined;
  readonly observed: string;
  /** After that write. Undefined: the node has never reported, and may still. */
  readonly current: string | undefined;
}

/** What a silent node cannot be believed about any more. Its network is reported by others. */
const REPORTED = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** A node is heard of by its status and by its lease, whichever is newer. */
export function judgeHealth(input: HealthInput): HealthReport {
  const { node, lease, before, now } = input;
  const ready = findCondition(node.status?.conditions, 'Ready');
  const renewedAt = lease?.spec?.renewTime ? parseMicroTime(lease.spec.renewTime) : undefined;
  const isRenewed =
    renewedAt !== undefined && (before?.renewedAt === undefined || before.renewedAt < renewedAt);
  const heardAt = isRenewed || hasReported(before, ready) ? now : (before?.heardAt ?? createdAt(node, now));
  const health: NodeHealth = { heardAt, ready, renewedAt: isRenewed ? renewedAt : before?.renewedAt };
  const observed = ready?.status ?? 'Unknown';
  const graceMs = ready === undefined ? input.startupGraceMs : input.graceMs;
  if (now - heardAt <= graceMs) return { health, conditions: undefined, observed, current: ready?.status };
  if (ready?.status === 'Unknown') return { health, conditions: undefined, observed, current: 'Unknown' };
  const conditions = silenced(node, now);
  const written = { ...health, ready: findCondition(conditions, 'Ready') };
  return { health: written, conditions, observed, current: 'Unknown' };
}

function hasReported(before: NodeHealth | undefined, ready: ReadonlyCondition | undefined): boolean {
  // A node that was never heard of is timed from its creation, one that this process does not know from now.
  if (before === undefined) return ready !== undefined;
  if (before.ready === undefined || ready === undefined) return before.ready !== ready;
  return before.ready.lastHeartbeatTime !== ready.lastHeartbeatTime;
}

function createdAt({ metadata }: ReadonlyNode, now: number): number {
  return metadata.creationTimestamp ? parseTime(metadata.creationTimestamp) : now;
}

function silenced({ status, metadata }: ReadonlyNode, now: number): ReadonlyCondition[] {
  const lastTransitionTime = formatTime(now);
  const conditions: ReadonlyCondition[] = (status?.conditions ?? []).map((condition) =>
    !REPORTED.includes(condition.type) || condition.status === 'Unknown'
      ? condition
      : {
          ...condition,
          status: 'Unknown',
          reason: 'NodeStatusUnknown',
          message: 'Kubelet stopped posting node status.',
          lastTransitionTime,
        },
  );
  for (const type of REPORTED)
    if (findCondition(conditions, type) === undefined)
      conditions.push({
        type,
        status: 'Unknown',
        reason: 'NodeStatusNeverUpdated',
        message: 'Kubelet never posted node status.',
        ...(metadata.creationTimestamp !== undefined &&
          metadata.creationTimestamp !== null && { lastHeartbeatTime: metadata.creationTimestamp }),
        lastTransitionTime,
      });
  return conditions;
}
