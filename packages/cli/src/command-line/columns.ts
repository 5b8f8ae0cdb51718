/** Rows under their names, as kubectl shows them. A cell that is empty is a dash. */
export function columns(names: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [names, ...rows.map((row) => row.map((cell) => (cell === '' ? '-' : cell)))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  return lines
    .map(
      (line) =>
        `${widths
          .map((width, column) => (line[column] ?? '').padEnd(width))
          .join('   ')
          .trimEnd()}\n`,
    )
    .join('');
}
