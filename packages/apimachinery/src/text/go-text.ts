// Kubernetes' messages are made with Go's formatting verbs, and people and programs compare them. These
// functions write values as those verbs do.

const ESCAPES: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};

const PRINTABLE_ASCII = /^[ !#-[\]-~]*$/;
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** True for what Go's `unicode.IsPrint` calls printable: no space but the ASCII one. */
export function isPrintable(character: string): boolean {
  return PRINTABLE.test(character);
}

/** As `%q` prints a string. */
export function goQuote(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const character of text) {
    const escape = ESCAPES[character];
    const point = character.codePointAt(0) ?? 0;
    if (escape !== undefined) quoted += escape;
    else if (isPrintable(character)) quoted += character;
    else if (point < 0x20 || point === 0x7f) quoted += `\\x${hex(point, 2)}`;
    // What is no character has no bytes in Go: there it has become the replacement character long ago.
    else if (point >= 0xd800 && point <= 0xdfff) quoted += '\ufffd';
    else quoted += point > 0xffff ? `\\U${hex(point, 8)}` : `\\u${hex(point, 4)}`;
  }
  return `${quoted}"`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

/** As `%v` prints a number: whole ones in full, others as a float64. */
export function goNumber(value: number): string {
  return Number.isSafeInteger(value) ? String(value) : goFloat(value);
}

/** As `%v` prints a float64: with an exponent from a million on. */
export function goFloat(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  const [digits = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < 6) return String(value);
  const size = Math.abs(exponent);
  return `${digits}e${exponent < 0 ? '-' : '+'}${size < 10 ? '0' : ''}${size}`;
}

/** As `encoding/json` writes a value: the characters that mean something to HTML are escaped. */
export function goJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  return (JSON.stringify(value) ?? 'null').replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${hex(character.charCodeAt(0), 4)}`,
  );
}

/** The length that Go's `len` has for this text: its bytes in UTF-8. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text);
}
