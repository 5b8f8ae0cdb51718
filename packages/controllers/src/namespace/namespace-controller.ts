import {
  type Cached,
  type DeepReadonly,
  deepCopy,
  isNotFound,
  parseTime,
  type Served,
} from '@windlass/apimachinery';
import { Namespace, Pod } from '@windlass/apimachinery/api/core/v1';
import {
  type KindClient,
  type Manager,
  NotLeadingError,
  type ReconcileContext,
  type ReconcileOutcome,
} from '@windlass/runtime';
import { NamespaceContentError } from '../errors.ts';
import type { ControllerOptions } from '../options/controller-options.ts';
import { namespaceConditions } from './conditions.ts';
import { deleteContent } from './content.ts';

const FINALIZER = 'kubernetes';
/** Every API server of the cluster has learned by then that nothing more may be created in the namespace. */
const GRACE_MS = 5000;
/** Reminds of namespaces that are stuck. */
const RESYNC_MS = 300_000;

/** Empties namespaces that are deleted, and lets them go. */
export function addNamespaceController(manager: Manager, options: ControllerOptions): void {
  new NamespaceController(manager).register(manager, options);
}

class NamespaceController {
  readonly #manager: Manager;
  readonly #namespaces: KindClient<Namespace>;
  /** When each that is being deleted was first seen. */
  readonly #seen = new Map<string, { readonly uid: string; readonly at: number }>();

  constructor(manager: Manager) {
    this.#manager = manager;
    this.#namespaces = manager.objects(Namespace);
  }

  register(manager: Manager, { name, concurrency }: ControllerOptions): void {
    const [namespaces, pods] = [manager.cluster.cache.kind(Namespace), manager.cluster.cache.kind(Pod)];
    // Everything waits for the last pod, so that its end is worth a look at once.
    const isLast = (pod: Cached<Pod>): boolean =>
      namespaces.find(pod.metadata.namespace)?.metadata?.deletionTimestamp !== undefined &&
      pods.isEmpty(pod.metadata.namespace);
    manager
      .controller(name)
      .for(Namespace, {
        resyncMs: RESYNC_MS,
        predicates: [
          ({ type, object }) => type !== 'delete' && object.metadata?.deletionTimestamp !== undefined,
        ],
      })
      .watches(Pod, (pod) => [pod.metadata.namespace], {
        predicates: [({ type, object }) => type === 'delete' && isLast(object)],
      })
      .reconcile((key, context) => this.#reconcile(key, context), { concurrency });
  }

  async #reconcile(key: string, { signal }: ReconcileContext): Promise<ReconcileOutcome> {
    const found = await this.#namespaces.find(key, { signal });
    const since = found?.metadata?.deletionTimestamp;
    if (found === undefined || since === undefined || isFinalized(found)) {
      this.#seen.delete(key);
      return undefined;
    }
    const { clock } = this.#manager;
    const now = clock.now();
    const waitMs = Math.min(parseTime(since) + GRACE_MS - now, this.#graceLeft(found, clock.monotonic()));
    if (waitMs > 0) return { requeueAfterMs: waitMs };
    let namespace = deepCopy(found);
    if (namespace.status?.phase !== 'Terminating')
      namespace = await this.#namespaces.status.update(
        { ...namespace, status: { ...namespace.status, phase: 'Terminating' } },
        { signal },
      );
    const result = await deleteContent({
      client: this.#manager.client,
      namespace: key,
      since,
      now,
      signal,
      assertMayWrite: () => {
        if (!this.#manager.isLeading) throw new NotLeadingError('of its manager');
      },
    });
    namespace = await this.#note(namespace, result, signal);
    const { failures, undiscovered, estimateSeconds } = result;
    if (failures.length > 0 || undiscovered.length > 0)
      throw new NamespaceContentError(key, [...undiscovered, ...failures]);
    if (estimateSeconds > 0) return { requeueAfterMs: (Math.floor(estimateSeconds / 2) + 1) * 1000 };
    await this.#finalize(namespace, signal);
    return undefined;
  }

  /** By time that has passed here: this clock may be behind that of the server, which wrote when it was deleted. */
  #graceLeft({ metadata: { name, uid } }: Cached<Namespace>, now: number): number {
    const seen = this.#seen.get(name);
    if (seen?.uid === uid) return seen.at + GRACE_MS - now;
    this.#seen.set(name, { uid, at: now });
    return GRACE_MS;
  }

  async #note(
    namespace: Served<Namespace>,
    result: Parameters<typeof namespaceConditions>[1],
    signal: AbortSignal,
  ): Promise<Served<Namespace>> {
    const before = namespace.status?.conditions ?? [];
    const conditions = namespaceConditions(before, result, this.#manager.clock);
    if (conditions === before) return namespace;
    return this.#namespaces.status.update(
      { ...namespace, status: { ...namespace.status, conditions: [...conditions] } },
      { signal },
    );
  }

  async #finalize(namespace: Served<Namespace>, signal: AbortSignal): Promise<void> {
    const finalizers = (namespace.spec?.finalizers ?? []).filter((finalizer) => finalizer !== FINALIZER);
    const { name, uid, resourceVersion } = namespace.metadata;
    try {
      await this.#namespaces.live().subresource('finalize').replace(
        {
          metadata: { name, uid, resourceVersion },
          spec: { finalizers },
        },
        { signal },
      );
    } catch (error) {
      // The cache was behind: the write before this one has let the namespace go.
      if (!isNotFound(error)) throw error;
    }
  }
}

function isFinalized({ spec }: DeepReadonly<Namespace>): boolean {
  return (spec?.finalizers ?? []).length === 0;
}
