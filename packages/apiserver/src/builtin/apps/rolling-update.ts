import type { IntOrString } from '@windlass/apimachinery/api/meta/v1';
import { percentOf } from '../shared/findings.ts';

/** No pods at all, whether they are counted or are a part of all. What cannot be read, and what is absent, is none. */
export function isZero(value: IntOrString | undefined): boolean {
  return (percentOf(value) ?? (typeof value === 'number' ? value : 0)) === 0;
}
