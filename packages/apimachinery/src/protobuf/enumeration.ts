import { ProtobufEncodeError } from './errors.ts';

/** The names of an enum's numbers. */
export class Enumeration {
  readonly #names: ReadonlyMap<number, string>;
  readonly #numbers: ReadonlyMap<string, number>;
  /** The name of 0, which in proto3 says "unknown". */
  readonly zero: string;

  constructor(names: ReadonlyMap<number, string>) {
    this.#names = names;
    this.#numbers = new Map([...names].map(([number, name]) => [name, number]));
    this.zero = names.get(0) ?? '';
  }

  /** A number of a newer protocol reads as that of 0. */
  nameOf(number: number): string {
    return this.#names.get(number) ?? this.zero;
  }

  /** @throws ProtobufEncodeError */
  numberOf(name: unknown): number {
    const number = typeof name === 'string' ? this.#numbers.get(name) : undefined;
    if (number === undefined)
      throw ProtobufEncodeError.type(name, `one of ${[...this.#numbers.keys()].join(', ')}`);
    return number;
  }
}
