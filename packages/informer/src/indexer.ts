import type { DeepReadonly, KubeObject } from '@windlass/apimachinery';
import { toError } from '@windlass/base';
import { IndexConflictError, UnknownIndexError } from './errors.ts';

/** The values under which an object is found. Must be deterministic, and must not change the object. */
export type IndexFunction<T> = (object: DeepReadonly<T>) => readonly string[];

export type Indexers<T> = Readonly<Record<string, IndexFunction<T>>>;

/** What is stored under a key did change. */
export interface Change<T> {
  readonly key: string;
  readonly old: DeepReadonly<T> | undefined;
  readonly now: DeepReadonly<T> | undefined;
}

export interface IndexError {
  readonly index: string;
  readonly key: string;
  readonly error: Error;
}

/**
 * Reading side of the cache. What it answers is the cache itself: shared by everyone, never to be
 * changed. Lists come in the order in which the keys first appeared.
 */
export interface ReadIndexer<T> {
  readonly size: number;
  get(key: string): DeepReadonly<T> | undefined;
  has(key: string): boolean;
  list(): DeepReadonly<T>[];
  keys(): string[];
  values(): IterableIterator<DeepReadonly<T>>;
  /** Objects whose index function gave this value. Throws for an index that is not there. */
  byIndex(index: string, value: string): DeepReadonly<T>[];
  indexKeys(index: string, value: string): string[];
  /** Every value that some object has. */
  indexValues(index: string): string[];
  hasIndex(index: string): boolean;
}

class Index<T> {
  readonly indexOf: IndexFunction<T>;
  /** No value maps to an empty set: what is gone leaves nothing behind. */
  readonly keysByValue = new Map<string, Set<string>>();

  constructor(indexOf: IndexFunction<T>) {
    this.indexOf = indexOf;
  }
}

const NO_VALUES: readonly string[] = Object.freeze([]);

/**
 * Objects by key, and by any number of named indices.
 *
 * get, set, delete: O(indices). byIndex: O(matches). replace: one pass over both states, but index work
 * only for what differs. An index function that throws puts the object under no value of that index and
 * is reported; the object is stored all the same.
 */
export class Indexer<T extends KubeObject> implements ReadIndexer<T> {
  readonly #objects = new Map<string, DeepReadonly<T>>();
  readonly #indices = new Map<string, Index<T>>();
  readonly #onIndexError: (error: IndexError) => void;

  constructor(indexers: Indexers<T> = {}, onIndexError: (error: IndexError) => void = () => {}) {
    this.#onIndexError = onIndexError;
    this.addIndexers(indexers);
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): DeepReadonly<T> | undefined {
    return this.#objects.get(key);
  }

  has(key: string): boolean {
    return this.#objects.has(key);
  }

  list(): DeepReadonly<T>[] {
    return [...this.#objects.values()];
  }

  keys(): string[] {
    return [...this.#objects.keys()];
  }

  values(): IterableIterator<DeepReadonly<T>> {
    return this.#objects.values();
  }

  entries(): IterableIterator<[string, DeepReadonly<T>]> {
    return this.#objects.entries();
  }

  /** All keys and objects as they are now; later changes do not show. */
  snapshot(): [string, DeepReadonly<T>][] {
    return [...this.#objects];
  }

  byIndex(index: string, value: string): DeepReadonly<T>[] {
    const found: DeepReadonly<T>[] = [];
    for (const key of this.#index(index).keysByValue.get(value) ?? []) {
      const object = this.#objects.get(key);
      if (object !== undefined) found.push(object);
    }
    return found;
  }

  indexKeys(index: string, value: string): string[] {
    return [...(this.#index(index).keysByValue.get(value) ?? [])];
  }

  indexValues(index: string): string[] {
    return [...this.#index(index).keysByValue.keys()];
  }

  hasIndex(index: string): boolean {
    return this.#indices.has(index);
  }

  /** May be called at any time: what is stored already is indexed at once. All or none are added. */
  addIndexers(indexers: Indexers<T>): void {
    for (const [name, indexOf] of Object.entries(indexers)) {
      const existing = this.#indices.get(name);
      if (existing !== undefined && existing.indexOf !== indexOf) throw new IndexConflictError(name);
    }
    for (const [name, indexOf] of Object.entries(indexers)) {
      if (this.#indices.has(name)) continue;
      const index = new Index(indexOf);
      this.#indices.set(name, index);
      for (const [key, object] of this.#objects) this.#put(name, index, key, object);
    }
  }

  /** Answers what was there before. */
  set(key: string, object: DeepReadonly<T>): DeepReadonly<T> | undefined {
    const old = this.#objects.get(key);
    this.#objects.set(key, object);
    if (this.#indices.size > 0) this.#reindex(key, old, object);
    return old;
  }

  /** Answers what was there before. */
  delete(key: string): DeepReadonly<T> | undefined {
    const old = this.#objects.get(key);
    if (old === undefined) return undefined;
    this.#objects.delete(key);
    if (this.#indices.size > 0) this.#reindex(key, old, undefined);
    return old;
  }

  #index(name: string): Index<T> {
    const index = this.#indices.get(name);
    if (index === undefined) throw new UnknownIndexError(name, [...this.#indices.keys()]);
    return index;
  }

  #reindex(key: string, old: DeepReadonly<T> | undefined, now: DeepReadonly<T> | undefined): void {
    for (const [name, index] of this.#indices) {
      const before = old === undefined ? NO_VALUES : this.#valuesOf(name, index, key, old, false);
      const after = now === undefined ? NO_VALUES : this.#valuesOf(name, index, key, now, true);
      if (before.length === 1 && after.length === 1 && before[0] === after[0]) continue;
      for (const value of before) {
        const keys = index.keysByValue.get(value);
        if (keys === undefined) continue;
        keys.delete(key);
        if (keys.size === 0) index.keysByValue.delete(value);
      }
      addAll(index, key, after);
    }
  }

  #put(name: string, index: Index<T>, key: string, object: DeepReadonly<T>): void {
    addAll(index, key, this.#valuesOf(name, index, key, object, true));
  }

  #valuesOf(
    name: string,
    index: Index<T>,
    key: string,
    object: DeepReadonly<T>,
    isReported: boolean,
  ): readonly string[] {
    try {
      return index.indexOf(object);
    } catch (thrown) {
      if (isReported) this.#onIndexError({ index: name, key, error: toError(thrown) });
      return NO_VALUES;
    }
  }
}

function addAll<T>(index: Index<T>, key: string, values: readonly string[]): void {
  for (const value of values) {
    const keys = index.keysByValue.get(value);
    if (keys === undefined) index.keysByValue.set(value, new Set([key]));
    else keys.add(key);
  }
}
