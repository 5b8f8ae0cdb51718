// What the tests of patches share.

import * as fc from 'fast-check';
import type { JsonValue } from '../object.ts';
import type { JsonObject } from './json-object.ts';

/** Few keys and few values, so that two documents have much in common and some that differs. */
const key = fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'a/b', '~', '');
const scalar = fc.constantFrom<JsonValue>(null, true, false, 0, 1, 1.5, '', 'x', 'y');

const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    objectOf(tie('value')),
  ),
}));

function objectOf(values: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> {
  return fc.array(fc.tuple(key, values), { maxLength: 4 }).map((entries) => Object.fromEntries(entries));
}

export const jsonValue: fc.Arbitrary<JsonValue> = value;
export const jsonObject: fc.Arbitrary<JsonObject> = objectOf(value);

/** A copy without nulls in objects: what a merge patch can express. */
export function withoutNullFields<T extends JsonValue>(value: T): T {
  return JSON.parse(
    JSON.stringify(value, (_, child: JsonValue) => {
      if (typeof child !== 'object' || child === null || Array.isArray(child)) return child;
      return Object.fromEntries(Object.entries(child).filter(([, inner]) => inner !== null));
    }),
  ) as T;
}
