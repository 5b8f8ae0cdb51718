import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSizes, type SizeLimits } from './source-size.ts';

const LIMITS: SizeLimits = { maxLines: 3, maxFiles: 2, longFiles: {}, fullFolders: {} };

const messages = (files: Readonly<Record<string, string>>, exceptions: Partial<SizeLimits> = {}): string[] =>
  checkSizes(
    Object.entries(files).map(([path, text]) => ({ path, text })),
    { ...LIMITS, ...exceptions },
  ).map(({ file, message }) => `${file}: ${message}`);

test('a source may have as many lines as the limit, and no more', () => {
  assert.deepEqual(messages({ 'a/x.ts': '1\n2\n3\n', 'a/y.ts': '1\n2\n3' }), []);
  assert.deepEqual(messages({ 'a/x.ts': '1\n2\n3\n4\n', 'a/y.ts': '1\n2\n3\n4' }), [
    'a/x.ts: has 4 lines, more than 3; split it, or give a reason in tools/limits.ts',
    'a/y.ts: has 4 lines, more than 3; split it, or give a reason in tools/limits.ts',
  ]);
});

test('a folder may hold as many sources as the limit, those of its folders aside', () => {
  assert.deepEqual(messages({ 'a/x.ts': '', 'a/y.ts': '', 'a/b/z.ts': '' }), []);
  assert.deepEqual(messages({ 'a/x.ts': '', 'a/y.ts': '', 'a/z.ts': '' }), [
    'a: has 3 source files, more than 2; split it, or give a reason in tools/limits.ts',
  ]);
});

test('tests, what they use, and what is generated do not count', () => {
  const long = '1\n2\n3\n4\n';
  for (const name of ['z.test.ts', 'z-testing.ts', 'testing.ts', 'testing/z.ts', 'generated/z.ts'])
    assert.deepEqual(messages({ 'a/x.ts': '', 'a/y.ts': '', [`a/${name}`]: long }), [], name);
});

test('a reason lets a file or a folder be larger', () => {
  const files = { 'a/x.ts': '1\n2\n3\n4\n', 'a/y.ts': '', 'a/z.ts': '' };
  assert.deepEqual(messages(files, { longFiles: { 'a/x.ts': 'why' }, fullFolders: { a: 'why' } }), []);
});

test('an exception that nothing needs is a finding', () => {
  assert.deepEqual(
    messages(
      { 'a/x.ts': '1\n2\n3\n' },
      { longFiles: { 'a/x.ts': 'why', 'b.ts': 'why' }, fullFolders: { a: 'why' } },
    ),
    [
      'a/x.ts: is within 3 lines or gone; remove its line in tools/limits.ts',
      'b.ts: is within 3 lines or gone; remove its line in tools/limits.ts',
      'a: is within 2 source files or gone; remove its line in tools/limits.ts',
    ],
  );
});
