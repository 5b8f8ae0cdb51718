import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Failure } from '../failures-reporter.ts';
import { Folder } from './run-testing.ts';
import { failuresOf, runSeeds, type SeedRuns, wholeOption } from './seeds.ts';

const NEVER = new AbortController().signal;
const failure: Failure = { file: 'a.test.ts', test: 'is right', error: 'it is wrong\nbecause of 7' };

async function outcome(options: Partial<SeedRuns>): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  const code = await runSeeds({
    name: 'test:x',
    from: 5,
    count: 3,
    signal: NEVER,
    again: 'WINDLASS_SEED=N npm test -- FILE',
    run: async () => [],
    log: (line) => lines.push(line.replace(/ in \d+ s/, '')),
    ...options,
  });
  return { code, lines };
}

describe('many seeds', () => {
  it('pass when each of them does', async () => {
    const seen: number[] = [];
    const run = async (seed: number): Promise<Failure[]> => {
      seen.push(seed);
      return [];
    };
    assert.deepEqual(await outcome({ run }), {
      code: 0,
      lines: ['seed 5: passed', 'seed 6: passed', 'seed 7: passed', 'test:x: all 3 seeds passed'],
    });
    assert.deepEqual(seen, [5, 6, 7]);
  });

  it('fail with what failed and how to run it again, and go on with the next', async () => {
    const run = async (seed: number): Promise<Failure[]> => (seed === 6 ? [failure] : []);
    assert.deepEqual(await outcome({ run }), {
      code: 1,
      lines: [
        'seed 5: passed',
        'seed 6: FAILED a.test.ts: is right',
        '  a.test.ts\n    it is wrong\n    because of 7',
        'seed 7: passed',
        'test:x: 1 of 3 seeds FAILED: 6. Once more: WINDLASS_SEED=N npm test -- FILE',
      ],
    });
  });

  it('are not begun after the limit, which is said', async () => {
    const { code, lines } = await outcome({ limitSeconds: -1 });
    assert.deepEqual([code, lines], [0, ['test:x: all 0 seeds passed; 3 were not begun after -1 s']]);
  });

  it('say nothing of a run that was stopped', async () => {
    const stopping = new AbortController();
    const run = async (seed: number): Promise<Failure[]> => {
      if (seed === 6) stopping.abort();
      return [];
    };
    const { code, lines } = await outcome({ run, signal: stopping.signal });
    assert.deepEqual([code, lines], [1, ['seed 5: passed']]);
  });
});

describe('the failures of a run', () => {
  it('are those of the tests, which see the seed', async () => {
    await using folder = new Folder();
    const name = 'seed.test.mjs';
    folder.write(
      name,
      `import { test } from 'node:test';
      test('good', () => {});
      test('bad', () => { throw new Error('seed ' + process.env.WINDLASS_SEED); });`,
    );
    const options = { files: [name], cwd: folder.path, signal: NEVER, env: folder.env };
    const found = await failuresOf(77, options);
    assert.deepEqual(
      found.map(({ test, error }) => [test, error]),
      [['bad', 'seed 77']],
    );
  });

  it('are told even when no test is named', async () => {
    await using folder = new Folder();
    const options = { files: ['none.test.mjs'], cwd: folder.path, signal: NEVER, env: folder.env };
    assert.equal((await failuresOf(1, options)).length, 1);
  });
});

it('an option that is no whole number is refused by name', () => {
  const whole = { byDefault: 10, least: 1 };
  assert.equal(wholeOption('seeds', undefined, whole), 10);
  assert.equal(wholeOption('seeds', '3', whole), 3);
  for (const text of ['', ' ', 'x', '1.5', '0', '-1'])
    assert.throws(() => wholeOption('seeds', text, whole), {
      message: `--seeds must be a whole number of at least 1, but it is ${JSON.stringify(text)} (string)`,
    });
});
