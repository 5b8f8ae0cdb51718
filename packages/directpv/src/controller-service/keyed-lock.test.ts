import assert from 'node:assert/strict';
import { it } from 'node:test';
import { KeyedLock } from './keyed-lock.ts';

it('lets one in at a time for each key, in order, and forgets keys', async () => {
  const lock = new KeyedLock();
  const log: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = lock.run('a', undefined, async () => {
    log.push('first');
    await gate.promise;
    log.push('first ends');
  });
  const second = lock.run('a', undefined, async () => void log.push('second'));
  await lock.run('b', undefined, async () => void log.push('other'));
  assert.deepEqual(log, ['first', 'other']);
  gate.resolve();
  await Promise.all([first, second]);
  assert.deepEqual(log, ['first', 'other', 'first ends', 'second']);
  assert.equal(lock.size, 0);
});

it('keeps the turn of those behind one that gives up', async () => {
  const lock = new KeyedLock();
  const gate = Promise.withResolvers<void>();
  const first = lock.run('a', undefined, () => gate.promise);
  const abort = new AbortController();
  const impatient = lock.run('a', abort.signal, async () => assert.fail('it gave up'));
  let isIn = false;
  const third = lock.run('a', undefined, async () => {
    isIn = true;
  });
  abort.abort();
  await assert.rejects(impatient);
  assert.equal(isIn, false);
  gate.resolve();
  await Promise.all([first, third]);
  assert.equal(lock.size, 0);
});

it('passes on what fails and goes on', async () => {
  const lock = new KeyedLock();
  await assert.rejects(
    lock.run('a', undefined, () => Promise.reject(new Error('no'))),
    /no/,
  );
  assert.equal(await lock.run('a', undefined, async () => 1), 1);
});
