import type {
  DiffLine,
  EventItem,
  RevisionDetail,
  RunDetail,
  WhyAnswer,
  WriteDetail,
} from '@windlass/console';

/** So many of each are shown; `--output json` has all. */
const SHOWN = 10;
const MAX_LINES = 8;

/** The answer as people read it: what happened, the newest first, with what it changed. */
export function whyText({ object, runs, events }: WhyAnswer, now: number): string {
  const title = `${object.kind} ${object.key}${object.exists ? '' : ', which is gone'}`;
  const sections = [
    section(
      'Runs',
      runs.length,
      runs.slice(0, SHOWN).flatMap((run) => runLines(run, now)),
      ['none of the last runs was for it or because of it'],
    ),
    section(
      'Changes',
      object.history.length,
      object.history
        .toReversed()
        .slice(0, SHOWN)
        .flatMap((revision) => revisionLines(revision, now)),
      ['the server has forgotten them'],
    ),
    section(
      'Events',
      events.length,
      events.slice(0, SHOWN).map((event) => eventLine(event, now)),
      ['none'],
    ),
  ];
  return `${[title, ...sections].join('\n\n')}\n`;
}

function section(name: string, count: number, lines: readonly string[], none: readonly string[]): string {
  const more = count > SHOWN ? `, the newest ${SHOWN} of ${count}` : '';
  const body = lines.length === 0 ? none : lines;
  return [`${name}${more}`, ...body.map((line) => `  ${line}`)].join('\n');
}

function runLines(run: RunDetail, now: number): string[] {
  const { controller, key, tookMs, result, error, againInMs, reasons, reasonCount, writes } = run;
  const again = againInMs === undefined ? '' : `, again in ${duration(againInMs)}`;
  const lines = [`${ago(run.at, now)}  ${controller} ${key}: ${result} after ${duration(tookMs)}${again}`];
  for (const reason of reasons) lines.push(`  because  ${reason}`);
  if (reasonCount > reasons.length) lines.push(`  because  of ${reasonCount - reasons.length} more`);
  if (run.wokeItself) lines.push('  because  of what the run before it wrote');
  if (error !== undefined) lines.push(`  failed   ${error}`);
  for (const write of writes) lines.push(...writeLines(write));
  return lines;
}

function writeLines({ verb, resource, key, status, error, diff, isForgotten }: WriteDetail): string[] {
  const outcome = error === undefined ? '' : `: ${status === 0 ? 'no answer' : status}, ${error}`;
  const rest = isForgotten === true ? ['             what differed is no longer kept'] : [];
  return [`  wrote    ${verb} ${resource} ${key}${outcome}`, ...diffLines(diff, '             '), ...rest];
}

function revisionLines({ resourceVersion, at, by, deleted, diff }: RevisionDetail, now: number): string[] {
  const when = at === undefined ? '' : `${ago(at, now)}  `;
  const what = deleted ? 'deleted' : `by ${by ?? 'somebody'}`;
  return [`${when}version ${resourceVersion}, ${what}`, ...diffLines(diff, '    ')];
}

function diffLines(diff: readonly DiffLine[], indent: string): string[] {
  const lines = diff.slice(0, MAX_LINES).map(({ path, before, after }) => {
    const field = path === '' ? 'the object' : path;
    if (before === undefined) return path === '' ? '' : `${field}: ${oneLine(after ?? '')}`;
    return after === undefined
      ? `${field}: removed, was ${oneLine(before)}`
      : `${field}: ${oneLine(before)} → ${oneLine(after)}`;
  });
  if (diff.length > MAX_LINES) lines.push(`and ${diff.length - MAX_LINES} more fields`);
  return lines.filter((line) => line !== '').map((line) => `${indent}${line}`);
}

function eventLine({ lastAt, isWarning, reason, message, count, by }: EventItem, now: number): string {
  const times = count > 1 ? ` (${count} times)` : '';
  return `${ago(lastAt, now)}  ${isWarning ? 'Warning  ' : ''}${reason}: ${oneLine(message)}${times}, by ${by}`;
}

const MAX_VALUE = 80;

function oneLine(text: string): string {
  const line = text.replaceAll(/\s*\n\s*/g, ' ');
  return line.length > MAX_VALUE ? `${line.slice(0, MAX_VALUE - 1)}…` : line;
}

function ago(at: number, now: number): string {
  return `${duration(Math.max(0, now - at))} ago`;
}

/** `3 ms`, `4.2 s`, `5 min`, `2 h`, `3 d`. */
function duration(ms: number): string {
  if (ms < 1) return `${ms.toFixed(2)} ms`;
  if (ms < 1000) return `${ms.toFixed(0)} ms`;
  const seconds = ms / 1000;
  if (seconds < 90) return `${seconds < 10 ? seconds.toFixed(1) : seconds.toFixed(0)} s`;
  const minutes = seconds / 60;
  if (minutes < 90) return `${minutes.toFixed(0)} min`;
  const hours = minutes / 60;
  return hours < 48 ? `${hours.toFixed(0)} h` : `${(hours / 24).toFixed(0)} d`;
}
