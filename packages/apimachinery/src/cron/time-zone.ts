import { UnknownTimeZoneError } from './errors.ts';

/** Transitions happen at quarters of an hour, so that one look is good for a whole one. */
const QUARTER_MS = 15 * 60_000;
const OFFSET = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/** The clocks of a place. Instants are milliseconds since 1970. */
export class TimeZone {
  static readonly utc = new TimeZone('UTC');
  readonly name: string;
  readonly #format: Intl.DateTimeFormat | undefined;
  #quarter = Number.NaN;
  #offset = 0;

  /** @throws UnknownTimeZoneError */
  constructor(name: string) {
    this.name = name === '' ? 'UTC' : name;
    if (this.name === 'UTC') return;
    // Bare offsets are no places, though Intl takes them.
    if (/^[+-]/.test(name)) throw new UnknownTimeZoneError(name);
    try {
      this.#format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
    } catch {
      throw new UnknownTimeZoneError(name);
    }
  }

  /** How far clocks are ahead of UTC, in milliseconds. */
  offsetAt(instant: number): number {
    if (this.#format === undefined) return 0;
    const quarter = Math.floor(instant / QUARTER_MS);
    if (quarter === this.#quarter) return this.#offset;
    const parts = this.#format.formatToParts(instant);
    const text = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = 0, minutes = 0, seconds = 0] = OFFSET.exec(text) ?? [];
    const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
    this.#offset = sign === '-' ? -size : size;
    this.#quarter = quarter;
    return this.#offset;
  }

  /** What clocks show, as if they showed UTC: for `getUTCHours` and its like. */
  clockAt(instant: number): Date {
    return new Date(instant + this.offsetAt(instant));
  }

  /**
   * When clocks show this. Where they are put forward and never do, and where they are put back and do
   * twice, it is one of the two times that could be meant: the same one that Go takes.
   */
  instantOf(clock: number): number {
    const guess = this.offsetAt(clock);
    return guess === 0 ? clock : clock - this.offsetAt(clock - guess);
  }

  /** `2006-01-02T15:04:05+01:00`, or with a Z where clocks show UTC. */
  format(instant: number): string {
    const offset = this.offsetAt(instant);
    const text = new Date(instant + offset).toISOString().slice(0, 19);
    if (offset === 0) return `${text}Z`;
    const minutes = Math.abs(offset) / 60_000;
    const two = (value: number): string => String(Math.trunc(value)).padStart(2, '0');
    return `${text}${offset < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
  }
}
