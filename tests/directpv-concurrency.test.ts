// Three controllers of DirectPV on one cluster, and everything at once: thousands of calls, writers that meddle,
// answers that are lost, servers that fail, processes that die. At rest everything adds up.
//
// A few seeds by default. DIRECTPV_SEEDS=N runs that many, DIRECTPV_SEED=N begins with that one.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runStorm } from './directpv-concurrency-storm.ts';
import { isSoak, soakSeeds } from './directpv-concurrency-support.ts';

/** About six calls each. */
const VOLUMES = isSoak() ? 850 : 120;

describe('concurrent calls in three replicas', () => {
  for (const seed of soakSeeds({ byDefault: 1, atMost: 5 }))
    it(`calls of everything on 200 drives add up (seed ${seed})`, async () => {
      const result = await runStorm({ seed, drives: 200, volumes: VOLUMES, crashes: 2 });
      assert.ok(result.calls > VOLUMES * 5, `only ${result.calls} calls`);
      assert.ok(result.conflicts > 0 && result.faults > 0 && result.crashed > 0, JSON.stringify(result));
    });

  for (const seed of soakSeeds({ byDefault: 2 }))
    it(`drives that everybody wants add up (seed ${seed})`, async () => {
      const result = await runStorm({ seed, drives: 3, volumes: 40, crashes: 3 });
      assert.ok(result.refused > 0 && result.crashed > 0, JSON.stringify(result));
    });
});
