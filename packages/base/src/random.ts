import { randomBytes, randomInt } from 'node:crypto';

/** Chance is a parameter: with a seeded Random everything that happens is reproducible. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number in [0, bound). */
  int(bound: number): number;
  bytes(length: number): Uint8Array;
  /** A version 4 UUID. */
  uuid(): string;
}

/** The machine's generator, fit for identities and secrets. */
export const systemRandom: Random = Object.freeze({
  next: () => randomInt(2 ** 32) / 2 ** 32,
  int: (bound: number) => randomInt(bound),
  bytes: (length: number) => new Uint8Array(randomBytes(length)),
  uuid: () => crypto.randomUUID(),
});

/**
 * Reproducible from its seed: the same seed gives the same sequence on every machine. Not for secrets.
 * The generator is sfc32: 128 bits of state, four operations a number.
 */
export class SeededRandom implements Random {
  #a: number;
  #b: number;
  #c: number;
  #counter: number;

  constructor(seed: number) {
    this.#a = seed | 0;
    this.#b = (seed / 2 ** 32) | 0;
    this.#c = 0x9e3779b9;
    this.#counter = 1;
    for (let round = 0; round < 12; round++) this.#uint32();
  }

  next(): number {
    return this.#uint32() / 2 ** 32;
  }

  int(bound: number): number {
    return Math.floor(this.next() * bound);
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

  #uint32(): number {
    const result = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + result;
    return result >>> 0;
  }
}
