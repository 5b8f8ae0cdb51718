import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { afterEach, test } from 'node:test';
import { abortError, linkSignals, onAbort, orAbort, sleep, throwIfAborted, withDeadline } from './abort.ts';
import { CancelledError, DeadlineError, WindlassError } from './errors.ts';
import { FakeClock } from './fake-clock.ts';
import { survivors } from './testing/survivors.ts';

const cancelled = { code: 'CANCELLED', kind: 'cancelled' };
const tooLate = { code: 'DEADLINE_EXCEEDED' };

// Each test takes its signals and clocks from here; afterwards none may have a listener or a timer.
const signals: AbortSignal[] = [];
const clocks: FakeClock[] = [];
const controllerOf = (): AbortController => {
  const controller = new AbortController();
  signals.push(controller.signal);
  return controller;
};
const abortedOf = (reason?: unknown): AbortSignal => {
  const controller = controllerOf();
  controller.abort(reason);
  return controller.signal;
};
const clockOf = (): FakeClock => {
  const clock = new FakeClock();
  clocks.push(clock);
  return clock;
};
const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

afterEach(() => {
  for (const signal of signals.splice(0)) assert.equal(listeners(signal), 0, 'a listener was left behind');
  for (const clock of clocks.splice(0)) assert.equal(clock.pendingTimers, 0, 'a timer was left behind');
});

test('onAbort calls back once on abort, at once if that was before, and never when released', () => {
  const controller = controllerOf();
  const calls: string[] = [];
  onAbort(controller.signal, () => calls.push('kept'));
  const release = onAbort(controller.signal, () => calls.push('released'));
  release();
  release();
  controller.abort();
  onAbort(controller.signal, () => calls.push('late'))();
  onAbort(undefined, () => calls.push('none'))();
  assert.deepEqual(calls, ['kept', 'late']);
});

test('onAbort keeps two registrations of one callback apart', () => {
  const controller = controllerOf();
  let calls = 0;
  const callback = (): void => void calls++;
  const release = onAbort(controller.signal, callback);
  onAbort(controller.signal, callback);
  release();
  assert.equal(listeners(controller.signal), 1);
  controller.abort();
  assert.equal(calls, 1);
});

test('an abort is rejected with its reason where that is ours, else with the reason as the cause', () => {
  const ours = new CancelledError('the manager stops');
  const late = new DeadlineError('list took longer than 5 ms');
  assert.equal(abortError(abortedOf(ours)), ours);
  assert.equal(abortError(abortedOf(late)), late);
  class ForeignDeadline extends WindlassError {
    constructor() {
      super('late', { code: 'DEADLINE_EXCEEDED' });
    }
  }
  const foreign = new ForeignDeadline();
  assert.equal(abortError(abortedOf(foreign)), foreign);
  const conflict = new WindlassError('conflict', { code: 'CONFLICT' });
  for (const reason of ['because', new Error('why'), conflict]) {
    const error = abortError(abortedOf(reason));
    assert.ok(error instanceof CancelledError);
    assert.equal(error.cause, reason);
  }
  assert.equal((abortError(abortedOf()).cause as Error).name, 'AbortError');
});

test('throwIfAborted throws only when aborted', () => {
  throwIfAborted(undefined);
  throwIfAborted(controllerOf().signal);
  assert.throws(() => throwIfAborted(abortedOf()), cancelled);
});

test('sleep ends after its time and not before', async () => {
  const clock = clockOf();
  const { signal } = controllerOf();
  let awake = 0;
  const sleeps = [sleep(clock, 100), sleep(clock, 100, signal)].map((each) => each.then(() => awake++));
  await clock.advance(99);
  assert.deepEqual([awake, listeners(signal)], [0, 1]);
  await clock.advance(1);
  assert.equal(awake, 2);
  await Promise.all(sleeps);
});

test('sleep rejects when aborted before or during it, and then leaves the clock alone', async () => {
  const clock = clockOf();
  await assert.rejects(sleep(clock, 100, abortedOf()), cancelled);
  assert.equal(clock.pendingTimers, 0);
  const controller = controllerOf();
  const sleeping = sleep(clock, 100, controller.signal);
  controller.abort('stop');
  assert.equal(clock.pendingTimers, 0);
  await assert.rejects(sleeping, { ...cancelled, cause: 'stop' });
});

test('a thousand waits on one signal leave nothing on it, and cause no warning', async (t) => {
  const clock = clockOf();
  const { signal } = controllerOf();
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  process.on('warning', onWarning);
  t.after(() => process.off('warning', onWarning));
  const waits = Array.from({ length: 1000 }, (_, index) => sleep(clock, index, signal));
  assert.equal(listeners(signal), 1000);
  await clock.advance(1000);
  await Promise.all(waits);
  assert.deepEqual(warnings, []);
});

test('orAbort gives the outcome that comes first, and takes its listener back', async () => {
  const { signal } = controllerOf();
  assert.equal(await orAbort(Promise.resolve(1), signal), 1);
  await assert.rejects(orAbort(Promise.reject(new Error('broken')), signal), /broken/);
  const promise = Promise.resolve(2);
  assert.equal(orAbort(promise, undefined), promise);
  const controller = controllerOf();
  const { promise: forever } = Promise.withResolvers<never>();
  const waiting = orAbort(forever, controller.signal);
  controller.abort();
  await assert.rejects(waiting, cancelled);
  await assert.rejects(orAbort(forever, controller.signal), cancelled);
});

test('orAbort: a promise that fails after the abort is no unhandled rejection', async (t) => {
  const unhandled: unknown[] = [];
  const onUnhandled = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', onUnhandled);
  t.after(() => process.off('unhandledRejection', onUnhandled));
  const { promise, reject } = Promise.withResolvers<never>();
  await assert.rejects(orAbort(promise, abortedOf()), cancelled);
  reject(new Error('late'));
  await clockOf().settle();
  assert.deepEqual(unhandled, []);
});

test('a linked signal aborts with the first parent that does, with its reason, and lets go of the others', () => {
  const [first, second] = [controllerOf(), controllerOf()];
  const linked = linkSignals(first.signal, undefined, second.signal);
  signals.push(linked.signal);
  assert.deepEqual([listeners(first.signal), listeners(second.signal)], [1, 1]);
  second.abort('second');
  assert.equal(linked.signal.reason, 'second');
  assert.equal(listeners(first.signal), 0);
  first.abort('first');
  assert.equal(linked.signal.reason, 'second');
});

test('a linked signal of an aborted parent is aborted, and no other parent learns of it', () => {
  const [before, after] = [controllerOf(), controllerOf()];
  const linked = linkSignals(before.signal, abortedOf('gone'), after.signal);
  assert.equal(linked.signal.reason, 'gone');
  assert.deepEqual([listeners(before.signal), listeners(after.signal)], [0, 0]);
});

test('a linked signal can be aborted by itself, which its parents do not notice', () => {
  const parent = controllerOf();
  const linked = linkSignals(parent.signal);
  linked.abort('own');
  assert.equal(linked.signal.reason, 'own');
  assert.deepEqual([parent.signal.aborted, listeners(parent.signal)], [false, 0]);
  assert.equal(linkSignals().signal.aborted, false);
});

test('a linked signal that was disposed hears of its parents no more', () => {
  const parent = controllerOf();
  let signal: AbortSignal;
  {
    using linked = linkSignals(parent.signal);
    ({ signal } = linked);
    assert.equal(listeners(parent.signal), 1);
  }
  parent.abort();
  assert.equal(signal.aborted, false);
});

test('a long-lived parent keeps no disposed child alive', async () => {
  const parent = controllerOf();
  const alive = await survivors(() =>
    Array.from({ length: 100 }, () => {
      using linked = linkSignals(parent.signal);
      return linked.signal;
    }),
  );
  assert.equal(alive, 0);
});

test('a deadline aborts after its time, and its error names the work', async () => {
  const clock = clockOf();
  const parent = controllerOf();
  const late = withDeadline(clock, 500, 'listing pods', parent.signal);
  signals.push(late.signal);
  await clock.advance(499);
  assert.equal(late.signal.aborted, false);
  await clock.advance(1);
  assert.ok(late.signal.reason instanceof DeadlineError);
  assert.equal(late.signal.reason.message, 'listing pods took longer than 500 ms');
  await assert.rejects(sleep(clock, 1, late.signal), tooLate);
});

test('a deadline that is not reached leaves no timer, whichever way the work ends', async () => {
  const ends: Record<string, (parent: AbortController, deadline: ReturnType<typeof withDeadline>) => void> = {
    disposed: (_parent, deadline) => deadline[Symbol.dispose](),
    'aborted by itself': (_parent, deadline) => deadline.abort('own'),
    'aborted by its parent': (parent) => parent.abort('parent'),
    'aborted, then disposed': (parent, deadline) => {
      parent.abort();
      deadline[Symbol.dispose]();
    },
  };
  for (const [name, end] of Object.entries(ends)) {
    const clock = clockOf();
    const parent = controllerOf();
    const deadline = withDeadline(clock, 500, 'work', parent.signal);
    signals.push(deadline.signal);
    assert.equal(clock.pendingTimers, 1);
    end(parent, deadline);
    assert.deepEqual(
      [clock.pendingTimers, listeners(parent.signal), listeners(deadline.signal)],
      [0, 0, 0],
      name,
    );
    await clock.advance(1000);
    assert.ok(!(deadline.signal.reason instanceof DeadlineError), name);
  }
});

test('a deadline under an aborted parent sets no timer', () => {
  const clock = clockOf();
  const deadline = withDeadline(clock, 500, 'work', abortedOf('gone'));
  assert.deepEqual([deadline.signal.reason, clock.pendingTimers], ['gone', 0]);
  deadline[Symbol.dispose]();
});
