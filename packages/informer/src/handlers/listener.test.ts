import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger, FakeClock, type LogRecord, silentLogger } from '@windlass/base';
import { thing } from '../testing/scripted-list-watch.ts';
import type { TestObject } from '../testing/test-object.ts';
import { Listener } from './listener.ts';
import type { EventHandler, Notification } from './notification.ts';

type Told = Notification<TestObject>;

const add = (name: string, version = 1): Told => ({
  type: 'add',
  key: `ns/${name}`,
  now: thing(name, version),
  isInInitialList: false,
});
const update = (name: string, from: number, to: number): Told => ({
  type: 'update',
  key: `ns/${name}`,
  old: thing(name, from),
  now: thing(name, to),
});
const remove = (name: string, version = 1): Told => ({
  type: 'delete',
  key: `ns/${name}`,
  old: thing(name, version),
  isFinalStateUnknown: false,
});

/** A handler whose calls end when the test says so, and what it was told. */
function slowHandler(): { handler: EventHandler<TestObject>; told: string[]; finish: () => Promise<void> } {
  const told: string[] = [];
  let end = (): void => {};
  const hear = (text: string): Promise<void> => {
    told.push(text);
    return new Promise((resolve) => {
      end = resolve;
    });
  };
  return {
    told,
    handler: {
      onAdd: ({ metadata }) => hear(`add ${metadata.name}@${metadata.resourceVersion}`),
      onUpdate: (old, now) =>
        hear(`update ${now.metadata.name}@${old.metadata.resourceVersion}-${now.metadata.resourceVersion}`),
      onDelete: ({ metadata }) => hear(`delete ${metadata.name}`),
    },
    finish: async () => {
      end();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

function listenerFor(handler: EventHandler<TestObject>, maxBuffered = 1000) {
  const counts = { errors: 0, coalesced: 0 };
  const clock = new FakeClock();
  const listener = new Listener<TestObject>(handler, {
    name: 'test',
    clock,
    logger: silentLogger,
    maxBuffered,
    onError: () => void counts.errors++,
    onCoalesced: () => void counts.coalesced++,
  });
  return { listener, counts, clock };
}

test('the lag is the age of what the handler is busy with, from when it came', async () => {
  const { handler, finish } = slowHandler();
  const { listener, clock } = listenerFor(handler, 1);
  assert.equal(listener.lagMs, 0);
  listener.notify(add('a'));
  await clock.advance(100);
  listener.notify(add('b'));
  await clock.advance(50);
  assert.equal(listener.lagMs, 150);
  // What is merged into it makes it no younger.
  listener.notify(update('b', 1, 2));
  await finish();
  assert.equal(listener.lagMs, 50);
  await finish();
  assert.equal(listener.lagMs, 0);
});

test('a handler that returns nothing is called at once and nothing waits', () => {
  const told: string[] = [];
  const { listener } = listenerFor({ onAdd: (object) => void told.push(object.metadata.name) });
  listener.notify(add('a'));
  listener.notify(remove('a'));
  assert.deepEqual([told, listener.pending], [['a'], 0]);
});

test('while a handler is busy the rest waits, in order', async () => {
  const { handler, told, finish } = slowHandler();
  const { listener } = listenerFor(handler);
  for (const item of [add('a'), update('a', 1, 2), add('b'), remove('a', 2)]) listener.notify(item);
  assert.deepEqual([told, listener.pending], [['add a@1'], 4]);
  for (let call = 0; call < 4; call++) await finish();
  assert.deepEqual(told, ['add a@1', 'update a@1-2', 'add b@1', 'delete a']);
  assert.equal(listener.pending, 0);
});

test('any thenable makes a handler busy', async () => {
  const told: string[] = [];
  let end = (): void => {};
  // A library's own promise, as handlers may return it.
  // oxlint-disable-next-line unicorn/no-thenable
  const thenable = { then: (resolve: () => void) => void (end = resolve) } as unknown as Promise<void>;
  const { listener } = listenerFor({
    onAdd: ({ metadata }) => {
      told.push(metadata.name);
      return thenable;
    },
  });
  listener.notify(add('a'));
  listener.notify(add('b'));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(told, ['a']);
  end();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(told, ['a', 'b']);
});

test('a handler that throws or rejects is counted and logged by name, and goes on', async () => {
  const records: LogRecord[] = [];
  const errors: string[] = [];
  const listener = new Listener<TestObject>(
    {
      onAdd: () => {
        throw new Error('thrown');
      },
      onDelete: () => Promise.reject(new Error('rejected')),
    },
    {
      name: 'angry',
      clock: new FakeClock(),
      logger: createLogger((record) => records.push(record)),
      maxBuffered: 10,
      onError: (error) => errors.push(error.message),
      onCoalesced: () => {},
    },
  );
  listener.notify(add('a'));
  listener.notify(remove('a'));
  listener.notify(add('a'));
  await listener.settled();
  assert.deepEqual(errors, ['thrown', 'rejected', 'thrown']);
  assert.deepEqual(
    records.map(({ level, fields }) => [level, fields['handler'], fields['event'], fields['key']]),
    [
      ['error', 'angry', 'add', 'ns/a'],
      ['error', 'angry', 'delete', 'ns/a'],
      ['error', 'angry', 'add', 'ns/a'],
    ],
  );
});

test('from maxBuffered on notifications of one key are merged, and counted', async () => {
  const { handler, told, finish } = slowHandler();
  const { listener, counts } = listenerFor(handler, 2);
  listener.notify(add('busy'));
  for (const item of [
    add('a'),
    update('a', 1, 2),
    update('a', 2, 3),
    add('b'),
    update('a', 3, 4),
    update('b', 1, 2),
  ])
    listener.notify(item);
  assert.equal(counts.coalesced, 3);
  for (let call = 0; call < 5; call++) await finish();
  assert.deepEqual(told, ['add busy@1', 'add a@1', 'update a@1-4', 'add b@2']);
});

test('a name that is taken again is told as a deletion and an addition, also when merged', async () => {
  const { handler, told, finish } = slowHandler();
  const { listener } = listenerFor(handler, 1);
  listener.notify(add('busy'));
  for (const item of [update('a', 1, 2), remove('a', 2), add('a', 5), update('a', 5, 6)])
    listener.notify(item);
  assert.equal(listener.pending, 2);
  for (let call = 0; call < 4; call++) await finish();
  assert.deepEqual(told, ['add busy@1', 'delete a', 'add a@6']);
});

test('a barrier is reached when everything before it has been worked off', async () => {
  const { handler, finish } = slowHandler();
  const { listener } = listenerFor(handler);
  listener.notify(add('a'));
  listener.notify(add('b'));
  let isReached = false;
  void listener.barrier().then(() => {
    isReached = true;
  });
  listener.notify(add('c'));
  await finish();
  assert.equal(isReached, false, 'b is not done');
  await finish();
  assert.equal(isReached, true);
  await finish();
  await listener.barrier();
});

test('after close nothing more is told, a call under way may finish, and nobody waits in vain', async () => {
  const { handler, told, finish } = slowHandler();
  const { listener } = listenerFor(handler);
  listener.notify(add('a'));
  listener.notify(add('b'));
  const barrier = listener.barrier();
  listener.close();
  listener.notify(add('c'));
  await barrier;
  let isSettled = false;
  const settled = listener.settled().then(() => {
    isSettled = true;
  });
  await Promise.resolve();
  assert.equal(isSettled, false);
  await finish();
  await settled;
  assert.deepEqual(told, ['add a@1']);
});
