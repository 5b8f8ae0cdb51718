import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { collectBytes } from './byte-stream.ts';
import { socketPair } from './socket-pair.ts';

test('an end that is cut cuts the other', async () => {
  const [one, other] = socketPair();
  const closed = once(other, 'close');
  one.destroy(new Error('cut'));
  await closed;
  assert.equal(other.destroyed, true);
});

test('what was written before the end is still read, and then the other is closed too', async () => {
  const [one, other] = socketPair();
  const closed = once(other, 'close');
  one.end('last words', () => one.destroy());
  assert.equal(String(await collectBytes(other, 100)), 'last words');
  await closed;
});
