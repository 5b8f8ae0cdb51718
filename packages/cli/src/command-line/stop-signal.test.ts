import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { realClock, sleep } from '@windlass/base';

const PROGRAM = `
  const { stopSignal } = await import(${JSON.stringify(new URL('./stop-signal.ts', import.meta.url).href)});
  stopSignal().addEventListener('abort', () => console.log('stopping'));
  setInterval(() => {}, 1000);
  console.log('running');`;

test('the first signal asks, what comes with it is the same wish, a later one ends the process', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  assert.equal((await lines.next()).value, 'running');
  child.kill('SIGTERM');
  const asked = realClock.monotonic();
  assert.equal((await lines.next()).value, 'stopping');
  while (child.exitCode === null) {
    child.kill('SIGINT');
    await sleep(realClock, 20);
  }
  assert.deepEqual(await exited, [130, null]);
  assert.ok(realClock.monotonic() - asked > 400, 'two signals at once were taken for two wishes');
});
