// Replicas that share the objects of a kind, on the embedded server.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setControllerReference } from '@windlass/apimachinery';
import { Lease } from '@windlass/apimachinery/api/coordination/v1';
import { ConfigMap, Secret } from '@windlass/apimachinery/api/core/v1';
import { createLogger, memoryWriter, silentLogger } from '@windlass/base';
import { startTestCluster, type TestCluster, type TestManager } from '@windlass/cluster/testing';
import type { Manager } from '../manager/manager.ts';
import { SHARD_LABEL } from './shard.ts';
import { addShards, type Shards, type ShardsOptions } from './shards.ts';

const COUNT = 6;
const LEASE_MS = 15_000;
const RETRY_MS = 2000;

interface Replica extends TestManager {
  readonly shards: Shards;
  /** The keys that it has reconciled, oldest first. */
  readonly runs: string[];
}

async function replica(
  cluster: TestCluster,
  identity: string,
  options: Partial<ShardsOptions> = {},
  managerOptions: Parameters<TestCluster['manager']>[0] = {},
): Promise<Replica> {
  const made = cluster.manager({
    identity,
    gracefulStopMs: 5000,
    logger: silentLogger,
    ...managerOptions,
  });
  const runs: string[] = [];
  const shards = addShards(made.manager, {
    name: 'maps',
    namespace: 'default',
    count: COUNT,
    kinds: [ConfigMap],
    owned: [Secret],
    setUp: (manager) => copyIntoSecrets(manager, runs),
    ...options,
  });
  await made.manager.start();
  return { ...made, shards, runs };
}

/** Each ConfigMap has a Secret of its name. */
function copyIntoSecrets(manager: Manager, runs: string[]): void {
  const [maps, secrets] = [manager.objects(ConfigMap), manager.objects(Secret)];
  manager
    .controller('copies')
    .for(ConfigMap, { namespace: 'default' })
    .owns(Secret)
    .reconcile(async (key) => {
      runs.push(key);
      const map = await maps.find(key);
      if (map === undefined || (await secrets.find(key)) !== undefined) return;
      await secrets.create(
        setControllerReference(
          map,
          { metadata: { name: map.metadata.name, namespace: map.metadata.namespace } },
          { ownerType: ConfigMap },
        ),
      );
    });
}

/** Long enough for newcomers to be seen, for what they take over to be given up, and for them to take it. */
const passUntilShared = (cluster: TestCluster): Promise<void> => cluster.advance(LEASE_MS);

async function createMaps(cluster: TestCluster, count: number, prefix = 'm'): Promise<string[]> {
  const maps = cluster.client.resource(ConfigMap).namespace('default');
  const keys = Array.from({ length: count }, (_, index) => `default/${prefix}${index}`);
  for (const key of keys) await maps.create({ metadata: { name: key.slice('default/'.length) } });
  return keys;
}

const spread = (replicas: readonly Replica[]): number[] => replicas.map(({ shards }) => shards.held.length);
const ofPrefix = (runs: readonly string[], prefix: string): string[] =>
  [...new Set(runs.filter((key) => key.startsWith(`default/${prefix}`)))].sort();

describe('replicas', () => {
  it('have as many shards as each other, and each object is worked on by one', async () => {
    await using cluster = await startTestCluster();
    const replicas = [await replica(cluster, 'a'), await replica(cluster, 'b'), await replica(cluster, 'c')];
    await passUntilShared(cluster);
    assert.deepEqual(spread(replicas), [2, 2, 2]);
    assert.deepEqual(replicas[0]?.shards.members.toSorted(), ['a', 'b', 'c']);
    const keys = await createMaps(cluster, 30);
    await cluster.settled();
    const runs = replicas.map((one) => ofPrefix(one.runs, 'm'));
    assert.deepEqual(runs.flat().sort(), keys.sort());
    for (const own of runs) assert.ok(own.length > 0, 'nobody is idle');
    const { items } = await cluster.client.resource(Secret).namespace('default').list();
    const labels = items.map(({ metadata }) => metadata.labels?.[SHARD_LABEL]);
    assert.equal(labels.length, 30);
    assert.ok(
      labels.every((label) => /^\d-of-6$/.test(label ?? '')),
      labels.join(' '),
    );
  });

  it('take over at once from one that stops, and leave no leases of members', async () => {
    await using cluster = await startTestCluster();
    const [a, b] = [await replica(cluster, 'a'), await replica(cluster, 'b')];
    await passUntilShared(cluster);
    const stopped = b.manager.stop();
    await cluster.advance(4 * RETRY_MS);
    await stopped;
    assert.deepEqual(spread([a, b]), [6, 0]);
    const { items } = await cluster.client.resource(Lease).namespace('default').list();
    assert.equal(items.filter(({ metadata }) => metadata.name.includes('-member-')).length, 1);
  });

  it('take over from one that is gone, within a lease and a few attempts', async () => {
    await using cluster = await startTestCluster();
    const [a, b] = [await replica(cluster, 'a'), await replica(cluster, 'b')];
    await passUntilShared(cluster);
    b.faults.crashAfterWrites(0);
    const orphans = await createMaps(cluster, 12, 'late');
    await cluster.advance(LEASE_MS + 3 * RETRY_MS);
    assert.deepEqual(spread([a]), [6]);
    assert.deepEqual(ofPrefix(a.runs, 'late'), orphans.sort());
    // Its lease is removed when it has been silent for long.
    await cluster.advance(5 * LEASE_MS);
    const { items } = await cluster.client.resource(Lease).namespace('default').list();
    assert.equal(items.filter(({ metadata }) => metadata.name.includes('-member-')).length, 1);
  });

  it('wait for those that count another number of shards', async () => {
    await using cluster = await startTestCluster();
    const a = await replica(cluster, 'a');
    await passUntilShared(cluster);
    const log = memoryWriter();
    const b = await replica(cluster, 'b', { count: 4 }, { logger: createLogger(log) });
    await passUntilShared(cluster);
    assert.deepEqual(spread([a, b]), [6, 0]);
    const warning = log.records.find(({ message }) => message.startsWith('waits for replicas'));
    assert.deepEqual(warning?.fields?.['others'], ['a: 6']);
    const stopped = a.manager.stop();
    await cluster.advance(LEASE_MS);
    await stopped;
    assert.deepEqual(spread([a, b]), [0, 4]);
  });
});

describe('the manager of a shard', () => {
  it('runs nothing for an object that is not there, or in another shard', async () => {
    await using cluster = await startTestCluster();
    const a = await replica(cluster, 'a');
    await passUntilShared(cluster);
    await createMaps(cluster, 6);
    await cluster.settled();
    const before = a.runs.length;
    // Nobody owns what it owned, and whoever had it says so no longer.
    await cluster.client.resource(ConfigMap).namespace('default').delete('m0');
    await cluster.settled();
    assert.equal(a.runs.length, before);
    assert.equal(a.manager.controllers.size, 0);
  });

  it('refuses to make what has no owner in the shard, because nobody would see it', async () => {
    await using cluster = await startTestCluster();
    let refused = 0;
    await replica(cluster, 'a', {
      setUp: async (manager) => {
        const stray: Secret = { metadata: { name: 'stray', namespace: 'default' } };
        await assert.rejects(manager.objects(Secret).create(stray), /of a controller in shard \d-of-6/);
        refused++;
      },
    });
    await passUntilShared(cluster);
    assert.equal(refused, COUNT);
  });

  it('lists its own objects, also where the server is asked because the cache is late', async () => {
    await using cluster = await startTestCluster();
    const keys = await createMaps(cluster, 24);
    const managers: Manager[] = [];
    const { faults } = await replica(cluster, 'a', { setUp: (manager) => void managers.push(manager) });
    await passUntilShared(cluster);
    const lists = async (): Promise<string[]> => {
      const found = managers.map(async (manager) =>
        manager.objects(ConfigMap).list({ namespace: 'default' }),
      );
      await cluster.advance(6000);
      return (await Promise.all(found)).flat().map(({ metadata }) => `default/${metadata.name}`);
    };
    assert.deepEqual((await lists()).sort(), keys.sort());
    using _ = faults.holdWatches();
    for (const manager of managers) {
      const [own] = await manager.objects(ConfigMap).list({ namespace: 'default' });
      assert.ok(own);
      await manager.objects(ConfigMap).patch(`default/${own.metadata.name}`, { data: { changed: 'yes' } });
    }
    assert.deepEqual((await lists()).sort(), keys.sort());
  });

  it('that cannot be set up ends the program, with the reason', async () => {
    await using cluster = await startTestCluster();
    const { manager } = cluster.manager({ identity: 'a', logger: silentLogger });
    addShards(manager, {
      name: 'maps',
      namespace: 'default',
      kinds: [ConfigMap],
      setUp: () => {
        throw new TypeError('there is no such thing');
      },
    });
    const running = manager.run(new AbortController().signal);
    const failed = assert.rejects(running, /there is no such thing/);
    await cluster.advance(LEASE_MS);
    await failed;
  });
});

it('a number of shards that cannot be, and no kinds, are refused', async () => {
  await using cluster = await startTestCluster();
  const { manager } = cluster.manager();
  const options: ShardsOptions = { name: 'maps', namespace: 'default', kinds: [ConfigMap], setUp: () => {} };
  for (const count of [0, 257, 1.5, Number.NaN])
    assert.throws(
      () => addShards(manager, { ...options, count }),
      /count must be a whole number from 1 to 256/,
    );
  assert.throws(
    () => addShards(manager, { ...options, kinds: [] }),
    /kinds must be the kinds that are divided/,
  );
});
