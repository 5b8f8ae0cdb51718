import assert from 'node:assert/strict';
import { type DeepReadonly, keyOf } from '@windlass/apimachinery';
import type { ReadIndexer } from '../cache/indexer.ts';
import type { AddInfo, DeleteInfo, EventHandler } from '../handlers/notification.ts';
import type { TestObject } from './test-object.ts';
import { type State, stateOf, type Timeline } from './timeline.ts';

type Seen = DeepReadonly<TestObject>;

export interface ObserverOptions {
  readonly name: string;
  readonly timeline: Timeline;
  /** Present when the handler is called at once: then the cache may not be behind what it is told. */
  readonly indexer?: ReadIndexer<TestObject>;
  /** What the handler does beside looking: wait, throw. */
  readonly afterwards?: () => void | Promise<void>;
}

/**
 * A handler that holds what it is told against what really happened: each object's states in order, none
 * made up, adds and deletions in turns, `old` always what it was told last.
 */
export class Observer implements EventHandler<TestObject> {
  /** What it believes there is. */
  readonly known = new Map<string, Seen>();
  /** What was wrong; empty when all was right. A throw would be taken for a handler's failure. */
  readonly problems: string[] = [];
  readonly told = { add: 0, update: 0, delete: 0, sync: 0 };
  readonly name: string;
  readonly #options: ObserverOptions;
  /** How far along each key's timeline it is. */
  readonly #at = new Map<string, number>();

  constructor(options: ObserverOptions) {
    this.#options = options;
    this.name = options.name;
  }

  onAdd(object: Seen, info: AddInfo): void | Promise<void> {
    this.#check(() => {
      this.told.add++;
      assert.equal(info.key, keyOf(object));
      assert.equal(this.known.get(info.key), undefined, `${info.key} is added twice`);
      this.#moveTo(info.key, stateOf(object as TestObject));
      this.known.set(info.key, object);
    });
    return this.#options.afterwards?.();
  }

  onUpdate(old: Seen, now: Seen): void | Promise<void> {
    this.#check(() => {
      const key = keyOf(now);
      const known = this.known.get(key);
      assert.ok(known, `${key} is updated before it is added`);
      assert.equal(state(old), state(known), `${key}: old is not what was told last`);
      assert.equal(now.metadata.uid, known.metadata.uid, `${key} becomes another object by an update`);
      if (old === now) this.told.sync++;
      else this.told.update++;
      this.#moveTo(key, state(now));
      this.known.set(key, now);
    });
    return this.#options.afterwards?.();
  }

  onDelete(object: Seen, info: DeleteInfo): void | Promise<void> {
    this.#check(() => {
      this.told.delete++;
      const { key, isFinalStateUnknown } = info;
      const known = this.known.get(key);
      assert.ok(known, `${key} is deleted before it is added`);
      assert.equal(object.metadata.uid, known.metadata.uid, `another ${key} is deleted`);
      // The cache may have seen more of it than this handler was told.
      if (isFinalStateUnknown) this.#moveTo(key, state(object), false);
      const { timeline } = this.#options;
      const gone = timeline.findGone(key, known.metadata.uid, this.#at.get(key) ?? 0);
      assert.notEqual(gone, -1, `${key} was never deleted`);
      this.#at.set(key, gone);
      this.known.delete(key);
    });
    return this.#options.afterwards?.();
  }

  #moveTo(key: string, next: State, isCached = true): void {
    const { timeline, indexer } = this.#options;
    const at = timeline.find(key, next, this.#at.get(key) ?? 0);
    assert.notEqual(at, -1, `${key} was never ${next} at or after what was told last`);
    this.#at.set(key, at);
    if (indexer === undefined || !isCached) return;
    const cached = timeline.find(key, stateOf(indexer.get(key) as TestObject | undefined), at);
    assert.notEqual(cached, -1, `${key}: the cache is behind what is told`);
  }

  #check(look: () => void): void {
    try {
      look();
    } catch (error) {
      this.problems.push(`${this.#options.name}: ${(error as Error).message}`);
    }
  }
}

function state(object: Seen): State {
  return stateOf(object as TestObject);
}
