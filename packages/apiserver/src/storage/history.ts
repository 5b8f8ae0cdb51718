import { EventLog } from './event-log.ts';
import { PastBytes } from './states/past-bytes.ts';
import type { StoredState } from './states/stored-state.ts';
import type { WriteEvent } from './states/write-event.ts';
import type { StoreEvent } from './store.ts';

// What an event itself takes, with its places in two logs.
const EVENT_WEIGHT = 64;
/** So many of the last writes are kept as objects, too: watchers that are a little behind look into them. */
const RECENT = 1000;

/**
 * Every write since the compacted revision, with the state before each. From it watches resume and the
 * past is read. There is a log for everything and one for each resource, so that a watch of one resource
 * does not wade through the others.
 *
 * What was superseded more than a thousand writes ago is kept as bytes only: `StoredState` decodes it when somebody reads
 * it as an object.
 *
 * push, drop: O(1). Reading: O(log n + the events of the resource since).
 */
export class History {
  readonly #all = new EventLog();
  readonly #byResource = new Map<string, EventLog>();
  readonly #past = new PastBytes();
  #weight = 0;

  get size(): number {
    return this.#all.size;
  }

  /** About how much memory would be free if all of it were forgotten. */
  get weight(): number {
    return this.#weight + this.#past.weight;
  }

  push(event: WriteEvent): void {
    this.#all.push(event);
    const resource = resourceOf(event.key);
    let log = this.#byResource.get(resource);
    if (log === undefined) {
      log = new EventLog();
      this.#byResource.set(resource, log);
    }
    log.push(event);
    this.#weigh(event);
    const old = this.#all.before(RECENT);
    if (old !== undefined) this.#putAway(old);
  }

  /** Forgets everything at and before `revision`. */
  drop(revision: number): void {
    for (let event = this.#all.oldest; event !== undefined; event = this.#all.oldest) {
      if (event.revision > revision) return;
      this.#all.dropOldest();
      const resource = resourceOf(event.key);
      const log = this.#byResource.get(resource);
      log?.dropOldest();
      if (log?.size === 0) this.#byResource.delete(resource);
      this.#weight -= event.weight;
      if (event.previous?.past !== undefined) this.#past.drop(event.previous.past);
    }
  }

  /** About `limit` events after `revision` whose key begins with the prefix: all of the last one's revision. */
  page(prefix: string, revision: number, limit: number): StoreEvent[] {
    const events: StoreEvent[] = [];
    for (const event of this.#logOf(prefix).after(revision)) {
      if (!event.key.startsWith(prefix)) continue;
      // What was written in one transaction has one revision, and a reader goes on after a revision.
      if (events.length >= limit && events.at(-1)?.revision !== event.revision) break;
      events.push(event);
    }
    return events;
  }

  /** How the keys of the prefix that were written after `revision` stood at it; undefined: not there. */
  undo(prefix: string, revision: number): Map<string, StoredState | undefined> {
    const before = new Map<string, StoredState | undefined>();
    for (const event of this.#logOf(prefix).after(revision)) {
      if (event.key.startsWith(prefix) && !before.has(event.key)) before.set(event.key, event.previous);
    }
    return before;
  }

  /** The revision through which to drop so that what is left weighs no more than `weight`. */
  revisionAbove(weight: number): number {
    let left = this.weight;
    let revision = 0;
    for (const event of this.#all.after(0)) {
      if (left <= weight) break;
      left -= event.weight + (event.previous?.past?.weight ?? 0);
      revision = event.revision;
    }
    return revision;
  }

  /** From the oldest on. */
  [Symbol.iterator](): IterableIterator<WriteEvent> {
    return this.#all.after(0);
  }

  #putAway(event: WriteEvent): void {
    if (event.type === 'delete') event.stored.putAway();
    event.previous?.becomePast((bytes) => this.#past.keep(bytes));
    this.#weigh(event);
  }

  #weigh(event: WriteEvent): void {
    this.#weight -= event.weight;
    event.weight = EVENT_WEIGHT + (event.previous?.weight ?? 0);
    this.#weight += event.weight;
  }

  #logOf(prefix: string): EventLog {
    const resource = resourceOf(prefix);
    // A shorter prefix may span resources.
    return resource === '' ? this.#all : (this.#byResource.get(resource) ?? NO_EVENTS);
  }
}

const NO_EVENTS = new EventLog();

/** `/group/resource/` of a key, or of a prefix that has as much; else "". */
function resourceOf(key: string): string {
  const second = key.indexOf('/', 1);
  const third = second === -1 ? -1 : key.indexOf('/', second + 1);
  return key.slice(0, third + 1);
}
