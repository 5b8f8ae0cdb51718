import assert from 'node:assert/strict';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseTreeState, walkedTreeState } from './tree-state.ts';

test('what find prints: names with spaces and line ends, the directory itself', () => {
  const output = ['5 10.5000000000 ', '6 11.0000000001 a b', '7 12.0000000000 c\nd', ''].join('\0');
  assert.deepEqual(
    [...parseTreeState(output, 100)],
    [
      ['', '5 10.5000000000'],
      ['a b', '6 11.0000000001'],
      ['c\nd', '7 12.0000000000'],
    ],
  );
});

test('what was changed a moment ago is like nothing else: it may be changed again in the same tick', () => {
  const output = '5 10.0000000000 a\0';
  assert.deepEqual([...parseTreeState(output, 10.03)], [...parseTreeState(output, 10.04)]);
  assert.notDeepEqual([...parseTreeState(output, 10.01)], [...parseTreeState(output, 10.03)]);
  assert.notDeepEqual([...parseTreeState(output, 10.01)], [...parseTreeState(output, 10.011)]);
});

test('walking sees every change', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wts-'));
  try {
    await writeFile(join(folder, 'a'), 'x');
    const before = await walkedTreeState(folder);
    assert.deepEqual([...before.keys()].toSorted(), ['', 'a']);
    assert.deepEqual([...(await walkedTreeState(folder))], [...before]);
    await utimes(join(folder, 'a'), 1, 1);
    assert.notDeepEqual([...(await walkedTreeState(folder))], [...before]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
