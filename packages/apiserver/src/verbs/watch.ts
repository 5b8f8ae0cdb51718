import { apiVersionOf, failureStatus, type Status } from '@windlass/apimachinery';
import { toError, turnShare } from '@windlass/base';
import type { ServerWatchEvent } from '../exchange/exchange.ts';
import type { ListParameters } from '../request/list-options.ts';
import { type ResourceDefinition, storagePrefix } from '../resource/definition.ts';
import { fromStorage } from '../resource/target.ts';
import { CompactedError, SlowWatcherError } from '../storage/errors.ts';
import type { StoredObject, StoreEvent } from '../storage/store.ts';
import { parseVersion, waitForVersion } from './get.ts';
import type { Collection } from './list.ts';
import type { VerbRuntime } from './runtime.ts';
import { objectsAtOnce, type Selection, selectionOf } from './selection.ts';
import { WatchTimes } from './watch-times.ts';

/** A watch that names no end lasts this long, and up to twice as long. */
const DEFAULT_TIMEOUT_SECONDS = 1800;
/** As many synthetic events go out together. */
const INITIAL_BATCH = 500;

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

/**
 * Every change to a collection from a version on, as the API tells it: an object that comes to match is
 * ADDED, one that ceases to is DELETED with what it was before. Throws what prevents the watch from
 * beginning; what ends it later is its last event.
 * @param onBegun called when all that there was has been told, and only changes are to come
 */
export async function watchObjects(
  runtime: VerbRuntime,
  collection: Collection,
  parameters: ListParameters,
  onBegun?: () => void,
): Promise<AsyncIterable<readonly ServerWatchEvent[]>> {
  const { definition, namespace, context } = collection;
  const selection = selectionOf(definition, parameters);
  const asked = parseVersion(parameters.resourceVersion);
  const wantsState = parameters.sendInitialEvents ?? asked === 0;
  if (wantsState) await waitForVersion(runtime, parameters.resourceVersion, context.signal);
  const base = storagePrefix(definition);
  const prefix = definition.namespaced && namespace !== '' ? `${base}${namespace}/` : base;
  return new WatchSession({
    runtime,
    definition,
    prefix,
    selection,
    parameters,
    wantsState,
    fromRevision: asked,
    signal: context.signal,
    onBegun,
  });
}

interface SessionOptions {
  readonly runtime: VerbRuntime;
  readonly definition: ResourceDefinition;
  readonly prefix: string;
  readonly selection: Selection;
  readonly parameters: ListParameters;
  readonly wantsState: boolean;
  readonly fromRevision: number;
  readonly signal: AbortSignal | undefined;
  readonly onBegun: (() => void) | undefined;
}

interface Translated {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly stored: StoredObject;
}

const SHARED = new WeakMap<ResourceDefinition, WeakMap<readonly StoreEvent[], readonly ServerWatchEvent[]>>();

function sharedBatches(
  definition: ResourceDefinition,
): WeakMap<readonly StoreEvent[], readonly ServerWatchEvent[]> {
  let batches = SHARED.get(definition);
  if (batches === undefined) {
    batches = new WeakMap();
    SHARED.set(definition, batches);
  }
  return batches;
}

function typeOf({ type, stored, previous }: StoreEvent): Translated {
  return { type: type === 'delete' ? 'DELETED' : previous === undefined ? 'ADDED' : 'MODIFIED', stored };
}

class WatchSession implements AsyncIterable<readonly ServerWatchEvent[]> {
  readonly #options: SessionOptions;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly ServerWatchEvent[], void, undefined> {
    const { runtime, parameters, wantsState } = this.#options;
    // A time that is over has no events.
    if ((parameters.timeoutSeconds ?? 0) < 0) return;
    try {
      let fromRevision = this.#options.fromRevision;
      if (wantsState) fromRevision = yield* this.#state();
      else if (fromRevision === 0) fromRevision = runtime.store.revision;
      this.#options.onBegun?.();
      yield* this.#changes(fromRevision);
    } catch (error) {
      if (this.#options.signal?.aborted === true) return;
      yield [{ type: 'ERROR', object: { ...errorStatus(error, parameters.resourceVersion) } }];
    }
  }

  /** What there is, as ADDED events; answers the revision that it was read at. */
  async *#state(): AsyncGenerator<readonly ServerWatchEvent[], number, undefined> {
    const { runtime, prefix, selection, parameters } = this.#options;
    await turnShare.take();
    const list = await runtime.store.list(prefix);
    const atOnce = objectsAtOnce(selection);
    let batch: ServerWatchEvent[] = [];
    for (const [index, stored] of list.items.entries()) {
      if (index % atOnce === atOnce - 1) await turnShare.take();
      if (!selection.matches(stored.object)) continue;
      batch.push(await this.#event('ADDED', stored));
      if (batch.length < INITIAL_BATCH) continue;
      yield batch;
      batch = [];
    }
    if (parameters.sendInitialEvents === true && parameters.allowWatchBookmarks) {
      batch.push(this.#bookmark(list.revision, { [INITIAL_EVENTS_END]: 'true' }));
    }
    if (batch.length > 0) yield batch;
    return list.revision;
  }

  async *#changes(fromRevision: number): AsyncGenerator<readonly ServerWatchEvent[], void, undefined> {
    const { runtime, prefix, signal, parameters } = this.#options;
    await using watch = runtime.store.watch(prefix, {
      fromRevision,
      ...(signal !== undefined && { signal }),
    });
    using times = new WatchTimes(runtime, this.#timeoutMs(), () => watch.nudge());
    for (;;) {
      const due = times.due();
      if (due === 'end') return;
      if (due === 'bookmark' && parameters.allowWatchBookmarks) yield [this.#bookmark(watch.progress)];
      const result = await watch.next();
      if (result.done === true) return;
      // A nudge: something is due.
      if (result.value.length === 0) continue;
      const batch = await this.#translate(result.value);
      if (batch.length > 0) yield batch;
    }
  }

  /** The same array for all who watch the whole of a resource: what is made of it is then made once. */
  async #translate(events: readonly StoreEvent[]): Promise<readonly ServerWatchEvent[]> {
    const { definition, selection } = this.#options;
    const shared = selection.isEverything ? sharedBatches(definition) : undefined;
    const known = shared?.get(events);
    if (known !== undefined) return known;
    const batch: ServerWatchEvent[] = [];
    for (const event of events) {
      const translated = selection.isEverything ? typeOf(event) : this.#select(event);
      if (translated === undefined) continue;
      const made = this.#event(translated.type, translated.stored);
      batch.push(made instanceof Promise ? await made : made);
    }
    shared?.set(events, batch);
    return batch;
  }

  #select({ type, stored, previous, revision }: StoreEvent): Translated | undefined {
    const { selection } = this.#options;
    const matches = type === 'put' && selection.matches(stored.object);
    const matched = previous !== undefined && selection.matches(previous.object);
    if (matches) return { type: matched ? 'MODIFIED' : 'ADDED', stored };
    if (!matched || previous === undefined) return undefined;
    if (type === 'delete') return { type: 'DELETED', stored };
    // What it was when it still matched, at the version of the write that ended that.
    const metadata = { ...previous.object.metadata, resourceVersion: String(revision) };
    return {
      type: 'DELETED',
      stored: { key: previous.key, object: { ...previous.object, metadata }, revision },
    };
  }

  #event(type: Translated['type'], stored: StoredObject): ServerWatchEvent | Promise<ServerWatchEvent> {
    const object = fromStorage(this.#options.definition, stored);
    if (object instanceof Promise) return object.then((converted) => ({ type, object: converted }));
    return object === stored.object ? { type, object, stored } : { type, object };
  }

  #bookmark(revision: number, annotations?: Record<string, string>): ServerWatchEvent {
    const { definition } = this.#options;
    const metadata = { resourceVersion: String(revision), ...(annotations !== undefined && { annotations }) };
    return {
      type: 'BOOKMARK',
      object: { kind: definition.kind, apiVersion: apiVersionOf(definition), metadata },
    };
  }

  #timeoutMs(): number {
    const { runtime, parameters } = this.#options;
    const seconds = parameters.timeoutSeconds ?? 0;
    return (seconds > 0 ? seconds : DEFAULT_TIMEOUT_SECONDS * (1 + runtime.random.next())) * 1000;
  }
}

function errorStatus(thrown: unknown, resourceVersion: string): Status {
  if (thrown instanceof CompactedError) {
    return failureStatus(
      410,
      'Expired',
      `too old resource version: ${resourceVersion} (${thrown.compacted})`,
    );
  }
  if (thrown instanceof SlowWatcherError) {
    return failureStatus(
      500,
      'InternalError',
      `the watch was too slow and has ended; watch again from resource version ${thrown.resumeFrom}`,
    );
  }
  return failureStatus(500, 'InternalError', toError(thrown).message);
}
