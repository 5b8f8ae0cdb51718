// Fields as Go's encoders treat them: what is no pointer is on the wire even when it is zero, and the tags of the Go
// types say what JSON shows.
import type { JsonValue } from '../object.ts';
import type { EmbeddableCodec, MessageCodec } from './codec.ts';
import { BOOL, BYTES, Field, MAP, MESSAGE, REPEATED, SINGLE, STRING, type TypeMeta } from './field.ts';
import type { FieldFacts } from './message-table.ts';

/** The letters of the table, in the order of what they hold. */
const SCALARS = 'silbyd';

export interface GoFieldOptions {
  /** The codec, when JSON shows the message's fields in the object around it. */
  readonly embedded?: EmbeddableCodec | undefined;
  readonly typeMeta?: TypeMeta | undefined;
  /** JSON shows an absent list as empty, not as null. @default false */
  readonly emptyList?: boolean;
}

/** @param codec undefined for scalars */
export function goField(
  facts: FieldFacts,
  codec: MessageCodec | undefined,
  { embedded, typeMeta, emptyList = false }: GoFieldOptions = {},
): Field {
  const isStruct = codec !== undefined && !codec.nilable && facts.label === 'single' && !facts.pointer;
  const label = facts.label === 'single' ? SINGLE : facts.label === 'repeated' ? REPEATED : MAP;
  const holds = codec === undefined ? SCALARS.indexOf(facts.type) : MESSAGE;
  if (holds === -1) throw new Error(`field ${facts.name} has the unknown type "${facts.type}"`);
  const zero = (): JsonValue => {
    if (emptyList) return [];
    if (label !== SINGLE || facts.pointer || holds === BYTES) return null;
    if (codec !== undefined) return codec.nilable ? null : codec.zero();
    return holds === STRING ? '' : holds === BOOL ? false : 0;
  };
  return new Field({
    number: facts.number,
    name: facts.name,
    holds,
    label,
    codec,
    embedded,
    typeMeta,
    skipsAbsent: label !== SINGLE || facts.pointer || codec?.nilable === true,
    nullIsZero: true,
    hidesEmpty: isStruct ? facts.omitZero : facts.omitEmpty && !facts.pointer,
    // Go never leaves a struct out for being empty.
    kept: isStruct ? !facts.omitZero && embedded === undefined : !facts.omitEmpty,
    zero,
  });
}
