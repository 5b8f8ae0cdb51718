// Random workloads, node failures, faults of the API, and controllers that are killed between any two writes:
// at rest everything is as it should be. WINDLASS_CHAOS_RUNS for more runs, WINDLASS_SEED for others.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { action } from './workloads-chaos/actions.ts';
import { checkAtRest } from './workloads-chaos/invariants.ts';
import { OrdinalWatch } from './workloads-chaos/ordinals.ts';
import { ChaosWorld, GUARDED_REPLICAS } from './workloads-chaos/world.ts';

const RUNS = Number(process.env['WINDLASS_CHAOS_RUNS'] ?? 8);

it('whatever happens, at rest the cluster is as it should be', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 25 }), async (actions) => {
      await using world = await ChaosWorld.start();
      await using ordinals = await OrdinalWatch.follow(world.cluster, world.lost);
      for (const step of actions) await world.take(step);
      await world.rest();
      await checkAtRest(world.cluster);
      assert.deepEqual(ordinals.violations, []);
      // Of a budget of one, each eviction finds all others ready, unless nodes were lost.
      if (!world.hasSufferedOtherwise)
        for (const { readyBefore } of world.evictions) assert.equal(readyBefore, GUARDED_REPLICAS);
      assert.equal(await world.readyGuarded(), GUARDED_REPLICAS);
    }),
    { numRuns: RUNS },
  );
});
