// Fields by the rules of proto3: zero values are not on the wire and are there again when read; messages, wrappers and
// members of a oneof may be absent.
import {
  BOOL,
  BYTES,
  DOUBLE,
  ENUM,
  Enumeration,
  Field,
  INT32,
  INT64,
  MAP,
  MESSAGE,
  type MessageCodec,
  RAW_BYTES,
  REPEATED,
  SAFE_INT64,
  SINGLE,
  STRING,
  UINT64,
} from '@windlass/apimachinery/protobuf';
import type { FieldFacts } from './table.ts';

/** What a field holds, and its zero value. */
type Kind = readonly [holds: number, zero: string | number | boolean | null];

const NO_BYTES = Buffer.alloc(0);

/** By their letter in the table: what they hold, and their zero value. */
const SCALARS: Readonly<Record<string, Kind>> = {
  s: [STRING, ''],
  b: [BOOL, false],
  i: [INT32, 0],
  l: [SAFE_INT64, 0],
  u: [UINT64, '0'],
  y: [RAW_BYTES, null],
  // As those see them who do not count with them: counters of containers may be the largest number there is.
  n: [INT64, 0],
  d: [DOUBLE, 0],
  x: [BYTES, ''],
};

function kindOf(facts: FieldFacts, type: MessageCodec | Enumeration | undefined): Kind {
  if (type instanceof Enumeration) return [ENUM, type.zero];
  if (type !== undefined) return [MESSAGE, null];
  const scalar = SCALARS[facts.type];
  if (scalar === undefined) throw new Error(`${facts.name} has the unknown type "${facts.type}"`);
  return scalar;
}

/** @param type the codec of a message, the names of an enum; undefined for a scalar */
export function proto3Field(facts: FieldFacts, type: MessageCodec | Enumeration | undefined): Field {
  const codec = type instanceof Enumeration ? undefined : type;
  const enumeration = type instanceof Enumeration ? type : undefined;
  const [holds, zero] = kindOf(facts, type);
  if (facts.label === 'map' && facts.type !== 's')
    throw new Error(`${facts.name}: maps of anything but text are not supported`);
  const hasPresence = facts.label === 'single' && (facts.oneof !== undefined || codec !== undefined);
  const rules = { number: facts.number, name: facts.name, holds, codec, enumeration, oneof: facts.oneof };
  const common = { skipsAbsent: true, nullIsZero: false, hidesEmpty: false, kept: !hasPresence };
  if (facts.label === 'repeated') return new Field({ ...rules, ...common, label: REPEATED, zero: () => [] });
  if (facts.label === 'map') return new Field({ ...rules, ...common, label: MAP, zero: () => ({}) });
  const skipped = hasPresence ? undefined : zero;
  if (holds === RAW_BYTES) {
    // Empty bytes are written, which protobuf allows: they mean the same as none. The types of a protocol say what it is.
    const empty = NO_BYTES as unknown as null;
    return new Field({ ...rules, ...common, label: SINGLE, zero: () => empty });
  }
  return new Field({ ...rules, ...common, label: SINGLE, skipped, zero: () => zero });
}
