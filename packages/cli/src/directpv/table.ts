export interface TableOptions {
  /** With the names of columns, in a box; else plain columns without a blank in any cell, for scripts. @default true */
  readonly headers?: boolean;
}

/** Rows as people know them from `kubectl directpv`: in a box of light lines. A cell that is empty is a dash. */
export function renderTable(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  { headers = true }: TableOptions = {},
): string {
  const text = headers ? (cell: string): string => cell : withoutBlanks;
  const cells = rows.map((row) => row.map((cell) => (cell === '' ? '-' : text(cell))));
  const widths = names.map((name, column) =>
    Math.max(headers ? width(name) : 0, ...cells.map((row) => width(row[column] ?? ''))),
  );
  const pad = (row: readonly string[]): string[] =>
    widths.map((wide, column) => {
      const cell = row[column] ?? '';
      return cell + ' '.repeat(wide - width(cell));
    });
  if (!headers) return cells.map((row) => `${pad(row).join('  ').trimEnd()}\n`).join('');
  const rule = (left: string, middle: string, right: string): string =>
    left + widths.map((wide) => '─'.repeat(wide + 2)).join(middle) + right;
  const line = (row: readonly string[]): string => `│ ${pad(row).join(' │ ')} │`;
  return `${[
    rule('┌', '┬', '┐'),
    line(names),
    rule('├', '┼', '┤'),
    ...cells.map(line),
    rule('└', '┴', '┘'),
  ].join('\n')}\n`;
}

/** So that `awk '{print $5}'` is what it seems: sizes close up, other blanks become `_`. */
function withoutBlanks(cell: string): string {
  return cell.replace(/^([\d.]+) (\w*B)$/, '$1$2').replaceAll(/\s/g, '_');
}

const segmenter = new Intl.Segmenter('en');
/** What a reader sees as one character counts as one: a make may have any. */
const width = (text: string): number => [...segmenter.segment(text)].length;
