// What runs of real programs came to, for the table that the lane prints at its end.
import { appendFile, readFile } from 'node:fs/promises';
import type { Outcome } from '@windlass/simulation';

/** One run. */
export interface Result {
  readonly program: string;
  readonly plan: string;
  readonly what: string;
}

/** Where results are kept; the lane sets it. */
export const RESULTS_FILE = 'WINDLASS_SIM_RESULTS';

/** Keeps what a run came to, when somebody wants to know. @returns the outcome */
export async function kept(program: string, plan: string, outcome: Outcome): Promise<Outcome> {
  const file = process.env[RESULTS_FILE];
  if (file === undefined) return outcome;
  const result: Result = { program, plan, what: whatHappened(outcome) };
  await appendFile(file, `${JSON.stringify(result)}\n`);
  return outcome;
}

/** @returns those that were kept in this file, in the order in which the runs ended */
export async function readResults(file: string): Promise<Result[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  // `kept` has written each line.
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Result]));
}

/** One row for each program and plan. What happened more than once is counted. */
export function resultTable(results: readonly Result[]): string {
  const rows = new Map<
    string,
    { readonly program: string; readonly plan: string; readonly whats: string[] }
  >();
  for (const { program, plan, what } of results) {
    const key = `${program}\0${plan}`;
    const row = rows.get(key) ?? { program, plan, whats: [] };
    row.whats.push(what);
    rows.set(key, row);
  }
  const lines = [...rows.entries()]
    .toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([, { program, plan, whats }]) => [program, plan, counted(whats)]);
  const widths = [0, 1].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function counted(whats: readonly string[]): string {
  if (whats.length === 1) return whats.join();
  const distinct = [...new Set(whats)].toSorted();
  return distinct
    .map((what) => `${whats.filter((one) => one === what).length} of ${whats.length}: ${what}`)
    .join('; ');
}

function whatHappened({ failure }: Outcome): string {
  if (failure === undefined) return 'holds';
  const [first = ''] = failure.message.split('\n');
  return `breaks, ${failure.name ?? failure.oracle}: ${first}`;
}
