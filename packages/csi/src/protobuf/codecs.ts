import { Field, type ValueCodec } from './field.ts';
import { MessageCodec } from './message-codec.ts';
import { type ProtocolTable, parseFields } from './table.ts';
import { enumeration, messageValue, SCALARS } from './value-codecs.ts';

/** The codec of any message of the protocol, made when it is first asked for. No message holds itself. */
export function messageCodecs(table: ProtocolTable): (name: string) => MessageCodec {
  const made = new Map<string, MessageCodec>();
  const get = (name: string): MessageCodec => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const text = table.messages[name];
    if (text === undefined) throw new Error(`${table.package} has no message ${name}; run npm run generate`);
    const fields = parseFields(text).map((facts) => new Field(facts, valueOf(facts.type)));
    const codec = new MessageCodec(`${table.package}.${name}`, fields);
    made.set(name, codec);
    return codec;
  };
  const valueOf = (type: string): ValueCodec => {
    const scalar = SCALARS[type];
    if (scalar !== undefined) return scalar;
    const name = type.slice(1);
    return type.startsWith('#') ? enumeration(table.enums[name] ?? '') : messageValue(get(name));
  };
  return get;
}
