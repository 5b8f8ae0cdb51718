// A process that is killed and back within the time of another fault: what is of its machine goes on, what was its own
// is over.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import type { JournalEntry } from '../journal-entry.ts';
import type { Fault } from '../plan/fault.ts';
import type { SimulationOptions } from '../simulation.ts';
import { RUN_START } from '../time/virtual-time.ts';
import { run } from './run.ts';

const SECOND = 1000;
const process = 'noter';
/** The map is made so long after the workload began. */
const MADE_S = 18;
/** Notes when it saw each map, as its clock has it. */
const NOTER: SimulationOptions = {
  processes: {
    [process]: (manager) => {
      const maps = manager.objects(ConfigMap);
      manager
        .controller('notes')
        .for(ConfigMap)
        .reconcile(async (key) => {
          const map = await maps.find(key);
          if (map?.data?.['note'] === '')
            await maps.patch(key, { data: { note: String(manager.clock.now()) } });
        });
    },
  },
  workload: async ({ client, pass }) => {
    await pass(MADE_S * SECOND);
    await client
      .resource(ConfigMap)
      .namespace('default')
      .create({ metadata: { name: 'a' }, data: { note: '' } });
    await pass(40 * SECOND);
  },
  endState: false,
};
const KILL: Fault = { kind: 'kill', process, when: 3 * SECOND, downMs: SECOND };
/** The faults last until so many seconds after the map was made. */
const UNTIL_S = 20;

/** How many seconds after the map was made it was noted, and how wrong the clock was. */
async function noted(fault: Fault): Promise<{ readonly afterS: number; readonly wrongS: number }> {
  let journal: readonly JournalEntry[] = [];
  const look = (state: { readonly journal: typeof journal }): void => {
    ({ journal } = state);
  };
  const { failure } = await run({ ...NOTER, invariants: { look } }, { seed: 1, plan: [fault, KILL] });
  assert.equal(failure, undefined);
  const [made, note] = journal.filter(({ key }) => key === '//configmaps/default/a');
  assert.ok(made !== undefined && note?.by === process);
  // The key says that it is one.
  const { data } = note.object as ConfigMap;
  return {
    afterS: (note.atMs - made.atMs) / SECOND,
    wrongS: Math.round((Number(data?.['note']) - RUN_START - note.atMs) / SECOND),
  };
}

const lasting = { when: SECOND, forMs: (MADE_S + UNTIL_S) * SECOND };

describe('a process that is killed and comes back during', () => {
  it('a partition cannot reach the server until that is over', async () => {
    assert.ok((await noted({ kind: 'partition', process, ...lasting })).afterS >= UNTIL_S);
  });

  it('slowness is slow', async () => {
    const { afterS } = await noted({ kind: 'latency', process, ...lasting, addMs: 2 * SECOND });
    // The event travels, and then the request.
    assert.ok(afterS >= 4 && afterS < 5, String(afterS));
  });

  it('a wrong time has the wrong time', async () => {
    const { afterS, wrongS } = await noted({ kind: 'clock', process, when: SECOND, byMs: 3_600_000 });
    assert.ok(afterS < 1, String(afterS));
    assert.equal(wrongS, 3600);
  });

  it('a freeze does not stand still', async () => {
    assert.ok((await noted({ kind: 'freeze', process, ...lasting })).afterS < 1);
  });

  for (const effect of ['hold', 'gap'] as const)
    it(`watches with the effect ${effect} has watches that have it not`, async () => {
      assert.ok((await noted({ kind: 'watch', process, ...lasting, effect })).afterS < 1);
    });
});
