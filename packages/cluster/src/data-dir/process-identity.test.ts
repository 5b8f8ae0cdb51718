import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { identityOf, isRunning } from './process-identity.ts';

test('a process runs until it has ended', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(child, 'spawn');
  const identity = await identityOf(child.pid ?? 0);
  assert.equal(await isRunning(identity), true);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  assert.equal(await isRunning(identity), false);
});

test('another process with the same id is another one', {
  skip: process.platform !== 'linux' && 'only Linux says when a process began',
}, async () => {
  const { pid, started } = await identityOf(process.pid);
  assert.match(started ?? '', /^[\da-f-]{36} \d+$/);
  assert.equal(await isRunning({ pid, started: `${started}1` }), false);
  assert.equal(await isRunning({ pid }), true);
});
