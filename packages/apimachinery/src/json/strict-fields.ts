// What JSON.parse does not tell: fields that stand twice, fields that nobody knows, and how deep it goes.

import { DecodeError } from '../errors.ts';
import { goQuote } from '../text/go-text.ts';

/** Which fields a JSON value may have, place by place. Schemas and tables are turned into this. */
export interface KnownFields {
  /** What is known below the field, or undefined when there is no such field. */
  field(name: string): KnownFields | undefined;
  /** What is known of each item, where the value is an array. */
  readonly items: KnownFields;
}

/** Every field may be there, to any depth. */
export const anyFields: KnownFields = Object.freeze({
  field: () => anyFields,
  get items(): KnownFields {
    return anyFields;
  },
});

/** What is reported about the fields of a text. */
export interface ScanOptions {
  /** @default anyFields */
  readonly known?: KnownFields;
  /**
   * How deep arrays and objects may be nested. What walks values afterwards does so by recursion.
   * @default 1000
   */
  readonly maxDepth?: number;
}

export const DEFAULT_MAX_DEPTH = 1000;
/** A hostile text must not make a list of a million messages. */
export const MAX_PROBLEMS = 100;

interface Frame {
  readonly parent: Frame | undefined;
  /** Undefined within a field that is unknown itself: what is below it is not looked at. */
  readonly known: KnownFields | undefined;
  /** The keys so far; undefined in an array. */
  readonly seen: Set<string> | undefined;
  /** Where we are within it. */
  key: string;
  index: number;
  child: KnownFields | undefined;
  expectsKey: boolean;
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/**
 * `duplicate field "spec.a"` and `unknown field "spec.b"` in the order of the text, each once, as an API
 * server reports them. The text must be JSON: whoever calls has parsed it already.
 */
export function scanFields(text: string, { known = anyFields, maxDepth }: ScanOptions = {}): string[] {
  const limit = maxDepth ?? DEFAULT_MAX_DEPTH;
  const problems = new Set<string>();
  let frame: Frame | undefined;
  let below: KnownFields | undefined = known;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfString(text, at);
        if (frame?.expectsKey === true) {
          frame.key = keyAt(text, at, end);
          checkKey(frame, problems);
        }
        at = end;
        break;
      }
      case COLON:
        if (frame !== undefined) {
          frame.expectsKey = false;
          below = frame.child;
        }
        break;
      case COMMA:
        if (frame?.seen === undefined) {
          if (frame !== undefined) frame.index++;
          below = frame?.known?.items;
        } else {
          frame.expectsKey = true;
        }
        break;
      case OPEN_OBJECT:
      case OPEN_ARRAY: {
        if (++depth > limit)
          throw new DecodeError(`the value is nested more than ${limit} deep; flatten it`, placeOf(text, at));
        const isArray = text.charCodeAt(at) === OPEN_ARRAY;
        const seen = isArray ? undefined : new Set<string>();
        frame = {
          parent: frame,
          known: below,
          seen,
          key: '',
          index: 0,
          child: undefined,
          expectsKey: !isArray,
        };
        below = isArray ? below?.items : undefined;
        break;
      }
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        depth--;
        frame = frame?.parent;
        break;
      default:
    }
  }
  return [...problems];
}

function checkKey(frame: Frame, problems: Set<string>): void {
  const { known, seen, key } = frame;
  frame.child = known?.field(key);
  if (known === undefined || seen === undefined) return;
  const problem = frame.child === undefined ? 'unknown' : seen.has(key) ? 'duplicate' : undefined;
  seen.add(key);
  if (problem !== undefined && problems.size < MAX_PROBLEMS)
    problems.add(`${problem} field ${goQuote(pathOf(frame))}`);
}

function pathOf(frame: Frame): string {
  const parent = frame.parent === undefined ? '' : pathOf(frame.parent);
  if (frame.seen === undefined) return `${parent}[${frame.index}]`;
  return parent === '' ? frame.key : `${parent}.${frame.key}`;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE || at >= text.length) return at;
    at += code === BACKSLASH ? 2 : 1;
  }
}

function keyAt(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end);
  return raw.includes('\\') ? String(JSON.parse(text.slice(start, end + 1))) : raw;
}

/** The line and the column of an offset, for messages. */
export function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}
