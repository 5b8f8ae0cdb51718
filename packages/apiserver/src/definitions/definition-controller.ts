import { isConflict, isNotFound } from '@windlass/apimachinery';
import { sleep, toError, turnMarks } from '@windlass/base';
import { SYSTEM_MASTERS } from '../access/user.ts';
import {
  asDefinition,
  CLEANUP_FINALIZER,
  DEFINITION_GROUP,
  DEFINITION_PLURAL,
  type DefinitionStatus,
  hasCondition,
  type StoredDefinition,
} from '../custom/definition/definition-object.ts';
import type { Converter } from '../custom/resource/conversion.ts';
import { customDefinitions } from '../custom/resource/custom-definition.ts';
import { webhookConverter } from '../custom/resource/webhook-converter.ts';
import type { LocalWebhooks } from '../exchange/post-review.ts';
import { serviceResolver } from '../exchange/service-resolver.ts';
import type { RequestContext } from '../request/context.ts';
import type { ResourceDefinition } from '../resource/definition.ts';
import { storagePrefix } from '../resource/definition.ts';
import { type Draft, draftOf, type Stored } from '../resource/strategy.ts';
import { CompactedError, SlowWatcherError, StoreClosedError } from '../storage/errors.ts';
import type { StoreEvent } from '../storage/store.ts';
import type { VerbRuntime } from '../verbs/runtime.ts';
import { updateObject } from '../verbs/update.ts';
import { settledStatus, withCondition } from './definition-status.ts';
import { removeInstances } from './instance-removal.ts';

const MANAGER = 'kube-apiserver';
/** Between two tries to go on after a failure. */
const RETRY_MS = 1000;

/**
 * Follows the custom resource definitions in the store: gives them their names, serves what they define,
 * and clears up after those that go. It runs within the server: what a definition defines is served before
 * the definition says that it is established.
 */
export class DefinitionController implements AsyncDisposable {
  readonly #runtime: VerbRuntime;
  readonly #own: ResourceDefinition;
  readonly #context: RequestContext;
  readonly #localWebhooks: LocalWebhooks | undefined;
  readonly #abort = new AbortController();
  readonly #known = new Map<string, StoredDefinition>();
  /** What is served of each, and for which generation, so that a change of the status alone costs nothing. */
  readonly #served = new Map<string, string>();
  /** The removal of instances that is under way, by the uid of the definition. */
  readonly #removals = new Map<string, Promise<void>>();
  readonly #ready = Promise.withResolvers<void>();
  #isReady = false;
  #problem: string | undefined = undefined;
  #loop: Promise<void> | undefined = undefined;

  constructor(runtime: VerbRuntime, localWebhooks: LocalWebhooks | undefined) {
    const own = runtime.catalog.find(DEFINITION_GROUP, 'v1', DEFINITION_PLURAL);
    if (own === undefined) throw new TypeError('the catalog does not serve custom resource definitions');
    this.#runtime = runtime;
    this.#localWebhooks = localWebhooks;
    this.#own = own;
    this.#context = {
      user: { name: 'system:apiserver', groups: [SYSTEM_MASTERS] },
      clock: runtime.clock,
      random: runtime.random,
      logger: runtime.logger,
      signal: this.#abort.signal,
      isDryRun: false,
      fieldManager: MANAGER,
      userAgent: MANAGER,
      warn: () => {},
      annotate: () => {},
    };
    // Whoever waits is told; nobody has to.
    this.#ready.promise.catch(() => {});
  }

  /** Resolves when everything that is defined already is served. */
  start(): Promise<void> {
    this.#loop ??= this.#run();
    return this.#ready.promise;
  }

  /** Why definitions are not followed now; undefined when they are. */
  get problem(): string | undefined {
    return this.#problem;
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#loop;
    await Promise.allSettled(this.#removals.values());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #run(): Promise<void> {
    while (!this.#abort.signal.aborted) {
      try {
        await this.#follow();
      } catch (thrown) {
        if (this.#abort.signal.aborted || thrown instanceof StoreClosedError) break;
        // Behind or cut off: what there is now says all that was missed.
        if (thrown instanceof CompactedError || thrown instanceof SlowWatcherError) continue;
        const error = toError(thrown);
        if (!this.#isReady) {
          this.#ready.reject(error);
          return;
        }
        // Such as a status that a full disk did not take.
        this.#problem = `custom resource definitions are not followed: ${error.message}`;
        this.#runtime.logger.error('custom resource definitions are not followed; trying again', { error });
        await this.#pause();
      }
    }
    this.#ready.resolve();
  }

  async #pause(): Promise<void> {
    try {
      await sleep(this.#runtime.clock, RETRY_MS, this.#abort.signal);
    } catch {
      // It is to stop: the loop sees it.
    }
  }

  async #follow(): Promise<void> {
    const { store } = this.#runtime;
    const prefix = storagePrefix(this.#own);
    const { items, revision } = await store.list(prefix);
    const present = new Set(items.map(({ key }) => key));
    for (const [key, definition] of this.#known) if (!present.has(key)) this.#forget(key, definition);
    for (const { key, object } of items) this.#known.set(key, asDefinition(object));
    for (const { key } of items) this.#serve(key);
    this.#isReady = true;
    this.#ready.resolve();
    for (const { key } of items) await this.#settle(key);
    this.#problem = undefined;
    for await (const events of store.watch(prefix, { fromRevision: revision, signal: this.#abort.signal }))
      await this.#apply(events);
  }

  async #apply(events: readonly StoreEvent[]): Promise<void> {
    const groups = new Set<string>();
    for (const { type, key, stored } of events) {
      const definition = asDefinition(stored.object);
      if (type === 'delete') {
        this.#forget(key, definition);
        groups.add(definition.spec.group);
      } else {
        this.#known.set(key, definition);
        this.#serve(key);
      }
    }
    for (const key of new Set(events.map((event) => event.key))) await this.#settle(key);
    // Names that became free may be what others wait for.
    for (const [key, definition] of this.#known) {
      const isWaiting = groups.has(definition.spec.group) && !hasCondition(definition, 'NamesAccepted');
      if (isWaiting) await this.#settle(key);
    }
  }

  #forget(key: string, { spec }: StoredDefinition): void {
    this.#known.delete(key);
    if (this.#served.delete(key)) this.#runtime.catalog.remove(spec.group, spec.names.plural);
  }

  /** Puts into the catalog what the definition defines, once its names are its own. */
  #serve(key: string): void {
    const definition = this.#known.get(key);
    if (definition === undefined) return;
    if (!hasCondition(definition, 'NamesAccepted') && !hasCondition(definition, 'Established')) return;
    this.#offer(key, definition);
  }

  #offer(key: string, definition: StoredDefinition): void {
    const { spec, status, metadata } = definition;
    const isTerminating = metadata?.deletionTimestamp !== undefined;
    const state = JSON.stringify([metadata?.uid, metadata?.generation, status?.acceptedNames, isTerminating]);
    if (this.#served.get(key) === state) return;
    const { catalog, clock, logger, store } = this.#runtime;
    const { conversion } = spec;
    const resolve = serviceResolver(store);
    const converter: Converter | undefined =
      conversion?.strategy === 'Webhook'
        ? webhookConverter(definition, { clock, logger, resolve, local: this.#localWebhooks })
        : undefined;
    turnMarks.doing('serve a definition', metadata?.name);
    const served = customDefinitions(definition, { converter, isTerminating });
    if (this.#served.has(key)) catalog.remove(spec.group, spec.names.plural);
    this.#served.set(key, state);
    catalog.add(served);
  }

  async #settle(key: string): Promise<void> {
    const definition = this.#known.get(key);
    if (definition === undefined) return;
    const status = settledStatus(definition, this.#known.values(), this.#runtime.clock.now());
    if (status !== undefined) {
      const next: StoredDefinition = { ...definition, status };
      // Served first: whoever sees that it is established may use it at once.
      if (hasCondition(next, 'NamesAccepted')) this.#offer(key, next);
      await this.#writeStatus(key, definition, status);
    }
    if (definition.metadata?.deletionTimestamp !== undefined) this.#beginRemoval(key, definition);
  }

  async #writeStatus(key: string, definition: StoredDefinition, status: DefinitionStatus): Promise<void> {
    const name = definition.metadata?.name ?? '';
    try {
      const { object } = await updateObject(this.#runtime, {
        target: { definition: this.#own, namespace: '', name, context: this.#context },
        subresource: 'status',
        options: {},
        expectedUid: definition.metadata?.uid,
        change: (live) => this.#managed(live, definition, { status }),
      });
      if (this.#known.has(key)) this.#known.set(key, asDefinition(object));
    } catch (error) {
      // Gone or changed meanwhile: its next event comes here again.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  #managed(live: Stored | undefined, seen: StoredDefinition, change: object): Draft {
    const updated = draftOf({ ...live, ...change });
    // Only what was seen is written over.
    updated.metadata = { ...updated.metadata };
    const version = seen.metadata?.resourceVersion;
    if (version !== undefined) updated.metadata.resourceVersion = version;
    return this.#runtime.fieldManager(this.#own, 'status').update<Draft>({ live, updated, manager: MANAGER })
      .object;
  }

  #beginRemoval(key: string, definition: StoredDefinition): void {
    const uid = definition.metadata?.uid ?? '';
    if (this.#removals.has(uid)) return;
    const isOurs = definition.metadata?.finalizers?.includes(CLEANUP_FINALIZER) === true;
    if (!isOurs) return;
    const removal = this.#remove(key, definition)
      .catch((error: unknown) => {
        if (this.#abort.signal.aborted || error instanceof StoreClosedError) return;
        this.#runtime.logger.error('instances of a custom resource definition could not be removed', {
          definition: definition.metadata?.name,
          error,
        });
      })
      .finally(() => this.#removals.delete(uid));
    this.#removals.set(uid, removal);
  }

  async #remove(key: string, definition: StoredDefinition): Promise<void> {
    const { spec, metadata } = definition;
    const name = metadata?.name ?? '';
    const served = this.#runtime.catalog.findResource(spec.group, spec.names.plural);
    const wasServed = this.#served.has(key) && served !== undefined;
    if (wasServed) await removeInstances(this.#runtime, served, this.#context);
    const done = wasServed
      ? { reason: 'InstanceDeletionCompleted', message: 'removed all instances' }
      : { reason: 'NeverEstablished', message: 'resource was never established' };
    await updateObject(this.#runtime, {
      target: { definition: this.#own, namespace: '', name, context: this.#context },
      subresource: 'finalize',
      options: {},
      expectedUid: metadata?.uid,
      change: (live) => {
        if (live === undefined) throw new TypeError('the removal of a definition never creates it');
        const draft = draftOf(live);
        // What is stored is a definition, and the copy of its status belongs to the draft.
        const status = (draft['status'] ?? {}) as DefinitionStatus;
        const now = this.#runtime.clock.now();
        status.conditions = withCondition(
          status.conditions ?? [],
          { type: 'Terminating', status: 'False', ...done },
          now,
        );
        draft['status'] = status;
        if (draft.metadata !== undefined)
          draft.metadata.finalizers = (draft.metadata.finalizers ?? []).filter(
            (finalizer) => finalizer !== CLEANUP_FINALIZER,
          );
        return draft;
      },
    });
  }
}
