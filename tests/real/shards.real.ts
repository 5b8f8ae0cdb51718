// Lists and watches of shards (KEP-5866) on a real kube-apiserver, with its gate on and off.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ShardSelector } from '@windlass/apimachinery';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { createClient, loadConfig } from '@windlass/client';
import { SharedInformerFactory } from '@windlass/informer';
import { sharedRealCluster, startRealCluster } from './harness/index.ts';

const COUNT = 90;
const SHARDS = [0, 1, 2].map((index) => ShardSelector.part('object.metadata.uid', index, 3));

/** Each informer has its own part, whatever the server does, and follows what is made, changed and deleted. */
async function follow(kubeconfigPath: string, knowsShards: boolean): Promise<void> {
  const client = createClient({ config: await loadConfig({ path: kubeconfigPath, context: 'admin' }) });
  await using factory = new SharedInformerFactory({ client });
  try {
    const maps = client.resource(ConfigMap).namespace('default');
    for (let number = 0; number < COUNT; number++)
      await maps.create({ metadata: { generateName: 'shard-', labels: { suite: 'shards' } } });
    const labelSelector = 'suite=shards';
    const parts = SHARDS.map((shardSelector) =>
      factory.informer(ConfigMap, { namespace: 'default', labelSelector, shardSelector }),
    );
    factory.start();
    await factory.waitForCacheSync();
    const of = async (shard: ShardSelector): Promise<string[]> =>
      (await maps.list({ labelSelector })).items
        .filter((map) => shard.matches(map))
        .map(({ metadata }) => `default/${metadata.name}`)
        .sort();
    for (const [index, shard] of SHARDS.entries()) {
      assert.deepEqual([...(parts[index]?.indexer.keys() ?? [])].sort(), await of(shard));
      const { metadata, items } = await maps.list({ labelSelector, shardSelector: shard });
      assert.equal(metadata.shardInfo?.selector, knowsShards ? String(shard) : undefined);
      // Both sides count alike, or the server sends all.
      assert.equal(items.length, knowsShards ? (await of(shard)).length : COUNT);
    }
    const [gone] = (await maps.list({ labelSelector })).items;
    await maps.delete(gone?.metadata.name ?? '');
    const last = await maps.create({ metadata: { name: 'shard-last', labels: { suite: 'shards' } } });
    for (const [index, shard] of SHARDS.entries()) {
      if (shard.matches(last))
        await parts[index]?.waitForVersion(last.metadata.resourceVersion, { timeoutMs: 10_000 });
      else await new Promise((resolve) => setTimeout(resolve, 200));
      assert.deepEqual([...(parts[index]?.indexer.keys() ?? [])].sort(), await of(shard));
    }
  } finally {
    await client.close();
  }
}

describe('informers of shards', () => {
  test('on a server that knows them get their own part only', async () => {
    await using cluster = await startRealCluster({
      apiServerArgs: ['--feature-gates=ShardedListAndWatch=true'],
    });
    await follow(cluster.kubeconfigPath, true);
  });

  test('on a server that knows none keep their own part', async () => {
    const { kubeconfigPath } = await sharedRealCluster();
    await follow(kubeconfigPath, false);
  });
});
