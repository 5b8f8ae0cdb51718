import { InvalidSelectorError } from '../errors.ts';
import type { DeepReadonly, KubeObject } from '../object.ts';
import { parseShardRanges } from './shard-selector-parser.ts';

/** By which field objects are spread over shards. */
export type ShardField = 'object.metadata.uid' | 'object.metadata.namespace';

/** Part of the hashes of a field: from `start` on, and before `end`. Both are `0x` and 16 digits; 2^64 has 17. */
export interface ShardRange {
  readonly field: ShardField;
  readonly start: string;
  readonly end: string;
}

/** FNV-1a of 64 bits, in two halves: numbers are exact up to 53 bits only. */
interface Hash {
  readonly high: number;
  readonly low: number;
}

interface Bounds {
  readonly start: Hash;
  readonly end: Hash;
}

const HALF = 2 ** 32;
const HALF_DIGITS = 8;
const HASH_DIGITS = 16;
const ALL_HASHES = 1n << 64n;
/** The prime is 2^40 and this. */
const PRIME_LOW = 0x1b3;
const PRIME_SHIFT = 8;
const OFFSET: Hash = { high: 0xcbf29ce4, low: 0x84222325 };

const encoder = new TextEncoder();

/**
 * Which objects are meant, by the hash of their uid or namespace: `shardSelector` of a list or a watch (KEP-5866).
 * Of n selectors that together have all hashes, each object matches one. Immutable.
 */
export class ShardSelector {
  readonly ranges: readonly ShardRange[];
  readonly #field: ShardField;
  readonly #bounds: readonly Bounds[];

  private constructor(ranges: readonly [ShardRange, ...ShardRange[]]) {
    this.ranges = ranges;
    this.#field = ranges[0].field;
    this.#bounds = ranges.map(({ start, end }) => ({ start: hashOf(start), end: hashOf(end) }));
  }

  /**
   * The text of `?shardSelector=`.
   * @throws InvalidSelectorError that says what is wrong with it
   */
  static parse(text: string): ShardSelector {
    return new ShardSelector(parseShardRanges(text));
  }

  /** One of `count` shards of the same size, the first of which is 0. */
  static part(field: ShardField, index: number, count: number): ShardSelector {
    if (!(Number.isInteger(count) && Number.isInteger(index) && count > 0 && index >= 0 && index < count))
      throw new InvalidSelectorError(`there is no shard ${index} of ${count}: the first is 0`);
    const at = (part: number): string => hex((ALL_HASHES * BigInt(part)) / BigInt(count));
    return new ShardSelector([{ field, start: at(index), end: at(index + 1) }]);
  }

  matches(object: DeepReadonly<KubeObject>): boolean {
    const { metadata } = object;
    return this.includes((this.#field === 'object.metadata.uid' ? metadata?.uid : metadata?.namespace) ?? '');
  }

  /** Whether the hash of the value, a uid or a namespace, is in one of the ranges. */
  includes(value: string): boolean {
    const hash = fnv1a(value);
    return this.#bounds.some(({ start, end }) => !isBelow(hash, start) && isBelow(hash, end));
  }

  /** `shardRange(object.metadata.uid, '0x…', '0x…')`, several with `||` between them. */
  toString(): string {
    return this.ranges
      .map(({ field, start, end }) => `shardRange(${field}, '${start}', '${end}')`)
      .join(' || ');
  }
}

const NOT_ASCII = /[^\0-\x7f]/;

function fnv1a(text: string): Hash {
  // Names and uids are ASCII. Other texts count as the bytes of their UTF-8, which are made a text of bytes here.
  const bytes = NOT_ASCII.test(text) ? String.fromCharCode(...encoder.encode(text)) : text;
  let { high, low } = OFFSET;
  for (let index = 0; index < bytes.length; index++) {
    low = (low ^ bytes.charCodeAt(index)) >>> 0;
    const product = low * PRIME_LOW;
    high = (high * PRIME_LOW + Math.floor(product / HALF) + low * 2 ** PRIME_SHIFT) % HALF;
    low = product % HALF;
  }
  return { high, low };
}

function isBelow(one: Hash, other: Hash): boolean {
  return one.high === other.high ? one.low < other.low : one.high < other.high;
}

function hashOf(digits: string): Hash {
  const text = digits.slice('0x'.length);
  const split = text.length - HALF_DIGITS;
  return { high: Number.parseInt(text.slice(0, split), 16), low: Number.parseInt(text.slice(split), 16) };
}

function hex(value: bigint): string {
  return `0x${value.toString(16).padStart(HASH_DIGITS, '0')}`;
}
