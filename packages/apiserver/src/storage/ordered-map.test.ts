import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { OrderedMap, prefixEnd } from './ordered-map.ts';

interface Item {
  readonly key: string;
  readonly value: number;
}

describe('OrderedMap', () => {
  test('as a sorted array, whatever is done to it', () => {
    // A few thousand keys, so that chunks split and merge.
    const key = fc.nat({ max: 3000 }).map((number) => `/k/${number}`);
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ do: fc.constant('set' as const), key }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), key }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('fill' as const), from: fc.nat({ max: 2400 }) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('empty' as const), from: fc.nat({ max: 2400 }) }) },
      {
        weight: 3,
        arbitrary: fc.record({
          do: fc.constant('read' as const),
          from: key,
          until: fc.option(key, { nil: undefined }),
          limit: fc.option(fc.nat({ max: 700 }), { nil: undefined }),
        }),
      },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const map = new OrderedMap<Item>();
        const model = new Map<string, Item>();
        let value = 0;
        const set = (key: string): void => {
          const item = { key, value: value++ };
          map.set(item);
          model.set(key, item);
        };
        const remove = (key: string): void => {
          map.delete(key);
          model.delete(key);
        };
        for (const next of steps) {
          if (next.do === 'set') set(next.key);
          else if (next.do === 'delete') remove(next.key);
          else if (next.do === 'fill') for (let at = 0; at < 600; at++) set(`/k/${next.from + at}`);
          else if (next.do === 'empty') for (let at = 0; at < 600; at++) remove(`/k/${next.from + at}`);
          else {
            const { from, until, limit } = next;
            const within = [...model.values()]
              .filter((item) => item.key >= from && (until === undefined || item.key < until))
              .sort((a, b) => (a.key < b.key ? -1 : 1));
            assert.deepEqual(map.slice(from, until, limit), within.slice(0, limit));
            assert.equal(map.count(from, until), within.length);
          }
        }
        assert.equal(map.size, model.size);
        assert.equal(map.slice('', undefined).length, model.size);
        for (const [key, item] of model) assert.equal(map.get(key), item);
      }),
      { numRuns: 60 },
    );
  });

  test('loads items in any order', () => {
    const items = Array.from({ length: 2000 }, (_, index) => ({
      key: `/${(index * 7919) % 2000}`,
      value: index,
    }));
    const map = new OrderedMap<Item>();
    map.load([...items]);
    assert.deepEqual(
      map.slice('', undefined).map((item) => item.key),
      items.map((item) => item.key).sort((a, b) => (a < b ? -1 : 1)),
    );
    map.set({ key: '/1000', value: -1 });
    assert.equal(map.get('/1000')?.value, -1);
    assert.equal(map.size, 2000);
  });
});

test('prefixEnd is the first string after all that begin with the prefix', () => {
  assert.equal(prefixEnd('/pods/'), '/pods0');
  assert.equal(prefixEnd(''), undefined);
  assert.equal(prefixEnd('a\uffff'), 'b');
  assert.equal(prefixEnd('\uffff\uffff'), undefined);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (prefix, other) => {
      const end = prefixEnd(prefix);
      const within = other >= prefix && (end === undefined || other < end);
      assert.equal(within, other.startsWith(prefix));
      assert.ok(end === undefined || prefix + other < end);
    }),
  );
});
