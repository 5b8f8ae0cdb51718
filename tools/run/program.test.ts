import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { DEAF, Folder, NOTE } from './run-testing.ts';

const PROGRAM = new URL('program.ts', import.meta.url).href;
const RUN_TESTS = new URL('run-tests.ts', import.meta.url).href;
const ROOT = new URL('../../', import.meta.url);
const skip = process.platform === 'win32' && 'Windows has no signals';

/** A child that starts a grandchild, which starts another in a group of its own; the last is deaf to SIGTERM. */
const FAMILY = `
  import { spawn } from 'node:child_process';
  const start = (text, name, options) =>
    spawn(process.execPath, ['-e', text, name], { stdio: 'ignore', ...options });
  const LAST = ${JSON.stringify(DEAF)};
  const MIDDLE = ${JSON.stringify(NOTE)} + 'require("node:child_process").spawn(process.execPath, ["-e", ' +
    JSON.stringify(LAST) + ', "last"], { stdio: "ignore", detached: true }); setInterval(() => {}, 1000);';
  start(MIDDLE, 'middle');
`;

describe('a signal', { skip }, () => {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)
    it(`${signal} ends all that was started, and then the program with ${code}`, async () => {
      await using folder = new Folder();
      const program = folder.write(
        'program.mjs',
        `import { endOnSignals } from '${PROGRAM}';\nendOnSignals({ graceMs: 500 });\n${FAMILY}\nsetInterval(() => {}, 1000);`,
      );
      const result = await folder.run(program, async (kill) => {
        await folder.untilNoted(2);
        kill(signal);
        kill(signal);
      });
      assert.deepEqual([result.code, folder.alive], [code, []], result.output);
    });

  it('lets the program stop first, in its own order, and is then its exit code', async () => {
    await using folder = new Folder();
    const program = folder.write(
      'program.mjs',
      `import { runProgram } from '${PROGRAM}';
       ${FAMILY}
       await runProgram(async (signal) => {
         await new Promise((resolve) => {
           const timer = setInterval(() => {}, 1000);
           signal.addEventListener('abort', () => setTimeout(() => resolve(clearInterval(timer)), 300));
         });
         console.log('in order');
         throw new Error('what an interrupted program throws');
       }, { graceMs: 500 });`,
    );
    const result = await folder.run(program, async (kill) => {
      await folder.untilNoted(2);
      kill('SIGTERM');
    });
    assert.deepEqual([result.code, result.output, folder.alive], [143, 'in order\n', []]);
  });

  it('ends a run of tests with its files and what those started', async () => {
    await using folder = new Folder();
    folder.write(
      'slow.test.mjs',
      `import { test } from 'node:test';\n${FAMILY}\ntest('waits', () => new Promise(() => setInterval(() => {}, 1000)));`,
    );
    const program = folder.write(
      'program.mjs',
      `import { runProgram } from '${PROGRAM}';
       import { runTests } from '${RUN_TESTS}';
       await runProgram(async (signal) => {
         const cwd = ${JSON.stringify(folder.path)};
         const { passed } = await runTests({ files: ['slow.test.mjs'], cwd, signal, graceMs: 500 });
         return passed ? 0 : 1;
       });`,
    );
    const result = await folder.run(program, async (kill) => {
      await folder.untilNoted(2);
      kill('SIGTERM');
    });
    assert.deepEqual([result.code, folder.alive], [143, []], result.output);
  });
});

describe('a program without a signal', () => {
  const cases: [what: string, body: string, code: number, output: RegExp][] = [
    ['ends with what it answers', 'return 77;', 77, /^$/],
    ['throws what it throws', "throw new Error('broken');", 1, /Error: broken/],
    [
      'says what is wrong with its arguments',
      "const { seedOf } = await import('@windlass/base/testing'); seedOf({ WINDLASS_SEED: 'abc' }); return 0;",
      2,
      /^WINDLASS_SEED must be a whole number, but it is "abc" \(string\)\n$/,
    ],
  ];
  for (const [what, body, code, output] of cases)
    it(what, async () => {
      await using folder = new Folder();
      const resolved = body.replace('@windlass/base/testing', import.meta.resolve('@windlass/base/testing'));
      const text = `import { runProgram } from '${PROGRAM}';\nawait runProgram(async () => { ${resolved} });`;
      const result = await folder.run(folder.write('program.mjs', text), async () => {});
      assert.equal(result.code, code, result.output);
      assert.match(result.output, output);
    });
});

it('every program that starts others ends them when a signal comes', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const programs = Object.entries(scripts)
    .filter(([name]) => /^(test|check|soak|bench|attack|mutate)/.test(name))
    .map(([, script]) => /(\S+\.ts)/.exec(script)?.[1] ?? '');
  assert.ok(programs.length >= 10, programs.join());
  for (const program of programs)
    assert.match(readFileSync(new URL(program, ROOT), 'utf8'), /\b(runProgram|endOnSignals)\(/, program);
  // While such a call lasts, no signal is heard.
  for (const lane of globSync('tools/lanes/*.ts', { cwd: ROOT }))
    assert.doesNotMatch(readFileSync(new URL(lane, ROOT), 'utf8'), /\b(spawn|exec|execFile)Sync\(/, lane);
});
