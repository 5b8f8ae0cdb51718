import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runnerOf, simulate, simulationTest } from './simulation-test.ts';
import { copies } from './testing/copies.ts';

/** A runner inside of a runner would report to the outer one, and show nothing. */
function withoutTestContext(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, ...rest }: NodeJS.ProcessEnv = process.env;
  return rest;
}

async function nodeTest(file: string): Promise<{ readonly code: number; readonly stdout: string }> {
  const args = ['--test', '--test-reporter=tap', fileURLToPath(new URL(file, import.meta.url))];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env: withoutTestContext() }, (error, stdout) =>
      resolve({ code: Number(error?.code ?? 0), stdout }),
    );
  });
}

describe('simulationTest', () => {
  it('is a test of node:test, and fails with the plan, the timeline and a test to paste', async () => {
    const { code, stdout } = await nodeTest('testing/two-simulation-tests.ts');
    assert.equal(code, 1, stdout);
    assert.match(stdout, /^ok 1 - careful$/m);
    assert.match(stdout, /^not ok 2 - careless$/m);
    assert.match(
      stdout,
      /seed 6: invariant "one copy": there are 2 copies\n +when:\n +1\. write 2 of copier: lost\n/,
    );
    assert.match(stdout, /copier +FAULT lost: PATCH \/api\/v1\/namespaces\/default\/configmaps\/source\n/);
    assert.match(
      stdout,
      /the same as a test:\n\s+simulationTest\('careless: one copy with seed 6', \{\n +\.\.\.options,\n +seeds: \[6\],/,
    );
    assert.match(stdout, /# tests 2\n/);
  });

  it('registers with the runner that it is given, with time enough', async () => {
    const registered: [name: string, timeoutMs: number][] = [];
    const bodies: (() => Promise<void>)[] = [];
    simulationTest('x', { ...copies({ name: 'copy' }), seeds: 0 }, (name, body, timeoutMs) => {
      registered.push([name, timeoutMs]);
      bodies.push(body);
    });
    assert.deepEqual(registered, [['x', 600_000]]);
    await assert.rejects(async () => bodies[0]?.(), {
      message: 'seeds must be a whole number of at least 1, or a list of seeds, but it is 0 (number)',
    });
  });
});

describe('the runner', () => {
  const env = {};
  const getBuiltinModule = process.getBuiltinModule.bind(process);

  it('is the one that has a global test', () => {
    const test = (): void => {};
    assert.equal(runnerOf({ test }, { env: { VITEST: 'true' }, getBuiltinModule }), test);
  });

  it('is vitest only when its test can be found', () => {
    assert.throws(() => runnerOf({}, { env: { VITEST: 'true' }, getBuiltinModule }), {
      code: 'NO_TEST_RUNNER',
      message: /give it as third argument, or set globals: true/,
    });
  });

  it('is node:test otherwise', () => {
    assert.equal(typeof runnerOf({}, { env, getBuiltinModule }), 'function');
  });
});

describe('simulate', () => {
  for (const seeds of [-1, 1.5, Number.NaN])
    it(`refuses ${seeds} seeds`, async () => {
      await assert.rejects(simulate('x', { ...copies({ name: 'copy' }), seeds }), {
        code: 'INVALID_ARGUMENT',
      });
    });

  it('refuses a seed that is none', async () => {
    await assert.rejects(simulate('x', { ...copies({ name: 'copy' }), seeds: [-1] }), {
      message: 'seed must be a whole number of at least 0, but it is -1 (number)',
    });
  });
});
