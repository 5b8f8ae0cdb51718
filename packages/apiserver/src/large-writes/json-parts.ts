import { parseWideJson } from '@windlass/apimachinery';
import { turnShare } from '@windlass/base';

/** A list or a map that is too large to be parsed at once, and where to cut it. Offsets are in bytes. */
export interface CutJson {
  readonly isList: boolean;
  readonly parts: readonly JsonPart[];
}

export type JsonPart =
  /** Items, or keys and values, that are parsed together. */
  | { readonly start: number; readonly end: number }
  /** One that is too large itself; `start` and `end` are those of its key. */
  | { readonly start: number; readonly end: number; readonly inside: CutJson };

/** JSON.parse takes about two milliseconds for so much, of the worst kind. */
const PART_BYTES = 32 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [COMMA, COLON] = [0x2c, 0x3a];
const [LIST, LIST_END, MAP, MAP_END] = [0x5b, 0x5d, 0x7b, 0x7d];

interface Frame {
  readonly isList: boolean;
  readonly start: number;
  readonly parts: JsonPart[];
  partStart: number;
  elementStart: number;
  keyEnd: number;
  /** Of the element that is being read, when it is too large. */
  inside: CutJson | undefined;
}

/**
 * Where JSON without white space is to be cut, in one pass over it. Undefined when it is small enough.
 * @param partBytes about how much is parsed at once
 */
export function cutJson(bytes: Uint8Array, partBytes = PART_BYTES): CutJson | undefined {
  if (bytes.byteLength <= partBytes) return undefined;
  const frames: Frame[] = [];
  let whole: CutJson | undefined;
  for (let at = 0; at < bytes.byteLength; at++) {
    const frame = frames.at(-1);
    switch (bytes[at]) {
      case QUOTE:
        at = endOfText(bytes, at);
        break;
      case LIST:
      case MAP:
        frames.push({
          isList: bytes[at] === LIST,
          start: at,
          parts: [],
          partStart: at + 1,
          elementStart: at + 1,
          keyEnd: at + 1,
          inside: undefined,
        });
        break;
      case COLON:
        if (frame !== undefined) frame.keyEnd = at;
        break;
      case COMMA:
        if (frame !== undefined) endElement(frame, at, partBytes);
        break;
      case LIST_END:
      case MAP_END: {
        if (frame === undefined) break;
        endElement(frame, at, 0);
        frames.pop();
        const { isList, start, parts } = frame;
        const cut = at - start > partBytes ? { isList, parts } : undefined;
        const outer = frames.at(-1);
        if (outer === undefined) whole = cut;
        else outer.inside = cut;
        break;
      }
      default:
    }
  }
  return whole;
}

function endElement(frame: Frame, at: number, partBytes: number): void {
  const { inside, elementStart, keyEnd, partStart, parts } = frame;
  if (inside !== undefined) {
    // Without the comma before it.
    if (elementStart > partStart) parts.push({ start: partStart, end: elementStart - 1 });
    parts.push({ start: elementStart, end: frame.isList ? elementStart : keyEnd, inside });
    frame.partStart = at + 1;
    frame.inside = undefined;
  } else if (at > partStart && at - partStart >= partBytes) {
    parts.push({ start: partStart, end: at });
    frame.partStart = at + 1;
  }
  frame.elementStart = at + 1;
}

function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.byteLength && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/**
 * What JSON.parse makes of it, a part at a time, so that others get their turn.
 * @param isWide whether whole numbers may have 64 bits, see `parseWideJson`
 */
export async function parseInParts(bytes: Buffer, cut: CutJson, isWide: boolean): Promise<object> {
  const parse = (start: number, end: number, [open, close]: readonly [string, string]): object => {
    const text = `${open}${bytes.toString('utf8', start, end)}${close}`;
    const narrow: unknown = JSON.parse(text);
    // A list or a map, as it was put together above.
    return (isWide ? parseWideJson(text, narrow) : narrow) as object;
  };
  const list = async ({ parts }: CutJson): Promise<unknown[]> => {
    const items: unknown[] = [];
    for (const part of parts) {
      if ('inside' in part) items.push(await build(part.inside));
      else {
        await turnShare.take();
        // Brackets make it a list.
        for (const item of parse(part.start, part.end, ['[', ']']) as unknown[]) items.push(item);
      }
    }
    return items;
  };
  const map = async ({ parts }: CutJson): Promise<object> => {
    const fields: Record<string, unknown> = {};
    for (const part of parts) {
      if ('inside' in part) {
        // A key is a text.
        const key = JSON.parse(bytes.toString('utf8', part.start, part.end)) as string;
        setOwn(fields, key, await build(part.inside));
      } else {
        await turnShare.take();
        for (const [key, value] of Object.entries(parse(part.start, part.end, ['{', '}'])))
          setOwn(fields, key, value);
      }
    }
    return fields;
  };
  const build = (node: CutJson): Promise<object> => (node.isList ? list(node) : map(node));
  return build(cut);
}

/** As JSON.parse does it: `__proto__` is a field like any other. */
function setOwn(fields: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(fields, key, { value, enumerable: true, configurable: true, writable: true });
  else fields[key] = value;
}
