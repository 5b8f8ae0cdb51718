import { ProtobufEncodeError, type WireReader, type WireWriter } from '@windlass/apimachinery';
import type { MessageCodec } from './message-codec.ts';
import type { FieldFacts } from './table.ts';

/** A message that is being built or read: what the generated types describe. */
export type Message = Record<string, unknown>;

export function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Wire types. */
export const VARINT = 0;
export const LENGTH = 2;

/** What stands behind one letter of the table. */
export interface ValueCodec {
  readonly isVarint: boolean;
  /** Left out on the wire, and filled in when it is not there. Undefined: absent is a value of its own. */
  readonly zero: unknown;
  read(reader: WireReader, end: number, before: unknown): unknown;
  /** Without its tag. */
  write(writer: WireWriter, value: unknown): void;
  readonly message?: MessageCodec;
}

export class Field {
  readonly number: number;
  readonly name: string;
  readonly label: FieldFacts['label'];
  readonly secret: boolean;
  readonly oneof: string | undefined;
  readonly isVarint: boolean;
  readonly #value: ValueCodec;

  constructor(facts: FieldFacts, value: ValueCodec) {
    this.number = facts.number;
    this.name = facts.name;
    this.label = facts.label;
    this.secret = facts.secret;
    this.oneof = facts.oneof;
    this.isVarint = value.isVarint;
    this.#value = value;
    const plain = facts.label === 'single' || value.message !== undefined || facts.type === 's';
    if (!plain || (facts.label === 'map' && facts.type !== 's'))
      throw new Error(`${facts.name}: lists of numbers and maps of anything but text are not supported`);
  }

  get codec(): MessageCodec | undefined {
    return this.#value.message;
  }

  setDefault(target: Message): void {
    if (this.label === 'repeated') target[this.name] = [];
    else if (this.label === 'map') target[this.name] = {};
    else if (this.oneof === undefined && this.#value.zero !== undefined) target[this.name] = this.#value.zero;
  }

  read(reader: WireReader, end: number, before: unknown): unknown {
    return this.#value.read(reader, end, before);
  }

  write(writer: WireWriter, value: unknown): void {
    if (this.label === 'map') this.#writeMap(writer, value);
    else if (this.label === 'repeated') this.#writeList(writer, value);
    else if (this.oneof !== undefined || value !== this.#value.zero) this.#writeOne(writer, value);
  }

  #writeOne(writer: WireWriter, value: unknown): void {
    this.#value.write(writer, value);
    writer.tag(this.number, this.isVarint ? VARINT : LENGTH);
  }

  #writeList(writer: WireWriter, value: unknown): void {
    if (!Array.isArray(value)) throw ProtobufEncodeError.type(value, 'a list');
    for (let index = value.length - 1; index >= 0; index--) {
      try {
        this.#writeOne(writer, value[index]);
      } catch (error) {
        throw ProtobufEncodeError.within(`[${index}]`, error);
      }
    }
  }

  /** Sorted, so that one message always gives the same bytes. */
  #writeMap(writer: WireWriter, value: unknown): void {
    if (!isMessage(value)) throw ProtobufEncodeError.type(value, 'a map');
    for (const key of Object.keys(value).sort().reverse()) {
      const since = writer.length;
      try {
        this.#value.write(writer, value[key]);
      } catch (error) {
        throw ProtobufEncodeError.within(`[${JSON.stringify(key)}]`, error);
      }
      writer.tag(2, LENGTH);
      writer.string(key);
      writer.tag(1, LENGTH);
      writer.lengthSince(since);
      writer.tag(this.number, LENGTH);
    }
  }
}

/** One entry of a map of texts. */
export function readEntry(reader: WireReader, end: number, map: Message): void {
  const stop = reader.lengthEnd(end);
  let key = '';
  let value = '';
  while (reader.position < stop) {
    const tag = reader.tag();
    if (tag === 10) key = reader.string(stop);
    else if (tag === 18) value = reader.string(stop);
    else reader.skip(tag & 7, stop);
  }
  reader.checkEnd(stop);
  // Keys come from strangers, and `__proto__` is not like the others.
  Object.defineProperty(map, key, { value, writable: true, enumerable: true, configurable: true });
}
