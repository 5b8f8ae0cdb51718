import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConcurrencyLimit } from './concurrency-limit.ts';

/** Work that is done when somebody says so. */
function held(limit: ConcurrencyLimit, count: number) {
  const begun: number[] = [];
  const gates = Array.from({ length: count }, () => Promise.withResolvers<void>());
  const runs = gates.map(({ promise }, index) =>
    limit.run(async () => {
      begun.push(index);
      await promise;
      return index;
    }),
  );
  // What does not wait for another piece of work waits for promises only.
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { begun, gates, runs, settle };
}

describe('a limit of concurrency', () => {
  it('begins as many pieces of work as it says, and the next when one is done', async () => {
    const { begun, gates, runs, settle } = held(new ConcurrencyLimit(2), 4);
    await settle();
    assert.deepEqual(begun, [0, 1]);
    gates[1]?.resolve();
    await settle();
    assert.deepEqual(begun, [0, 1, 2], 'in the order in which they came');
    for (const { resolve } of gates) resolve();
    assert.deepEqual(await Promise.all(runs), [0, 1, 2, 3]);
  });

  it('has its places again when work is done or has failed', async () => {
    const limit = new ConcurrencyLimit(1);
    await assert.rejects(
      limit.run(() => Promise.reject(new Error('no'))),
      /^Error: no$/,
    );
    await limit.run(async () => {});
    const { begun, gates, runs, settle } = held(limit, 2);
    await settle();
    assert.deepEqual(begun, [0]);
    for (const { resolve } of gates) resolve();
    await Promise.all(runs);
  });
});
