import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FairQueue } from './fair-queue.ts';

function drain(queue: FairQueue<string>): string[] {
  const taken: string[] = [];
  for (let next = queue.take(); next !== undefined; next = queue.take()) taken.push(next);
  return taken;
}

describe('FairQueue', () => {
  it('gives each owner a turn, whoever has more waiting', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add(item.charAt(0), item);
    assert.equal(queue.size, 6);
    assert.deepEqual(drain(queue), ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    assert.equal(queue.size, 0);
  });

  it('gives the turn after all others to an owner who has just had one', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'b1']) queue.add(item.charAt(0), item);
    assert.equal(queue.take(), 'a1');
    queue.add('a', 'a3');
    assert.deepEqual(drain(queue), ['b1', 'a2', 'a3']);
  });

  it('takes out what nobody waits for any more', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'b1']) queue.add(item.charAt(0), item);
    assert.equal(queue.remove('b', 'b1'), true);
    assert.equal(queue.remove('b', 'b1'), false);
    assert.equal(queue.remove('a', 'other'), false);
    assert.equal(queue.size, 2);
    assert.deepEqual(drain(queue), ['a1', 'a2']);
  });
});
