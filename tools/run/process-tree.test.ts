import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { argumentsOf, descendantsOf, processesByPs, runningProcesses } from './process-tree.ts';

const onWindows = process.platform === 'win32' && 'Windows has neither /proc nor ps';

test('descendants are children, their children and so on, each once', () => {
  const running = [
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 4],
    [6, 1],
    [7, 7],
  ].map(([pid = 0, parent = 0]) => ({ pid, parent, start: '' }));
  const of = (...roots: number[]): number[] =>
    descendantsOf(roots, running)
      .map(({ pid }) => pid)
      .sort((a, b) => a - b);
  assert.deepEqual(of(2), [3, 4, 5]);
  assert.deepEqual(of(1), [2, 3, 4, 5, 6]);
  assert.deepEqual(of(4, 2), [3, 4, 5]);
  assert.deepEqual(of(5), []);
  assert.deepEqual(of(7), [7]);
});

for (const [name, list] of [
  ['the system', runningProcesses],
  ['ps', processesByPs],
] as const)
  test(`${name} tells who started whom, and how`, {
    skip: onWindows || (spawnSync('ps', ['-A']).error !== undefined && 'there is no ps'),
  }, async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'a b'], { stdio: 'ignore' });
    try {
      await once(child, 'spawn');
      const first = list().find(({ pid }) => pid === child.pid);
      assert.equal(first?.parent, process.pid);
      assert.deepEqual(
        list().find(({ pid }) => pid === child.pid),
        first,
        'it starts once',
      );
      assert.ok(
        argumentsOf(child.pid ?? 0)
          .join(' ')
          .endsWith('a b'),
      );
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    assert.equal(
      list().find(({ pid }) => pid === child.pid),
      undefined,
    );
    assert.equal(
      argumentsOf(child.pid ?? 0)
        .join(' ')
        .trim(),
      '',
    );
  });
