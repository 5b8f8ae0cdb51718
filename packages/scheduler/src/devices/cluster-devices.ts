import { deepEqual, isNotFound, keyOf, resourceClaimsOfPod } from '@windlass/apimachinery';
import { DeviceClass, ResourceClaim, ResourceSlice } from '@windlass/apimachinery/api/resource/v1';
import type { CachedKind, Manager, Subscription } from '@windlass/runtime';
import type { PodInfo } from '../cache/pod-info.ts';
import type { ClusterEvent } from '../framework/cluster-event.ts';
import type {
  AllocatedDevices,
  DeviceSelectors,
  DeviceView,
  ReadonlyDeviceClass,
  ReadonlyResourceClaim,
  ReadonlySlice,
  SelectableDevice,
} from '../framework/device-view.ts';
import { allocatedBy } from './allocated-devices.ts';
import { AllocationError } from './allocation-error.ts';
import { PendingClaims } from './pending-claims.ts';

/** Slices by their node, or as those of several nodes. */
const SLICES_BY_NODE = 'windlass.dev/scheduler-slices';
const SLICES_BY_POOL = 'windlass.dev/scheduler-pools';
const SEVERAL_NODES = '*';
/** So many expressions are kept compiled. A cluster has a handful. */
const MAX_COMPILED = 1000;

const poolKey = (driver: string, pool: string): string => `${driver}/${pool}`;

/** Brings a pod back that this concerns. */
type OnDeviceEvent = (event: ClusterEvent, concerns?: (pod: PodInfo) => boolean) => void;

interface Kinds {
  readonly claims: CachedKind<ResourceClaim>;
  readonly classes: CachedKind<DeviceClass>;
  readonly slices: CachedKind<ResourceSlice>;
}

function cachedKinds({ cluster: { cache } }: Manager): Kinds {
  const slices = cache.kind(ResourceSlice);
  slices.addIndexers({
    [SLICES_BY_NODE]: ({ spec }) => [spec.nodeName ?? SEVERAL_NODES],
    [SLICES_BY_POOL]: ({ spec }) => [poolKey(spec.driver, spec.pool.name)],
  });
  return { claims: cache.kind(ResourceClaim), classes: cache.kind(DeviceClass), slices };
}

/** The devices of a cluster, with what this scheduler has decided. */
export class ClusterDevices implements DeviceView {
  readonly pending = new PendingClaims();
  readonly #manager: Manager;
  readonly #selectors: DeviceSelectors | undefined;
  readonly #compiled = new Map<string, ReturnType<DeviceSelectors['compile']>>();
  readonly #listeners = new Set<() => void>();
  /** Undefined as long as it is not known that the cluster has such kinds: a cache of others would never be filled. */
  #kinds: Kinds | undefined = undefined;

  constructor(manager: Manager, selectors: DeviceSelectors | undefined) {
    this.#manager = manager;
    this.#selectors = selectors;
  }

  /** Resolves when all is known. Undo it with what it returns. An older cluster has no such kinds, and no devices. */
  async start(signal: AbortSignal, onEvent: OnDeviceEvent): Promise<readonly Subscription[]> {
    if (!(await this.#isServed(signal))) return [];
    const kinds = cachedKinds(this.#manager);
    this.#kinds = kinds;
    const tell = (event: ClusterEvent, concerns?: (pod: PodInfo) => boolean): void => {
      onEvent(event, concerns);
      for (const listener of this.#listeners) listener();
    };
    const subscriptions = [
      kinds.claims.subscribe({
        onAdd: (claim) => tell('ResourceClaimChange', has(claim)),
        onUpdate: (old, claim) => {
          const isFreed = !deepEqual(old.status?.allocation, claim.status?.allocation);
          tell('ResourceClaimChange', isFreed ? undefined : has(claim));
        },
        onDelete: () => tell('ResourceClaimChange'),
      }),
      kinds.classes.subscribe({
        onAdd: () => tell('DeviceClassChange'),
        onUpdate: () => tell('DeviceClassChange'),
      }),
      kinds.slices.subscribe({
        onAdd: () => tell('ResourceSliceChange'),
        onUpdate: () => tell('ResourceSliceChange'),
        onDelete: () => tell('ResourceSliceChange'),
      }),
    ];
    for (const kind of Object.values(kinds)) kind.start();
    await Promise.all(subscriptions.map((subscription) => subscription.synced(signal)));
    return subscriptions;
  }

  async #isServed(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#manager.client.resource(DeviceClass).list({ limit: 1, signal });
      return true;
    } catch (error) {
      // Whatever else is wrong may pass: the caches try again.
      return !isNotFound(error);
    }
  }

  /** Calls whenever something may have changed, until it is disposed of. */
  listen(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  claim(key: string): ReadonlyResourceClaim | undefined {
    return this.pending.over(key, this.#kinds?.claims.find(key));
  }

  /** By the server's word alone. */
  serverClaim(key: string): ReadonlyResourceClaim | undefined {
    return this.#kinds?.claims.find(key);
  }

  isBeingAllocated(key: string): boolean {
    return this.pending.isOpen(key);
  }

  deviceClass(name: string): ReadonlyDeviceClass | undefined {
    return this.#kinds?.classes.find(name);
  }

  slicesFor(node: string): readonly ReadonlySlice[] {
    return [node, SEVERAL_NODES].flatMap((key) => this.#kinds?.slices.byIndex(SLICES_BY_NODE, key) ?? []);
  }

  slicesOfPool(driver: string, pool: string): readonly ReadonlySlice[] {
    return this.#kinds?.slices.byIndex(SLICES_BY_POOL, poolKey(driver, pool)) ?? [];
  }

  allocated(): AllocatedDevices {
    return allocatedBy(
      (this.#kinds?.claims.list() ?? []).map((claim) => this.pending.over(keyOf(claim), claim) ?? claim),
    );
  }

  matches(expression: string, device: SelectableDevice): boolean {
    if (this.#selectors === undefined)
      throw new AllocationError('this scheduler was started without CEL, and cannot read selectors');
    const compiled = this.#compiled.get(expression) ?? this.#selectors.compile(expression);
    if (this.#compiled.size >= MAX_COMPILED) this.#compiled.clear();
    this.#compiled.set(expression, compiled);
    return compiled.matches(device);
  }
}

function has(claim: ReadonlyResourceClaim): (pod: PodInfo) => boolean {
  const { name, namespace } = claim.metadata;
  return ({ pod, namespace: its }) =>
    its === namespace && resourceClaimsOfPod(pod).some((one) => one.claim === name);
}
