import { InvalidArgumentError } from '@windlass/base';

const RFC3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;

/** google.protobuf.Timestamp. */
export interface Timestamp {
  readonly seconds: number;
  readonly nanos: number;
}

/** The JSON form: `2026-01-31T08:00:00.5Z`. */
export function printTimestamp({ seconds, nanos }: Timestamp): string {
  const whole = new Date(seconds * 1000).toISOString().slice(0, 19);
  const fraction = nanos === 0 ? '' : `.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`;
  return `${whole}${fraction}Z`;
}

export function parseTimestamp(text: string): Timestamp {
  const [, whole, fraction = '', zone] = RFC3339.exec(text) ?? [];
  const milliseconds = Date.parse(`${whole}${zone}`);
  if (Number.isNaN(milliseconds))
    throw new InvalidArgumentError('a timestamp', text, 'of the form 2026-01-31T08:00:00Z');
  return { seconds: milliseconds / 1000, nanos: Number(fraction.padEnd(9, '0')) };
}
