import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Failure } from '../failures-reporter.ts';
import { batchesOf } from './batches.ts';
import { runTests } from './run-tests.ts';

const PLAIN = "import { test } from 'node:test';\ntest('a', () => {});\n";

describe('files share a process', () => {
  test('with those of their package, twenty at most, in order', () => {
    const files = [
      ...Array.from({ length: 21 }, (_, at) => `packages/base/src/${String(at).padStart(2, '0')}.test.ts`),
      'packages/client/src/a.test.ts',
      'packages/client/src/watch/b.test.ts',
      'tests/walk.test.ts',
      'tests/soak.test.ts',
    ];
    const batches = batchesOf(files, () => PLAIN);
    assert.deepEqual(
      batches.map(({ name, files: members }) => [name, members.length]),
      [
        ['packages-base-1', 20],
        ['packages-base-2', 1],
        ['packages-client-1', 2],
        ['tests-1', 2],
      ],
    );
    assert.deepEqual(
      batches.flatMap((batch) => batch.files),
      files,
    );
  });

  for (const [why, line] of [
    ['hooks of the whole file', 'before(() => {});'],
    ['variables of the process', "process.env['A'] = 'b';"],
    ['processes that it starts', "import { spawn } from 'node:child_process';"],
    ['channels that all subscribe to', "import { channel } from 'node:diagnostics_channel';"],
    ['measured time', 'const started = performance.now();'],
    ['measured memory', 'gc();'],
  ] as const)
    test(`but not where one has ${why}`, () => {
      const batches = batchesOf(
        ['packages/a/1.test.ts', 'packages/a/2.test.ts', 'packages/a/3.test.ts'],
        (file) => (file.includes('2') ? `${PLAIN}${line}\n` : PLAIN),
      );
      assert.deepEqual(
        batches.map(({ files }) => files.length),
        [2, 1],
      );
    });

  test('a field of that name is not the process', () => {
    const source = `${PLAIN}await node.process.manager.stop();\n`;
    assert.equal(batchesOf(['packages/a/1.test.ts', 'packages/a/2.test.ts'], () => source).length, 1);
  });

  test('a hook inside of a suite is that suite’s own', () => {
    const source = "describe('a', () => {\n  before(() => {});\n});\n";
    assert.equal(batchesOf(['packages/a/1.test.ts', 'packages/a/2.test.ts'], () => source).length, 1);
  });
});

test('a failure names its test and its file, and a file that cannot be read fails alone', async () => {
  const root = mkdtempSync(join(tmpdir(), 'windlass-batches-'));
  try {
    writeFileSync(join(root, '1.test.mjs'), "import './missing.mjs';\n");
    writeFileSync(
      join(root, '2.test.mjs'),
      "import { test } from 'node:test';\ntest('passes', () => {});\ntest('fails', () => { throw new Error('as it should'); });\n",
    );
    const chunks: Buffer[] = [];
    const { passed } = await runTests({
      cwd: root,
      files: ['1.test.mjs', '2.test.mjs'],
      batchFolder: join(root, 'batches'),
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
      signal: new AbortController().signal,
      reporter: new URL('../failures-reporter.ts', import.meta.url).href,
      onOutput: (chunk) => chunks.push(chunk),
    });
    assert.equal(passed, false);
    const failures = Buffer.concat(chunks)
      .toString()
      .trim()
      .split('\n')
      // The reporter above wrote them.
      .map((line) => JSON.parse(line) as Failure);
    assert.deepEqual(
      failures.map(({ file, test: name }) => [file, name]),
      [
        [join('batches', '.-1.mjs'), '1.test.mjs'],
        ['2.test.mjs', 'fails'],
      ],
    );
  } finally {
    rmSync(root, { recursive: true });
  }
});
