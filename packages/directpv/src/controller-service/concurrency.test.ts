// Three controllers of DirectPV on one cluster, and everything at once: thousands of calls, writers that meddle,
// answers that are lost, servers that fail, processes that die. At rest everything adds up.
//
// A few seeds by default. WINDLASS_SEEDS=N runs that many, WINDLASS_SEED=N others; DIRECTPV_VOLUMES=N makes the
// first storm larger.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testSeeds } from '@windlass/base/testing';
import { runStorm } from '../testing/concurrency-storm.ts';

/** About six calls each. */
const VOLUMES = Number(process.env['DIRECTPV_VOLUMES'] ?? 120);
/** The large storm takes long. */
const MOST_LARGE = 5;

describe('concurrent calls in three replicas', () => {
  for (const seed of testSeeds(1).slice(0, MOST_LARGE))
    it(`calls of everything on 200 drives add up (seed ${seed})`, async () => {
      const result = await runStorm({ seed, drives: 200, volumes: VOLUMES, crashes: 2 });
      assert.ok(result.calls > VOLUMES * 5, `only ${result.calls} calls`);
      assert.ok(result.conflicts > 0 && result.faults > 0 && result.crashed > 0, JSON.stringify(result));
    });

  for (const seed of testSeeds(2))
    it(`drives that everybody wants add up (seed ${seed})`, async () => {
      const result = await runStorm({ seed, drives: 3, volumes: 40, crashes: 3 });
      assert.ok(result.refused > 0 && result.crashed > 0, JSON.stringify(result));
    });
});
