import { goQuote } from '@windlass/apimachinery';
import { timeText } from './standard/times.ts';

const DEFAULT_PRECISION = 6;
const SUPERSCRIPTS: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('+-0123456789', (char, index) => [char, Array.from('⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹')[index] ?? char]),
);

/** `"%s is %d".format(["a", 3])`, as CEL's library of strings has it in the version of Kubernetes. */
export function formatText(pattern: string, values: readonly unknown[]): string {
  let next = 0;
  const text = pattern.replaceAll(
    /%(?:(%)|(?:\.(\d+))?([^]?))/gu,
    (_, percent: string | undefined, precision: string | undefined, verb: string) => {
      if (percent !== undefined) return '%';
      if (next >= values.length) throw new Error(`index ${next} out of range`);
      return clause(verb, values[next++], precision === undefined ? DEFAULT_PRECISION : Number(precision));
    },
  );
  if (next < values.length)
    throw new Error(`too many arguments supplied to string.format (expected ${next}, got ${values.length})`);
  return text;
}

function clause(verb: string, value: unknown, precision: number): string {
  switch (verb) {
    case 's':
      return plain(value);
    case 'd':
      return integer(value, 'decimal').toString();
    case 'f':
      return double(value, 'fixed-point').toLocaleString('en-US', {
        minimumFractionDigits: precision,
        maximumFractionDigits: precision,
      });
    case 'e':
      return scientific(double(value, 'scientific'));
    case 'b':
      return typeof value === 'boolean' ? (value ? '1' : '0') : integer(value, 'binary').toString(2);
    case 'o':
      return integer(value, 'octal').toString(8);
    case 'x':
      return hex(value);
    case 'X':
      return hex(value).toUpperCase();
    default:
      throw new Error(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
  }
}

function integer(value: unknown, clauseName: string): bigint {
  if (typeof value === 'bigint') return value;
  throw new Error(`error during formatting: ${clauseName} clause can only be used on integers`);
}

function double(value: unknown, clauseName: string): number {
  if (typeof value === 'number') return value;
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return Number(value);
  throw new Error(`error during formatting: ${clauseName} clause can only be used on doubles`);
}

function hex(value: unknown): string {
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return integer(value, 'hex').toString(16);
}

/** As people write it, not as programs do. */
function scientific(value: number): string {
  const [mantissa = '', exponent = '+0'] = value.toExponential(DEFAULT_PRECISION).split('e');
  const digits = exponent.replace(/^[+-]/, '').padStart(2, '0');
  const sign = exponent.startsWith('-') ? '-' : '';
  return `${mantissa}×10${Array.from(`${sign}${digits}`, (char) => SUPERSCRIPTS[char] ?? char).join('')}`;
}

function plain(value: unknown): string {
  if (typeof value === 'number') return goFloat(value);
  if (value instanceof Date) return timeText(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (value instanceof Map) {
    const pairs = [...value].map(([key, item]) => [literal(key), literal(item)] as const);
    const sorted = pairs.toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `{${sorted.map(([key, item]) => `${key}:${item}`).join(', ')}}`;
  }
  return String(value);
}

/** Within a list or a map, values are as an expression would write them. */
function literal(value: unknown): string {
  if (typeof value === 'string') return goQuote(value);
  if (value instanceof Uint8Array) return `b${goQuote(Buffer.from(value).toString('utf8'))}`;
  if (typeof value === 'number')
    return Number.isFinite(value) ? value.toFixed(DEFAULT_PRECISION) : goQuote(plain(value));
  return value instanceof Date ? `timestamp("${timeText(value)}")` : plain(value);
}

/** The shortest text that is the number, with an exponent from a million on. */
function goFloat(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  const [mantissa = '', exponent = '+0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
