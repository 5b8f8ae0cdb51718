// Whole numbers of 64 bits in JSON. A number of JavaScript's has 53 bits; what is beyond is a bigint here, and only that,
// so that equal values stay equal. Beyond 64 bits it is a float, as in Go.
import type { JsonValue } from '../object.ts';
import { parseInt64 } from '../text/int64.ts';

/** Only a text with so many digits in a row can have such a number. */
const MANY_DIGITS = /\d{16}/;

/** A text, which is passed over, or a whole number of so many digits that is no key: a key would be a mistake. */
const TEXT_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?[1-9]\d{15,}(?![\d.eE]|\s*:)/g;
/** What cannot stand before a whole number, because it would be a part of it. */
const INSIDE_NUMBER = /[\w.+-]/;

/**
 * Takes about three times as long as JSON.parse, and that only for texts with many digits in a row.
 * @param narrow what JSON.parse makes of the text, where that is known: it is the answer for most texts
 * @throws SyntaxError
 */
export function parseWideJson(text: string, narrow?: unknown): JsonValue {
  // JSON.parse gives nothing but JSON, here and below. It comes first: what is no JSON is
  // refused here, before anything is made of its text.
  const plain = (narrow ?? JSON.parse(text)) as JsonValue;
  if (!MANY_DIGITS.test(text)) return plain;
  const mark = markFor(text);
  let count = 0;
  const marked = text.replaceAll(TEXT_OR_NUMBER, (token, offset: number) => {
    const isWide =
      !token.startsWith('"') &&
      !INSIDE_NUMBER.test(text.charAt(offset - 1)) &&
      !Number.isSafeInteger(Number(token)) &&
      parseInt64(token) !== undefined;
    if (!isWide) return token;
    count++;
    return `"${mark}${token}"`;
  });
  if (count === 0) return plain;
  // A reviver would be called for every value of the document, which takes seconds where there are millions.
  return unmarked(JSON.parse(marked) as JsonValue, mark); // a text in the place of a number is JSON again
}

/** A beginning that no text of the document has. */
function markFor(text: string): string {
  let mark = 'wide:';
  while (text.includes(mark)) mark = `${mark}${mark.length}:`;
  return mark;
}

type Holder = JsonValue[] | { [key: string]: JsonValue };

/** The same value with numbers in the place of marked texts. Not by recursion: a document may be deep. */
function unmarked(value: JsonValue, mark: string): JsonValue {
  const root = [value];
  const rest: Holder[] = [root];
  const shown = (held: JsonValue): JsonValue => {
    if (typeof held === 'object' && held !== null) rest.push(held);
    return typeof held === 'string' && held.startsWith(mark) ? BigInt(held.slice(mark.length)) : held;
  };
  for (let holder = rest.pop(); holder !== undefined; holder = rest.pop())
    if (Array.isArray(holder))
      for (let index = 0; index < holder.length; index++) holder[index] = shown(holder[index] ?? null);
    else for (const key of Object.keys(holder)) holder[key] = shown(holder[key] ?? null);
  return root[0] ?? null;
}

/** As JSON.stringify, and with such numbers in full. Undefined for what has no JSON. */
export function wideJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    // Almost nothing has one, so that nothing else pays for it.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, narrowed, indent);
  }
}

function narrowed(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? raw(String(value)) : value;
}

// Node has it since version 21; the types of the language do not know it yet.
const raw = (JSON as unknown as { readonly rawJSON: (text: string) => object }).rawJSON;
