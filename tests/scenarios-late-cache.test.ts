// What comes of a scenario must not depend on how late the controllers hear of what it makes: the real lane compares two
// managers, each of which may be late.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextTurn } from '@windlass/base';
import { startControllers } from '@windlass/controllers/testing';
import { makeNode } from './scenarios/node-stand-in.ts';
import { replicas } from './scenarios/replicas.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { walk } from './scenarios/walk.ts';

const SECOND = 1000;
/** So many seconds the controllers hear nothing of pods. */
const LATE = 5;
const TURNS = 200;

/** The events that a walk leaves behind, while the controllers are late. */
async function eventsOf(scenario: Scenario, late: number): Promise<string[]> {
  await using controlled = await startControllers(['*']);
  const { cluster, controllers } = controlled;
  const { client, clock } = cluster;
  await makeNode(client, clock);
  const held = late === 0 ? undefined : controllers.faults.holdWatches({ path: /\/pods$/ });
  let seconds = 0;
  const pass = async (): Promise<void> => {
    if (seconds === late) held?.[Symbol.dispose]();
    if (seconds++ >= late) return cluster.advance(SECOND);
    // Who waits for a pod that it has made does not come to rest.
    await clock.advance(SECOND);
    for (let turn = 0; turn < TURNS; turn++) await nextTurn();
  };
  const surroundings = { client, clock, pass, patienceMs: 300 * SECOND, quietMs: 2 * SECOND };
  return (await walk(scenario, 'late', surroundings)).filter((line) => line.startsWith('Event: '));
}

describe('whoever is late to hear of pods', () => {
  for (const scenario of replicas.filter(({ name }) => name.includes('adopts')))
    it(`leaves the same events: ${scenario.name}`, async () => {
      const inTime = await eventsOf(scenario, 0);
      assert.ok(inTime.length > 0, 'there are events');
      assert.deepEqual(await eventsOf(scenario, LATE), inTime);
    });
});
