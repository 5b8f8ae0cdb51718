import { parseTime } from './time.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24;
const YEAR = 365 * DAY;

/**
 * A duration as people read it in an AGE column: two or three figures, coarser as it grows. A clock that
 * is off by less than two seconds is forgiven; what lies further in the future is `<invalid>`.
 */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 2 * MINUTE) return `${seconds + 0}s`;
  if (seconds < 10 * MINUTE) return pair(seconds, MINUTE, 'm', 's');
  if (seconds < 3 * HOUR) return `${Math.trunc(seconds / MINUTE)}m`;
  if (seconds < 8 * HOUR) return pair(Math.trunc(seconds / MINUTE), 60, 'h', 'm');
  const hours = Math.trunc(seconds / HOUR);
  if (hours < 48) return `${hours}h`;
  if (hours < 8 * DAY) return pair(hours, DAY, 'd', 'h');
  const days = Math.trunc(hours / DAY);
  if (hours < 2 * YEAR) return `${days}d`;
  if (hours < 8 * YEAR) return pair(days, 365, 'y', 'd');
  return `${Math.trunc(days / 365)}y`;
}

/** The larger unit, and the rest in the smaller one unless there is none. */
function pair(amount: number, size: number, large: string, small: string): string {
  const rest = amount % size;
  return `${Math.trunc(amount / size)}${large}${rest === 0 ? '' : `${rest}${small}`}`;
}

/** One figure only. */
export function shortHumanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < MINUTE) return `${seconds + 0}s`;
  if (seconds < HOUR) return `${Math.trunc(seconds / MINUTE)}m`;
  const hours = Math.trunc(seconds / HOUR);
  if (hours < DAY) return `${hours}h`;
  if (hours < YEAR) return `${Math.trunc(hours / DAY)}d`;
  return `${Math.trunc(hours / YEAR)}y`;
}

/** How long ago an object's timestamp is; `<unknown>` where there is none. */
export function humanAge(timestamp: string | undefined | null, nowMs: number): string {
  return timestamp ? humanDuration(nowMs - parseTime(timestamp)) : '<unknown>';
}
