import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { IndexConflictError, UnknownIndexError } from '../errors.ts';
import { type TestObject, testObject } from '../testing/test-object.ts';
import { type IndexError, Indexer } from './indexer.ts';

const object = (key: string, labels: Record<string, string> = {}, writes = 0): TestObject =>
  testObject(key, { uid: key, version: 1, writes, labels });
const byColor = (item: {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
}): string[] => (item.metadata.labels?.['color'] ?? '').split(',').filter((value) => value !== '');

function colored(...entries: readonly [string, string][]): Indexer<TestObject> {
  const indexer = new Indexer<TestObject>({ indexers: { color: byColor } });
  for (const [key, color] of entries) indexer.set(key, object(key, { color }));
  return indexer;
}

test('objects by key, in the order in which the keys appeared', () => {
  const indexer = new Indexer<TestObject>();
  const [a, b, newer] = [object('ns/a'), object('ns/b'), object('ns/a', {}, 2)];
  indexer.set('ns/a', a);
  indexer.set('ns/b', b);
  indexer.set('ns/a', newer);
  assert.deepEqual([indexer.size, indexer.keys(), indexer.has('ns/c')], [2, ['ns/a', 'ns/b'], false]);
  assert.deepEqual(indexer.list(), [newer, b]);
  assert.equal(indexer.get('ns/a'), newer);
  assert.equal(indexer.delete('ns/a'), newer);
  assert.equal(indexer.delete('ns/a'), undefined);
  assert.deepEqual([...indexer.values()], [b]);
});

test('objects by any number of values', () => {
  const indexer = colored(['ns/a', 'red,blue'], ['ns/b', 'blue'], ['ns/c', '']);
  assert.deepEqual(indexer.indexKeys('color', 'blue'), ['ns/a', 'ns/b']);
  assert.deepEqual(
    indexer.byIndex('color', 'red').map(({ metadata }) => metadata.name),
    ['a'],
  );
  assert.deepEqual(indexer.indexValues('color'), ['red', 'blue']);
  assert.deepEqual(indexer.byIndex('color', 'green'), []);
});

test('a value that nobody has any more leaves nothing behind', () => {
  const indexer = colored(['ns/a', 'red']);
  indexer.set('ns/a', object('ns/a', { color: 'blue' }));
  assert.deepEqual(indexer.indexValues('color'), ['blue']);
  indexer.delete('ns/a');
  assert.deepEqual(indexer.indexValues('color'), []);
});

test('an index that is added later knows what is there already', () => {
  const indexer = colored(['ns/a', 'red']);
  indexer.addIndexers({ name: ({ metadata }) => [metadata.name] });
  assert.deepEqual(indexer.indexKeys('name', 'a'), ['ns/a']);
  indexer.set('ns/b', object('ns/b'));
  assert.deepEqual(indexer.indexKeys('name', 'b'), ['ns/b']);
});

test('one name is one index: the same function may be added again, another not', () => {
  const indexer = colored(['ns/a', 'red']);
  indexer.addIndexers({ color: byColor });
  const other = (): string[] => [];
  assert.throws(() => indexer.addIndexers({ more: other, color: other }), IndexConflictError);
  assert.equal(indexer.hasIndex('more'), false, 'all or none');
});

test('an index that is not there is named, with those that are', () => {
  const indexer = colored();
  assert.throws(
    () => indexer.byIndex('colour', 'red'),
    (error: Error) => {
      assert.ok(error instanceof UnknownIndexError);
      assert.match(error.message, /"colour".*color/);
      return true;
    },
  );
});

test('an index function that throws loses no object, and is reported once for each', () => {
  const errors: IndexError[] = [];
  const indexer = new Indexer<TestObject>({
    indexers: {
      strict: ({ metadata }) => {
        if (metadata.name === 'bad') throw new Error('no');
        return ['all'];
      },
      color: byColor,
    },
    onIndexError: (error) => errors.push(error),
  });
  indexer.set('ns/bad', object('ns/bad', { color: 'red' }));
  indexer.set('ns/good', object('ns/good'));
  assert.deepEqual(indexer.keys(), ['ns/bad', 'ns/good']);
  assert.deepEqual(indexer.indexKeys('strict', 'all'), ['ns/good']);
  assert.deepEqual(indexer.indexKeys('color', 'red'), ['ns/bad']);
  assert.deepEqual(
    errors.map(({ index, key, error }) => [index, key, error.message]),
    [['strict', 'ns/bad', 'no']],
  );
  indexer.delete('ns/bad');
  assert.equal(errors.length, 1, 'of what goes nothing is reported');
});

test('a lazy index costs nothing until it is asked for, and is whole from then on', () => {
  let calls = 0;
  const indexer = new Indexer<TestObject>({
    lazyIndexers: {
      namespace: ({ metadata }) => {
        calls++;
        return [metadata.namespace];
      },
    },
  });
  indexer.set('x/a', object('x/a'));
  indexer.set('y/b', object('y/b'));
  assert.deepEqual([calls, indexer.hasIndex('namespace')], [0, true]);
  assert.deepEqual(indexer.indexKeys('namespace', 'x'), ['x/a']);
  indexer.delete('x/a');
  assert.deepEqual(indexer.indexValues('namespace'), ['y']);
  assert.throws(() => indexer.addIndexers({ namespace: () => [] }), IndexConflictError);
});

test('the first state is taken over as it is, a second one is refused', () => {
  const indexer = new Indexer<TestObject>({ indexers: { color: byColor } });
  const first = new Map([['ns/a', object('ns/a', { color: 'red' })]]);
  indexer.adopt(first);
  assert.deepEqual(indexer.indexKeys('color', 'red'), ['ns/a']);
  assert.throws(() => indexer.adopt(new Map()), TypeError);
});

test('in any sequence every index holds what its function says of what is stored', () => {
  const keys = fc.constantFrom('x/a', 'x/b', 'y/c');
  const colors = fc.constantFrom('', 'red', 'blue', 'red,blue', 'red,red');
  const command = fc.tuple(fc.constantFrom('set', 'set', 'set', 'delete', 'add-index'), keys, colors);
  fc.assert(
    fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
      const indexer = colored();
      const model = new Map<string, TestObject>();
      for (const [what, key, color] of commands) {
        if (what === 'set') {
          const stored = object(key, { color });
          indexer.set(key, stored);
          model.set(key, stored);
        } else if (what === 'delete') {
          indexer.delete(key);
          model.delete(key);
        } else if (!indexer.hasIndex('late')) indexer.addIndexers({ late: (item) => byColor(item) });
        for (const index of indexer.hasIndex('late') ? ['color', 'late'] : ['color']) {
          const values = new Set([...model.values()].flatMap(byColor));
          assert.deepEqual(new Set(indexer.indexValues(index)), values);
          for (const value of values) {
            const expected = [...model].filter(([, item]) => byColor(item).includes(value)).map(([id]) => id);
            assert.deepEqual(new Set(indexer.indexKeys(index, value)), new Set(expected));
          }
        }
      }
      assert.deepEqual(new Map(indexer.entries()), model);
    }),
    { numRuns: 200 },
  );
});
