import { isIPv4, isIPv6 } from 'node:net';
import { parseDuration } from '@windlass/apimachinery';

type Check = (text: string) => boolean;

const HOSTNAME =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;
// Dots are characters as all others: parts between them would let a text without an `@` be split in any way.
const EMAIL = /^(?:[^<>]*<)?[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+>?$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[tT ](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[zZ]|[+-]\d{2}:?\d{2})$/;
const SCALA_DURATION =
  /^\s*(\d+)\s*(ns|nano|nanosecond|us|µs|micro|microsecond|ms|milli|millisecond|s|sec|second|m|min|minute|h|hr|hour|d|day|w|week)s?\s*$/;
const LONG_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

function uuid(middle: string): Check {
  const pattern = new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${middle}-?[0-9a-f]{12}$`, 'i');
  return (text) => pattern.test(text);
}

function matches(pattern: RegExp): Check {
  return (text) => pattern.test(text);
}

/** String formats by their name without dashes. Those that are not here are not checked. */
const FORMATS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['bsonobjectid', matches(/^[0-9a-fA-F]{24}$/)],
  ['uri', isUri],
  ['email', matches(EMAIL)],
  ['hostname', isHostname],
  ['ipv4', isIPv4],
  ['ipv6', (text) => isIPv6(text) && !text.includes('%')],
  ['cidr', isCidr],
  [
    'mac',
    matches(
      /^([0-9a-fA-F]{2}([:-][0-9a-fA-F]{2}){5}([:-][0-9a-fA-F]{2}){0,2}|[0-9a-fA-F]{4}(\.[0-9a-fA-F]{4}){2,3})$/,
    ),
  ],
  ['uuid', uuid('[0-9a-f]{4}-?[0-9a-f]{4}')],
  ['uuid3', uuid('3[0-9a-f]{3}-?[0-9a-f]{4}')],
  ['uuid4', uuid('4[0-9a-f]{3}-?[89ab][0-9a-f]{3}')],
  ['uuid5', uuid('5[0-9a-f]{3}-?[89ab][0-9a-f]{3}')],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', matches(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/)],
  ['hexcolor', matches(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  [
    'rgbcolor',
    matches(
      /^rgb\(\s*(25[0-5]|2[0-4]\d|1?\d?\d)\s*,\s*(25[0-5]|2[0-4]\d|1?\d?\d)\s*,\s*(25[0-5]|2[0-4]\d|1?\d?\d)\s*\)$/,
    ),
  ],
  ['byte', matches(BASE64)],
  ['password', () => true],
  ['date', isDate],
  ['duration', isDuration],
  ['datetime', isDateTime],
  ['k8sshortname', (text) => text.length <= 63 && LONG_NAME.test(text) && !text.includes('.')],
  ['k8slongname', (text) => text.length <= 253 && LONG_NAME.test(text)],
]);

/** Whether the format means anything for values of the type. */
export function isKnownFormat(type: string | undefined, format: string): boolean {
  if (type === undefined || type === 'string') return FORMATS.has(format.replaceAll('-', ''));
  if (type === 'integer') return format === 'int32' || format === 'int64';
  return type === 'number' && (format === 'float' || format === 'double');
}

/** Whether a text has the format. One that is not known fits everything. */
export function hasFormat(text: string, format: string): boolean {
  return FORMATS.get(format.replaceAll('-', ''))?.(text) ?? true;
}

function isUri(text: string): boolean {
  if (text.startsWith('/')) return !/[^\x21-\x7e\u0080-\u{10ffff}]/u.test(text);
  return /^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(text) && !/[^\x21-\x7e\u0080-\u{10ffff}]/u.test(text);
}

function isHostname(text: string): boolean {
  if (text.length > 255 || !HOSTNAME.test(text)) return false;
  return text.split('.').every((part) => part.length <= 63);
}

function isCidr(text: string): boolean {
  const match = /^([^/]+)\/(\d{1,3})$/.exec(text);
  if (match === null) return false;
  const [, address = '', bits = ''] = match;
  if (bits.length > 1 && bits.startsWith('0')) return false;
  if (isIPv4(address)) return Number(bits) <= 32;
  return isIPv6(address) && !address.includes('%') && Number(bits) <= 128;
}

function isIsbn10(text: string): boolean {
  const digits = text.replaceAll(/[\s-]/g, '');
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  let sum = 0;
  for (let at = 0; at < 10; at++) sum += (10 - at) * (digits[at] === 'X' ? 10 : Number(digits[at]));
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replaceAll(/[\s-]/g, '');
  if (!/^\d{13}$/.test(digits)) return false;
  let sum = 0;
  for (let at = 0; at < 13; at++) sum += (at % 2 === 0 ? 1 : 3) * Number(digits[at]);
  return sum % 10 === 0;
}

function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '');
  return /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/.test(
    digits,
  );
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function isDateTime(text: string): boolean {
  const match = DATE_TIME.exec(text);
  if (match === null) return false;
  const [, date = '', hours, minutes, seconds] = match;
  return isDate(date) && Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60;
}

function isDuration(text: string): boolean {
  if (SCALA_DURATION.test(text)) return true;
  try {
    parseDuration(text);
    return true;
  } catch {
    return false;
  }
}
