import { ProtobufEncodeError } from '@windlass/apimachinery';
import { isJsonObject, type StructCodec, WireReader, WireWriter } from '@windlass/apimachinery/protobuf';

/** A message that is being built or read: what the generated types describe. */
export type Message = Record<string, unknown>;

/** What a log shows of a field. */
export interface ShownField {
  readonly name: string;
  /** Never in a log. */
  readonly secret: boolean;
  readonly message: MessageCodec | undefined;
}

/** Nothing in the protocols nests deeper than five. */
const MAX_DEPTH = 32;
const CAPACITY = 256;

/**
 * One message of a protocol, in both directions. Decoding fills in what proto3 leaves out: scalars,
 * lists and maps are always there, messages and members of a oneof only when they were sent.
 */
export class MessageCodec {
  readonly struct: StructCodec;
  readonly #fields: readonly ShownField[];

  constructor(struct: StructCodec, fields: readonly ShownField[]) {
    this.struct = struct;
    this.#fields = fields;
  }

  /** `csi.v1.Volume` */
  get name(): string {
    return this.struct.name;
  }

  /** @throws ProtobufDecodeError */
  decode(bytes: Uint8Array): Message {
    const reader = new WireReader(bytes, this.name, MAX_DEPTH);
    return this.struct.read(reader, bytes.length, undefined);
  }

  /** @throws ProtobufEncodeError */
  encode(message: unknown): Uint8Array {
    if (!isJsonObject(message)) throw ProtobufEncodeError.type(message, `a ${this.name}`);
    const writer = new WireWriter({ capacity: CAPACITY });
    this.struct.write(writer, message);
    return writer.finish();
  }

  /** Without what the protocol calls a secret, for logs. The message itself stays as it is. */
  redact(message: unknown): unknown {
    if (!isJsonObject(message)) return message;
    const shown: Message = {};
    for (const { name, secret, message: codec } of this.#fields) {
      const value: unknown = message[name];
      if (value === undefined || secret) continue;
      if (codec === undefined) shown[name] = value;
      else shown[name] = Array.isArray(value) ? value.map((item) => codec.redact(item)) : codec.redact(value);
    }
    return shown;
  }
}
