import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { joinKey, keyOf, splitKey } from './keys.ts';

test('a key has the namespace, where there is one', () => {
  assert.equal(keyOf({ metadata: { namespace: 'default', name: 'web' } }), 'default/web');
  assert.equal(keyOf({ metadata: { name: 'node-1' } }), 'node-1');
  assert.equal(keyOf({ metadata: { namespace: '', name: 'node-1' } }), 'node-1');
});

test('an object without a name has no key', () => {
  for (const object of [{}, { metadata: {} }, { metadata: { namespace: 'a', name: '' } }])
    assert.throws(() => keyOf(object), { code: 'INVALID_KEY' });
  assert.throws(
    () => keyOf({ kind: 'Pod', metadata: { generateName: 'a-' } }),
    /^InvalidKeyError: Pod has no/,
  );
});

test('splitting is the reverse of joining', () => {
  const part = fc.string({ unit: fc.constantFrom('a', 'b', '-', '.', '1'), minLength: 1 });
  fc.assert(
    fc.property(fc.option(part, { nil: '' }), part, (namespace, name) => {
      assert.deepEqual(splitKey(joinKey(namespace, name)), { namespace, name });
    }),
  );
  assert.equal(joinKey(undefined, 'a'), 'a');
});

test('a key with two slashes is none', () => {
  assert.throws(() => splitKey('a/b/c'), { code: 'INVALID_KEY', message: 'unexpected key format: "a/b/c"' });
});

test('what client-go takes for a key, is one', () => {
  assert.deepEqual(splitKey(''), { namespace: '', name: '' });
  assert.deepEqual(splitKey('/a'), { namespace: '', name: 'a' });
  assert.deepEqual(splitKey('a/'), { namespace: 'a', name: '' });
});
