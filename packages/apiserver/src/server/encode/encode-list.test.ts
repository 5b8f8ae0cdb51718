import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { encodeProtobuf, encodeYaml } from '@windlass/apimachinery';
import { ApiServer } from '../../api-server.ts';
import type { ServerList } from '../../exchange/exchange.ts';
import type { ResourceDefinition } from '../../resource/definition.ts';
import { createMemoryStore } from '../../storage/index.ts';
import type { EncodeOptions } from './encode.ts';
import { encodeList } from './encode-list.ts';
import { toMetadataList, toTable } from './table.ts';

const catalog = new ApiServer({ store: createMemoryStore({}) }).catalog;

function definitionOf(resource: string): ResourceDefinition {
  const found = catalog.find('', 'v1', resource);
  assert.ok(found !== undefined);
  return found;
}
const definition = definitionOf('configmaps');

const listOf = (count: number, bytes: number): ServerList => ({
  apiVersion: 'v1',
  kind: 'ConfigMapList',
  metadata: { resourceVersion: '7', continue: 'more', remainingItemCount: 3 },
  items: Array.from({ length: count }, (_, index) => ({
    object: {
      metadata: { name: `map-${index}`, namespace: 'default', creationTimestamp: '2026-01-01T00:00:00Z' },
      data: { text: `${'x'.repeat(bytes)}\n- "é" \\ [] {}\n` },
    },
  })),
});

const options = (form: Partial<EncodeOptions['form']>): EncodeOptions => ({
  form: { encoding: 'json', as: 'itself', version: 'v1', isPretty: false, ...form },
  definition,
  include: 'Metadata',
  now: Date.parse('2026-01-02T00:00:00Z'),
});
const whole = ({ items, ...head }: ServerList): object => ({
  ...head,
  items: items.map(({ object }) => object),
});
const rows = (list: ServerList): object =>
  toTable(
    list.metadata,
    list.items.map(({ object }) => object),
    { ...options({}), definition, version: 'v1', withColumns: true },
  );

const FORMS: readonly [
  string,
  Partial<EncodeOptions['form']>,
  (list: ServerList) => unknown,
  'json' | 'yaml' | 'protobuf',
][] = [
  ['JSON', {}, whole, 'json'],
  ['JSON to read', { isPretty: true }, whole, 'json'],
  ['YAML', { encoding: 'yaml' }, whole, 'yaml'],
  ['protobuf', { encoding: 'protobuf' }, whole, 'protobuf'],
  ['a table', { as: 'table' }, rows, 'json'],
  ['a table to read', { as: 'table', isPretty: true }, rows, 'json'],
  ['a table in YAML', { as: 'table', encoding: 'yaml' }, rows, 'yaml'],
  ['metadata', { as: 'metadata' }, (list) => toMetadataList(list, 'v1'), 'json'],
  ['metadata in YAML', { as: 'metadata', encoding: 'yaml' }, (list) => toMetadataList(list, 'v1'), 'yaml'],
];

describe('a list in pieces', () => {
  for (const [name, form, expected, encoding] of FORMS)
    test(`is the same as the whole, as ${name}`, () => {
      for (const count of [0, 1, 2, 199, 200, 201, 1000]) {
        const list = listOf(count, 10);
        const pieces = [...encodeList(list, options(form)).chunks];
        const bytes = Buffer.concat(pieces);
        const value = expected(list);
        if (encoding === 'protobuf') {
          assert.ok(bytes.equals(encodeProtobuf(value as object)), `${count} items`);
          continue;
        }
        const text = bytes.toString();
        if (encoding === 'yaml') assert.equal(text, encodeYaml(value));
        else {
          // The field of the items may come last, whatever its place in the whole; the rest is the same.
          assert.deepEqual(JSON.parse(text), value);
          const isPretty = form.isPretty === true;
          assert.equal(text.length, JSON.stringify(value, undefined, isPretty ? 2 : undefined).length + 1);
          if (isPretty) assert.equal(text, `${JSON.stringify(JSON.parse(text), undefined, 2)}\n`);
        }
      }
    });

  for (const [name, form] of FORMS)
    test(`makes none of them large, and none before it is asked for, as ${name}`, () => {
      let shown = 0;
      const list = listOf(2000, 100);
      const counted: ServerList = {
        ...list,
        items: list.items.map(({ object }) => ({
          get object() {
            shown++;
            return object;
          },
        })),
      };
      const pieces = encodeList(counted, options(form)).chunks[Symbol.iterator]();
      if (form.encoding !== 'protobuf') assert.equal(shown, 0);
      let most = 0;
      for (let before = 0, next = pieces.next(); next.done !== true; next = pieces.next()) {
        assert.ok(next.value.byteLength < 256 * 1024, `${next.value.byteLength} bytes at once`);
        if (form.encoding !== 'protobuf') most = Math.max(most, shown - before);
        before = shown;
      }
      assert.ok(most <= 400, `${most} items at once`);
      assert.ok(shown >= 2000);
    });

  test('is one piece when it is short', () => {
    for (const [, form] of FORMS)
      assert.equal([...encodeList(listOf(50, 10), options(form)).chunks].length, 1, JSON.stringify(form));
  });
});
