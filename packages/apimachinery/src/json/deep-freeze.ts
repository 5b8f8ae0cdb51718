import type { DeepReadonly } from '../object.ts';

/**
 * Freezes a JSON value to the last item and returns it. What is frozen already is taken to be frozen
 * below too, so that sharing parts between objects costs nothing. Caches do this under test, where a
 * handler that changes what is not its own must fail at once.
 */
export function deepFreeze<T>(value: T): DeepReadonly<T> {
  freeze(value);
  // It is the same value; from here on nobody can change it.
  return value as DeepReadonly<T>;
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const item of Object.values(value)) freeze(item);
}
