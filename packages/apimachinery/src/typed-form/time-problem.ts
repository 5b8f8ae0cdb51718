// What is wrong with a text that should be a time, in the words of Go, which API servers hand on to their clients.

export type TimePrecision = 'seconds' | 'micros';

const LAYOUTS: Readonly<Record<TimePrecision, string>> = {
  seconds: '2006-01-02T15:04:05Z07:00',
  micros: '2006-01-02T15:04:05.000000Z07:00',
};

/** How many characters it takes of the rest, or the name of what is out of its range, or undefined if it does not fit. */
type Take = (rest: string) => number | string | undefined;

/** Elements of a layout in their order. */
type Elements = readonly (readonly [element: string, take: Take])[];

const literal = (text: string): readonly [string, Take] => [
  text,
  (rest) => (rest.startsWith(text) ? text.length : undefined),
];

/** The number is the first group. */
function number(pattern: RegExp, range: { min?: number; max?: number; name?: string } = {}): Take {
  const { min = 0, max = Number.POSITIVE_INFINITY, name = '' } = range;
  return (rest) => {
    const match = pattern.exec(rest);
    if (match === null) return undefined;
    const value = Number(match[1]);
    return value < min || value > max ? name : match[0].length;
  };
}

/** By bytes: two for the hours, two for the minutes, whatever they are. */
const ZONE = /^(.)(..):(..)/s;
const TWO_DIGITS = /^\d\d$/;
const ZONE_LENGTH = '+07:00'.length;

/** An offset that is out of range is told even if it has no sign, or if its minutes are none. */
const zone: Take = (rest) => {
  if (rest.startsWith('Z')) return 1;
  const [, sign = '', hours = '', minutes = ''] = ZONE.exec(Buffer.from(rest).toString('latin1')) ?? [];
  if (!TWO_DIGITS.test(hours)) return undefined;
  const hasMinutes = TWO_DIGITS.test(minutes);
  // Some people do write 24 hours, and 60 minutes.
  if (hasMinutes && Number(minutes) > 60) return 'time zone offset minute';
  if (Number(hours) > 24) return 'time zone offset hour';
  return hasMinutes && (sign === '+' || sign === '-') ? ZONE_LENGTH : undefined;
};

function elementsOf(precision: TimePrecision): Elements {
  const isExact = precision === 'micros';
  return [
    ['2006', number(/^(\d{4})/)],
    literal('-'),
    ['01', number(/^(\d\d)/, { min: 1, max: 12, name: 'month' })],
    literal('-'),
    ['02', number(/^(\d\d)/)],
    literal('T'),
    ['15', number(/^(\d\d?)/, { max: 23, name: 'hour' })],
    literal(':'),
    ['04', number(/^(\d\d)/, { max: 59, name: 'minute' })],
    literal(':'),
    // A fraction that the layout does not have may follow.
    ['05', number(isExact ? /^(\d\d)/ : /^(\d\d)(?:[.,]\d+)?/, { max: 59, name: 'second' })],
    ...(isExact ? [['.000000', number(/^[.,](\d{6})/)] as const] : []),
    ['Z07:00', zone],
  ];
}

const ELEMENTS: Readonly<Record<TimePrecision, Elements>> = {
  seconds: elementsOf('seconds'),
  micros: elementsOf('micros'),
};

/** Of a text that is no such time. */
export function timeProblem(text: string, precision: TimePrecision): string {
  const about = `parsing time ${quoted(text)}`;
  let rest = text;
  for (const [element, take] of ELEMENTS[precision]) {
    const taken = take(rest);
    if (typeof taken === 'string') return `${about}: ${taken} out of range`;
    if (taken === undefined)
      return `${about} as ${quoted(LAYOUTS[precision])}: cannot parse ${quoted(rest)} as ${quoted(element)}`;
    rest = rest.slice(taken);
  }
  // Which days a month has is asked last.
  return rest === '' ? `${about}: day out of range` : `${about}: extra text: ${quoted(rest)}`;
}

/** As Go's package time quotes: bytes that are no ASCII text stand as numbers. */
function quoted(text: string): string {
  let result = '';
  for (const character of text) {
    if (character >= ' ' && character < '\u0080')
      result += character === '"' || character === '\\' ? `\\${character}` : character;
    else for (const byte of Buffer.from(character)) result += `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return `"${result}"`;
}
