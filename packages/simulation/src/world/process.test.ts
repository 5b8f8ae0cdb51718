import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import type { Manager } from '@windlass/runtime';
import { run } from '../run/run.ts';

it('writes under the name of its program, which all replicas share, and which may end in a number', async () => {
  const writer =
    (name: string) =>
    (manager: Manager): void => {
      const maps = manager.objects(ConfigMap);
      manager
        .controller('writer')
        .for(ConfigMap)
        .reconcile(async (key) => {
          if (key === 'default/a')
            await maps.apply({ metadata: { name, namespace: 'default' }, data: { some: 'text' } });
        });
    };
  let managers: readonly (readonly string[])[] = [];
  const { failure } = await run(
    {
      processes: {
        'shard-2': writer('one'),
        shards: { replicas: 2, setUp: writer('two') },
        named: { setUp: writer('three'), manager: { clientOptions: { fieldManager: 'own' } } },
      },
      workload: async ({ client, pass }) => {
        const maps = client.resource(ConfigMap).namespace('default');
        await maps.create({ metadata: { name: 'a' } });
        await pass(1000);
        managers = await Promise.all(
          ['one', 'two', 'three'].map(async (name) =>
            ((await maps.get(name)).metadata.managedFields ?? []).map(({ manager = '' }) => manager),
          ),
        );
      },
      deletesAll: false,
    },
    { seed: 1, plan: [] },
  );
  assert.equal(failure, undefined);
  assert.deepEqual(managers, [['shard-2'], ['shards'], ['own']]);
});
