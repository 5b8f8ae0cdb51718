// What a reconciler reads and writes, on the embedded API server, with faults in between.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deepCopy, isConflict, isForbidden, isNotFound } from '@windlass/apimachinery';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { ConfigMap, Namespace, Pod, Secret } from '@windlass/apimachinery/api/core/v1';
import { startTestCluster } from '@windlass/cluster/testing';
import { createOrUpdate } from './create-or-update.ts';
import { withFinalizer } from './finalizer.ts';

const map = (name: string, more: Partial<ConfigMap> = {}): ConfigMap => ({
  ...more,
  metadata: { name, namespace: 'default', ...more.metadata },
});

const deployment: Deployment = {
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'main', image: 'nginx' }] },
    },
  },
};

describe('reads', () => {
  it('come from the cache, which is filled by the first', async () => {
    await using cluster = await startTestCluster();
    await cluster.client
      .resource(ConfigMap)
      .namespace('default')
      .create(map('a', { data: { x: '1' } }));
    const { manager, faults } = cluster.manager();
    const maps = manager.objects(ConfigMap);
    assert.equal((await maps.get('default/a')).data?.['x'], '1');
    const before = faults.activity;
    for (let read = 0; read < 100; read++) await maps.find('default/a');
    assert.equal(faults.activity, before, 'no request');
    assert.equal(await maps.find('default/none'), undefined);
    await assert.rejects(maps.get('default/none'), (error) => {
      assert.ok(isNotFound(error));
      assert.equal((error as Error).message, 'configmaps "none" not found');
      return true;
    });
    assert.equal(manager.objects(ConfigMap), maps, 'there is one for each kind');
    assert.equal(manager.objects({ group: '', version: 'v1', plural: 'configmaps' }), maps as unknown);
  });

  it('are shared: who changes what was read is told so at once', async () => {
    await using cluster = await startTestCluster();
    const { manager } = cluster.manager();
    const maps = manager.objects(ConfigMap);
    await maps.create(map('a', { data: { x: '1' } }));
    const read = (await maps.get('default/a')) as ConfigMap;
    assert.throws(() => {
      read.data = {};
    }, TypeError);
    const copy = deepCopy(read);
    copy.data = { x: '2' };
    await maps.update(copy);
  });

  it('by an index, by labels and by namespace, before and after the cache is filled', async () => {
    await using cluster = await startTestCluster({ namespaces: ['other'] });
    const { manager } = cluster.manager();
    const maps = manager.objects(ConfigMap);
    maps.addIndex('color', ({ data }) => (data?.['color'] === undefined ? [] : [data['color']]));
    await maps.create(map('a', { data: { color: 'red' } }));
    await maps.create(map('b', { data: { color: 'blue' }, metadata: { labels: { tier: 'front' } } }));
    await maps.create(map('c', { data: { color: 'red' }, metadata: { namespace: 'other' } }));
    const names = async (options: Parameters<typeof maps.list>[0]): Promise<string[]> =>
      (await maps.list(options)).map(({ metadata }) => metadata.name).sort();
    assert.deepEqual(await names({ index: { name: 'color', value: 'red' } }), ['a', 'c']);
    assert.deepEqual(await names({ index: { name: 'color', value: 'red' }, namespace: 'other' }), ['c']);
    assert.deepEqual(await names({ selector: 'tier=front' }), ['b']);
    maps.addIndex('size', ({ data }) => [String(Object.keys(data ?? {}).length)]);
    assert.ok((await names({ index: { name: 'size', value: '1' } })).includes('a'));
    await assert.rejects(maps.list({ index: { name: 'none', value: '' } }), { code: 'UNKNOWN_INDEX' });
  });

  it('of kinds that are not to be cached go to the server', async () => {
    await using cluster = await startTestCluster();
    const { manager, faults } = cluster.manager({ uncached: [Secret] });
    const secrets = manager.objects(Secret);
    await secrets.create({ metadata: { name: 's', namespace: 'default' } });
    const before = faults.activity;
    assert.equal((await secrets.get('default/s')).metadata.name, 's');
    assert.ok(faults.activity > before);
    assert.equal((await secrets.list({ namespace: 'default' })).length, 1);
    assert.equal(await secrets.find('default/none'), undefined);
  });

  it('of a kind that is not served, or may not be read, end with one error that says so', async () => {
    await using cluster = await startTestCluster();
    const user = { name: 'nobody', groups: ['system:authenticated'] };
    const { manager } = cluster.manager({ user, syncTimeoutMs: 1000 });
    const fails = async (read: Promise<unknown>, message: RegExp): Promise<void> => {
      const failed = assert.rejects(read, { code: 'CACHE_NOT_SYNCED', message });
      for (let step = 0; step < 12; step++) await cluster.clock.advance(100);
      await failed;
    };
    await fails(manager.objects(Pod).find('default/a'), /not synced: pods \(.*forbidden.*list and watch/);
    await fails(
      manager.objects({ group: 'example.com', kind: 'Widget' }).find('default/a'),
      /Widget\.example\.com .*is it installed/,
    );
  });
});

describe('writes', () => {
  it('are seen by the next read, also while the cache is behind', async () => {
    await using cluster = await startTestCluster();
    const { manager, faults } = cluster.manager();
    const maps = manager.objects(ConfigMap);
    await maps.warmUp();
    await cluster.settled();
    const hold = faults.holdWatches();
    await maps.create(map('a', { data: { x: '1' } }));
    const read = maps.get('default/a');
    const list = maps.list({ namespace: 'default', selector: 'app' });
    await cluster.settled();
    let isRead = false;
    void read.then(() => {
      isRead = true;
    });
    await cluster.settled();
    assert.equal(isRead, false, 'it waits for the cache');
    hold[Symbol.dispose]();
    assert.equal((await read).data?.['x'], '1');
    assert.deepEqual(await list, []);
    for (let value = 2; value < 20; value++) {
      await maps.patch('default/a', { data: { x: String(value) } });
      assert.equal((await maps.get('default/a')).data?.['x'], String(value));
    }
    await maps.delete('default/a');
    assert.equal(await maps.find('default/a'), undefined);
    assert.ok(!(await maps.list()).some(({ metadata }) => metadata.name === 'a'));
    await maps.delete('default/a');
    await maps.create(map('a', { data: { x: 'new' } }));
    assert.equal((await maps.get('default/a')).data?.['x'], 'new', 'a new one of the same name is there');
  });

  it('that the cache does not see in time are read from the server', async () => {
    await using cluster = await startTestCluster();
    const { manager, faults } = cluster.manager({ ownWriteTimeoutMs: 500 });
    const maps = manager.objects(ConfigMap);
    await maps.warmUp();
    using _hold = faults.holdWatches();
    await maps.create(map('a', { data: { x: '1' } }));
    const read = maps.get('default/a');
    const list = maps.list({ namespace: 'default' });
    await cluster.advance(500);
    assert.equal((await read).data?.['x'], '1');
    assert.ok((await list).some(({ metadata }) => metadata.name === 'a'));
    assert.match(manager.metrics.expose(), /windlass_cache_stale_reads_total\{resource="configmaps"\} [12]/);
  });

  it('apply, status and create-or-update', async () => {
    await using cluster = await startTestCluster();
    const { manager, faults } = cluster.manager({ clientOptions: { fieldManager: 'tests' } });
    const deployments = manager.objects(Deployment);
    const first = await deployments.apply({ ...deployment, apiVersion: 'apps/v1', kind: 'Deployment' });
    assert.equal(first.metadata?.managedFields?.[0]?.manager, 'tests');
    await deployments.status.patch('default/web', { status: { replicas: 3 } });
    assert.equal((await deployments.get('default/web')).status?.replicas, 3);
    const current = deepCopy<Deployment>(await deployments.get('default/web'));
    await deployments.status.update({
      ...current,
      status: { replicas: 4 },
      spec: { ...current.spec!, replicas: 9 },
    });
    const after = await deployments.get('default/web');
    assert.deepEqual([after.status?.replicas, after.spec?.replicas], [4, 1], 'the status and nothing else');

    const maps = manager.objects(ConfigMap);
    const change = (value: string) => (object: ConfigMap) => {
      object.data = { x: value };
    };
    assert.equal((await createOrUpdate(maps, 'default/m', change('1'))).operation, 'created');
    const writes = faults.activity;
    assert.equal((await createOrUpdate(maps, 'default/m', change('1'))).operation, 'unchanged');
    assert.equal(faults.activity, writes);
    assert.equal((await createOrUpdate(maps, 'default/m', change('2'))).operation, 'updated');
    faults.conflict();
    await assert.rejects(createOrUpdate(maps, 'default/m', change('3')), isConflict);
  });
});

describe('finalizers', () => {
  it('are there before anything is made, and go when all is cleaned up', async () => {
    await using cluster = await startTestCluster();
    const { manager } = cluster.manager();
    const maps = manager.objects(ConfigMap);
    const outside = new Set<string>();
    const log: string[] = [];
    let isBroken = true;
    manager
      .controller('outside')
      .for(ConfigMap, { namespace: 'default', labelSelector: 'outside' })
      .reconcile(async (key) => {
        const object = await maps.find(key);
        if (object === undefined) return;
        await withFinalizer(maps, object, 'example.com/outside', {
          reconcile: ({ metadata }) => {
            assert.ok(metadata?.finalizers?.includes('example.com/outside'));
            outside.add(key);
            log.push('made');
          },
          cleanUp: () => {
            log.push('clean');
            if (isBroken) throw new Error('not now');
            outside.delete(key);
          },
        });
      });
    await manager.start();
    await cluster.client
      .resource(ConfigMap)
      .namespace('default')
      .create(map('a', { metadata: { labels: { outside: '' }, finalizers: ['others.example.com/x'] } }));
    await cluster.settled();
    assert.deepEqual([...outside], ['default/a']);
    const live = cluster.client.resource(ConfigMap).namespace('default');
    await live.delete('a');
    await cluster.settled();
    assert.ok(
      (await live.get('a')).metadata?.finalizers?.includes('example.com/outside'),
      'it was not cleaned up',
    );
    isBroken = false;
    await cluster.advance(60_000);
    assert.deepEqual([...outside], []);
    assert.deepEqual(
      (await live.get('a')).metadata?.finalizers,
      ['others.example.com/x'],
      "others' are not touched",
    );
    await live.patch('a', { metadata: { finalizers: null } });
    await cluster.settled();
    await assert.rejects(live.get('a'), isNotFound);
  });
});

describe('several namespaces', () => {
  it('are watched one by one, and come and go', async () => {
    await using cluster = await startTestCluster({ namespaces: ['a', 'b', 'c'] });
    const roles = { name: 'only-ab', groups: ['system:authenticated'] };
    await cluster.client.request({
      method: 'POST',
      path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
      body: {
        metadata: { name: 'maps' },
        rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['*'] }],
      },
    });
    for (const namespace of ['a', 'b', 'c']) {
      await cluster.client.request({
        method: 'POST',
        path: `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`,
        body: {
          metadata: { name: 'maps' },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'maps' },
          subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'only-ab' }],
        },
      });
    }
    await cluster.settled();
    const { manager } = cluster.manager({ user: roles, namespaces: ['a', 'b'] });
    const seen: string[] = [];
    manager
      .controller('maps')
      .for(ConfigMap)
      .reconcile((key) => void seen.push(key));
    await manager.start();
    const create = (namespace: string, name: string): Promise<ConfigMap> =>
      cluster.client.resource(ConfigMap).namespace(namespace).create({ metadata: { name } });
    for (const namespace of ['a', 'b', 'c']) await create(namespace, 'one');
    await cluster.settled();
    const own = (): string[] => seen.filter((key) => !key.endsWith('kube-root-ca.crt')).sort();
    assert.deepEqual(own(), ['a/one', 'b/one']);
    manager.cluster.cache.addNamespace('c');
    await cluster.settled();
    assert.deepEqual(own(), ['a/one', 'b/one', 'c/one']);
    const maps = manager.objects(ConfigMap);
    assert.equal(
      (await maps.list({ selector: '' })).filter(({ metadata }) => metadata.name === 'one').length,
      3,
    );
    await manager.cluster.cache.removeNamespace('a');
    await create('a', 'two');
    await create('b', 'two');
    await cluster.settled();
    assert.deepEqual(own(), ['a/one', 'b/one', 'b/two', 'c/one']);
    await assert.rejects(maps.live().list(), isForbidden);
    // A namespace that is not cached is read from the server.
    assert.equal((await maps.get('a/two')).metadata.name, 'two');
    assert.ok((await maps.list({ namespace: 'a' })).some(({ metadata }) => metadata.name === 'two'));
  });

  it('do not matter to kinds that have none', async () => {
    await using cluster = await startTestCluster({ namespaces: ['a'] });
    const { manager } = cluster.manager({ namespaces: ['a'] });
    assert.ok((await manager.objects(Namespace).list()).length >= 2);
  });
});

describe('several clusters', () => {
  it('one controller watches here and writes there', async () => {
    await using east = await startTestCluster();
    await using west = await startTestCluster();
    const { manager } = east.manager();
    const other = await manager.addCluster({ name: 'west', transport: west.server.transport() });
    manager
      .controller('mirror')
      .for(ConfigMap, { labelSelector: 'mirror' })
      .watches(ConfigMap, ({ metadata }) => [`${metadata.namespace}/${metadata.name}`], {
        cluster: other,
        labelSelector: 'mirror',
      })
      .reconcile(async (key) => {
        const source = await manager.objects(ConfigMap).find(key);
        const copies = other.objects(ConfigMap);
        if (source === undefined) return copies.delete(key);
        await createOrUpdate(copies, key, (copy) => {
          copy.data = { ...source.data };
          copy.metadata = { ...copy.metadata, labels: { mirror: '' } };
        });
        return undefined;
      });
    await manager.start();
    const here = east.client.resource(ConfigMap).namespace('default');
    const there = west.client.resource(ConfigMap).namespace('default');
    await here.create(map('a', { data: { x: '1' }, metadata: { labels: { mirror: '' } } }));
    await east.settled();
    assert.equal((await there.get('a')).data?.['x'], '1');
    await there.patch('a', { data: { x: 'changed' } });
    await east.settled();
    assert.equal((await there.get('a')).data?.['x'], '1', 'mended');
    await here.delete('a');
    await east.settled();
    await assert.rejects(there.get('a'), isNotFound);
  });
});
