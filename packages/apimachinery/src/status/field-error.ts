import { goJson, goNumber, goQuote } from '../text/go-text.ts';
import type { FieldPath } from './field-path.ts';

/** What is wrong with a field. The values are the `reason` of a Status' cause. */
export type FieldErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooShort'
  | 'FieldValueTooMany'
  | 'FieldValueTooFew'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

/** One thing that validation found. Made by the functions below, printed by `fieldErrorMessage`. */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  /** Printed after the type; undefined means that there is nothing to print. */
  readonly badValue: unknown;
  /** May be empty. */
  readonly detail: string;
}

/** Messages speak of `<nil>` where no path is known, as Kubernetes' do. */
type Path = FieldPath | undefined;

const HEADINGS: Readonly<Record<FieldErrorType, string>> = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooShort: 'Too short',
  FieldValueTooMany: 'Too many',
  FieldValueTooFew: 'Too few',
  FieldValueTypeInvalid: 'Invalid value',
  InternalError: 'Internal error',
};

function fieldError(type: FieldErrorType, path: Path, badValue: unknown, detail = ''): FieldError {
  return { type, field: path === undefined ? '<nil>' : path.toString(), badValue, detail };
}

/** Malformed: it fails a pattern, it is out of bounds. */
export function fieldInvalid(path: Path, value: unknown, detail: string): FieldError {
  return fieldError('FieldValueInvalid', path, value, detail);
}

/** Not of the schema's type. */
export function fieldTypeInvalid(path: Path, value: unknown, detail: string): FieldError {
  return fieldError('FieldValueTypeInvalid', path, value, detail);
}

/** Absent or empty where it must not be. */
export function fieldRequired(path: Path, detail = ''): FieldError {
  return fieldError('FieldValueRequired', path, undefined, detail);
}

/** Well-formed, but not allowed here and now. */
export function fieldForbidden(path: Path, detail: string): FieldError {
  return fieldError('FieldValueForbidden', path, undefined, detail);
}

/** Names something that does not exist. */
export function fieldNotFound(path: Path, value: unknown): FieldError {
  return fieldError('FieldValueNotFound', path, value);
}

/** Must be unique, and is there twice. */
export function fieldDuplicate(path: Path, value: unknown): FieldError {
  return fieldError('FieldValueDuplicate', path, value);
}

/** None of the values that the field may have. They are printed in the order given. */
export function fieldNotSupported(path: Path, value: unknown, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`;
  return fieldError('FieldValueNotSupported', path, value, detail);
}

/** The value itself is not printed. */
export function fieldTooLong(path: Path, maxBytes: number): FieldError {
  return fieldError('FieldValueTooLong', path, undefined, `may not be more than ${count(maxBytes, 'byte')}`);
}

/** The value itself is not printed. */
export function fieldTooLongCharacters(path: Path, maxCharacters: number): FieldError {
  const detail = `may not be more than ${count(maxCharacters, 'character')}`;
  return fieldError('FieldValueTooLong', path, undefined, detail);
}

/** The value itself is not printed. */
export function fieldTooShort(path: Path, minCharacters: number): FieldError {
  const detail = `must be at least ${count(minCharacters, 'character')}`;
  return fieldError('FieldValueTooShort', path, undefined, detail);
}

/** The list has more items than it may have. */
export function fieldTooMany(path: Path, actual: number | undefined, max: number): FieldError {
  return fieldError('FieldValueTooMany', path, actual, `must have at most ${count(max, 'item')}`);
}

/** The list has fewer items than it must have. */
export function fieldTooFew(path: Path, actual: number, min: number): FieldError {
  return fieldError('FieldValueTooFew', path, actual, `must have at least ${count(min, 'item')}`);
}

/** Validation itself failed; the user's input may be right. */
export function fieldInternalError(path: Path, error: Error): FieldError {
  return fieldError('InternalError', path, undefined, error.message);
}

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`;
}

/** The message without the field: what a Status' cause carries. */
export function fieldErrorBody(error: FieldError): string {
  let body = HEADINGS[error.type];
  if (error.badValue !== undefined) body += `: ${printed(error.badValue)}`;
  if (error.detail !== '') body += `: ${error.detail}`;
  return body;
}

function printed(value: unknown): string {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return goNumber(value);
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  return goJson(value);
}

/** `spec.replicas: Invalid value: -1: must be greater than or equal to 0`. */
export function fieldErrorMessage(error: FieldError): string {
  return `${error.field}: ${fieldErrorBody(error)}`;
}

/** One message for all: bracketed when several remain after the same ones are folded; empty for none. */
export function aggregateFieldErrors(errors: readonly FieldError[]): string {
  const messages = [...new Set(errors.map(fieldErrorMessage))];
  return messages.length > 1 ? `[${messages.join(', ')}]` : (messages[0] ?? '');
}
