import type { JsonValue } from '../object.ts';
import type { EmbeddableCodec, MessageCodec } from './codec.ts';
import type { FieldFacts } from './message-table.ts';

/** What a field holds, as a number to switch on. */
export const STRING = 0;
export const INT32 = 1;
export const INT64 = 2;
export const BOOL = 3;
export const BYTES = 4;
export const DOUBLE = 5;
const MESSAGE = 6;
const SCALARS = 'silbyd';

/** How often. */
export const SINGLE = 0;
export const REPEATED = 1;
export const MAP = 2;

/** apiVersion and kind, which JSON shows in some nested objects and the wire never has. */
export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

/** A field, ready to be read and written: everything that is asked for each value is decided here. */
export class Field {
  readonly number: number;
  readonly name: string;
  readonly holds: number;
  readonly label: number;
  readonly pointer: boolean;
  /** JSON does not show the field when the wire has its empty value. */
  readonly hidesEmpty: boolean;
  /** JSON shows the field, with `zero()`, when the wire does not have it. */
  readonly kept: boolean;
  /** Undefined for scalars. */
  readonly codec: MessageCodec | undefined;
  /** The codec, when JSON shows the message's fields in the object around it. */
  readonly embedded: EmbeddableCodec | undefined;
  readonly typeMeta: TypeMeta | undefined;
  readonly #emptyList: boolean;

  constructor(
    facts: FieldFacts,
    codec: MessageCodec | undefined,
    extra: {
      readonly embedded?: EmbeddableCodec | undefined;
      readonly typeMeta?: TypeMeta | undefined;
      /** JSON shows an absent list as empty, not as null. */
      readonly emptyList?: boolean;
    } = {},
  ) {
    const isStruct = codec !== undefined && !codec.nilable && facts.label === 'single' && !facts.pointer;
    this.number = facts.number;
    this.name = facts.name;
    this.holds = codec === undefined ? SCALARS.indexOf(facts.type) : MESSAGE;
    this.label = facts.label === 'single' ? SINGLE : facts.label === 'repeated' ? REPEATED : MAP;
    this.pointer = facts.pointer;
    this.hidesEmpty = isStruct ? facts.omitZero : facts.omitEmpty && !facts.pointer;
    // Go never leaves a struct out for being empty.
    this.kept = isStruct ? !facts.omitZero && extra.embedded === undefined : !facts.omitEmpty;
    this.codec = codec;
    this.embedded = extra.embedded;
    this.typeMeta = extra.typeMeta;
    this.#emptyList = extra.emptyList ?? false;
    if (this.holds === -1) throw new Error(`field ${facts.name} has the unknown type "${facts.type}"`);
  }

  zero(): JsonValue {
    if (this.#emptyList) return [];
    if (this.label !== SINGLE || this.pointer || this.holds === BYTES) return null;
    if (this.codec !== undefined) return this.codec.nilable ? null : this.codec.zero();
    return this.holds === STRING ? '' : this.holds === BOOL ? false : 0;
  }
}
