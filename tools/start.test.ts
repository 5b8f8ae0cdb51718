import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { FakeClock, SeededRandom } from '@windlass/base';
import { demonstrate } from './start.ts';

const START = new URL('start.ts', import.meta.url).pathname;

async function inVirtualTime(seed: number, seconds: number): Promise<string[]> {
  const clock = new FakeClock();
  const tables: string[] = [];
  const { signal } = new AbortController();
  const run = demonstrate({
    clock,
    random: new SeededRandom(seed),
    signal,
    seconds,
    show: (table) => tables.push(table),
  });
  await clock.advance(seconds * 1000);
  const { done, retried, givenUp } = await run;
  assert.equal(clock.pendingTimers, 0, 'it stops with no timer left');
  tables.push(`${done} ${retried} ${givenUp}`);
  return tables;
}

test('a table a second, with keys in every state, and the same again from the same seed', async () => {
  const tables = await inVirtualTime(1, 60);
  assert.equal(tables.length, 61);
  const all = tables.join('\n');
  for (const state of [/running +\d/, /queued +\d/, /backing off +in \d/, /failed/, /added again meanwhile/])
    assert.match(all, state);
  const [done = 0, retried = 0, givenUp = 0] = tables.at(-1)!.split(' ').map(Number);
  assert.ok(done > 50 && retried > 10 && givenUp > 0, tables.at(-1)!);
  assert.deepEqual(await inVirtualTime(1, 60), tables);
  assert.notDeepEqual(await inVirtualTime(2, 60), tables);
});

for (const [args, signal] of [
  [['--seconds', '1'], undefined],
  [[], 'SIGTERM'],
  [[], 'SIGINT'],
] as const) {
  test(`the process stops cleanly by ${signal ?? args.join(' ')}`, async () => {
    const child = spawn(process.execPath, [START, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    const output = text(child.stdout);
    if (signal !== undefined) {
      child.stdout.once('data', () => {
        child.kill(signal);
        child.kill(signal);
      });
    }
    const [code] = (await once(child, 'close')) as [number | null];
    assert.equal(code, 0);
    assert.match(await output, /\nstopped; \d+ done, \d+ retried, \d+ given up\n$/);
  });
}

for (const args of [['--seconds', 'soon'], ['--seconds', '0'], ['--weeks', '1'], ['up']]) {
  test(`a wrong call ends with 2 and says how it goes: ${args.join(' ')}`, async () => {
    const child = spawn(process.execPath, [START, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
    const errors = text(child.stderr);
    const [code] = (await once(child, 'close')) as [number | null];
    assert.equal(code, 2);
    assert.match(await errors, /\nusage: npm start -- \[--seconds N\]\n$/);
  });
}
