import type { FieldPath } from '@windlass/apimachinery';
import type { Counter } from '@windlass/apimachinery/api/resource/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';
import { MAX_COUNTERS } from '../limits.ts';

/** Counters of a set, or those that a device takes of one. Every quantity is fine. */
export function validateCounters(
  counters: Readonly<Record<string, View<Counter>>>,
  path: FieldPath,
  findings: Findings,
): void {
  const names = Object.keys(counters);
  if (names.length === 0) findings.required(path);
  else if (names.length > MAX_COUNTERS) findings.tooMany(path, names.length, MAX_COUNTERS);
  else for (const name of names) findings.label(path, name);
}
