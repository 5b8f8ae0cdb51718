import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { CancelledError, DeadlineError, FakeClock, InvalidArgumentError } from '@windlass/base';
import { InformerStoppedError } from '../errors.ts';
import { DEFAULT_VERSION_TIMEOUT_MS, VersionGate } from './version-gate.ts';

function gateAt(version: string): { gate: VersionGate; clock: FakeClock } {
  const clock = new FakeClock();
  const gate = new VersionGate('things', clock);
  if (version !== '') gate.reset(version);
  return { gate, clock };
}

test('what the cache has seen is not waited for', async () => {
  const { gate, clock } = gateAt('10');
  await gate.wait('10');
  await gate.wait('9');
  assert.equal(clock.pendingTimers, 0);
});

test('a wait is over as soon as the cache is there, in numbers and not in letters', async () => {
  const { gate, clock } = gateAt('99');
  const [first, second] = [gate.wait('100'), gate.wait('102')];
  gate.advance('101');
  await first;
  assert.equal(clock.pendingTimers, 1);
  gate.advance('102');
  await second;
  assert.equal(clock.pendingTimers, 0);
});

test('an older version, as of a late bookmark, says nothing; a new state may be older', () => {
  const { gate } = gateAt('10');
  gate.advance('9');
  assert.equal(gate.version, '10');
  gate.reset('3');
  assert.equal(gate.version, '3');
});

test('a wait that takes too long says where the cache is', async () => {
  for (const [at, text] of [
    ['10', /things is at version 10 and did not reach 11 within 10000 ms/],
    ['', /things has no version yet/],
  ] as const) {
    const { gate, clock } = gateAt(at);
    const waited = gate.wait('11');
    const rejected = assert.rejects(
      waited,
      (error: Error) => error instanceof DeadlineError && text.test(error.message),
    );
    await clock.advance(DEFAULT_VERSION_TIMEOUT_MS);
    await rejected;
  }
});

test('an abort ends a wait and leaves nothing behind', async () => {
  const { gate, clock } = gateAt('10');
  const controller = new AbortController();
  const waited = gate.wait('11', { signal: controller.signal });
  controller.abort();
  await assert.rejects(waited, CancelledError);
  await assert.rejects(gate.wait('11', { signal: controller.signal }), CancelledError);
  assert.equal(clock.pendingTimers, 0);
  assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
});

test('a wait that ends well leaves no listener either', async () => {
  const { gate } = gateAt('10');
  const { signal } = new AbortController();
  const waited = gate.wait('11', { signal, timeoutMs: 50 });
  gate.advance('11');
  await waited;
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});

test('when the informer stops, whoever waits is told, now and later', async () => {
  const { gate, clock } = gateAt('10');
  const waited = gate.wait('11');
  gate.close(new InformerStoppedError('things'));
  await assert.rejects(waited, InformerStoppedError);
  await assert.rejects(gate.wait('11'), InformerStoppedError);
  await gate.wait('10');
  assert.equal(clock.pendingTimers, 0);
});

test('what is no version of an object is refused by name', async () => {
  const { gate } = gateAt('10');
  for (const version of ['', '0', 'abc', '1.5'])
    await assert.rejects(gate.wait(version), (error: Error) => {
      assert.ok(error instanceof InvalidArgumentError);
      assert.match(error.message, /resourceVersion must be what a write answered/);
      return true;
    });
});
