import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock, nextTurn } from '@windlass/base';
import { createClient } from '@windlass/client';
import { FakeTransport } from '@windlass/client/testing';
import { waitForDrivers } from './wait-for-drivers.ts';

const node = (name: string, ...drivers: string[]) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSINode',
  metadata: { name, resourceVersion: '5' },
  spec: { drivers: drivers.map((driver) => ({ name: driver, nodeID: name })) },
});

/** A server with these objects at the start; what happens later is sent by its watch. */
function setUp(...items: unknown[]) {
  const transport = new FakeTransport({
    onRequest: () => ({ body: { metadata: { resourceVersion: '5' }, items } }),
  });
  const clock = new FakeClock();
  const client = createClient({ transport, clock });
  const wait = (names: readonly string[], signal?: AbortSignal) => {
    let isDone = false;
    const done = waitForDrivers(client, names, { clock, signal }).then(() => {
      isDone = true;
    });
    return { done, isDone: () => isDone };
  };
  const watch = async () => {
    for (let turn = 0; turn < 100 && transport.watches.length === 0; turn++) await nextTurn();
    const [first] = transport.watches;
    assert.ok(first);
    return first;
  };
  return { transport, clock, wait, watch };
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await nextTurn();
};

test('resolves at once when every node has the driver, and watches nothing', async () => {
  const { transport, wait } = setUp(node('a', 'other', 'directpv-min-io'), node('b', 'directpv-min-io'));
  await wait(['a', 'b']).done;
  assert.equal(transport.watches.length, 0);
});

test('waits for events without a timer, until the last node has the driver', async () => {
  const { transport, clock, wait, watch } = setUp(node('a', 'directpv-min-io'));
  const { done, isDone } = wait(['a', 'b']);
  const events = await watch();
  assert.equal(clock.pendingTimers, 0);
  events.send({ type: 'ADDED', object: node('b', 'other') });
  events.send({ type: 'ADDED', object: node('c', 'directpv-min-io') });
  await settle();
  assert.equal(isDone(), false);
  const asked = transport.requests.length;
  events.send({ type: 'MODIFIED', object: node('b', 'other', 'directpv-min-io') });
  await done;
  assert.equal(transport.requests.length, asked, 'nothing was asked again');
});

test('waits again for a node that loses the driver meanwhile', async () => {
  const { wait, watch } = setUp(node('a', 'directpv-min-io'));
  const { done, isDone } = wait(['a', 'b']);
  const events = await watch();
  events.send({ type: 'MODIFIED', object: node('a') });
  events.send({ type: 'ADDED', object: node('b', 'directpv-min-io') });
  await settle();
  assert.equal(isDone(), false);
  events.send({ type: 'MODIFIED', object: node('a', 'directpv-min-io') });
  await done;
});

test('rejects as soon as the signal aborts', async () => {
  const { wait, watch } = setUp();
  const stop = new AbortController();
  const { done } = wait(['a'], stop.signal);
  await watch();
  stop.abort();
  await assert.rejects(done, { code: 'CANCELLED' });
});
