import { randomBytes, randomInt } from 'node:crypto';
import { InvalidArgumentError } from './errors.ts';

/** Chance is a parameter: with a seeded Random everything that happens is reproducible. */
export interface Random {
  /** In [0, 1), in steps of 2^-32. */
  next(): number;
  /** A whole number in [0, bound); `bound` is a whole number from 1 to 2^32. */
  int(bound: number): number;
  bytes(length: number): Uint8Array;
  /** A version 4 UUID. */
  uuid(): string;
}

/** The machine's generator, fit for identities and secrets. */
export const systemRandom: Random = Object.freeze({
  next: () => randomInt(2 ** 32) / 2 ** 32,
  int: (bound: number) => randomInt(requireBound(bound)),
  bytes: (length: number) => new Uint8Array(randomBytes(length)),
  uuid: () => crypto.randomUUID(),
});

/**
 * Reproducible from its seed: the same seed gives the same sequence on every machine. Not for secrets.
 * The generator is sfc32: 128 bits of state, a handful of operations a number.
 */
export class SeededRandom implements Random {
  #a: number;
  #b: number;
  #c = 0x9e3779b9 | 0;
  #counter = 1;

  /** @param seed any finite number; all its bits count, so 1, 1.5 and 2 ** 60 are seeds of their own */
  constructor(seed: number) {
    if (!Number.isFinite(seed)) throw new InvalidArgumentError('seed', seed, 'a finite number');
    const bits = new DataView(new ArrayBuffer(8));
    // Adding 0 makes the two zeros one seed.
    bits.setFloat64(0, seed + 0);
    this.#a = bits.getInt32(0);
    this.#b = bits.getInt32(4);
    // As many rounds as the generator's author uses to spread 64 bits of seed over the whole state.
    for (let round = 0; round < 12; round++) this.#uint32();
  }

  next(): number {
    return this.#uint32() / 2 ** 32;
  }

  int(bound: number): number {
    return Math.floor(this.next() * requireBound(bound));
  }

  bytes(length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let index = 0; index < length; index++) bytes[index] = this.#uint32() & 0xff;
    return bytes;
  }

  uuid(): string {
    const bytes = this.bytes(16);
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    const hex = Buffer.from(bytes.buffer).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  // Each sum is cut to 32 bits, so that the state stays in small integers.
  #uint32(): number {
    const result = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + result) | 0;
    return result >>> 0;
  }
}

function requireBound(bound: number): number {
  if (Number.isInteger(bound) && bound >= 1 && bound <= 2 ** 32) return bound;
  throw new InvalidArgumentError('bound', bound, 'a whole number from 1 to 2^32');
}
