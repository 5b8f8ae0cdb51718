import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { assignShards } from './assignment.ts';

const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 12 });
const counts = fc.integer({ min: 1, max: 64 });

test('each shard has one member, members have as many as each other, and the order of names is nothing', () => {
  fc.assert(
    fc.property(names, counts, fc.infiniteStream(fc.nat()), (members, count, numbers) => {
      const assigned = assignShards(members, count);
      const shards = [...assigned.values()].flat().sort((a, b) => a - b);
      assert.deepEqual(
        shards,
        Array.from({ length: count }, (_, index) => index),
      );
      const sizes = members.map((member) => assigned.get(member)?.length ?? -1);
      assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 1, JSON.stringify(sizes));
      const shuffled = members
        .map((member) => [numbers.next().value ?? 0, member] as const)
        .sort(([a], [b]) => a - b)
        .map(([, member]) => member);
      assert.deepEqual(assignShards([...shuffled, ...members], count), assigned);
    }),
  );
});

test('nobody is there: nobody has anything', () => {
  assert.equal(assignShards([], 4).size, 0);
});

test('when one of n members goes, few shards of the others move', () => {
  const count = 60;
  for (let seed = 0; seed < 50; seed++) {
    const members = ['a', 'b', 'c', 'd', 'e'].map((name) => `operator-${name}-${seed}`);
    const before = assignShards(members, count);
    const after = assignShards(members.slice(1), count);
    const kept = members
      .slice(1)
      .flatMap((member) => (before.get(member) ?? []).filter((shard) => after.get(member)?.includes(shard)));
    // 48 were theirs. Those of the one that went must move; the bound on each makes some others move, too.
    assert.ok(kept.length >= 30, `${kept.length} of 48 stayed with seed ${seed}`);
  }
});
