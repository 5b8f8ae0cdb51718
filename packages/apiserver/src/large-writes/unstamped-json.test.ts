import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { bytesOf, createMemoryStore } from '../storage/index.ts';
import { freezeInParts } from '../storage/states/prepared.ts';
import { unpack } from './packing.ts';
import { packUnstamped, stampedBytes } from './unstamped-json.ts';

const fields = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue());
const objects = fc
  .tuple(fields, fc.option(fields), fc.option(fc.string()), fields)
  .map(([before, metadata, version, after]) => ({
    ...before,
    ...(metadata !== null && {
      metadata: { ...metadata, ...(version !== null && { resourceVersion: version }), last: 'é😀' },
    }),
    ...after,
  }))
  // As what is stored: metadata is an object where there is any.
  .filter(({ metadata }) => metadata === undefined || (typeof metadata === 'object' && metadata !== null));

test('the bytes with a version put in are those of the object that the store stamps', async () => {
  await fc.assert(
    fc.asyncProperty(objects, fc.integer({ min: 1, max: 2 ** 40 }), async (object, revision) => {
      const unstamped = packUnstamped(object);
      const stamped = { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
      assert.equal(stampedBytes(unstamped, revision).toString(), JSON.stringify(stamped));
    }),
  );
});

test('a store keeps a prepared object as any other, frozen to the last item', async () => {
  await using store = createMemoryStore();
  const object = {
    kind: 'Thing',
    metadata: { name: 'a', labels: { b: 'c' }, finalizers: ['d'] },
    spec: { lists: [[{ e: 'f' }], 'g', 1, null, true] },
  };
  const plain = await store.put('/things/a', structuredClone(object), 0);
  const unstamped = packUnstamped(object);
  const draft = unpack(unstamped.bytes);
  const weight = await freezeInParts(draft);
  const stored = await store.put('/things/b', draft, 0, {
    weight,
    bytes: (revision) => stampedBytes(unstamped, revision),
  });
  const withVersion = { ...object, metadata: { ...object.metadata, resourceVersion: '2' } };
  assert.deepEqual(stored.object, withVersion);
  assert.equal(bytesOf(stored).toString(), JSON.stringify(withVersion));
  assert.equal(JSON.stringify(plain.object).replace('"1"}', '"2"}'), bytesOf(stored).toString());
  const isFrozen = (value: unknown): boolean =>
    typeof value !== 'object' ||
    value === null ||
    (Object.isFrozen(value) && Object.values(value).every(isFrozen));
  assert.ok(isFrozen(stored.object));
});
