import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { run } from './run.ts';

it('a clock that was set wrong is right again when the faults are over', async () => {
  const clocks: number[] = [];
  const { failure } = await run(
    {
      processes: {
        watcher: (manager) => {
          manager
            .controller('maps')
            .for(ConfigMap)
            .reconcile(async (_, { logger }) => {
              logger.debug('seen');
              clocks.push(manager.clock.now());
            });
        },
      },
      workload: async (user) => {
        const maps = user.client.resource(ConfigMap).namespace('default');
        await user.pass(1000);
        await maps.create({ metadata: { name: 'a' } });
        await user.pass(1000);
      },
      endState: false,
    },
    { seed: 1, plan: [{ kind: 'clock', process: 'watcher', when: 0, byMs: 3_600_000 }] },
  );
  assert.equal(failure, undefined);
  const [first = 0] = clocks;
  // It was an hour ahead when the map was made, and is right when it is deleted a minute after that.
  assert.ok(Math.max(...clocks) - first > 3_000_000);
  assert.ok((clocks.at(-1) ?? 0) - first < 600_000);
});
