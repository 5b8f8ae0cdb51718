import { InvalidArgumentError } from '@windlass/base';

// What plans and programs have in common: they are written by hand, also in JavaScript, where no type says what is wrong.

/** @throws InvalidArgumentError that names what it may be */
export function oneOf(name: string, value: unknown, allowed: readonly string[]): void {
  if (typeof value === 'string' && allowed.includes(value)) return;
  throw new InvalidArgumentError(
    name,
    value,
    allowed.length === 0 ? 'absent: there is none' : `one of ${quoted(allowed)}`,
  );
}

/** @throws InvalidArgumentError for what is no span of time */
export function milliseconds(name: string, value: unknown): void {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return;
  throw new InvalidArgumentError(name, value, 'a number of milliseconds of at least 0');
}

/** @throws InvalidArgumentError for what counts nothing */
export function count(name: string, value: unknown): void {
  if (Number.isInteger(value) && Number(value) >= 1) return;
  throw new InvalidArgumentError(name, value, 'a whole number of at least 1');
}

/** `"a", "b"`. */
export function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
