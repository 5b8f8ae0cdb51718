import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { DirectoryLock } from './directory-lock.ts';

const MODULE = new URL('./directory-lock.ts', import.meta.url).href;
let folder = '';
let path = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-lock-'));
  path = join(folder, 'lock');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A process that has the lock until it is killed. */
async function holder(): Promise<ChildProcess> {
  const program = `const { DirectoryLock } = await import(${JSON.stringify(MODULE)});
    globalThis.lock = DirectoryLock.tryTake(${JSON.stringify(path)});
    console.log(lock === undefined ? 'refused' : 'taken');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  assert.equal(said.toString(), 'taken\n');
  return child;
}

test('one part of a process has it at a time', async () => {
  const lock = DirectoryLock.tryTake(path);
  assert.ok(lock);
  assert.equal(DirectoryLock.tryTake(path), undefined);
  assert.deepEqual(await readdir(folder), ['lock'], 'there is nothing beside it');
  lock.release();
  lock.release();
  const next = DirectoryLock.tryTake(path);
  next?.releaseAndRemove();
  assert.ok(next && !existsSync(path));
});

test('a process that is killed gives it back', async () => {
  const child = await holder();
  assert.equal(DirectoryLock.tryTake(path), undefined);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  const lock = DirectoryLock.tryTake(path);
  assert.ok(lock);
  lock.release();
});
