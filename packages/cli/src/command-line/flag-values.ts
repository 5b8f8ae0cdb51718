import { UsageError } from './exit.ts';

/** @throws UsageError */
export function wholeNumber(flag: string, text: string, min: number, max: number): number {
  // Digits only: to Number an empty text, `0x10` and `1e3` are numbers too.
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError(`${flag} must be a number from ${min} to ${max}, but it is "${text}"`);
}

/** @throws UsageError */
export function trueOrFalse(flag: string, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new UsageError(`${flag} must be true or false, but it is "${text}"`);
}

/** A text that must say something, such as a path. @throws UsageError */
export function notEmpty<T extends string | undefined>(flag: string, text: T): T {
  if (text === '') throw new UsageError(`${flag} must not be empty`);
  return text;
}
