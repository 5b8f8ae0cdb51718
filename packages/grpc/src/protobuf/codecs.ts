import { type MessageCodec as EngineCodec, Enumeration, StructCodec } from '@windlass/apimachinery/protobuf';
import { MessageCodec } from './message-codec.ts';
import { proto3Field } from './proto3-field.ts';
import { type FieldFacts, type ProtocolTable, parseEnum, parseFields } from './table.ts';
import { WELL_KNOWN } from './well-known.ts';

/** The codec of any message of the protocol, made when it is first asked for. No message holds itself. */
export function messageCodecs(table: ProtocolTable): (name: string) => MessageCodec {
  const made = new Map<string, MessageCodec>();
  const get = (name: string): MessageCodec => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const text = table.messages[name];
    if (text === undefined) throw new Error(`${table.package} has no message ${name}; run npm run generate`);
    const facts = parseFields(text);
    const struct = new StructCodec(`${table.package}.${name}`, false);
    struct.setFields(facts.map((field) => proto3Field(field, typeOf(field))));
    const codec = new MessageCodec(
      struct,
      facts.map((field) => ({
        name: field.name,
        secret: field.secret,
        message: field.type.startsWith('.') ? get(field.type.slice(1)) : undefined,
      })),
    );
    made.set(name, codec);
    return codec;
  };
  const typeOf = ({ type }: FieldFacts): EngineCodec | Enumeration | undefined => {
    const name = type.slice(1);
    if (type.startsWith('#')) return new Enumeration(parseEnum(table.enums[name] ?? ''));
    return type.startsWith('.') ? get(name).struct : WELL_KNOWN.get(type);
  };
  return get;
}
