import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Around, nested } from './around.ts';

test('one holds within the other, and what the body returns comes out', () => {
  const seen: string[] = [];
  const noting =
    (name: string): Around =>
    (body) => {
      seen.push(`${name} begins`);
      const result = body();
      seen.push(`${name} ends`);
      return result;
    };
  const body = (): number => seen.push('body');
  assert.equal(nested(nested(undefined, noting('outer')), noting('inner'))(body), 3);
  assert.deepEqual(seen, ['outer begins', 'inner begins', 'body', 'inner ends', 'outer ends']);
});
