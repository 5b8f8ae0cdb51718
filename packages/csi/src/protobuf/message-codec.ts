import { ProtobufEncodeError, WireReader, WireWriter } from '@windlass/apimachinery';
import { type Field, isMessage, LENGTH, type Message, readEntry, VARINT } from './field.ts';

/** Nothing in the protocols nests deeper than five. */
const MAX_DEPTH = 32;

/**
 * One message of a protocol, in both directions. Decoding fills in what proto3 leaves out: scalars,
 * lists and maps are always there, messages and members of a oneof only when they were sent.
 */
export class MessageCodec {
  /** `csi.v1.Volume` */
  readonly name: string;
  readonly #fields: readonly Field[];
  readonly #byNumber = new Map<number, Field>();
  readonly #names = new Set<string>();

  constructor(name: string, fields: readonly Field[]) {
    this.name = name;
    this.#fields = fields;
    for (const field of fields) {
      this.#byNumber.set(field.number, field);
      this.#names.add(field.name);
    }
  }

  /** @throws ProtobufDecodeError */
  decode(bytes: Uint8Array): Message {
    const reader = new WireReader(bytes, this.name, MAX_DEPTH);
    const message: Message = {};
    this.read(reader, bytes.length, message);
    return message;
  }

  /** @throws ProtobufEncodeError */
  encode(message: unknown): Uint8Array {
    const writer = new WireWriter({ capacity: 256 });
    this.write(writer, message);
    return writer.finish();
  }

  /** Without what the protocol calls a secret, for logs. The message itself stays as it is. */
  redact(message: unknown): unknown {
    if (!isMessage(message)) return message;
    const shown: Message = {};
    for (const field of this.#fields) {
      const value = message[field.name];
      if (value === undefined || field.secret) continue;
      const { codec } = field;
      if (codec === undefined) shown[field.name] = value;
      else
        shown[field.name] = Array.isArray(value)
          ? value.map((item) => codec.redact(item))
          : codec.redact(value);
    }
    return shown;
  }

  read(reader: WireReader, end: number, target: Message): void {
    reader.enter();
    while (reader.position < end) {
      const tag = reader.tag();
      const field = this.#byNumber.get(tag >>> 3);
      if (field === undefined) reader.skip(tag & 7, end);
      else this.#readField(reader, field, tag & 7, end, target);
    }
    reader.leave(end);
    for (const field of this.#fields) if (!(field.name in target)) field.setDefault(target);
  }

  #readField(reader: WireReader, field: Field, wireType: number, end: number, target: Message): void {
    const before = target[field.name];
    if (field.oneof !== undefined && before === undefined)
      for (const other of this.#fields) if (other.oneof === field.oneof) delete target[other.name];
    const wanted = field.isVarint ? VARINT : LENGTH;
    if (wireType !== wanted) throw reader.fail(`${field.name} has wire type ${wireType}, not ${wanted},`);
    if (field.label === 'map') readEntry(reader, end, (target[field.name] ??= {}) as Message);
    else if (field.label === 'repeated') {
      // Only this function puts anything there, and it puts lists.
      const list = (target[field.name] ??= []) as unknown[];
      list.push(field.read(reader, end, undefined));
    } else target[field.name] = field.read(reader, end, before);
  }

  write(writer: WireWriter, message: unknown): void {
    if (!isMessage(message)) throw ProtobufEncodeError.type(message, `a ${this.name}`);
    for (const name of Object.keys(message))
      if (!this.#names.has(name)) throw new ProtobufEncodeError(name, `is no field of ${this.name}`);
    writer.enter();
    // The writer goes from the end to the start.
    for (let index = this.#fields.length - 1; index >= 0; index--) {
      const field = this.#fields[index];
      const value = field === undefined ? undefined : message[field.name];
      if (field === undefined || value === undefined || value === null) continue;
      try {
        field.write(writer, value);
      } catch (error) {
        throw ProtobufEncodeError.within(field.name, error);
      }
    }
    writer.leave();
    this.#checkOneofs(message);
  }

  #checkOneofs(message: Message): void {
    const set = new Map<string, string>();
    for (const { name, oneof } of this.#fields) {
      if (oneof === undefined || message[name] === undefined) continue;
      const other = set.get(oneof);
      if (other !== undefined)
        throw new ProtobufEncodeError(name, `excludes ${other} in ${this.name}, and both are set`);
      set.set(oneof, name);
    }
  }
}
