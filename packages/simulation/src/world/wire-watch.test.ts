import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RawWatchEvent } from '@windlass/apimachinery';
import { nextTurn } from '@windlass/base';
import { WireWatch } from './wire-watch.ts';

const batch = (name: string): RawWatchEvent[] => [{ type: 'ADDED', object: { metadata: { name } } }];

/** A watch, and what its reader has heard so far. */
function start() {
  const heard: string[] = [];
  let ends = 0;
  const watch = new WireWatch({ method: 'GET', path: '/api/v1/pods' }, () => {
    ends++;
  });
  const reading = (async () => {
    try {
      for await (const events of watch)
        heard.push(JSON.stringify(events).replace(/.*"name":"(\w+)".*/, '$1'));
      heard.push('end');
    } catch (error) {
      heard.push(error instanceof Error ? error.message : 'thrown');
    }
  })();
  return { heard, watch, reading, ends: () => ends };
}

describe('a watch', () => {
  it('brings what arrives, in order, and its end after that', async () => {
    const { heard, watch, reading, ends } = start();
    watch.arrive(batch('a'));
    watch.arrive(batch('b'));
    watch.end();
    await reading;
    assert.deepEqual(heard, ['a', 'b', 'end']);
    assert.deepEqual([watch.isOver, ends()], [true, 1]);
  });

  it('that is held brings all of it when it is let go as often', async () => {
    const { heard, watch, reading } = start();
    watch.hold();
    watch.hold();
    watch.arrive(batch('a'));
    watch.arrive(batch('b'));
    watch.end();
    await nextTurn();
    watch.release();
    await nextTurn();
    assert.deepEqual(heard, []);
    watch.release();
    await reading;
    assert.deepEqual(heard, ['a', 'b', 'end']);
  });

  it('that is let go once too often can be held again', async () => {
    const { heard, watch } = start();
    watch.release();
    watch.hold();
    watch.arrive(batch('a'));
    await nextTurn();
    assert.deepEqual(heard, []);
  });

  it('that breaks brings nothing of what was held, and tells once that it is over', async () => {
    const { heard, watch, reading, ends } = start();
    watch.hold();
    watch.arrive(batch('a'));
    watch.break();
    watch.arrive(batch('b'));
    watch.break();
    watch.end();
    await reading;
    assert.deepEqual(heard, ['the connection broke']);
    assert.equal(ends(), 1);
  });

  it('whose reader leaves is over', async () => {
    const { watch, ends } = start();
    assert.deepEqual(await watch.return(), { done: true, value: undefined });
    assert.deepEqual([watch.isOver, ends()], [true, 1]);
  });
});
