import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ListDecoder } from './list-decoder.ts';
import { ManagedFieldsSharing } from './managed-fields-sharing.ts';

/** In chunks of this many bytes. */
function decode(text: string, chunkBytes: number): unknown {
  const decoder = new ListDecoder(new ManagedFieldsSharing());
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) decoder.push(bytes.subarray(at, at + chunkBytes));
  return decoder.end();
}

const metadata = { resourceVersion: '42', continue: 'next' };
const pods = (count: number, more: (index: number) => object = () => ({})): object[] =>
  Array.from({ length: count }, (_, index) => ({
    metadata: { name: `pod-${index}`, annotations: { text: 'ä"},{"metadata":{ \\ €'.repeat(20) } },
    ...more(index),
  }));

test('a list is what JSON.parse says, however it is cut', () => {
  const text = JSON.stringify({ kind: 'PodList', apiVersion: 'v1', metadata, items: pods(3000) });
  const expected: unknown = JSON.parse(text);
  for (const chunkBytes of [1000, 65_536, 262_145, text.length * 2])
    assert.deepEqual(decode(text, chunkBytes), expected);
});

test('fields after the items, and items that begin like their parts', () => {
  const claims = [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }, { metadata: { name: 'c' } }];
  const items = pods(2000, () => ({ spec: { volumeClaimTemplates: claims, more: 'x'.repeat(300) } }));
  const text = JSON.stringify({ apiVersion: 'apps/v1', items, kind: 'StatefulSetList', metadata });
  assert.deepEqual(decode(text, 65_536), JSON.parse(text));
});

test('an item that has more beginnings within than are tried', () => {
  const parts = Array.from({ length: 20_000 }, (_, index) => ({ metadata: { name: `part-${index}` } }));
  const items = [{ metadata: { name: 'large' }, parts }, ...pods(1000)];
  const text = JSON.stringify({ kind: 'List', metadata, items });
  assert.deepEqual(decode(text, 65_536), JSON.parse(text));
});

test('what is no list, or an odd one, is read as a whole', () => {
  const long = 'x'.repeat(400_000);
  const whole = (value: unknown, indent?: number): void => {
    const text = JSON.stringify(value, undefined, indent);
    assert.deepEqual(decode(text, 65_536), JSON.parse(text));
  };
  whole({ spec: { items: pods(1000) }, long });
  whole({ data: { long }, items: null });
  whole({ data: { long }, items: [] });
  whole({ items: [1, 'two', { three: long }] });
  whole({ metadata, items: pods(1000) }, 1);
  whole([long]);
});

test('broken JSON is refused wherever it is broken', () => {
  const text = JSON.stringify({ kind: 'PodList', metadata, items: pods(2000) });
  for (const broken of [text.slice(0, -2), `${text}}`, text.replace('"pod-1500"', 'pod-1500')])
    assert.throws(() => decode(broken, 65_536), SyntaxError);
});

test('any list in any chunks', () => {
  const item = fc.record({ metadata: fc.dictionary(fc.string(), fc.jsonValue()), spec: fc.jsonValue() });
  fc.assert(
    fc.property(
      fc.array(item, { maxLength: 5 }),
      fc.integer({ min: 1, max: 300_000 }),
      (some, chunkBytes) => {
        const items = Array.from({ length: 400 }, () => [...some, ...pods(1)]).flat();
        const text = JSON.stringify({ kind: 'PodList', metadata, items });
        assert.deepEqual(decode(text, Math.max(chunkBytes, text.length / 50)), JSON.parse(text));
      },
    ),
    { numRuns: 30 },
  );
});
