import type { Cached, KubeObject } from '@windlass/apimachinery';
import { IndexConflictError, UnknownIndexError } from '../errors.ts';
import { type IndexFunction, IndexTable } from './index-table.ts';

/** The functions that give the values of each index, by its name. */
export type Indexers<T extends KubeObject> = Readonly<Record<string, IndexFunction<T>>>;

export interface IndexError {
  readonly index: string;
  readonly key: string;
  readonly error: Error;
}

/**
 * Reading side of the cache. What it answers is the cache itself: shared by everyone, never to be
 * changed. Lists come in the order in which the keys first appeared, and are the caller's to keep.
 */
export interface ReadIndexer<T extends KubeObject> {
  readonly size: number;
  get(key: string): Cached<T> | undefined;
  has(key: string): boolean;
  list(): Cached<T>[];
  keys(): string[];
  /** Without a copy: to be used up before anything is awaited. */
  values(): IterableIterator<Cached<T>>;
  /** Objects whose index function gave this value. Throws for an index that is not there. */
  byIndex(index: string, value: string): Cached<T>[];
  indexKeys(index: string, value: string): string[];
  /** Every value that some object has. */
  indexValues(index: string): string[];
  hasIndex(index: string): boolean;
}

/**
 * Objects by key, and by any number of named indices.
 *
 * get: O(1). set, delete: O(indices). byIndex: O(matches). An index function that throws puts the object
 * under no value of that index and is reported; the object is stored all the same. A lazy index costs
 * nothing until it is first asked for.
 */
export class Indexer<T extends KubeObject> implements ReadIndexer<T> {
  #objects = new Map<string, Cached<T>>();
  readonly #indices = new Map<string, IndexTable<T>>();
  readonly #lazy: Map<string, IndexFunction<T>>;
  readonly #onIndexError: (error: IndexError) => void;

  constructor(
    options: {
      readonly indexers?: Indexers<T>;
      readonly lazyIndexers?: Indexers<T>;
      readonly onIndexError?: (error: IndexError) => void;
    } = {},
  ) {
    this.#onIndexError = options.onIndexError ?? (() => {});
    this.#lazy = new Map(Object.entries(options.lazyIndexers ?? {}));
    this.addIndexers(options.indexers ?? {});
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): Cached<T> | undefined {
    return this.#objects.get(key);
  }

  has(key: string): boolean {
    return this.#objects.has(key);
  }

  list(): Cached<T>[] {
    return [...this.#objects.values()];
  }

  keys(): string[] {
    return [...this.#objects.keys()];
  }

  values(): IterableIterator<Cached<T>> {
    return this.#objects.values();
  }

  entries(): IterableIterator<[string, Cached<T>]> {
    return this.#objects.entries();
  }

  byIndex(index: string, value: string): Cached<T>[] {
    const found: Cached<T>[] = [];
    for (const key of this.#index(index).keys(value)) {
      const object = this.#objects.get(key);
      if (object !== undefined) found.push(object);
    }
    return found;
  }

  indexKeys(index: string, value: string): string[] {
    return [...this.#index(index).keys(value)];
  }

  indexValues(index: string): string[] {
    return this.#index(index).values();
  }

  hasIndex(index: string): boolean {
    return this.#indices.has(index) || this.#lazy.has(index);
  }

  /** May be called at any time: what is stored already is indexed at once. All or none are added. */
  addIndexers(indexers: Indexers<T>): void {
    for (const [name, indexOf] of Object.entries(indexers)) {
      const existing = this.#indices.get(name)?.indexOf ?? this.#lazy.get(name);
      if (existing !== undefined && existing !== indexOf) throw new IndexConflictError(name);
    }
    for (const [name, indexOf] of Object.entries(indexers)) this.#build(name, indexOf);
  }

  /** @param old what is there now: the caller has looked, and a second look is not free */
  set(key: string, object: Cached<T>, old = this.#objects.get(key)): void {
    this.#objects.set(key, object);
    if (this.#indices.size > 0) this.#reindex(key, old, object);
  }

  /** Answers what was there before. */
  delete(key: string): Cached<T> | undefined {
    const old = this.#objects.get(key);
    if (old === undefined) return undefined;
    this.#objects.delete(key);
    if (this.#indices.size > 0) this.#reindex(key, old, undefined);
    return old;
  }

  /** Takes the map over as its own, where there is nothing yet: the first list is stored without a copy. */
  adopt(objects: Map<string, Cached<T>>): void {
    if (this.#objects.size > 0) throw new TypeError('an indexer that holds objects cannot adopt others');
    this.#objects = objects;
    if (this.#indices.size === 0) return;
    for (const [key, object] of objects) this.#reindex(key, undefined, object);
  }

  #index(name: string): IndexTable<T> {
    const index = this.#indices.get(name);
    if (index !== undefined) return index;
    const lazy = this.#lazy.get(name);
    if (lazy === undefined)
      throw new UnknownIndexError(name, [...this.#indices.keys(), ...this.#lazy.keys()]);
    return this.#build(name, lazy);
  }

  #build(name: string, indexOf: IndexFunction<T>): IndexTable<T> {
    const existing = this.#indices.get(name);
    if (existing !== undefined) return existing;
    const index = new IndexTable(indexOf, (key, error) => this.#onIndexError({ index: name, key, error }));
    for (const [key, object] of this.#objects) index.update(key, undefined, object);
    this.#indices.set(name, index);
    this.#lazy.delete(name);
    return index;
  }

  #reindex(key: string, old: Cached<T> | undefined, now: Cached<T> | undefined): void {
    for (const index of this.#indices.values()) index.update(key, old, now);
  }
}
