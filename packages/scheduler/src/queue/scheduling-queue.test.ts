import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@windlass/base';
import { testPod } from '../testing.ts';
import { SchedulingQueue } from './scheduling-queue.ts';

function start() {
  const clock = new FakeClock();
  const queue = new SchedulingQueue({
    clock,
    eventsOf: new Map([['Fit', new Set(['AssignedPodDelete'] as const)]]),
  });
  const stop = new AbortController();
  const pop = async () => {
    const popped = await queue.pop(stop.signal);
    assert.ok(popped !== undefined);
    return popped;
  };
  return { clock, queue, pop, stop };
}

describe('the queue', () => {
  it('is ordered by priority, then by age', async () => {
    const { clock, queue, pop } = start();
    queue.set(testPod('old'), true);
    await clock.advance(1);
    queue.set(testPod('young'), true);
    queue.set(testPod('high', { priority: 5 }), true);
    assert.deepEqual(
      [await pop(), await pop(), await pop()].map(({ info }) => info.uid),
      ['high', 'old', 'young'],
    );
  });

  it('backs off: 1 s, 2 s, up to 10 s', async () => {
    const { clock, queue, pop } = start();
    queue.set(testPod('p'), true);
    let taken = await pop();
    for (const delay of [1000, 2000, 4000, 8000, 10_000, 10_000]) {
      queue.putBack(taken);
      const next = pop();
      await clock.advance(delay - 1);
      assert.equal(queue.counts.backoff, 1, `not before ${delay} ms`);
      await clock.advance(1);
      assert.equal(queue.counts.backoff, 0, `after ${delay} ms`);
      taken = await next;
    }
  });

  it('wakes a pod for what concerns those that rejected it, and for nothing else', async () => {
    const { clock, queue, pop } = start();
    queue.set(testPod('p'), true);
    queue.putUnschedulable(await pop(), new Set(['Fit']));
    queue.move('NodeLabel');
    assert.deepEqual(queue.counts, { active: 0, backoff: 0, unschedulable: 1 });
    queue.move('AssignedPodDelete');
    assert.deepEqual(queue.counts, { active: 0, backoff: 1, unschedulable: 0 }, 'its back-off still counts');
    const next = pop();
    await clock.advance(1000);
    queue.putUnschedulable(await next, new Set(['Fit']));
    await clock.advance(2000);
    queue.move('AssignedPodDelete');
    assert.deepEqual(queue.counts, { active: 1, backoff: 0, unschedulable: 0 });
  });

  it('tries a pod again after its delay when what was to help it has failed', async () => {
    const { clock, queue, pop } = start();
    queue.set(testPod('p'), true);
    const taken = await pop();
    queue.tryAgain(taken);
    assert.deepEqual(queue.counts, { active: 0, backoff: 0, unschedulable: 0 }, 'it is being scheduled');
    queue.putUnschedulable(taken, new Set(['Fit']));
    queue.tryAgain(taken);
    assert.deepEqual(queue.counts, { active: 0, backoff: 1, unschedulable: 0 });
    const next = pop();
    await clock.advance(1000);
    assert.equal((await next).attempts, 2);
    queue.putUnschedulable(taken, new Set(['Fit']));
    queue.delete('p');
    queue.tryAgain(taken);
    assert.deepEqual(queue.counts, { active: 0, backoff: 0, unschedulable: 0 }, 'it is gone');
  });

  it('tries a pod all the same after five minutes', async () => {
    const { clock, queue, pop } = start();
    queue.set(testPod('p'), true);
    queue.putUnschedulable(await pop(), new Set(['Fit']));
    const next = pop();
    await clock.advance(299_999);
    assert.equal(queue.counts.unschedulable, 1);
    await clock.advance(1);
    assert.equal((await next).attempts, 2);
  });

  it('tries it then also when the clock reads fractions of a millisecond', async () => {
    const { clock, queue, pop } = start();
    // 300 000 ms later it is a little less than 300 000 ms later, as numbers are rounded.
    const since = 1_000_000 + 1 / 7;
    assert.ok(since + 300_000 - since < 300_000);
    await clock.advance(since);
    queue.set(testPod('p'), true);
    queue.putUnschedulable(await pop(), new Set(['Fit']));
    const next = pop();
    let wakings = 0;
    const setTimeout = clock.setTimeout.bind(clock);
    clock.setTimeout = (callback, ms) => {
      assert.ok(++wakings < 10, 'it waits for nothing, again and again');
      return setTimeout(callback, ms);
    };
    await clock.advance(300_000);
    assert.equal((await next).attempts, 2);
  });

  it('keeps pods until their claims for devices are made', async () => {
    const { queue, pop } = start();
    const waiting = testPod('p', { resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 't' }] });
    queue.set(waiting, true);
    queue.move('AssignedPodDelete');
    assert.deepEqual(queue.counts, { active: 0, backoff: 0, unschedulable: 1 });
    const resourceClaimStatuses = [{ name: 'gpu', resourceClaimName: 'p-gpu-x' }];
    const told = { ...waiting.pod, status: { ...waiting.pod.status, resourceClaimStatuses } };
    queue.set({ ...waiting, pod: told }, false);
    assert.equal((await pop()).info.uid, 'p');
  });

  it('keeps gated pods until their gates are open', async () => {
    const { queue, pop } = start();
    queue.set(testPod('p', { schedulingGates: [{ name: 'x' }] }), true);
    queue.move('NodeAdd');
    assert.deepEqual(queue.counts, { active: 0, backoff: 0, unschedulable: 1 });
    queue.set(testPod('p'), true);
    assert.equal((await pop()).info.uid, 'p');
  });

  it('does not take back a pod that was deleted meanwhile, and leaves no timer when it ends', async () => {
    const { clock, queue, pop, stop } = start();
    queue.set(testPod('p'), true);
    const taken = await pop();
    queue.delete('p');
    queue.putBack(taken);
    assert.deepEqual(queue.counts, { active: 0, backoff: 0, unschedulable: 0 });
    queue.set(testPod('q'), true);
    queue.putBack(await pop());
    const last = queue.pop(stop.signal);
    stop.abort();
    assert.equal(await last, undefined);
    assert.equal(clock.pendingTimers, 0);
  });
});
