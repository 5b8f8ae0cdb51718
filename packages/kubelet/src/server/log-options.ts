import { parseTime } from '@windlass/apimachinery';
import type { Printed } from '../shell/printed-lines.ts';

/** What of a log is asked for. */
export interface LogOptions {
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  /** Milliseconds since 1970; undefined: from the beginning. */
  readonly since: number | undefined;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
}

/** Undefined when the query cannot be read. */
export function logOptionsOf(query: URLSearchParams, now: number): LogOptions | undefined {
  const flag = (name: string): boolean => {
    const text = query.get(name);
    return text !== null && text !== '0' && text.toLowerCase() !== 'false';
  };
  const numbers = ['sinceSeconds', 'tailLines', 'limitBytes'].map((name) => numberOf(query.get(name)));
  if (numbers.some(Number.isNaN)) return undefined;
  const [sinceSeconds, tailLines, limitBytes] = numbers;
  const sinceTime = query.get('sinceTime');
  try {
    return {
      follow: flag('follow'),
      previous: flag('previous'),
      timestamps: flag('timestamps'),
      since:
        sinceTime !== null
          ? parseTime(sinceTime)
          : sinceSeconds === undefined
            ? undefined
            : now - sinceSeconds * 1000,
      tailLines,
      limitBytes,
    };
  } catch {
    return undefined;
  }
}

function numberOf(text: string | null): number | undefined {
  if (text === null || text === '' || text === 'all') return undefined;
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** A line as it is sent. */
export function logLine({ at, text }: Printed, { timestamps }: Pick<LogOptions, 'timestamps'>): string {
  if (!timestamps) return `${text}\n`;
  // Runtimes write nanoseconds.
  return `${new Date(at).toISOString().replace('Z', '000000Z')} ${text}\n`;
}

/** The lines of what was printed until now that are asked for, in order. */
export function selectLines(
  printed: Iterable<Printed>,
  until: number,
  { since, tailLines }: Pick<LogOptions, 'since' | 'tailLines'>,
): Printed[] {
  const kept: Printed[] = [];
  const most = Math.min(tailLines ?? MAX_LINES, MAX_LINES);
  for (const line of printed) {
    if (line.at > until) break;
    if (since !== undefined && line.at < since) continue;
    kept.push(line);
    // Thrown away many at a time: one by one would move all others each time.
    if (kept.length > most * 2 + 64) kept.splice(0, kept.length - most);
  }
  return most === 0 ? [] : kept.slice(-most);
}

/** A node keeps no more of a log: runtimes rotate theirs too. */
const MAX_LINES = 100_000;
