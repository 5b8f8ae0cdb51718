// The Warning header: what a client should know although its request went well.

/** A header as large as this is read by every client; Node's refuse more than 16 KiB in all. */
const MAX_RUNES = 4096;
/** Once there is too much, each warning is cut to this many characters. */
const MAX_ITEM_RUNES = 256;

const CONTROL = /\p{Cc}/u;

/**
 * The header that tells the warnings, or none: each once, in the order in which they came. When they
 * have more than 4,096 characters together, each is cut to 256, and those after the one that fills the
 * header are left out. A warning with a control character cannot stand in a header and is left out too.
 *
 * The value is a byte string as Node takes it: its characters are the bytes of UTF-8.
 */
export function warningHeaders(warnings: Iterable<string>): { readonly warning?: string } {
  let isCut = false;
  let runes = 0;
  let shown: string[] = [];
  const texts = new Set<string>();
  for (const warning of warnings) {
    if (isCut && runes >= MAX_RUNES) break;
    const text = warning.toWellFormed();
    if (text === '' || texts.has(text)) continue;
    texts.add(text);
    if (CONTROL.test(text)) continue;
    const length = runeCount(text);
    if (isCut || runes + length <= MAX_RUNES) {
      shown.push(isCut ? cut(text) : text);
      runes += isCut ? Math.min(length, MAX_ITEM_RUNES) : length;
      continue;
    }
    isCut = true;
    shown = [...shown, text].map(cut);
    runes = shown.reduce((sum, item) => sum + runeCount(item), 0);
  }
  return shown.length === 0 ? {} : { warning: bytesOf(shown.map(headerOf).join(', ')) };
}

function headerOf(text: string): string {
  return `299 - "${text.replace(/["\\]/g, '\\$&')}"`;
}

function cut(text: string): string {
  if (text.length <= MAX_ITEM_RUNES) return text;
  let kept = '';
  let count = 0;
  for (const rune of text) {
    if (count++ === MAX_ITEM_RUNES) break;
    kept += rune;
  }
  return kept;
}

/** Characters beyond the basic plane are two units in JavaScript, and one here. */
function runeCount(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
