// What every store holds its arguments to.
import { InvalidArgumentError } from '@windlass/base';

export function requireWhole(name: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) {
    throw new InvalidArgumentError(name, value, `a whole number of at least ${least}`);
  }
}

export function requireKey(key: string): void {
  if (!key.startsWith('/') || key.endsWith('/') || !key.isWellFormed()) {
    throw new InvalidArgumentError('key', key, 'a path with a leading and no trailing slash');
  }
}
