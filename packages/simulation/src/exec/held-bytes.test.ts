import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { FakeClock } from '@windlass/base';
import { HeldBytes } from './held-bytes.ts';
import { RealTime } from './real-time.ts';

function held() {
  const clock = new FakeClock();
  const to = new PassThrough();
  let isBroken = false;
  const bytes = new HeldBytes('/api/v1/pods', to, new RealTime(clock), () => {
    isBroken = true;
  });
  const read = (): string => {
    let text = '';
    for (let part: Buffer | null = to.read(); part !== null; part = to.read()) text += String(part);
    return text;
  };
  return { clock, bytes, to, read, isBroken: () => isBroken };
}

test('bytes that are held come all at once, in order, and the end after them', () => {
  const { bytes, read, to } = held();
  bytes.arrive(Buffer.from('a'), 0);
  assert.equal(read(), 'a');
  bytes.hold();
  bytes.arrive(Buffer.from('b'), 0);
  bytes.arrive(Buffer.from('c'), 0);
  bytes.end(0);
  assert.deepEqual([read(), to.writableEnded], ['', false]);
  bytes.release();
  assert.deepEqual([read(), to.writableEnded], ['bc', true]);
});

test('bytes that travel slowly are not overtaken by those after them', async () => {
  const { clock, bytes, read } = held();
  bytes.arrive(Buffer.from('slow '), 1000);
  bytes.arrive(Buffer.from('fast'), 0);
  assert.equal(read(), '');
  await clock.advance(1000);
  assert.equal(read(), 'slow fast');
});

test('what is held is gone when it breaks', () => {
  const { bytes, read, isBroken } = held();
  bytes.hold();
  bytes.arrive(Buffer.from('a'), 0);
  bytes.break();
  bytes.release();
  assert.deepEqual([read(), isBroken()], ['', true]);
});

test('bytes that two hold come when both have let go', () => {
  const { bytes, read } = held();
  bytes.hold();
  bytes.hold();
  bytes.arrive(Buffer.from('a'), 0);
  bytes.release();
  assert.equal(read(), '');
  bytes.release();
  assert.equal(read(), 'a');
  bytes.release();
  bytes.hold();
  bytes.arrive(Buffer.from('b'), 0);
  assert.equal(read(), '', 'one release too many changes nothing');
});
