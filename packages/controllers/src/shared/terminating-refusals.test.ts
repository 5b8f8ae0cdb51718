import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@windlass/base';
import { TerminatingRefusals } from './terminating-refusals.ts';

test('an owner is left alone for five minutes after a refusal, and the last one counts', async () => {
  const clock = new FakeClock();
  const refusals = new TerminatingRefusals(clock);
  assert.equal(refusals.has('a'), false);
  refusals.add('a');
  refusals.add('b');
  await clock.advance(200_000);
  refusals.add('a');
  await clock.advance(99_999);
  assert.deepEqual([refusals.has('a'), refusals.has('b')], [true, true]);
  await clock.advance(1);
  assert.deepEqual([refusals.has('a'), refusals.has('b')], [true, false]);
  refusals.add('c');
  await clock.advance(200_000);
  assert.deepEqual([refusals.has('a'), refusals.has('c')], [false, true]);
});
