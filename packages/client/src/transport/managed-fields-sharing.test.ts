import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ManagedFieldsSharing } from './managed-fields-sharing.ts';

interface Managed {
  readonly metadata: {
    readonly name: string;
    readonly managedFields?: readonly { readonly fieldsV1?: object | null }[];
  };
}

const entry = (fieldsV1: unknown, manager = 'm') => ({
  manager,
  operation: 'Update',
  fieldsType: 'FieldsV1',
  fieldsV1,
  subresource: 'status',
});
const pod = (name: string, ...fields: unknown[]) => ({
  metadata: { name, managedFields: fields.map((set) => entry(set)) },
});
const SPEC = { 'f:spec': { 'k:{"name":"a\\"}{"}': { '.': {}, 'f:image': {} } } };
const STATUS = { 'f:status': { 'f:phase': {} } };

function parseList(sharing: ManagedFieldsSharing, items: unknown[]): Managed[] {
  return (sharing.parse(JSON.stringify({ kind: 'PodList', metadata: {}, items })) as { items: Managed[] })
    .items;
}

const setOf = (object: Managed | undefined, index = 0): unknown =>
  object?.metadata.managedFields?.[index]?.fieldsV1;

/**
 * V8 14 takes one key of a single escaped character for another: after `{"a":1,"\\"":2}`, JSON.parse reads
 * `{"a":1,"\\n":2}` as the former. So the two sides would differ by whichever was read first.
 */
const isMisread = (key: string): boolean => key.length === 1 && JSON.stringify(key).length > 3;

test('what comes out equals what JSON.parse gives, whatever the documents are', () => {
  const key = fc
    .oneof(fc.constantFrom('.', 'f:spec', 'k:{"name":"x"}', '""', '\\\\', '}{', 'fieldsV1'), fc.string())
    .filter((text) => !isMisread(text));
  const { set } = fc.letrec<{ set: object }>((tie) => ({
    set: fc.dictionary(key, fc.oneof({ maxDepth: 2 }, fc.constant({}), tie('set')), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  }));
  const fields = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(SPEC, STATUS, {}) },
    set,
    fc.constantFrom(null, 'text', 7, '@windlass/fieldsV1'),
  );
  const object = fc.oneof(
    { weight: 6, arbitrary: fc.array(fields, { maxLength: 3 }).map((sets) => pod('p', ...sets)) },
    // The same text in places where it means something else, and within strings.
    fields.map((value) => ({ metadata: { name: 'x' }, spec: { inner: pod('q', value), ...entry(value) } })),
    fields.map((value) => ({ metadata: { annotations: { last: JSON.stringify(pod('q', value)) } } })),
    fc.constantFrom<unknown>(null, 7, { metadata: null }, { metadata: { managedFields: [null, 7] } }),
  );
  fc.assert(
    fc.property(fc.array(fc.array(object, { maxLength: 5 }), { maxLength: 4 }), (documents) => {
      const sharing = new ManagedFieldsSharing();
      for (const items of documents) {
        const list = JSON.stringify({ metadata: {}, items });
        assert.deepEqual(sharing.parse(list), JSON.parse(list));
        for (const item of items) {
          const text = JSON.stringify(item);
          assert.deepEqual(sharing.parse(text), JSON.parse(text));
        }
      }
    }),
  );
});

test('equal sets are one object from the second time on, frozen to the last', () => {
  const sharing = new ManagedFieldsSharing();
  const [a, b, c] = parseList(sharing, [pod('a', SPEC, STATUS), pod('b', SPEC), pod('c', STATUS, SPEC)]);
  assert.notEqual(setOf(a), setOf(b), 'the first time nobody knows that it will come again');
  assert.equal(setOf(b), setOf(c, 1));
  const [d] = parseList(sharing, [pod('d', STATUS)]);
  assert.equal(setOf(d), setOf(c));
  assert.throws(() => {
    (setOf(b) as { 'f:spec': Record<string, unknown> })['f:spec']['more'] = {};
  }, TypeError);
  assert.equal(sharing.parse('{"a":1}') !== undefined, true);
});

test('what is shared does not keep the text alive that it came from', async (t) => {
  const { gc } = globalThis;
  if (gc === undefined) {
    t.skip('needs --expose-gc');
    return;
  }
  const sharing = new ManagedFieldsSharing();
  const used = async (): Promise<number> => {
    // What a finished call left on the stack is gone a turn later.
    await new Promise((resolve) => setImmediate(resolve));
    gc();
    return process.memoryUsage().heapUsed;
  };
  const fill = (length: number, set: object): void => {
    const padding = { metadata: { name: 'x'.repeat(length) } };
    for (let round = 0; round < 3; round++) parseList(sharing, [pod('a', set), pod('b', set), padding]);
  };
  fill(1, SPEC);
  const before = await used();
  fill(20_000_000, STATUS);
  const grown = (await used()) - before;
  assert.ok(grown < 10_000_000, `${grown} bytes more than before`);
});

test('memory is bounded however many different sets there are', () => {
  const sharing = new ManagedFieldsSharing();
  const big = 'x'.repeat(2000);
  for (let round = 0; round < 30; round++) {
    const items = Array.from({ length: 200 }, (_, index) => pod('p', { [`f:${round}-${index}-${big}`]: {} }));
    const twice = [...items, ...items];
    assert.deepEqual(parseList(sharing, twice), twice);
  }
});
