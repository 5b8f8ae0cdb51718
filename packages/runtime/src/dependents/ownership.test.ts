// Whose a child is: what is somebody else's stays as it is, what is ours goes when it should.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasFinalizer, isNotFound } from '@windlass/apimachinery';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { ConfigMap, Secret, Service } from '@windlass/apimachinery/api/core/v1';
import { ClusterRole } from '@windlass/apimachinery/api/rbac/v1';
import type { TestCluster } from '@windlass/cluster/testing';
import { eventsOf } from '@windlass/cluster/testing/objects';
import { child } from './child.ts';
import type { DependentsOptions } from './dependents.ts';
import {
  conditionsOf,
  content,
  makeAvailable,
  otherOwner,
  startWebsites,
  Website,
  website,
  websiteCluster,
} from './website-testing.ts';

const MARK = 'dependents.windlass.dev/website';
const onlyContent: Partial<DependentsOptions<Website>> = { children: (site) => [content(site)] };
const sitesOf = (cluster: TestCluster) => cluster.client.resource(Website).namespace('default');
const mapsOf = (cluster: TestCluster) => cluster.client.resource(ConfigMap).namespace('default');

describe("what is somebody else's", () => {
  it('is never taken over, and the place is taken when it is free', async () => {
    await using cluster = await websiteCluster();
    const { manager } = startWebsites(cluster, onlyContent);
    await manager.start();
    const maps = mapsOf(cluster);
    const owner = await maps.create({ metadata: { name: 'owner' } });
    const theirs = await maps.create({
      metadata: { name: 'shop-content', ownerReferences: [otherOwner(owner)] },
      data: { theirs: 'yes' },
    });
    await sitesOf(cluster).create(website('shop'));
    await cluster.settled();
    const message = 'ConfigMap default/shop-content: it belongs to ConfigMap owner';
    assert.deepEqual(await conditionsOf(cluster, 'shop'), [
      `False NotOwned: ${message}`,
      `False NotOwned: ${message}`,
    ]);
    assert.deepEqual(await maps.get('shop-content'), theirs);
    await cluster.advance(10_000);
    assert.deepEqual(await eventsOf(cluster, 'shop'), [`NotOwned: ${message}`]);
    await maps.delete('shop-content');
    await cluster.settled();
    assert.deepEqual((await maps.get('shop-content')).data, { 'index.html': 'hello' });
    assert.match((await conditionsOf(cluster, 'shop')).join(), /True ChildrenReady/);
  });

  it('is left alone without an owner, too', async () => {
    await using cluster = await websiteCluster();
    const { manager } = startWebsites(cluster, onlyContent);
    await mapsOf(cluster).create({ metadata: { name: 'shop-content' }, data: { theirs: 'yes' } });
    await sitesOf(cluster).create(website('shop'));
    await manager.start();
    await cluster.settled();
    assert.match(
      (await conditionsOf(cluster, 'shop')).join(),
      /NotOwned: ConfigMap default\/shop-content: it exists and was not made for this object/,
    );
    await sitesOf(cluster).delete('shop');
    await cluster.settled();
    assert.deepEqual((await mapsOf(cluster).get('shop-content')).data, { theirs: 'yes' });
  });

  it('is not pruned: made for the same parent by another hand, or a copy of a child', async () => {
    await using cluster = await websiteCluster();
    const { manager } = startWebsites(cluster, onlyContent);
    await manager.start();
    const site = await sitesOf(cluster).create(website('shop'));
    await cluster.settled();
    const maps = mapsOf(cluster);
    const { metadata, data } = await maps.get('shop-content');
    const { labels, annotations, ownerReferences = [] } = metadata;
    assert.deepEqual(labels, { [MARK]: site.metadata.uid });
    const marks = { labels: labels ?? {}, annotations: annotations ?? {} };
    await maps.create({ metadata: { name: 'by-hand', ownerReferences } });
    await maps.create({ metadata: { name: 'copy', ...marks, ownerReferences }, data: data ?? {} });
    await maps.create({ metadata: { name: 'label-only', ...marks } });
    await sitesOf(cluster).patch('shop', { spec: { text: 'again' } });
    await cluster.settled();
    await cluster.advance(60_000);
    for (const name of ['by-hand', 'copy', 'label-only']) await maps.get(name);
  });

  it('in a field is said with the manager that holds it, or taken by force', async () => {
    for (const force of [false, true]) {
      await using cluster = await websiteCluster();
      const { manager, writes } = startWebsites(cluster, { force });
      await manager.start();
      await sitesOf(cluster).create(website('shop'));
      await cluster.settled();
      await makeAvailable(cluster, 'shop');
      await cluster.settled();
      const deployments = cluster.client.resource(Deployment).namespace('default');
      await deployments.patch('shop', { spec: { replicas: 7 } }, { fieldManager: 'somebody' });
      await cluster.settled();
      const { spec } = await deployments.get('shop');
      const [ready] = await conditionsOf(cluster, 'shop');
      if (force) {
        assert.equal(spec?.replicas, 1);
        assert.doesNotMatch(ready ?? '', /Conflict/);
        continue;
      }
      assert.equal(spec?.replicas, 7);
      assert.match(
        ready ?? '',
        /^False FieldConflict: Deployment default\/shop: \.spec\.replicas: conflict with "somebody"/,
      );
      const before = writes.length;
      await cluster.advance(3_600_000);
      assert.equal(writes.length, before, 'it waits for somebody to decide');
      await sitesOf(cluster).patch('shop', { spec: { replicas: 7 } });
      await cluster.settled();
      await makeAvailable(cluster, 'shop');
      await cluster.settled();
      assert.match((await conditionsOf(cluster, 'shop')).join(), /True ChildrenReady/, 'both say the same');
    }
  });
});

const withRole: Partial<DependentsOptions<Website>> = {
  owns: [ConfigMap, ClusterRole, Secret],
  children: (site) => [
    content(site),
    site.spec.isPublic === true &&
      child(ClusterRole, {
        metadata: { name: `${site.metadata.name}-reader` },
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
      }),
    site.spec.isPublic === true &&
      child(Secret, { metadata: { name: site.metadata.name, namespace: 'vault' } }),
  ],
};

describe('children that no owner reference reaches', () => {
  it('are found by their label, and a finalizer deletes them', async () => {
    await using cluster = await websiteCluster(['vault']);
    const { manager, writes } = startWebsites(cluster, withRole);
    await manager.start();
    const sites = sitesOf(cluster);
    const roles = cluster.client.resource(ClusterRole);
    const secrets = cluster.client.resource(Secret).namespace('vault');
    await sites.create(website('shop', { isPublic: true }));
    await cluster.settled();
    assert.equal((await roles.get('shop-reader')).metadata.ownerReferences, undefined);
    assert.deepEqual((await sites.get('shop')).metadata.finalizers, [MARK]);
    assert.match((await conditionsOf(cluster, 'shop')).join(), /True ChildrenReady: all 3/);
    const rest = writes.length;
    await cluster.advance(3_600_000);
    assert.equal(writes.length, rest);

    await roles.delete('shop-reader');
    await cluster.settled();
    await roles.get('shop-reader');

    // Pruned, and with them the finalizer.
    await sites.patch('shop', { spec: { isPublic: false } });
    await cluster.settled();
    await assert.rejects(roles.get('shop-reader'), isNotFound);
    await assert.rejects(secrets.get('shop'), isNotFound);
    assert.ok(!hasFinalizer(await sites.get('shop'), MARK));

    await sites.patch('shop', { spec: { isPublic: true } });
    await cluster.settled();
    await secrets.get('shop');
    await sites.delete('shop');
    await cluster.settled();
    await assert.rejects(sites.get('shop'), isNotFound);
    await assert.rejects(roles.get('shop-reader'), isNotFound);
    await assert.rejects(secrets.get('shop'), isNotFound);
    await mapsOf(cluster).get('shop-content'); // The garbage collector's, which does not run here.
  });

  it('keep the parent until they are gone, and others with their names stay', async () => {
    await using cluster = await websiteCluster(['vault']);
    const { manager } = startWebsites(cluster, withRole);
    await manager.start();
    const sites = sitesOf(cluster);
    const roles = cluster.client.resource(ClusterRole);
    const secrets = cluster.client.resource(Secret).namespace('vault');
    const theirs = await roles.create({ metadata: { name: 'shop-reader' }, rules: [] });
    await sites.create(website('shop', { isPublic: true }));
    await cluster.settled();
    assert.match((await conditionsOf(cluster, 'shop')).join(), /NotOwned: ClusterRole shop-reader/);
    await secrets.patch('shop', { metadata: { finalizers: ['example.com/held'] } });
    await sites.delete('shop');
    await cluster.settled();
    await sites.get('shop');
    await secrets.patch('shop', { metadata: { finalizers: null } });
    await cluster.settled();
    await assert.rejects(sites.get('shop'), isNotFound);
    assert.deepEqual(await roles.get('shop-reader'), theirs);
  });
});

describe('a new version of the operator', () => {
  it('prunes kinds that it no longer knows, then forgets them', async () => {
    await using cluster = await websiteCluster(['vault']);
    const sites = sitesOf(cluster);
    const old = startWebsites(cluster, withRole);
    await old.manager.start();
    await sites.create(website('shop', { isPublic: true }));
    await cluster.settled();
    await old.manager.stop();

    const next = startWebsites(cluster, { ...onlyContent, owns: [ConfigMap, Service] });
    await next.manager.start();
    await cluster.settled();
    await assert.rejects(cluster.client.resource(ClusterRole).get('shop-reader'), isNotFound);
    await assert.rejects(cluster.client.resource(Secret).namespace('vault').get('shop'), isNotFound);
    const { metadata } = await sites.get('shop');
    assert.equal(metadata.annotations?.[MARK], 'v1/configmaps');
    assert.ok(!hasFinalizer({ metadata }, MARK));
    await mapsOf(cluster).get('shop-content');
    const rest = next.writes.length;
    await cluster.advance(3_600_000);
    assert.equal(next.writes.length, rest);
  });

  it('does not write again what the old one has applied', async () => {
    await using cluster = await websiteCluster();
    const old = startWebsites(cluster);
    await old.manager.start();
    await sitesOf(cluster).create(website('shop', { isPublic: true }));
    await cluster.settled();
    await old.manager.stop();
    const deployments = cluster.client.resource(Deployment).namespace('default');
    const [site, made] = [await sitesOf(cluster).get('shop'), await deployments.get('shop')];
    const next = startWebsites(cluster);
    await next.manager.start();
    await cluster.settled();
    assert.deepEqual([await sitesOf(cluster).get('shop'), await deployments.get('shop')], [site, made]);
    assert.equal(next.writes.length, 3, 'each child was applied once');
  });
});
