// What the lane says: a line for each mutant, and at the end a table by package and the survivors.
import type { Verdict } from './judge.ts';
import type { Site } from './sites.ts';

export interface Judged {
  readonly site: Site;
  readonly verdict: Verdict;
  readonly seconds: number;
}

export interface Score {
  readonly name: string;
  readonly mutants: number;
  /** By a failed test or by time. */
  readonly killed: number;
  readonly survived: number;
  readonly notRun: number;
}

export function lineOf({ site, verdict, seconds }: Judged): string {
  return `${`${site.file}:${site.line}`.padEnd(60)} ${site.operator.padEnd(26)} ${outcomeOf(verdict)} (${seconds.toFixed(0)} s)`;
}

function outcomeOf(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'killed':
      return `killed by ${verdict.file}: ${verdict.test}`;
    case 'timed out':
      return `killed by time in ${verdict.file}`;
    case 'survived':
      return verdict.files.length === 0
        ? 'SURVIVED: no test executes it'
        : `SURVIVED ${verdict.files.length} test files`;
    case 'not run':
      return `not run: ${verdict.files.join(', ')} fails without the mutant`;
    default:
      return verdict satisfies never;
  }
}

/** One row for each package, by name, and one for all of them. */
export function scoresOf(judged: readonly Judged[]): Score[] {
  const byPackage = Map.groupBy(judged, ({ site }) => site.file.split('/').slice(0, 2).join('/'));
  const rows = [...byPackage].map(([name, group]) => scoreOf(name, group));
  rows.sort((a, b) => (a.name < b.name ? -1 : 1));
  return [...rows, scoreOf('all', judged)];
}

function scoreOf(name: string, judged: readonly Judged[]): Score {
  const count = (...kinds: Verdict['kind'][]): number =>
    judged.filter(({ verdict }) => kinds.includes(verdict.kind)).length;
  return {
    name,
    mutants: judged.length,
    killed: count('killed', 'timed out'),
    survived: count('survived'),
    notRun: count('not run'),
  };
}

/** The share of killed mutants among those that were run, in whole percent; nothing when none was. */
export function percentOf({ killed, survived }: Score): number | undefined {
  return killed + survived === 0 ? undefined : Math.round((100 * killed) / (killed + survived));
}

export function tableOf(scores: readonly Score[]): string {
  const rows = scores.map((score) => {
    const percent = percentOf(score);
    const { name, mutants, killed, survived, notRun } = score;
    return [
      name,
      ...[mutants, killed, survived, notRun].map(String),
      percent === undefined ? '-' : `${percent} %`,
    ];
  });
  const all = [['package', 'mutants', 'killed', 'survived', 'not run', 'score'], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  return all
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}

/** Where each survivor is, the line as it is and as it became, and what ran on it. */
export function survivorsOf(judged: readonly Judged[]): string {
  return judged
    .flatMap(({ site, verdict }) => {
      if (verdict.kind !== 'survived') return [];
      const files =
        verdict.files.length === 0
          ? 'no test, because none that was looked at executes the line'
          : verdict.files.join(', ');
      return `${site.file}:${site.line} (${site.operator})\n  - ${site.original}\n  + ${site.mutated}\n  ran: ${files}`;
    })
    .join('\n');
}
