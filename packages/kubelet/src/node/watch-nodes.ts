import { keyOf } from '@windlass/apimachinery';
import { Node } from '@windlass/apimachinery/api/core/v1';
import { type Controller, objectIs, timerSource } from '@windlass/runtime';
import { exponential } from '@windlass/workqueue';
import { NodeRegistration, type NodeRegistrationOptions } from './node-registration.ts';

export interface WatchNodesOptions extends NodeRegistrationOptions {
  /** Narrows the watch to what may be read. */
  readonly field: { readonly fieldSelector?: string };
  readonly everyMs: number;
  readonly isSuspended: (name: string) => boolean;
}

const MAX_RETRY_MS = 5000;
/** A fleet registers at once, and the server's store commits together what is written at once. */
const CONCURRENCY = 64;

/** Registers the nodes, and keeps their status. */
export function watchNodes({ field, everyMs, isSuspended, ...options }: WatchNodesOptions): Controller {
  const { manager, specs } = options;
  const { clock } = manager;
  const isAwake = (name: string): boolean => specs.has(name) && !isSuspended(name);
  return manager
    .controller('kubelet-node')
    .for(Node, { ...field, predicates: [objectIs<Node>((node) => isAwake(keyOf(node)))] })
    .source(
      timerSource({
        name: 'heartbeat',
        everyMs,
        immediately: true,
        clock,
        keys: () => [...specs.keys()].filter(isAwake),
      }),
    )
    .reconcile(new NodeRegistration(options).reconcile, {
      needsLeadership: false,
      concurrency: CONCURRENCY,
      rateLimiter: exponential({ maxMs: MAX_RETRY_MS }),
    });
}
