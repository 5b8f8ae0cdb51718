import { deepEqual } from '../json/deep-equal.ts';
import { isDeeperThan } from '../json/json-depth.ts';
import type { JsonObject } from '../json/json-object.ts';
import { isJsonObject, setOwn } from '../json/json-object.ts';
import { wideJson } from '../json/wide-json.ts';
import type { JsonValue } from '../object.ts';
import { JsonPatchError } from './json-patch-errors.ts';
import type { Container } from './json-patch-pointer.ts';
import { arrayPosition, childOf, parseIndex, pointerTokens } from './json-patch-pointer.ts';

export interface JsonPatchBudget {
  /** How much JSON, in bytes, all copies together may add. */
  readonly maxCopyBytes: number;
  /** How many elements of arrays all insertions and removals together may move aside. */
  readonly maxMoves: number;
  /** How deep a value may be nested that is copied. */
  readonly maxDepth: number;
}

/**
 * A document under patching: copy on write. A container that this patch made is in `#owned` and may be
 * written; any other may be shared with the caller's document, an operation's value or a copy. An owned container
 * hangs at one place, and all above it are owned. Each place is made writable at most once for each time that its
 * bytes were charged to a copy, however many operations there are.
 */
export class JsonPatchDocument {
  #root: JsonValue;
  readonly #owned = new WeakSet<Container>();
  #copied = 0;
  #moved = 0;
  readonly #budget: JsonPatchBudget;

  constructor(root: JsonValue, budget: JsonPatchBudget) {
    this.#root = root;
    this.#budget = budget;
  }

  get root(): JsonValue {
    return this.#root;
  }

  add(path: string, value: JsonValue, operation: number): void {
    const { container, key } = this.#open(path, operation);
    if (!Array.isArray(container)) return setOwn(container, key, value);
    const grown = container.length + 1;
    const position = key === '-' ? container.length : arrayPosition(key, grown);
    if (position === undefined) throw indexError(key, container.length, path, operation);
    this.#move(container.length - position, operation);
    container.splice(position, 0, value);
  }

  remove(path: string, operation: number): void {
    const { container, key } = this.#open(path, operation);
    if (Array.isArray(container)) {
      const position = arrayPosition(key, container.length);
      if (position === undefined) throw indexError(key, container.length, path, operation);
      this.#move(container.length - position, operation);
      container.splice(position, 1);
    } else {
      if (childOf(container, key) === undefined) throw missing(path, operation);
      delete container[key];
    }
  }

  replace(path: string, value: JsonValue, operation: number): void {
    if (path === '') {
      if (typeof value !== 'object' || value === null)
        throw new JsonPatchError(
          'invalid-value',
          'the whole document may only become an object or an array',
          operation,
        );
      this.#root = value;
      return;
    }
    const { container, key } = this.#open(path, operation);
    if (!Array.isArray(container)) return setOwn(container, key, value);
    const position = arrayPosition(key, container.length);
    if (position === undefined) throw indexError(key, container.length, path, operation);
    container[position] = value;
  }

  move(from: string, path: string, operation: number): void {
    const value = this.#read(from, operation);
    if (value === undefined) throw missing(from, operation);
    this.remove(from, operation);
    this.add(path, value, operation);
  }

  copy(from: string, path: string, operation: number): void {
    const value = this.#read(from, operation) ?? null;
    // What was moved together may be deeper than whatever was sent; text and copy are made by recursion.
    const { maxDepth } = this.#budget;
    if (isDeeperThan(value, maxDepth))
      throw new JsonPatchError(
        'too-deep',
        `the copied value is nested more than ${maxDepth} deep`,
        operation,
      );
    this.#copied += wideJson(value).length;
    const { maxCopyBytes } = this.#budget;
    if (this.#copied > maxCopyBytes)
      throw new JsonPatchError(
        'copy-limit',
        `the copies add ${this.#copied} bytes, which exceeds the limit of ${maxCopyBytes}`,
        operation,
      );
    this.#share(value);
    this.add(path, value, operation);
  }

  /**
   * A value that hangs at two places is written at neither: whoever changes one copies it first. Reading its text cost
   * more than this walk.
   */
  #share(value: JsonValue): void {
    if (typeof value !== 'object' || value === null || !this.#owned.delete(value)) return;
    if (Array.isArray(value)) for (const item of value) this.#share(item);
    else for (const name in value) this.#share(value[name] ?? null);
  }

  /** An array is moved aside element by element; ten thousand insertions before a million would take seconds. */
  #move(elements: number, operation: number): void {
    const { maxMoves } = this.#budget;
    this.#moved += elements;
    if (this.#moved > maxMoves)
      throw new JsonPatchError(
        'move-limit',
        `the insertions into arrays and the removals from them move more than ${maxMoves} elements; append with "-", or replace the whole array`,
        operation,
      );
  }

  test(path: string, expected: JsonValue, operation: number): void {
    const actual = path === '' ? this.#root : (this.#read(path, operation) ?? null);
    if (!deepEqual(actual, expected))
      throw new JsonPatchError('test-failed', `the value at "${path}" is not the expected one`, operation);
  }

  /** An absent key of an object is undefined; an absent parent or index is an error, as upstream. */
  #read(path: string, operation: number): JsonValue | undefined {
    const tokens = pointerTokens(path);
    let current: JsonValue | undefined = this.#root;
    if (tokens === undefined) throw missing(path, operation);
    for (const token of tokens) {
      if (typeof current !== 'object' || current === null) throw missing(path, operation);
      const child: JsonValue | undefined = childOf(current, token);
      if (child === undefined && Array.isArray(current))
        throw indexError(token, current.length, path, operation);
      current = child;
    }
    return current;
  }

  /** The container that holds the last token, made writable along with all above it. */
  #open(path: string, operation: number): { container: Container; key: string } {
    const tokens = pointerTokens(path);
    const key = tokens?.pop();
    if (tokens === undefined || key === undefined) throw missing(path, operation);
    let container = this.#writable(this.#root, path, operation);
    this.#root = container;
    for (const token of tokens) {
      const child = this.#writable(childOf(container, token), path, operation);
      if (Array.isArray(container)) container[arrayPosition(token, container.length) ?? 0] = child;
      else setOwn(container, token, child);
      container = child;
    }
    return { container, key };
  }

  #writable(value: JsonValue | undefined, path: string, operation: number): Container {
    if (typeof value !== 'object' || value === null) throw missing(path, operation);
    if (this.#owned.has(value)) return value;
    const copy: Container = isJsonObject(value) ? copyObject(value) : value.slice();
    this.#owned.add(copy);
    return copy;
  }
}

function copyObject(object: JsonObject): JsonObject {
  return { ...object };
}

function missing(path: string, operation: number): JsonPatchError {
  return new JsonPatchError('missing-path', `the document has nothing at "${path}"`, operation);
}

function indexError(token: string, length: number, path: string, operation: number): JsonPatchError {
  const why = Number.isNaN(parseIndex(token)) ? 'is no array index' : `is outside an array of ${length}`;
  return new JsonPatchError('invalid-index', `"${token}" in "${path}" ${why}`, operation);
}
