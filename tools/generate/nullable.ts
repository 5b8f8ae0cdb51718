import type { Schema } from '@windlass/apimachinery';
import { splitName } from './definition-name.ts';
import { type ProtobufTable, SPECIAL_MESSAGES } from './protobuf-table.ts';

const TIME = /\.(Micro)?Time$/;

/**
 * The properties that Go serves as null when they are empty: lists, maps and pointers that are not left
 * out, and times that are no pointers. Only where the schema makes a property optional does that happen
 * to a valid object.
 */
export function nullableProperties(
  table: ProtobufTable,
  definitions: ReadonlyMap<string, Schema>,
): Set<string> {
  const found = new Set<string>();
  for (const name of definitions.keys()) {
    if (SPECIAL_MESSAGES.has(name)) continue;
    for (const property of nullsOf(table, name)) found.add(`${name}.${property}`);
  }
  return found;
}

function nullsOf(table: ProtobufTable, name: string): string[] {
  const [packageName, message] = splitName(name);
  const text = table.packages[packageName]?.[message] ?? '';
  return text.split('|').flatMap((field) => {
    const [, property = '', code = ''] = field.split(' ');
    const [, flags = '', type = ''] = /^([[{*?0>]*)(.*)$/.exec(code) ?? [];
    if (flags.includes('>')) return nullsOf(table, type.startsWith('.') ? packageName + type : type);
    const collection = /[[{*]/.test(flags) && !flags.includes('?');
    const time = TIME.test(type) && !/[[{*0]/.test(flags);
    return collection || time ? [property] : [];
  });
}
