/** An unsigned integer of 64 bits. */
export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    if (value < 0n || value > MAX_UINT) throw new Error('unsigned integer overflow');
    this.value = value;
  }

  /** For comparisons with `<`. */
  valueOf(): bigint {
    return this.value;
  }

  toString(): string {
    return String(this.value);
  }
}

export const MAX_UINT = 2n ** 64n - 1n;
export const MAX_INT = 2n ** 63n - 1n;
export const MIN_INT = -(2n ** 63n);

/** @throws Error for more than 64 bits */
export function asInt(value: bigint): bigint {
  if (value < MIN_INT || value > MAX_INT) throw new Error('integer overflow');
  return value;
}

/** A value that may be absent. */
export class Optional {
  static readonly #none = new Optional(undefined);
  readonly #value: unknown;

  private constructor(value: unknown) {
    this.#value = value;
  }

  static of(value: unknown): Optional {
    return value === undefined ? Optional.#none : new Optional(value);
  }

  static none(): Optional {
    return Optional.#none;
  }

  hasValue(): boolean {
    return this.#value !== undefined;
  }

  value(): unknown {
    if (this.#value === undefined) throw new Error('optional.none() dereference');
    return this.#value;
  }

  /** Undefined when there is none. */
  get inner(): unknown {
    return this.#value;
  }
}

const UNITS: Readonly<Record<string, bigint>> = {
  h: 3_600_000_000_000n,
  m: 60_000_000_000n,
  s: 1_000_000_000n,
  ms: 1_000_000n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ns: 1n,
};

/** A length of time, exact to the nanosecond. */
export class Duration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    if (nanos < MIN_INT || nanos > MAX_INT) throw new Error('duration overflow');
    this.nanos = nanos;
  }

  /** As Go writes it: `1h30m`, `1.5s`. @throws Error */
  static parse(text: string): Duration {
    const match = /^([+-]?)((?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+|0)$/.exec(text);
    if (match === null) throw new Error(`invalid duration string "${text}"`);
    let nanos = 0n;
    for (const [, whole = '', fraction = '', unit = ''] of (match[2] ?? '').matchAll(
      /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/g,
    )) {
      const size = UNITS[unit] ?? 0n;
      nanos += BigInt(whole === '' ? '0' : whole) * size;
      if (fraction !== '') nanos += (BigInt(fraction) * size) / 10n ** BigInt(fraction.length);
    }
    return new Duration(match[1] === '-' ? -nanos : nanos);
  }

  valueOf(): bigint {
    return this.nanos;
  }

  /** In seconds: `90s`, `1.5s`. */
  toString(): string {
    const size = this.nanos < 0n ? -this.nanos : this.nanos;
    const fraction = String(size % 1_000_000_000n)
      .padStart(9, '0')
      .replace(/0+$/, '');
    const text = `${size / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}s`;
    return this.nanos < 0n ? `-${text}` : text;
  }
}

/** The type of a value, as a value: `type(1)`, `int`. */
export class TypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}
