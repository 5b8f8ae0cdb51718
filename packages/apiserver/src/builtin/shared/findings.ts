import {
  compareQuantities,
  deepEqual,
  type FieldError,
  type FieldPath,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotFound,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
  fieldTooMany,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateLabelSelector,
  validatePathSegmentName,
  validatePercent,
  validateQualifiedName,
} from '@windlass/apimachinery';
import type { LabelSelector } from '@windlass/apimachinery/api/meta/v1';
import { appendAll } from '@windlass/base';
import type { View } from '../../resource/views.ts';
import { IMMUTABLE } from './immutable.ts';
import { asSelector } from './selectors.ts';

const NOT_NEGATIVE = 'must be greater than or equal to 0';

/** Collects what is wrong with an object, in the words of Kubernetes. Nothing is thrown. */
export class Findings {
  readonly errors: FieldError[] = [];

  invalid(path: FieldPath, value: unknown, detail: string): void {
    this.errors.push(fieldInvalid(path, value, detail));
  }

  required(path: FieldPath, detail?: string): void {
    this.errors.push(fieldRequired(path, detail));
  }

  forbidden(path: FieldPath, detail: string): void {
    this.errors.push(fieldForbidden(path, detail));
  }

  duplicate(path: FieldPath, value: unknown): void {
    this.errors.push(fieldDuplicate(path, value));
  }

  notFound(path: FieldPath, value: unknown): void {
    this.errors.push(fieldNotFound(path, value));
  }

  notSupported(path: FieldPath, value: unknown, supported: readonly string[]): void {
    this.errors.push(fieldNotSupported(path, value, supported));
  }

  tooLong(path: FieldPath, maxBytes: number): void {
    this.errors.push(fieldTooLong(path, maxBytes));
  }

  tooMany(path: FieldPath, actual: number, max: number): void {
    this.errors.push(fieldTooMany(path, actual, max));
  }

  add(errors: readonly FieldError[]): void {
    appendAll(this.errors, errors);
  }

  /** Each problem that a rule for texts has found is one error. */
  problems(path: FieldPath, value: unknown, problems: readonly string[]): void {
    for (const problem of problems) this.invalid(path, value, problem);
  }

  label(path: FieldPath, value: string): void {
    this.problems(path, value, validateDns1123Label(value));
  }

  subdomain(path: FieldPath, value: string): void {
    this.problems(path, value, validateDns1123Subdomain(value));
  }

  qualifiedName(path: FieldPath, value: string): void {
    this.problems(path, value, validateQualifiedName(value));
  }

  pathSegment(path: FieldPath, value: string): void {
    this.problems(path, value, validatePathSegmentName(value));
  }

  selector(path: FieldPath, value: View<LabelSelector> | undefined): void {
    if (value !== undefined) this.add(validateLabelSelector(asSelector(value), path));
  }

  /** Absent is fine. */
  notNegative(path: FieldPath, value: unknown): void {
    if (typeof value === 'number' && value < 0) this.invalid(path, value, NOT_NEGATIVE);
  }

  /** Quantities are told as texts. */
  notNegativeQuantity(path: FieldPath, value: unknown): void {
    if (typeof value === 'string' && compareQuantities(value, '0') < 0)
      this.invalid(path, value, NOT_NEGATIVE);
  }

  /** Of these fields, those that are numbers. */
  noneNegative<T extends object>(
    path: FieldPath,
    object: T | undefined,
    fields: readonly (keyof T & string)[],
  ): void {
    for (const field of fields) this.notNegative(path.child(field), object?.[field]);
  }

  /** Absent is fine, empty is not. */
  oneOf(path: FieldPath, value: unknown, supported: readonly string[]): void {
    if (value !== undefined && !supported.some((known) => known === value))
      this.notSupported(path, value, supported);
  }

  immutable(path: FieldPath, value: unknown, old: unknown): void {
    if (!deepEqual(value, old)) this.invalid(path, value ?? null, IMMUTABLE);
  }

  /** A number that is not negative, or a percentage. */
  countOrPercent(path: FieldPath, value: unknown): void {
    if (typeof value === 'string') this.problems(path, value, validatePercent(value));
    else this.notNegative(path, value);
  }

  atMost100Percent(path: FieldPath, value: unknown): void {
    const percent = percentOf(value);
    if (percent !== undefined && percent > 100) this.invalid(path, value, 'must not be greater than 100%');
  }
}

export function percentOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || validatePercent(value).length > 0) return undefined;
  return Number(value.slice(0, -1));
}
