import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseWarnings } from './warnings.ts';

test('one, several in one line, with escapes and a date', () => {
  assert.deepEqual(parseWarnings(undefined), []);
  assert.deepEqual(parseWarnings('299 - "v1beta1 is deprecated"'), [
    { code: 299, agent: '-', text: 'v1beta1 is deprecated' },
  ]);
  assert.deepEqual(
    parseWarnings(
      '299 - "unknown field \\"spec.foo\\", and a \\\\", 199 host:1 "b" "Thu, 01 Jan 2026 00:00:05 GMT",299 - ""',
    ),
    [
      { code: 299, agent: '-', text: 'unknown field "spec.foo", and a \\' },
      { code: 199, agent: 'host:1', text: 'b' },
      { code: 299, agent: '-', text: '' },
    ],
  );
});

test('what cannot be read is left out, and what stood before it is kept', () => {
  assert.deepEqual(parseWarnings('nonsense'), []);
  assert.deepEqual(parseWarnings('299 - "a", 299 broken'), [{ code: 299, agent: '-', text: 'a' }]);
});
