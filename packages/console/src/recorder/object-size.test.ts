import assert from 'node:assert/strict';
import { test } from 'node:test';
import { objectSize } from './object-size.ts';

const NO_LIMIT = Number.POSITIVE_INFINITY;

test('strings weigh most, and every field something', () => {
  const text = 'x'.repeat(10_000);
  assert.ok(objectSize({ data: { a: text, b: [text] } }, NO_LIMIT) >= 20_000);
  assert.ok(objectSize({ data: { a: text, b: [text] } }, NO_LIMIT) < 20_200);
  assert.ok(objectSize(new Array(1000).fill(1), NO_LIMIT) >= 16_000);
  assert.ok(objectSize(undefined, NO_LIMIT) < 100);
});

test('it stops at the limit', () => {
  let looked = 0;
  const many = new Proxy(
    Array.from({ length: 1000 }, () => 'x'.repeat(100)),
    {
      get(items, name) {
        looked++;
        return items[Number(name)];
      },
    },
  );
  const size = objectSize({ many }, 1000);
  assert.ok(size >= 1000 && size < 1300, String(size));
  assert.ok(looked < 12, `${looked} of 1000`);
});
