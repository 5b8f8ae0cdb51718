import type { Window } from './bar.ts';
import { heldMs } from './witnesses/messages.ts';

const HEADINGS = [
  'attack',
  's',
  'sent',
  'answers',
  '/readyz',
  'held',
  'honest',
  '429',
  'MB',
  'broken',
] as const;

/** One row for each window. `/readyz` is the worst by the clock, `held` the worst after what the machine took. */
export function table(rows: readonly { readonly window: Window; readonly broken: number }[]): string {
  const cells: string[][] = rows.map(({ window, broken }) => {
    const { attack, seconds, tally, prober, honest, peakMegabytes } = window;
    return [
      attack,
      seconds.toFixed(0),
      String(tally.sent),
      [...tally.answers].map(([code, count]) => `${code}×${count}`).join(' '),
      prober === undefined ? '-' : prober.slowest.ms.toFixed(0),
      prober === undefined ? '-' : heldMs(prober.slowestHeld).toFixed(0),
      honest === undefined ? '-' : honest.slowestMs.toFixed(0),
      honest === undefined ? '-' : String(honest.retried),
      peakMegabytes.toFixed(0),
      broken === 0 ? '' : String(broken),
    ];
  });
  const widths = HEADINGS.map((heading, column) =>
    Math.max(heading.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  return [HEADINGS, ...cells]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
