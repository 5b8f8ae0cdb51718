import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { FairShare } from './fair-share.ts';

const takeAll = (share: FairShare, user: string): number => {
  let taken = 0;
  while (share.take(user)) taken++;
  return taken;
};

describe('a fair share', () => {
  test('one user alone leaves half, two leave a third', () => {
    const share = new FairShare(12);
    assert.equal(takeAll(share, 'a'), 6);
    assert.equal(takeAll(share, 'b'), 4);
    assert.equal(takeAll(share, 'c'), 2, 'all places are taken');
    assert.equal(share.total, 12);
  });

  test('what is given back can be taken again, also by others', () => {
    const share = new FairShare(4);
    assert.equal(takeAll(share, 'a'), 2);
    share.give('a');
    share.give('a');
    assert.equal(share.total, 0);
    assert.equal(takeAll(share, 'b'), 2);
  });

  test('every user may hold the smallest share while there is room', () => {
    const share = new FairShare(10, 3);
    for (const user of ['a', 'b', 'c']) assert.ok(share.take(user, 3), user);
    assert.ok(!share.take('d', 3), 'only one place is left');
    assert.ok(share.take('d', 1));
  });

  test('never more than there is, and a newcomer finds a place while all others keep to their shares', () => {
    const step = fc.record({ user: fc.constantFrom('a', 'b', 'c', 'd'), isTake: fc.boolean() });
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 50 }), fc.array(step, { maxLength: 300 }), (capacity, steps) => {
        const share = new FairShare(capacity);
        const held = new Map<string, number>();
        for (const { user, isTake } of steps) {
          const mine = held.get(user) ?? 0;
          if (isTake && share.take(user)) held.set(user, mine + 1);
          else if (!isTake && mine > 0) {
            share.give(user);
            held.set(user, mine - 1);
          }
          const sum = [...held.values()].reduce((total, count) => total + count, 0);
          assert.equal(share.total, sum);
          assert.ok(sum <= capacity);
        }
      }),
    );
    // Users who came one after the other and took all they could leave room for one more.
    for (const users of [1, 2, 5, 20]) {
      const share = new FairShare(400);
      const names = Array.from({ length: users }, (_, index) => `user-${index}`);
      for (const name of names) share.take(name);
      for (const name of names) takeAll(share, name);
      assert.ok(share.take('newcomer'), `${users} users left no room`);
    }
  });
});
