import { BOOL, BYTES, type CelType, DOUBLE, INT, NULL, STRING, UINT } from './cel-type.ts';
import type { Literal } from './expr.ts';
import { Uint } from './values.ts';

export function literalType(value: Literal): CelType {
  switch (typeof value) {
    case 'string':
      return STRING;
    case 'bigint':
      return INT;
    case 'number':
      return DOUBLE;
    case 'boolean':
      return BOOL;
    default:
      return value === null ? NULL : value instanceof Uint ? UINT : BYTES;
  }
}
