// A reader for YAML as people and programs write it: nested maps and lists, texts with and without quotes,
// blocks, brackets, comments. It takes about a tenth of the time and of the memory of the complete
// parser. Whatever it is not sure of it leaves to that one: anchors, tags, keys that are no texts,
// several documents, and every mistake.

import { type JsonObject, setOwn } from '../../json/json-object.ts';
import type { JsonValue } from '../../object.ts';
import { goQuote } from '../../text/go-text.ts';
import { MAX_DUPLICATES } from '../yaml-nodes.ts';
import { resolveScalar } from '../yaml-scalar.ts';
import { readBlockScalar } from './block-scalar.ts';
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  Cursor,
  DASH,
  DOUBLE_QUOTE,
  LINE_BREAK,
  NotPlainYaml,
  OPEN_ARRAY,
  OPEN_OBJECT,
  SINGLE_QUOTE,
} from './cursor.ts';
import { readPlain, readPlainLine, readQuoted } from './scalars.ts';

export type PlainYaml =
  | { readonly isPlain: true; readonly value: JsonValue; readonly duplicates: readonly string[] }
  /** The line from which on the complete parser is needed. */
  | { readonly isPlain: false; readonly line: number };

/** Keys that are longer are no keys to the complete parser. */
const MAX_KEY_LENGTH = 1000;
const LITERAL = 124;
const FOLDED = 62;

/** Throws DecodeError only for what is nested too deep. */
export function readPlainYaml(text: string, maxDepth: number): PlainYaml {
  // Other breaks, and a mark of the byte order.
  if (/[\r\uFEFF\u0085\u2028\u2029]/.test(text)) return { isPlain: false, line: 1 };
  const cursor = new Cursor(text, maxDepth);
  const opening = /^---[ ]*(?=\n)/.exec(text)?.[0] ?? '';
  cursor.at = opening.length;
  try {
    const reader = new PlainReader(cursor);
    return { isPlain: true, value: reader.readDocument(), duplicates: reader.duplicates };
  } catch (error) {
    if (!(error instanceof NotPlainYaml)) throw error;
    return { isPlain: false, line: error.line };
  }
}

class PlainReader {
  readonly duplicates: string[] = [];
  readonly #cursor: Cursor;
  /** Where the last scalar began. */
  #scalarLine = 0;

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
  }

  readDocument(): JsonValue {
    const cursor = this.#cursor;
    cursor.skipToContent();
    if (cursor.isAtEnd) return null;
    const isInBrackets = cursor.code === OPEN_ARRAY || cursor.code === OPEN_OBJECT;
    // A document that is one scalar is rarely meant.
    if (!isInBrackets && !this.#isDash() && !this.#isKey()) cursor.leave();
    const value = this.#block(cursor.column - 1, 0);
    if (!cursor.isAtEnd) cursor.leave();
    return value;
  }

  /** What begins here, in a column of its own. It ends before the next thing that is indented no more than the parent. */
  #block(parentIndent: number, depth: number): JsonValue {
    this.#cursor.checkDepth(depth);
    if (this.#isDash()) return this.#list(depth);
    if (this.#isKey()) return this.#map(depth);
    return this.#inline(parentIndent, depth);
  }

  #list(depth: number): JsonValue {
    const cursor = this.#cursor;
    const { column } = cursor;
    const items: JsonValue[] = [];
    do {
      cursor.at++;
      items.push(this.#afterIndicator(column, depth + 1, false));
    } while (cursor.column === column && !cursor.isAtEnd && this.#isDash());
    if (cursor.column > column && !cursor.isAtEnd) cursor.leave();
    return items;
  }

  #map(depth: number): JsonValue {
    const cursor = this.#cursor;
    const { column } = cursor;
    const fields: JsonObject = {};
    do {
      const key = this.#key(false);
      const value = this.#afterIndicator(column, depth + 1, true);
      if (Object.hasOwn(fields, key)) this.#noteDuplicate(key, value);
      setOwn(fields, key, value);
    } while (cursor.column === column && !cursor.isAtEnd && !this.#isDash());
    if (cursor.column > column && !cursor.isAtEnd) cursor.leave();
    return fields;
  }

  #noteDuplicate(key: string, value: JsonValue): void {
    // Where anything but a scalar began is known no more.
    if (value === null || typeof value === 'object') this.#cursor.leave();
    if (this.duplicates.length < MAX_DUPLICATES)
      this.duplicates.push(`line ${this.#scalarLine}: key ${goQuote(key)} already set in map`);
  }

  /** The value after `-` or `:`: on the same line, or below. Ends at the next content. */
  #afterIndicator(parentIndent: number, depth: number, inMap: boolean): JsonValue {
    const cursor = this.#cursor;
    const isBelow = cursor.skipToContent();
    if (!isBelow) {
      // `- - a` and `- a: b` begin their block within the line; `a: - b` and `a: b: c` are mistakes.
      if (inMap) return this.#inline(parentIndent, depth);
      return this.#block(parentIndent, depth);
    }
    if (cursor.isAtEnd) return this.#empty(depth);
    const { column } = cursor;
    if (column > parentIndent) return this.#block(parentIndent, depth);
    return inMap && column === parentIndent && this.#isDash()
      ? this.#block(parentIndent, depth)
      : this.#empty(depth);
  }

  #empty(depth: number): null {
    this.#cursor.checkDepth(depth);
    return null;
  }

  /** A scalar, or something in brackets. Ends at the next content. */
  #inline(parentIndent: number, depth: number): JsonValue {
    const cursor = this.#cursor;
    cursor.checkDepth(depth);
    const { code } = cursor;
    this.#scalarLine = cursor.line;
    let value: JsonValue;
    if (code === LITERAL || code === FOLDED) value = readBlockScalar(cursor, parentIndent);
    else if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) value = readQuoted(cursor);
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) value = this.#flow(parentIndent, depth);
    else value = readPlain(cursor, parentIndent);
    if (typeof value === 'number' && !Number.isFinite(value)) cursor.leave();
    cursor.endLine();
    cursor.skipToContent();
    return value;
  }

  #isDash(): boolean {
    const cursor = this.#cursor;
    return cursor.code === DASH && cursor.isSpaceAt(cursor.at + 1);
  }

  /** Whether a key begins here. Moves nothing. */
  #isKey(): boolean {
    const cursor = this.#cursor;
    const { at, lineStart, code } = cursor;
    if (code === OPEN_ARRAY || code === OPEN_OBJECT || code === LITERAL || code === FOLDED) return false;
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) readQuoted(cursor);
    else readPlainLine(cursor, false);
    cursor.skipBlanks();
    const found = cursor.code === COLON && cursor.isSpaceAt(cursor.at + 1);
    cursor.at = at;
    cursor.lineStart = lineStart;
    return found;
  }

  /** A key and its colon. */
  #key(inFlow: boolean): string {
    const cursor = this.#cursor;
    const start = cursor.at;
    const isQuoted = cursor.code === DOUBLE_QUOTE || cursor.code === SINGLE_QUOTE;
    const key = isQuoted ? readQuoted(cursor) : resolveScalar(readPlainLine(cursor, inFlow));
    // `<<` merges, and numbers, booleans and null become texts by rules of their own.
    if (typeof key !== 'string' || (!isQuoted && key === '<<')) return cursor.leave();
    if (cursor.at - start > MAX_KEY_LENGTH) cursor.leave();
    cursor.skipBlanks();
    if (cursor.code !== COLON) cursor.leave();
    cursor.at++;
    // In brackets, a value may follow a key in quotes at once.
    if (!(inFlow && isQuoted) && !cursor.isSpaceAt(cursor.at)) cursor.leave();
    return key;
  }

  #flow(parentIndent: number, depth: number): JsonValue {
    const cursor = this.#cursor;
    cursor.checkDepth(depth);
    const { code } = cursor;
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) return readQuoted(cursor);
    if (code === OPEN_ARRAY) return this.#flowList(parentIndent, depth);
    if (code === OPEN_OBJECT) return this.#flowMap(parentIndent, depth);
    const value = resolveScalar(readPlainLine(cursor, true));
    if (typeof value === 'number' && !Number.isFinite(value)) cursor.leave();
    return value;
  }

  #flowList(parentIndent: number, depth: number): JsonValue {
    const cursor = this.#cursor;
    const items: JsonValue[] = [];
    cursor.at++;
    this.#flowGap(parentIndent);
    while (cursor.code !== CLOSE_ARRAY) {
      items.push(this.#flow(parentIndent, depth + 1));
      this.#flowGap(parentIndent);
      if (cursor.code !== COMMA) break;
      cursor.at++;
      this.#flowGap(parentIndent);
    }
    if (cursor.code !== CLOSE_ARRAY) cursor.leave();
    cursor.at++;
    return items;
  }

  #flowMap(parentIndent: number, depth: number): JsonValue {
    const cursor = this.#cursor;
    const fields: JsonObject = {};
    cursor.at++;
    this.#flowGap(parentIndent);
    while (cursor.code !== CLOSE_OBJECT) {
      const key = this.#key(true);
      this.#flowGap(parentIndent);
      if (Object.hasOwn(fields, key)) cursor.leave();
      setOwn(fields, key, this.#flow(parentIndent, depth + 1));
      this.#flowGap(parentIndent);
      if (cursor.code !== COMMA) break;
      cursor.at++;
      this.#flowGap(parentIndent);
    }
    if (cursor.code !== CLOSE_OBJECT) cursor.leave();
    cursor.at++;
    return fields;
  }

  /** Between the parts of what is in brackets: blanks and breaks. Every line is indented more than the parent. */
  #flowGap(parentIndent: number): void {
    const cursor = this.#cursor;
    cursor.skipBlanks();
    while (cursor.code === LINE_BREAK) {
      cursor.breakLine();
      cursor.skipBlanks();
      if (cursor.code !== LINE_BREAK && cursor.column <= parentIndent) cursor.leave();
    }
    if (cursor.isAtEnd) cursor.leave();
  }
}
