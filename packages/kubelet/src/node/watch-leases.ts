import type { Node } from '@windlass/apimachinery/api/core/v1';
import { type CachedKind, type Manager, timerSource } from '@windlass/runtime';
import { exponential } from '@windlass/workqueue';
import { NodeLeases } from './node-lease.ts';

export interface LeaseOptions {
  readonly manager: Manager;
  readonly nodes: CachedKind<Node>;
  readonly everyMs: number;
  readonly durationSeconds: number;
  /** The nodes that renew their leases now. */
  readonly keys: () => Iterable<string>;
}

const MAX_RETRY_MS = 5000;
/** The leases of a fleet are due at the same time. Those that are written at once are one commit of the server's store. */
const CONCURRENCY = 64;

/** Renews the leases of nodes, again and again. */
export function watchLeases({ manager, nodes, everyMs, durationSeconds, keys }: LeaseOptions): void {
  const { clock } = manager;
  const leases = new NodeLeases({ manager, nodes, durationSeconds });
  manager
    .controller('kubelet-lease')
    .source(timerSource({ name: 'renewal', everyMs, immediately: true, clock, keys }))
    .reconcile(leases.reconcile, {
      needsLeadership: false,
      concurrency: CONCURRENCY,
      rateLimiter: exponential({ maxMs: MAX_RETRY_MS }),
    });
}
