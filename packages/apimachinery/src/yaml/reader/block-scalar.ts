import { BLANK, type Cursor, LINE_BREAK, TAB } from './cursor.ts';

const HEADER = /([|>])(?:([-+])([1-9])?|([1-9])([-+])?)?(?= |\n|$)/y;

interface Header {
  readonly isFolded: boolean;
  readonly chomp: string;
  /** Beyond the parent's; told by the first line when undefined. */
  readonly indent: number | undefined;
}

/** A text after `|` or `>`: the lines below that are indented more than the parent. */
export function readBlockScalar(cursor: Cursor, parentIndent: number): string {
  const { isFolded, chomp, indent } = readHeader(cursor);
  const given = indent === undefined ? undefined : Math.max(parentIndent, 0) + indent;
  const { lines, isOpen } = readLines(cursor, parentIndent, given);
  let last = lines.length;
  while (last > 0 && lines[last - 1] === '') last--;
  const body = lines.slice(0, last);
  if (isFolded && body.some((line) => line.startsWith(' ') || line.startsWith('\t'))) cursor.leave();
  if (chomp === '+' && (isOpen || last === 0)) cursor.leave();
  const text = isFolded ? folded(body) : body.join('\n');
  if (last === 0 || chomp === '-') return text;
  if (chomp === '+') return text + '\n'.repeat(lines.length - last + 1);
  // The break at the end is only there if the text has it.
  return isOpen && last === lines.length ? text : `${text}\n`;
}

function readHeader(cursor: Cursor): Header {
  HEADER.lastIndex = cursor.at;
  const match = HEADER.exec(cursor.text);
  if (match === null) return cursor.leave();
  const [whole, style, chomp, indent, indentFirst, chompLast] = match;
  cursor.at += whole.length;
  cursor.skipBlanks();
  // A comment may stand here, which nobody writes.
  if (!cursor.isAtEnd && cursor.code !== LINE_BREAK) cursor.leave();
  const digits = indent ?? indentFirst;
  return {
    isFolded: style === '>',
    chomp: chomp ?? chompLast ?? '',
    indent: digits === undefined ? undefined : Number(digits),
  };
}

function readLines(
  cursor: Cursor,
  parentIndent: number,
  given: number | undefined,
): { readonly lines: string[]; readonly isOpen: boolean } {
  const { text } = cursor;
  const lines: string[] = [];
  let indent = given;
  let isOpen = true;
  while (!cursor.isAtEnd) {
    // At the break that ends the line before.
    const start = cursor.at + 1;
    if (start >= text.length) {
      isOpen = false;
      cursor.breakLine();
      break;
    }
    let at = start;
    while (text.charCodeAt(at) === BLANK) at++;
    const code = text.charCodeAt(at);
    const isEmpty = at >= text.length || code === LINE_BREAK;
    if (!isEmpty) {
      if (code === TAB && (indent === undefined || at - start < indent)) cursor.leave();
      indent ??= at - start;
      if (at - start <= parentIndent) {
        isOpen = false;
        break;
      }
      // Less than its own indentation, and more than its parent's.
      if (at - start < indent) cursor.leave();
    } else if (at - start > (indent ?? 0)) cursor.leave();
    const found = text.indexOf('\n', at);
    const end = found === -1 ? text.length : found;
    lines.push(isEmpty ? '' : text.slice(start + (indent ?? 0), end));
    cursor.breakLine();
    cursor.at = end;
  }
  return { lines, isOpen };
}

/** A break between two lines is a blank; empty lines between them are breaks. */
function folded(lines: readonly string[]): string {
  let text = '';
  let breaks = 0;
  let isFirst = true;
  for (const line of lines) {
    if (line === '') {
      breaks++;
      continue;
    }
    if (breaks > 0) text += '\n'.repeat(breaks);
    else if (!isFirst) text += ' ';
    text += line;
    breaks = 0;
    isFirst = false;
  }
  return text;
}
