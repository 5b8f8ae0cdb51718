import { resolveScalar, type ScalarValue } from '../yaml-scalar.ts';
import {
  BACKSLASH,
  BLANK,
  COLON,
  type Cursor,
  DASH,
  DOUBLE_QUOTE,
  HASH,
  LINE_BREAK,
  SINGLE_QUOTE,
  TAB,
} from './cursor.ts';

/** What an unquoted scalar may not begin with: `-`, `?` and `:` may only where no space follows. */
const INDICATORS = codesOf(',[]{}#&*!|>\'"%@`?:');
/** What ends an unquoted scalar within brackets. */
const FLOW_ENDS = codesOf(',[]{}');

function codesOf(chars: string): ReadonlySet<number> {
  return new Set(Array.from(chars, (char) => char.charCodeAt(0)));
}

/** A text in quotes, on one line. */
export function readQuoted(cursor: Cursor): string {
  return cursor.code === DOUBLE_QUOTE ? readDouble(cursor) : readSingle(cursor);
}

function readDouble(cursor: Cursor): string {
  const { text, at: start } = cursor;
  let hasEscape = false;
  for (let at = start + 1; ; at++) {
    const code = text.charCodeAt(at);
    if (code === DOUBLE_QUOTE) {
      cursor.at = at + 1;
      return hasEscape ? unescaped(cursor, start) : text.slice(start + 1, at);
    }
    if (code === BACKSLASH) {
      hasEscape = true;
      at++;
    }
    if (code === LINE_BREAK || code === TAB || at >= text.length) cursor.leave();
  }
}

/** Those escapes that JSON has too mean the same; the others are rare. */
function unescaped(cursor: Cursor, start: number): string {
  try {
    return String(JSON.parse(cursor.text.slice(start, cursor.at)));
  } catch {
    return cursor.leave();
  }
}

function readSingle(cursor: Cursor): string {
  const { text, at: start } = cursor;
  let hasEscape = false;
  for (let at = start + 1; ; at++) {
    const code = text.charCodeAt(at);
    if (code === SINGLE_QUOTE) {
      if (text.charCodeAt(at + 1) !== SINGLE_QUOTE) {
        cursor.at = at + 1;
        const raw = text.slice(start + 1, at);
        return hasEscape ? raw.replaceAll("''", "'") : raw;
      }
      hasEscape = true;
      at++;
    }
    if (code === LINE_BREAK || at >= text.length) cursor.leave();
  }
}

/** The rest of the line as an unquoted scalar: without blanks around it, up to a comment. */
export function readPlainLine(cursor: Cursor, inFlow: boolean): string {
  const { text, at: start } = cursor;
  if (INDICATORS.has(cursor.code)) cursor.leave();
  if (cursor.code === DASH && cursor.isSpaceAt(start + 1)) cursor.leave();
  let end = start;
  let at = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === LINE_BREAK) break;
    if (code === BLANK) continue;
    if (code === TAB) cursor.leave();
    if (code === HASH && end < at && at > start) break;
    if (code === COLON && isAfterColon(text, at + 1, inFlow)) break;
    if (inFlow && FLOW_ENDS.has(code)) break;
    end = at + 1;
  }
  cursor.at = end;
  if (end === start) cursor.leave();
  return text.slice(start, end);
}

function isAfterColon(text: string, at: number, inFlow: boolean): boolean {
  if (at >= text.length) return true;
  const code = text.charCodeAt(at);
  return code === BLANK || code === LINE_BREAK || code === TAB || (inFlow && FLOW_ENDS.has(code));
}

/** An unquoted scalar as a value. Lines that are indented more than the parent go on with it. */
export function readPlain(cursor: Cursor, parentIndent: number): ScalarValue {
  const first = readValueLine(cursor);
  if (!continues(cursor, parentIndent)) return resolveScalar(first);
  const parts = [first];
  while (continues(cursor, parentIndent)) {
    const breaks = toContinuation(cursor);
    parts.push(breaks === 1 ? ' ' : '\n'.repeat(breaks - 1), readValueLine(cursor));
  }
  return resolveScalar(parts.join(''));
}

/** A value with a colon after it would be a key. */
function readValueLine(cursor: Cursor): string {
  const line = readPlainLine(cursor, false);
  let { at } = cursor;
  while (cursor.text.charCodeAt(at) === BLANK) at++;
  if (cursor.text.charCodeAt(at) === COLON) cursor.leave();
  // A comment is told by the blank before it.
  if (cursor.text.charCodeAt(at) !== HASH) cursor.at = at;
  return line;
}

/** Whether the next line that is not empty belongs to the scalar. Moves nothing. */
function continues(cursor: Cursor, parentIndent: number): boolean {
  const { text } = cursor;
  if (cursor.code !== LINE_BREAK) return false;
  let lineStart = cursor.at + 1;
  let at = lineStart;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === LINE_BREAK) lineStart = at + 1;
    else if (code === TAB) cursor.leave();
    else if (code !== BLANK) break;
  }
  if (at >= text.length || at - lineStart <= parentIndent) return false;
  // A comment ends it.
  return text.charCodeAt(at) !== HASH;
}

/** Moves on to the first character of the next line that is not empty; how many breaks there were. */
function toContinuation(cursor: Cursor): number {
  let breaks = 0;
  while (cursor.code === LINE_BREAK || cursor.code === BLANK) {
    if (cursor.code === LINE_BREAK) {
      breaks++;
      cursor.breakLine();
    } else cursor.at++;
  }
  return breaks;
}
