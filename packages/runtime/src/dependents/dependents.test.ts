// The shape "this object owns these objects", on the embedded API server.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isControlledBy } from '@windlass/apimachinery';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { ConfigMap, Service } from '@windlass/apimachinery/api/core/v1';
import { all, eventsOf } from '@windlass/cluster/testing/objects';
import {
  conditionsOf,
  makeAvailable,
  startWebsites,
  Website,
  website,
  websiteCluster,
} from './website-testing.ts';

describe('dependents', () => {
  it('are made in order, and the parent is ready when they are', async () => {
    await using cluster = await websiteCluster();
    const { manager, writes } = startWebsites(cluster);
    await manager.start();
    const sites = cluster.client.resource(Website).namespace('default');
    const site = await sites.create(website('shop', { isPublic: true }));
    await cluster.settled();
    const maps = cluster.client.resource(ConfigMap).namespace('default');
    const made = await maps.get('shop-content');
    assert.deepEqual(made.data, { 'index.html': 'hello' });
    assert.ok(isControlledBy(made, site));
    assert.equal(made.metadata.managedFields?.[0]?.manager, 'website');
    assert.deepEqual(await conditionsOf(cluster, 'shop'), [
      'False ChildNotReady: Deployment default/shop: its controller has not seen the last change yet',
      'True ChildNotReady: Deployment default/shop: its controller has not seen the last change yet',
    ]);

    await makeAvailable(cluster, 'shop');
    await cluster.settled();
    assert.deepEqual(await conditionsOf(cluster, 'shop'), [
      'True ChildrenReady: all 3 children are ready',
      'False ChildrenReady: all 3 children are ready',
    ]);
    const ready = await sites.get('shop');
    assert.equal(ready.status?.url, 'http://shop');
    assert.equal(ready.status?.conditions?.[0]?.observedGeneration, 1);
    assert.equal(ready.metadata.finalizers, undefined, 'the garbage collector is enough');

    await cluster.advance(10_000);
    assert.deepEqual(await eventsOf(cluster, 'shop'), [
      'Created: created ConfigMap default/shop-content',
      'Created: created Deployment default/shop',
      'Created: created Service default/shop',
    ]);

    // At rest nobody writes, whatever else happens to the children.
    await cluster.settled();
    const before = writes.length;
    await maps.patch('shop-content', { metadata: { labels: { theirs: 'yes' } } });
    await makeAvailable(cluster, 'shop');
    await cluster.advance(3_600_000);
    assert.deepEqual(writes.slice(before), []);
  });

  it('follow the parent: changed, renamed, and pruned when no longer declared', async () => {
    await using cluster = await websiteCluster();
    const { manager } = startWebsites(cluster);
    await manager.start();
    const sites = cluster.client.resource(Website).namespace('default');
    await sites.create(website('shop', { isPublic: true }));
    await cluster.settled();
    await makeAvailable(cluster, 'shop');
    await sites.patch('shop', { spec: { text: 'bye', contentName: 'words', isPublic: false } });
    await cluster.settled();
    const names = (await cluster.client.resource(ConfigMap).namespace('default').list()).items.map(
      ({ metadata }) => metadata.name,
    );
    assert.deepEqual(names, ['words']);
    const services = await cluster.client.resource(Service).namespace('default').list();
    assert.deepEqual(
      services.items.map(({ metadata }) => metadata.name).filter((name) => name === 'shop'),
      [],
    );
    assert.equal((await all(cluster, Deployment)).length, 1);
    const { status, metadata } = await sites.get('shop');
    assert.equal(status?.url, undefined);
    assert.equal(
      metadata.annotations?.['dependents.windlass.dev/website'],
      'apps/v1/deployments,v1/configmaps,v1/services',
    );
    await cluster.advance(10_000);
    assert.ok(
      (await eventsOf(cluster, 'shop')).includes(
        'Pruned: deleted Service default/shop, which is no longer declared',
      ),
    );
  });
});
