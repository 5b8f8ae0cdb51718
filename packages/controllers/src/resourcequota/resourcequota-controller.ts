import {
  type Cached,
  type CountedResource,
  countNameOf,
  deepCopy,
  deepEqual,
  inQuotaScope,
  type KubeObject,
  keyOf,
  Quantity,
  quotaUsageOf,
} from '@windlass/apimachinery';
import { PersistentVolumeClaim, Pod, ResourceQuota, Service } from '@windlass/apimachinery/api/core/v1';
import {
  type CachedKind,
  type KindClient,
  type Manager,
  type ObjectEvent,
  type ReconcileContext,
  timerSource,
} from '@windlass/runtime';
import type { ControllerOptions } from '../options/controller-options.ts';
import { CountedObjects } from './counted-objects.ts';
import {
  CLAIMS,
  isSameStatus,
  PODS,
  quotaStatus,
  type ReadonlyQuota,
  resourcesOf,
  SERVICES,
} from './usage.ts';

/** What was charged for an object that never came is given back at the latest then. */
const RESYNC_MS = 5 * 60_000;

type List = (namespace: string, signal: AbortSignal) => Promise<readonly Cached<KubeObject>[]>;

/** Counts what namespaces use of what their quotas limit. Admission charges what comes; this is for the rest. */
export function addResourceQuotaController(manager: Manager, options: ControllerOptions): void {
  new ResourceQuotaController(manager).register(manager, options);
}

class ResourceQuotaController {
  readonly #manager: Manager;
  readonly #quotas: KindClient<ResourceQuota>;
  readonly #cachedQuotas: CachedKind<ResourceQuota>;
  readonly #counted: CountedObjects;
  readonly #lists: ReadonlyMap<CountedResource, List>;

  constructor(manager: Manager) {
    this.#manager = manager;
    this.#quotas = manager.objects(ResourceQuota);
    this.#cachedQuotas = manager.cluster.cache.kind(ResourceQuota);
    this.#counted = new CountedObjects({
      cluster: manager.cluster,
      quotasFor: (resource, namespace, createdAt) => this.#quotasFor(resource, namespace, createdAt),
    });
    const [pods, services, claims] = [
      manager.objects(Pod),
      manager.objects(Service),
      manager.objects(PersistentVolumeClaim),
    ];
    this.#lists = new Map<CountedResource, List>([
      [PODS, (namespace, signal) => pods.list({ namespace, signal })],
      [SERVICES, (namespace, signal) => services.list({ namespace, signal })],
      [CLAIMS, (namespace, signal) => claims.list({ namespace, signal })],
    ]);
  }

  register(manager: Manager, { name, concurrency }: ControllerOptions): void {
    const keysOf =
      (resource: CountedResource) =>
      (object: Cached<KubeObject>): Iterable<string> =>
        this.#quotasFor(resource, object.metadata.namespace ?? '');
    const matters = (resource: CountedResource) => ({
      predicates: [(event: ObjectEvent<KubeObject>) => this.#usageMayShrink(resource, event)],
    });
    manager
      .controller(name)
      // Admission writes the status with every object that comes, which is no reason to count again.
      .for(ResourceQuota, { predicates: [limitsChange] })
      .watches(Pod, keysOf(PODS), matters(PODS))
      .watches(Service, keysOf(SERVICES), matters(SERVICES))
      .watches(PersistentVolumeClaim, keysOf(CLAIMS), matters(CLAIMS))
      .source(this.#counted)
      .source(
        timerSource({
          name: 'resync',
          everyMs: RESYNC_MS,
          keys: () => this.#cachedQuotas.list().map(keyOf),
          clock: manager.clock,
        }),
      )
      .reconcile((key, context) => this.#reconcile(key, context), { concurrency });
  }

  async #reconcile(key: string, { signal }: ReconcileContext): Promise<void> {
    const quota = await this.#quotas.find(key, { signal });
    if (quota === undefined) return;
    const namespace = quota.metadata.namespace;
    const counted: { resource: CountedResource; objects: readonly Cached<KubeObject>[] }[] = [];
    for (const resource of resourcesOf(quota)) {
      const list = this.#lists.get(resource);
      const objects =
        list === undefined
          ? await this.#counted.list(resource, namespace, signal)
          : await list(namespace, signal);
      if (objects !== undefined) counted.push({ resource, objects });
    }
    const status = quotaStatus(quota, counted, this.#manager.clock.now());
    if (isSameStatus(quota.status, status)) return;
    await this.#quotas.status.update({ ...deepCopy<ResourceQuota>(quota), status }, { signal });
  }

  /** With `createdAt`, those that an object which was created then may not be charged to yet. */
  #quotasFor(resource: CountedResource, namespace: string, createdAt?: string): string[] {
    const name = countNameOf(resource);
    return this.#cachedQuotas
      .list({ namespace })
      .filter((quota) => resourcesOf(quota).some((of) => countNameOf(of) === name))
      .filter((quota) => createdAt === undefined || createdAt < quota.metadata.creationTimestamp)
      .map(keyOf);
  }

  /**
   * Admission has charged what came after the quota, and what grew. To count then would do harm: others that
   * are charged by now may not be in the cache yet, and would be given back.
   */
  #usageMayShrink(resource: CountedResource, event: ObjectEvent<KubeObject>): boolean {
    const { object } = event;
    const { namespace = '', creationTimestamp } = object.metadata;
    if (this.#cachedQuotas.list({ namespace }).length === 0) return false;
    if (event.type === 'delete') return true;
    if (event.type !== 'update') return this.#quotasFor(resource, namespace, creationTimestamp).length > 0;
    const now = this.#manager.clock.now();
    const after = quotaUsageOf(resource, object, now);
    return (
      quotaUsageOf(resource, event.old, now)
        .entries()
        .some(([name, amount]) => amount.compare(after.get(name) ?? Quantity.zero) > 0) ||
      // A pod may get a deadline while it runs, a claim another class: then another quota counts it.
      this.#cachedQuotas
        .list({ namespace })
        .some((quota) => inQuotaScope(quota, resource, event.old) !== inQuotaScope(quota, resource, object))
    );
  }
}

function limitsChange(event: ObjectEvent<ResourceQuota>): boolean {
  if (event.type !== 'update') return true;
  const limits = ({ spec, status }: ReadonlyQuota): unknown => [spec ?? {}, status?.hard ?? {}];
  return !deepEqual(limits(event.old), limits(event.object));
}
