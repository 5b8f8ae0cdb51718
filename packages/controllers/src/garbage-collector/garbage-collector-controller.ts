import {
  type Cached,
  type DeepReadonly,
  deepEqual,
  isConflict,
  isNotFound,
  joinKey,
  type OwnerReference,
  type ServedResource,
} from '@windlass/apimachinery';
import { type DynamicObject, NoMatchError, type PartialObjectMetadata } from '@windlass/client';
import type {
  KindClient,
  Manager,
  ReconcileContext,
  ReconcileOutcome,
  Source,
  SourceSink,
} from '@windlass/runtime';
import type { ControllerOptions } from '../options/controller-options.ts';
import { AbsentOwners } from './absent-owners.ts';
import { decide, isWaiting, type Owners } from './classify.ts';
import {
  blockingDependents,
  FOREGROUND_FINALIZER,
  type GraphNode,
  type GraphOutcome,
  type Identity,
  ORPHAN_FINALIZER,
  OwnershipGraph,
} from './graph.ts';
import { Monitors } from './monitors.ts';

type Metadata = Cached<PartialObjectMetadata>;
type Queue = 'check' | 'orphan';

/** So many dependents lose their owner at a time. */
const ORPHANS_AT_ONCE = 50;

/**
 * Deletes what nobody owns any more. The graph only says what to look at; whether an owner is there, and
 * what an object is now, the server is asked before anything is deleted.
 */
export function addGarbageCollectorController(manager: Manager, options: ControllerOptions): void {
  new GarbageCollector(manager, options).register(manager, options);
}

class GarbageCollector {
  readonly #manager: Manager;
  readonly #name: string;
  readonly #graph = new OwnershipGraph();
  readonly #absent = new AbsentOwners();
  readonly #monitors: Monitors;
  readonly #sinks = new Map<Queue, SourceSink<string>>();
  /** Until every kind has been told of, what is missing in the graph means nothing. */
  readonly #held: Readonly<Record<Queue, Set<string>>> = { check: new Set(), orphan: new Set() };

  constructor(manager: Manager, { name }: ControllerOptions) {
    this.#manager = manager;
    this.#name = name;
    const { cluster, clock, logger } = manager;
    this.#monitors = new Monitors({
      cluster,
      clock,
      logger: logger.with({ controller: name }),
      handler: {
        seen: (identity, metadata, old) => this.#take(this.#graph.seen(identity, metadata, old)),
        gone: (identity) => this.#take(this.#graph.gone(identity)),
      },
      onSynced: () => this.#flush(),
    });
  }

  register(manager: Manager, { name, concurrency }: ControllerOptions): void {
    manager
      .controller(name)
      .source(this.#source('check'))
      .reconcile((uid, context) => this.#check(uid, context), { concurrency });
    manager
      .controller(`${name}-orphans`)
      .source(this.#source('orphan'))
      .reconcile((uid, context) => this.#orphan(uid, context), { concurrency });
  }

  #source(queue: Queue): Source {
    const monitors = this.#monitors;
    const held = this.#held[queue];
    return {
      name: 'ownership',
      start: (sink) => {
        this.#sinks.set(queue, sink);
        if (queue === 'check') monitors.start();
        return {
          // Keys are held back until the caches are filled, however long that takes.
          synced: () => Promise.resolve(),
          whyNotSynced: () => undefined,
          get isIdle() {
            return monitors.isIdle && held.size === 0;
          },
          stop: async () => {
            this.#sinks.delete(queue);
            if (queue === 'check') await monitors.stop();
          },
        };
      },
    };
  }

  #take({ check, orphan, misplaced, absent }: GraphOutcome): void {
    for (const identity of absent) this.#absent.add(identity);
    for (const uid of check) this.#held.check.add(uid);
    for (const uid of orphan) this.#held.orphan.add(uid);
    for (const { dependent, owner } of misplaced) this.#tellMisplaced(dependent, owner);
    this.#flush();
  }

  #flush(): void {
    if (!this.#monitors.hasSynced) return;
    for (const [queue, sink] of this.#sinks) {
      for (const uid of this.#held[queue]) sink.add(uid, { type: 'event', source: 'ownership' });
      this.#held[queue].clear();
    }
  }

  #tellMisplaced(dependent: Identity, owner: string): void {
    const reference = this.#graph.node(dependent.uid)?.owners.find(({ uid }) => uid === owner);
    const { apiVersion, kind, namespace, name, uid } = dependent;
    const text = `[${reference?.apiVersion}/${reference?.kind}, namespace: ${namespace}, name: ${reference?.name}, uid: ${owner}]`;
    this.#manager
      .recorder(this.#name)
      .warning(
        { apiVersion, kind, metadata: { ...(namespace !== '' && { namespace }), name, uid } },
        'OwnerRefInvalidNamespace',
        `ownerRef ${text} does not exist in namespace "${namespace}"`,
      );
  }

  async #check(uid: string, { signal, logger }: ReconcileContext): Promise<ReconcileOutcome> {
    const node = this.#graph.node(uid);
    if (node === undefined || (node.isBeingDeleted && !node.isDeletingDependents)) return undefined;
    const { identity } = node;
    let resource: ServedResource;
    try {
      resource = await this.#resourceOf(identity, signal);
    } catch (error) {
      if (!(error instanceof NoMatchError)) throw error;
      // Its kind may be served later; whoever it owns stays until then.
      logger.info('an owner is of a kind that is not served', { ...identity });
      return { requeue: true };
    }
    // What has no namespace cannot have an owner that has one: it is nobody's to collect.
    if (resource.namespaced && identity.namespace === '') return undefined;
    const latest = await this.#live(resource, identity, signal);
    if (latest === undefined) {
      this.#take(this.#graph.absent(identity));
      return undefined;
    }
    if (node.isDeletingDependents) await this.#goOnInForeground(node, resource, signal);
    else await this.#collect(node, resource, latest, signal);
    // An owner that was only heard of is asked for again, until it is seen.
    return node.isVirtual ? { requeue: true } : undefined;
  }

  async #collect(
    node: GraphNode,
    resource: ServedResource,
    latest: Metadata,
    signal: AbortSignal,
  ): Promise<void> {
    const references = latest.metadata.ownerReferences ?? [];
    if (references.length === 0) return;
    const owners = await this.#classify(node, references, signal);
    if (owners === undefined) return;
    const decision = decide(node, latest, owners);
    if (decision.type === 'keep') return;
    if (decision.type === 'strip') {
      const kept = references.filter((reference) => !decision.owners.includes(reference.uid));
      await this.#patch(node.identity, resource, latest, { ownerReferences: kept }, signal);
      return;
    }
    let current = latest;
    if (decision.unblock) {
      const ownerReferences = references.map((reference) => ({ ...reference, blockOwnerDeletion: false }));
      current = (await this.#patch(node.identity, resource, latest, { ownerReferences }, signal)) ?? latest;
    }
    await this.#delete(node.identity, resource, current, decision.policy, signal);
  }

  /** It goes when nothing blocks it any more; until then, what blocks it is looked at. */
  async #goOnInForeground(node: GraphNode, resource: ServedResource, signal: AbortSignal): Promise<void> {
    const blocking = blockingDependents(node);
    if (blocking.length === 0)
      return this.#removeFinalizer(node.identity, resource, FOREGROUND_FINALIZER, signal);
    for (const dependent of blocking)
      if (!dependent.isDeletingDependents) this.#held.check.add(dependent.identity.uid);
    this.#flush();
    return undefined;
  }

  /** Undefined when an owner can never be one, and nothing may be concluded. */
  async #classify(
    { identity }: GraphNode,
    references: readonly DeepReadonly<OwnerReference>[],
    signal: AbortSignal,
  ): Promise<Owners | undefined> {
    const owners: { readonly [K in keyof Owners]: DeepReadonly<OwnerReference>[] } = {
      solid: [],
      dangling: [],
      waiting: [],
    };
    for (const reference of references) {
      const { apiVersion, kind, name, uid } = reference;
      const here: Identity = { apiVersion, kind, name, uid, namespace: identity.namespace };
      if (this.#absent.has(here) || this.#absent.has({ ...here, namespace: '' })) {
        owners.dangling.push(reference);
        continue;
      }
      const resource = await this.#resourceOf(here, signal);
      if (resource.namespaced && identity.namespace === '') return undefined;
      const owner = await this.#live(resource, here, signal);
      if (owner === undefined) {
        this.#absent.add(resource.namespaced ? here : { ...here, namespace: '' });
        owners.dangling.push(reference);
      } else (isWaiting(owner) ? owners.waiting : owners.solid).push(reference);
    }
    return owners;
  }

  async #orphan(uid: string, { signal }: ReconcileContext): Promise<void> {
    const node = this.#graph.node(uid);
    if (node === undefined) return;
    const dependents = [...node.dependents];
    for (let at = 0; at < dependents.length; at += ORPHANS_AT_ONCE)
      await Promise.all(
        dependents.slice(at, at + ORPHANS_AT_ONCE).map(({ identity }) => this.#disown(identity, uid, signal)),
      );
    await this.#removeFinalizer(
      node.identity,
      await this.#resourceOf(node.identity, signal),
      ORPHAN_FINALIZER,
      signal,
    );
  }

  async #disown(dependent: Identity, owner: string, signal: AbortSignal): Promise<void> {
    const resource = await this.#resourceOf(dependent, signal);
    const latest = await this.#live(resource, dependent, signal);
    const references = latest?.metadata.ownerReferences ?? [];
    const kept = references.filter((reference) => reference.uid !== owner);
    if (latest === undefined || kept.length === references.length) return;
    await this.#patch(dependent, resource, latest, { ownerReferences: kept }, signal);
  }

  async #removeFinalizer(
    identity: Identity,
    resource: ServedResource,
    finalizer: string,
    signal: AbortSignal,
  ): Promise<void> {
    const latest = await this.#live(resource, identity, signal);
    const finalizers = latest?.metadata.finalizers ?? [];
    if (latest === undefined || !finalizers.includes(finalizer)) return;
    const kept = finalizers.filter((other) => other !== finalizer);
    await this.#patch(identity, resource, latest, { finalizers: kept }, signal);
  }

  /**
   * Deletes what was read, in the state in which it was read. Where it has changed, and not in what decided,
   * it goes as it is now; a change of its owners makes it a matter of a new look.
   */
  async #delete(
    identity: Identity,
    resource: ServedResource,
    latest: Metadata,
    propagationPolicy: 'Foreground' | 'Background' | 'Orphan',
    signal: AbortSignal,
  ): Promise<void> {
    const { uid } = identity;
    const attempt = ({ metadata }: Metadata): Promise<void> =>
      this.#objects(resource).delete(keyOf(identity, resource), {
        propagationPolicy,
        preconditions: { uid, resourceVersion: metadata.resourceVersion },
        signal,
      });
    try {
      await attempt(latest);
    } catch (error) {
      if (!isConflict(error)) throw error;
      const now = await this.#live(resource, identity, signal);
      if (now === undefined) return;
      if (!deepEqual(now.metadata.ownerReferences ?? [], latest.metadata.ownerReferences ?? [])) throw error;
      await attempt(now);
    }
  }

  /** Undefined when it is gone. Refused when it has changed since it was read; then it is looked at again. */
  async #patch(
    identity: Identity,
    resource: ServedResource,
    { metadata: { resourceVersion } }: Metadata,
    change: object,
    signal: AbortSignal,
  ): Promise<Metadata | undefined> {
    try {
      const patch = { metadata: { ...change, resourceVersion } };
      const written = await this.#objects(resource).patch(keyOf(identity, resource), patch, { signal });
      // Every object has metadata; no more of it is used.
      return written as unknown as Metadata;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** What is there now under this name, if it is this one. */
  async #live(
    resource: ServedResource,
    identity: Identity,
    signal: AbortSignal,
  ): Promise<Metadata | undefined> {
    const namespace = resource.namespaced ? identity.namespace : '';
    try {
      const found = await this.#objects(resource).live(namespace).metadata.get(identity.name, { signal });
      return found.metadata.uid === identity.uid ? found : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  #resourceOf({ apiVersion, kind }: Identity, signal: AbortSignal): Promise<ServedResource> {
    const slash = apiVersion.indexOf('/');
    const group = slash === -1 ? '' : apiVersion.slice(0, slash);
    return this.#manager.client.discovery.kind(
      { group, version: apiVersion.slice(slash + 1), kind },
      { signal },
    );
  }

  #objects({ group, version, plural }: ServedResource): KindClient<DynamicObject> {
    return this.#manager.objects({ group, version, plural });
  }
}

function keyOf({ namespace, name }: Identity, { namespaced }: ServedResource): string {
  return joinKey(namespaced ? namespace : '', name);
}
