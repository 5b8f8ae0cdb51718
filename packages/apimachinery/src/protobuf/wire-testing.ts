// Bytes in protobuf's wire format, made without the engine: proper ones, odd ones that are allowed, and damaged ones.
import * as fc from 'fast-check';

/** A number of up to 64 bits in groups of seven, with as many groups that say nothing as `padding`, in at most `most`. */
export function varint(value: bigint, padding = 0, most = 10): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  do {
    bytes.push(Number(rest & 0x7fn));
    rest >>= 7n;
  } while (rest > 0n);
  for (let more = 0; more < padding && bytes.length < most; more++) bytes.push(0);
  return bytes.map((byte, index) => (index < bytes.length - 1 ? byte | 0x80 : byte));
}

const tag = (number: number, wireType: number, padding = 0): number[] =>
  varint(BigInt(number) * 8n + BigInt(wireType), padding, 5);
const sized = (bytes: readonly number[], padding = 0): number[] => [
  ...varint(BigInt(bytes.length), padding),
  ...bytes,
];

type Bytes = fc.Arbitrary<number[]>;

/** Allowed though no encoder writes it: seldom. */
const padding = fc.oneof(
  { weight: 9, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.nat({ max: 3 }) },
);
const numbers = fc.oneof(
  fc.constantFrom(
    0n,
    1n,
    127n,
    128n,
    -1n,
    2n ** 31n,
    2n ** 32n,
    2n ** 53n,
    -(2n ** 53n),
    2n ** 63n - 1n,
    -(2n ** 63n),
  ),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -5n, max: 300n }),
);
const text = fc.string({ unit: 'grapheme', maxLength: 6 }).map((value) => [...Buffer.from(value)]);
const raw = (length: number): Bytes =>
  fc.array(fc.nat({ max: 255 }), { minLength: length, maxLength: length });

/** The numbers of the fields of a message, by what is on the wire for them. */
export interface WireShape {
  readonly varints: readonly number[];
  readonly doubles: readonly number[];
  readonly texts: readonly number[];
  readonly packedVarints: readonly number[];
  readonly packedDoubles: readonly number[];
  /** Of the same shape. */
  readonly messages: readonly number[];
  readonly textMaps: readonly number[];
  /** Whose values are of the same shape. */
  readonly messageMaps: readonly number[];
  /** That nobody knows. */
  readonly unknown: readonly number[];
}

/** Any bytes that are a message of the shape. */
export function messageBytes(shape: WireShape): Bytes {
  return fc.letrec<{ message: number[]; group: number[] }>((tie) => {
    const field = (of: readonly number[], wireType: number, value: Bytes): Bytes =>
      fc
        .tuple(fc.constantFrom(...of), padding, value)
        .map(([number, pad, bytes]) => [...tag(number, wireType, pad), ...bytes]);
    const anyVarint = fc.tuple(numbers, padding).map(([value, pad]) => varint(value, pad));
    const length = (value: Bytes): Bytes => fc.tuple(value, padding).map(([bytes, pad]) => sized(bytes, pad));
    const list = (value: Bytes): Bytes => fc.array(value, { maxLength: 3 }).map((items) => items.flat());
    const message = tie('message');
    const entry = (value: Bytes): Bytes =>
      fc.tuple(fc.option(text), fc.option(value), fc.boolean()).map(([key, item, isTurned]) => {
        const parts = [
          key === null ? [] : [...tag(1, 2), ...sized(key)],
          item === null ? [] : [...tag(2, 2), ...sized(item)],
        ];
        return (isTurned ? parts.toReversed() : parts).flat();
      });
    const skipped = (of: readonly number[]): fc.Arbitrary<number[]>[] => [
      field(of, 0, anyVarint),
      field(of, 1, raw(8)),
      field(of, 2, length(text)),
      field(of, 5, raw(4)),
      fc
        .tuple(fc.constantFrom(...of), tie('group'))
        .map(([number, inner]) => [...tag(number, 3), ...inner, ...tag(number, 4)]),
    ];
    const fields = [
      field(shape.varints, 0, anyVarint),
      field(shape.doubles, 1, raw(8)),
      field(shape.texts, 2, length(text)),
      field(shape.packedVarints, 2, length(list(anyVarint))),
      field(shape.packedDoubles, 2, length(list(raw(8)))),
      field(shape.messages, 2, length(message)),
      field(shape.textMaps, 2, length(entry(text))),
      field(shape.messageMaps, 2, length(entry(message))),
      ...skipped(shape.unknown),
    ];
    return {
      message: fc
        .array(fc.oneof({ depthSize: 'small', withCrossShrink: true }, fc.constant([]), ...fields), {
          maxLength: 6,
          depthIdentifier: 'message',
        })
        .map((all) => all.flat()),
      group: fc
        .array(fc.oneof({ depthSize: 'small' }, fc.constant([]), ...skipped([1, 2, 300])), {
          maxLength: 3,
          depthIdentifier: 'message',
        })
        .map((all) => all.flat()),
    };
  }).message;
}

/** Bytes that were a message: one cut off, changed, left out or put in. */
export const damaged = (bytes: Bytes): Bytes =>
  fc
    .tuple(
      bytes,
      fc.nat(),
      fc.constantFrom('cut', 'set', 'drop', 'insert'),
      fc.oneof(fc.constantFrom(0x00, 0x7f, 0x80, 0xff, 0x0b, 0x0c), fc.nat({ max: 255 })),
    )
    .map(([given, where, what, byte]) => {
      const at = given.length === 0 ? 0 : where % given.length;
      const after = what === 'insert' ? at : at + 1;
      if (what === 'cut') return given.slice(0, at);
      return [...given.slice(0, at), ...(what === 'drop' ? [] : [byte]), ...given.slice(after)];
    });
