import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkFolders } from './folder-order.ts';

const messages = (name: string, ...imports: readonly (readonly [from: string, to: string])[]): string[] =>
  checkFolders(
    name,
    imports.map(([from, to], at) => ({ from, to, line: at + 1 })),
  ).map(({ file, line, message }) => `${file}:${line}: ${message}`);

test('a folder imports what stands below it, at any distance, and itself', () => {
  assert.deepEqual(
    messages(
      'apiserver',
      ['verbs/a.ts', 'storage/b.ts'],
      ['verbs/a.ts', 'verbs/b.ts'],
      ['api.ts', 'server/a.ts'],
    ),
    [],
  );
});

test('a folder does not import what stands above it', () => {
  assert.deepEqual(messages('apiserver', ['storage/a.ts', 'verbs/b.ts'], ['verbs/deep/a.ts', 'index.ts']), [
    'storage/a.ts:1: storage may not import verbs, which stands above it (tools/layers.ts)',
    'verbs/deep/a.ts:2: verbs may not import index.ts, which stands above it (tools/layers.ts)',
  ]);
});

test('a file beside the folders may have a place among them', () => {
  assert.deepEqual(messages('apimachinery', ['json/a.ts', 'object.ts'], ['index.ts', 'errors.ts']), []);
  assert.deepEqual(messages('apimachinery', ['object.ts', 'json/a.ts'], ['json/a.ts', 'index.ts']), [
    'object.ts:1: object.ts may not import json, which stands above it (tools/layers.ts)',
    'json/a.ts:2: json may not import index.ts, which stands above it (tools/layers.ts)',
  ]);
});

test('a new folder gets a place', () => {
  assert.deepEqual(messages('apiserver', ['verbs/a.ts', 'new/b.ts']), [
    'verbs/a.ts:1: the folder new of apiserver has no place in its order (tools/layers.ts)',
  ]);
});

test('where no order is written, folders form no circle', () => {
  assert.deepEqual(messages('other', ['a/x.ts', 'b/y.ts'], ['b/z.ts', 'c.ts']), []);
  assert.deepEqual(messages('other', ['a/x.ts', 'b/y.ts'], ['b/z.ts', 'c.ts'], ['c.ts', 'a/w.ts']), [
    'a/x.ts:1: a imports b, which imports it in turn, itself or through others',
    'b/z.ts:2: b imports c.ts, which imports it in turn, itself or through others',
    'c.ts:3: c.ts imports a, which imports it in turn, itself or through others',
  ]);
});

test('tests are free', () => {
  assert.deepEqual(
    messages(
      'apiserver',
      ['storage/a.test.ts', 'server/b.ts'],
      ['storage/testing/a.ts', 'verbs/b.ts'],
      ['storage/a-testing.ts', 'verbs/b.ts'],
    ),
    [],
  );
});
