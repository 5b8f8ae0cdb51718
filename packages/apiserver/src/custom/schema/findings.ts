import { type FieldError, type FieldErrorType } from '@windlass/apimachinery';

/**
 * What a schema's validation has found so far. The matches tell which of several alternatives came closest:
 * its errors are the ones worth showing.
 */
export class Findings {
  readonly errors: FieldError[] = [];
  matches = 0;

  get isValid(): boolean {
    return this.errors.length === 0;
  }

  add(type: FieldErrorType, field: string, badValue: unknown, detail: string): void {
    this.errors.push({ type, field: field === '' ? '<nil>' : field, badValue, detail });
  }

  merge(other: Findings): void {
    // One by one: as arguments of a call, a hundred thousand would exhaust the stack.
    for (const error of other.errors) this.errors.push(error);
    this.matches += other.matches;
  }
}
