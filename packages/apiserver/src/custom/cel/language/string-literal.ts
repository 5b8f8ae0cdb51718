import { SourceError } from './source.ts';

const SIMPLE: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '?': '?',
  '"': '"',
  "'": "'",
  '`': '`',
};
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|[xX]([0-9a-fA-F]{2})|([0-3][0-7]{2})|([^]?))/g;

/** What a text of an expression says. @throws SourceError for an escape that is none */
export function textOf(body: string, isRaw: boolean, at: number): string {
  if (isRaw || !body.includes('\\')) return body;
  return body.replaceAll(ESCAPE, (_, ...parts: (string | undefined)[]) => {
    const [short, long, hex, octal, simple] = parts;
    const code = codeOf(short ?? long ?? hex, octal);
    if (code === undefined) return simpleOf(simple, at);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) throw invalid(at);
    return String.fromCodePoint(code);
  });
}

/** What the bytes of an expression are: `b"a\xff"`. @throws SourceError */
export function bytesOf(body: string, isRaw: boolean, at: number): Uint8Array {
  if (isRaw || !body.includes('\\')) return new Uint8Array(Buffer.from(body));
  const parts: Buffer[] = [];
  let last = 0;
  for (const match of body.matchAll(ESCAPE)) {
    const [whole, short, long, hex, octal, simple] = match;
    // Characters by their number are of texts only.
    if (short !== undefined || long !== undefined) throw invalid(at);
    parts.push(Buffer.from(body.slice(last, match.index)));
    const code = codeOf(hex, octal);
    parts.push(code === undefined ? Buffer.from(simpleOf(simple, at)) : Buffer.from([code]));
    last = match.index + whole.length;
  }
  parts.push(Buffer.from(body.slice(last)));
  return new Uint8Array(Buffer.concat(parts));
}

function codeOf(hex: string | undefined, octal: string | undefined): number | undefined {
  if (hex !== undefined) return Number.parseInt(hex, 16);
  return octal === undefined ? undefined : Number.parseInt(octal, 8);
}

function simpleOf(char: string | undefined, at: number): string {
  const found = SIMPLE[char ?? ''];
  if (found === undefined) throw invalid(at);
  return found;
}

function invalid(at: number): SourceError {
  return new SourceError([{ at, message: 'invalid string literal: unable to unescape string' }]);
}
