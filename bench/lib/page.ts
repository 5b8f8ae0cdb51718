import { type Entry, suitesOf } from './entry.ts';
import { figure } from './report.ts';

/** docs/benchmarks.md */
export function page(entries: readonly Entry[]): string {
  const missed = entries.filter(({ ok }) => ok === false);
  return `# Benchmarks

Drawn by \`npm run bench\` from [benchmarks.json](benchmarks.json). Each row is the same work done by us and by a
peer, in turns, in one run on one machine. A ratio above 1 means that we are better. [How a figure comes
about](../bench/README.md).

${missed.length === 0 ? 'Every bar is met.' : `Bars that are missed: ${missed.map(({ bench }) => `\`${bench}\``).join(', ')}.`}
${[...suitesOf(entries)].map(([suite, members]) => section(suite, members)).join('')}`;
}

function section(suite: string, entries: readonly Entry[]): string {
  const rows = entries.map((entry) => [
    entry.bench.slice(suite.length + 1),
    figure(entry.ours),
    entry.peer === null ? '–' : figure(entry.peer),
    entry.unit,
    entry.ratio === null ? '–' : `${figure(entry.ratio)}x`,
    barCell(entry),
    entry.peerName ?? '–',
  ]);
  const circumstances = new Set(
    entries.map(
      ({ date, machine, node, rounds, time }) =>
        `${date}, Node ${node.slice(1)}, ${machine}, ${rounds === 1 ? '1 round' : `median of ${rounds} rounds`}, ${time === 'cpu' ? 'processor' : 'wall'} time`,
    ),
  );
  return `
## ${suite}

${pictures(suite, entries)}${table(['what', 'ours', 'peer', 'unit', 'ratio', 'bar', 'peer is'], rows)}

Measured ${[...circumstances].join('; ')}.
`;
}

/** The file of a benchmark that is drawn by itself. */
export function plotName(bench: string): string {
  return bench.replaceAll('/', '-');
}

/** The ratios, where there are any, and a plot for each benchmark that has times over sizes; each with an empty line. */
function pictures(suite: string, entries: readonly Entry[]): string {
  const ratios = entries.some(({ ratio }) => ratio !== null)
    ? [`![Ratios of ${suite}](benchmarks/${suite}.svg)\n\n`]
    : [];
  const plots = entries
    .filter(({ series }) => series !== undefined && series.length > 0)
    .map(
      ({ bench }) =>
        `${bench}, processor time over size:\n\n![Time over size of ${bench}](benchmarks/${plotName(bench)}.svg)\n\n`,
    );
  return [...ratios, ...plots].join('');
}

function barCell({ bar, ok }: Entry): string {
  if (bar === null) return '–';
  return ok === null ? bar : `${bar} ${ok ? 'met' : '**missed**'}`;
}

/** Aligned, so that it can be read as text too. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}
