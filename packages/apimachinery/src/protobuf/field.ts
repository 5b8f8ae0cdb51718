import type { JsonValue } from '../object.ts';
import type { EmbeddableCodec, MessageCodec } from './codec.ts';
import type { Enumeration } from './enumeration.ts';

/** What a field holds, as a number to switch on. */
export const STRING = 0;
export const INT32 = 1;
/** Numbers past 2^53 lose their last digits, as they do in JSON. */
export const INT64 = 2;
export const BOOL = 3;
export const BYTES = 4;
export const DOUBLE = 5;
/** A number with a name, which is what the object shows. */
export const ENUM = 6;
/** Numbers past 2^53 are refused. */
export const SAFE_INT64 = 7;
export const MESSAGE = 8;
/** As they are, and not as text. */
export const RAW_BYTES = 9;
/** Of 64 bits, such as a random identity: shown as decimal digits. */
export const UINT64 = 10;

/** How often. */
export const SINGLE = 0;
export const REPEATED = 1;
export const MAP = 2;

/** apiVersion and kind, which JSON shows in some nested objects and the wire never has. */
export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * What becomes of one field. Kubernetes' objects follow Go's JSON (`go-field.ts`), the storage protocols follow proto3
 * (`grpc/src/protobuf/proto3-field.ts`); whoever makes a field decides all of it, so that the engine only asks.
 */
export interface FieldRules {
  readonly number: number;
  readonly name: string;
  readonly holds: number;
  readonly label: number;
  /** Of a message. */
  readonly codec?: MessageCodec | undefined;
  /** The codec, when the object around the message shows its fields. */
  readonly embedded?: EmbeddableCodec | undefined;
  /** Of an ENUM. */
  readonly enumeration?: Enumeration | undefined;
  readonly typeMeta?: TypeMeta | undefined;
  /** What is not there is not written; otherwise its zero value is. */
  readonly skipsAbsent: boolean;
  /** A value that is not written, as if it were not there. @default none */
  readonly skipped?: JsonValue | undefined;
  /** Null stands for the zero value in lists and maps; otherwise it is an error. */
  readonly nullIsZero: boolean;
  /** The object does not show the field when the wire has its empty value. */
  readonly hidesEmpty: boolean;
  /** The object shows the field, with `zero()`, when the wire does not have it. */
  readonly kept: boolean;
  /** What a field that is kept shows; fresh at each call. */
  readonly zero: () => JsonValue;
  /** The oneof that the field is a member of: the last one on the wire is alone there. */
  readonly oneof?: string | undefined;
}

/** A field, ready to be read and written. A class, so that all fields have one shape in memory. */
export class Field implements FieldRules {
  readonly number: number;
  readonly name: string;
  readonly holds: number;
  readonly label: number;
  readonly codec: MessageCodec | undefined;
  readonly embedded: EmbeddableCodec | undefined;
  readonly enumeration: Enumeration | undefined;
  readonly typeMeta: TypeMeta | undefined;
  readonly skipsAbsent: boolean;
  readonly skipped: JsonValue | undefined;
  readonly nullIsZero: boolean;
  readonly hidesEmpty: boolean;
  readonly kept: boolean;
  readonly zero: () => JsonValue;
  readonly oneof: string | undefined;

  constructor(rules: FieldRules) {
    this.number = rules.number;
    this.name = rules.name;
    this.holds = rules.holds;
    this.label = rules.label;
    this.codec = rules.codec;
    this.embedded = rules.embedded;
    this.enumeration = rules.enumeration;
    this.typeMeta = rules.typeMeta;
    this.skipsAbsent = rules.skipsAbsent;
    this.skipped = rules.skipped;
    this.nullIsZero = rules.nullIsZero;
    this.hidesEmpty = rules.hidesEmpty;
    this.kept = rules.kept;
    this.zero = rules.zero;
    this.oneof = rules.oneof;
  }
}
