import type { Cached, KubeObject } from '@windlass/apimachinery';
import { toError } from '@windlass/base';

/** The values under which an object is found. Must be deterministic, and must not change the object. */
export type IndexFunction<T extends KubeObject> = (object: Cached<T>) => readonly string[];

const NO_VALUES: readonly string[] = Object.freeze([]);
const NO_KEYS: ReadonlySet<string> = new Set();

/** One index: for each value the keys of the objects that have it. */
export class IndexTable<T extends KubeObject> {
  readonly indexOf: IndexFunction<T>;
  /** No value maps to an empty set: what is gone leaves nothing behind. */
  readonly #keysByValue = new Map<string, Set<string>>();
  readonly #onError: (key: string, error: Error) => void;

  constructor(indexOf: IndexFunction<T>, onError: (key: string, error: Error) => void) {
    this.indexOf = indexOf;
    this.#onError = onError;
  }

  keys(value: string): ReadonlySet<string> {
    return this.#keysByValue.get(value) ?? NO_KEYS;
  }

  values(): string[] {
    return [...this.#keysByValue.keys()];
  }

  update(key: string, old: Cached<T> | undefined, now: Cached<T> | undefined): void {
    const before = old === undefined ? NO_VALUES : this.#valuesOf(key, old, false);
    const after = now === undefined ? NO_VALUES : this.#valuesOf(key, now, true);
    if (before.length === 1 && after.length === 1 && before[0] === after[0]) return;
    for (const value of before) this.#remove(key, value);
    for (const value of after) this.#add(key, value);
  }

  #add(key: string, value: string): void {
    const keys = this.#keysByValue.get(value);
    if (keys === undefined) this.#keysByValue.set(value, new Set([key]));
    else keys.add(key);
  }

  #remove(key: string, value: string): void {
    const keys = this.#keysByValue.get(value);
    if (keys === undefined) return;
    keys.delete(key);
    if (keys.size === 0) this.#keysByValue.delete(value);
  }

  /** Of the old object nothing is reported: that was done when it came. */
  #valuesOf(key: string, object: Cached<T>, isReported: boolean): readonly string[] {
    try {
      return this.indexOf(object);
    } catch (thrown) {
      if (isReported) this.#onError(key, toError(thrown));
      return NO_VALUES;
    }
  }
}
