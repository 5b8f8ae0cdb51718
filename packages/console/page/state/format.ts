// How figures read: short, with their unit, and the same everywhere.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `0.4 ms`, `12 ms`, `1.2 s`, `2 min 5 s`, `3 h 2 min`, `5 d`. */
export function duration(ms: number): string {
  if (ms < 0.05) return '0 ms';
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 9950) return `${(ms / SECOND).toFixed(1)} s`;
  if (ms < MINUTE - 500) return `${Math.round(ms / SECOND)} s`;
  const rounded = Math.round(ms / SECOND) * SECOND;
  if (rounded < HOUR) return two(rounded, MINUTE, 'min', SECOND, 's');
  if (rounded < DAY) return two(rounded, HOUR, 'h', MINUTE, 'min');
  return two(rounded, DAY, 'd', HOUR, 'h');
}

function two(ms: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)} ${largeName}${rest === 0 ? '' : ` ${rest} ${smallName}`}`;
}

/** `now`, `3 s ago`, `5 min ago`, `2 h ago`; `in 3 s` for what is to come. */
export function ago(ms: number): string {
  const distance = Math.abs(ms);
  if (distance < SECOND) return 'now';
  const text = coarse(distance);
  return ms > 0 ? `${text} ago` : `in ${text}`;
}

/** The age as kubectl would round it. */
export function coarse(ms: number): string {
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`;
  return `${Math.floor(ms / DAY)} d`;
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

/** `512 B`, `9.8 GiB`, `120 TiB`. */
export function bytes(count: number): string {
  let value = Math.max(0, count);
  let unit = 0;
  while (value >= 1023.95 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  const text = value.toFixed(unit === 0 || value >= 99.95 ? 0 : 1);
  return `${text.replace(/\.0$/, '')} ${UNITS[unit]}`;
}

/** What happens a second: `0`, `0.4`, `12`, `1.2k`. */
export function rate(perSecond: number): string {
  if (!(perSecond >= 0.05)) return '0';
  if (perSecond < 9.95) return perSecond.toFixed(1);
  if (perSecond < 999.5) return String(Math.round(perSecond));
  return `${(perSecond / 1000).toFixed(1)}k`;
}

const GROUPED = new Intl.NumberFormat('en');

/** `1,234`. */
export function count(value: number): string {
  return GROUPED.format(value);
}

/** `1 pod`, `3 pods`. */
export function counted(value: number, singular: string, plural = `${singular}s`): string {
  return `${count(value)} ${value === 1 ? singular : plural}`;
}
