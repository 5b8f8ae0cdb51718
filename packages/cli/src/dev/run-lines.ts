import type { RunDetail } from '@windlass/console';

const RESULTS: Readonly<Record<RunDetail['result'], string>> = {
  success: 'done',
  error: 'FAILED',
  requeue: 'again',
  requeue_after: 'later',
};

/** One run as lines of a terminal: what ran, why, what it wrote, and what comes next. */
export function runLines(run: RunDetail, timeOf: (at: number) => string): string[] {
  const { controller, key, at, tookMs, result, error, againInMs, reasons, reasonCount, writes } = run;
  const again = againInMs === undefined ? '' : `, again in ${shortDuration(againInMs)}`;
  const lines = [
    `${timeOf(at)} ${controller} ${key}: ${RESULTS[result]} in ${shortDuration(tookMs)}${again}`,
  ];
  for (const reason of together(reasons)) lines.push(`    because of ${reason}`);
  if (reasonCount > reasons.length) lines.push(`    because of ${reasonCount - reasons.length} more`);
  if (run.wokeItself) lines.push('    it was woken by what the run before it wrote');
  for (const { verb, resource, key: written, status, error: refusal } of writes) {
    const outcome = refusal === undefined ? '' : ` → ${status === 0 ? 'no answer' : status}: ${refusal}`;
    lines.push(`    ${verb} ${resource} ${written}${outcome}`);
  }
  if (error !== undefined) lines.push(`    ${error}`);
  return lines;
}

/** Several changes of one object are one line: their versions say nothing to people. */
function together(reasons: readonly string[]): string[] {
  const times = new Map<string, number>();
  for (const reason of reasons) {
    const what = reason.replace(/ at \d+$/, '');
    times.set(what, (times.get(what) ?? 0) + 1);
  }
  return Array.from(times, ([what, count]) => (count === 1 ? what : `${what}, ${count} times`));
}

export function shortDuration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${ms.toFixed(0)} ms`;
  return ms < 120_000 ? `${(ms / 1000).toFixed(1)} s` : `${(ms / 60_000).toFixed(0)} min`;
}
