import { DecodeError } from '../errors.ts';
import type { JsonValue } from '../object.ts';
import { compareUtf8 } from './go-format.ts';
import { parseJsonValue } from './json-object.ts';
import { findJsonProblem } from './json-syntax.ts';
import { type KnownFields, placeOf, scanFields } from './strict-fields.ts';
import { parseWideJson, wideJson } from './wide-json.ts';

/** How a text is read. */
export interface DecodeOptions {
  /**
   * Which fields there may be. Others, and fields that stand twice, are reported as problems.
   * @default any
   */
  readonly known?: KnownFields;
  /**
   * How deep arrays and objects may be nested.
   * @default 1000
   */
  readonly maxDepth?: number;
  /**
   * Whole numbers beyond 2^53 are bigints, up to 64 bits, instead of the nearest number.
   * @default false
   */
  readonly wideIntegers?: boolean;
  /**
   * How long the input may be, in bytes.
   * @default 16 MiB
   */
  readonly maxBytes?: number;
}

/** A value, and what strict decoding would refuse it for. */
export interface Decoded {
  /** Where a field stands twice, the last one counts. */
  readonly value: JsonValue;
  /** `unknown field "spec.a"`, `duplicate field "spec.b"`: in the words of API servers. */
  readonly problems: readonly string[];
}

export const DEFAULT_MAX_DECODE_BYTES = 16 * 1024 * 1024;

/** Decodes what came from a stranger. Throws DecodeError, with the place, for what is no JSON. */
export function decodeJson(input: string | Uint8Array, options: DecodeOptions = {}): Decoded {
  const text = textOf(input, options.maxBytes);
  let value: JsonValue;
  try {
    value = options.wideIntegers === true ? parseWideJson(text) : parseJsonValue(text);
  } catch (error) {
    throw syntaxError(text, error);
  }
  return { value, problems: scanFields(text, options) };
}

export function textOf(input: string | Uint8Array, maxBytes = DEFAULT_MAX_DECODE_BYTES): string {
  const size = typeof input === 'string' ? Buffer.byteLength(input) : input.byteLength;
  if (size > maxBytes) throw new DecodeError(`the input has ${size} bytes; the limit is ${maxBytes}`);
  if (typeof input === 'string') return input;
  return Buffer.from(input.buffer, input.byteOffset, input.byteLength).toString();
}

function syntaxError(text: string, cause: unknown): DecodeError {
  const found = findJsonProblem(text);
  const place = placeOf(text, found?.offset ?? 0);
  const problem = found?.problem ?? 'invalid JSON';
  return new DecodeError(
    `${problem} (line ${place.line}, column ${place.column})`,
    { ...place, problem },
    cause,
  );
}

/** How a value is written as JSON. */
export interface EncodeJsonOptions {
  /**
   * Fields in the order of their names, so that equal values have equal texts.
   * @default false
   */
  readonly stable?: boolean;
  /**
   * Two blanks for every level, for people.
   * @default false
   */
  readonly pretty?: boolean;
}

/** Fields that are undefined are left out. */
export function encodeJson(
  value: unknown,
  { stable = false, pretty = false }: EncodeJsonOptions = {},
): string {
  return wideJson(stable ? sorted(value) : value, pretty ? 2 : undefined) ?? 'null';
}

/** The same value with its fields in order. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  if ('toJSON' in value && typeof value.toJSON === 'function') return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => compareUtf8(a, b));
  // Object.fromEntries defines fields, so that one named __proto__ stays a field.
  return Object.fromEntries(entries.map(([key, field]) => [key, sorted(field)]));
}

/** What a request is refused with whose fields were to be checked strictly. */
export function strictDecodingMessage(problems: readonly string[]): string {
  return `strict decoding error: ${problems.join(', ')}`;
}
