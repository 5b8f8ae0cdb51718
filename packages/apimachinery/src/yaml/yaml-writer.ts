import { compareUtf8 } from '../json/go-format.ts';
import type { JsonValue } from '../object.ts';
import { isAmbiguous } from './yaml-scalar.ts';

/** How a value is written as YAML. */
export interface WriteYamlOptions {
  /**
   * Fields in the order of their names, as kubectl prints them, or in their own.
   * @default true
   */
  readonly sortKeys?: boolean;
}

/**
 * JSON as YAML in block style, as kubectl prints it: two blanks a level, lists not indented below their
 * field, texts of several lines as they are. Whatever a reader could take for something else than a text
 * is quoted. No line is folded, so that lines can be compared and searched.
 */
export function writeYaml(value: JsonValue, { sortKeys = true }: WriteYamlOptions = {}): string {
  const lines: string[] = [];
  const write = (item: JsonValue, indent: string, lead: string): void => {
    if (Array.isArray(item) && item.length > 0) {
      let first = lead;
      for (const element of item) {
        write(element, `${indent}  `, `${first}- `);
        first = indent;
      }
    } else if (isObject(item) && Object.keys(item).length > 0) {
      let first = lead;
      const keys = Object.keys(item);
      for (const key of sortKeys ? keys.sort(compareUtf8) : keys) {
        // The key is one of the object's own, so that it is never the prototype that is read.
        writeField(key, item[key] ?? null, indent, first);
        first = indent;
      }
    } else {
      lines.push(lead + scalarText(item, indent));
    }
  };
  const writeField = (key: string, field: JsonValue, indent: string, lead: string): void => {
    const name = `${lead}${keyText(key)}:`;
    if (Array.isArray(field) && field.length > 0) {
      lines.push(name);
      write(field, indent, indent);
    } else if (isObject(field) && Object.keys(field).length > 0) {
      lines.push(name);
      write(field, `${indent}  `, `${indent}  `);
    } else {
      lines.push(`${name} ${scalarText(field, `${indent}  `)}`);
    }
  };
  write(value, '', '');
  return `${lines.join('\n')}\n`;
}

function isObject(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function scalarText(value: JsonValue, indent: string): string {
  if (typeof value === 'string') return value.includes('\n') ? blockText(value, indent) : lineText(value);
  if (Array.isArray(value)) return '[]';
  return isObject(value) ? '{}' : String(value);
}

/** A key stands on one line. */
function keyText(key: string): string {
  return key.includes('\n') ? quoted(key) : lineText(key);
}

const PRINTABLE = /^[\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u;
/** What begins something else than a text, in one place or another. */
const INDICATOR = /^(?:[\s,[\]{}#&*!|>'"%@`?:]|-(?:\s|$)|---|\.\.\.)|: |:$| #|\s$/;

function lineText(text: string): string {
  if (!PRINTABLE.test(text) || isAmbiguous(text)) return quoted(text);
  return INDICATOR.test(text) ? `'${text.replaceAll("'", "''")}'` : text;
}

/** JSON's quoting is YAML's, but for what YAML does not want to see and JSON lets pass. */
function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** `|` and the lines themselves. Where blanks would be taken for indentation or lost, it is quoted. */
function blockText(text: string, indent: string): string {
  const lines = text.split('\n');
  const printable = lines.every((line) => PRINTABLE.test(line.replaceAll('\t', ' ')));
  if (!printable || /^[\s]/.test(text) || lines.some((line) => /^\s+$/.test(line))) return quoted(text);
  const trailing = /\n*$/.exec(text)?.[0].length ?? 0;
  const chomping = trailing === 0 ? '-' : trailing === 1 ? '' : '+';
  const body = trailing === 0 ? lines : lines.slice(0, -1);
  const block = indent === '' ? '  ' : indent;
  return [`|${chomping}`, ...body.map((line) => (line === '' ? '' : block + line))].join('\n');
}
