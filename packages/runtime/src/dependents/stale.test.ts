// A cache that is behind leads to nothing that a newer one would not want.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isNotFound, type KubeObject } from '@windlass/apimachinery';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { nextTurn } from '@windlass/base';
import type { TestCluster } from '@windlass/cluster/testing';
import { eventsOf } from '@windlass/cluster/testing/objects';
import { deleteChild } from './prune.ts';
import { content, startWebsites, Website, website, websiteCluster } from './website-testing.ts';

const options = { children: (site: Parameters<typeof content>[0]) => [content(site)] };

/** Time goes on although somebody waits. */
async function pass(cluster: TestCluster): Promise<void> {
  for (let turn = 0; turn < 200; turn++) {
    await nextTurn();
    if (turn % 10 === 0) await cluster.clock.advance(50);
  }
}

async function start() {
  const cluster = await websiteCluster();
  const site = startWebsites(cluster, options);
  await site.manager.start();
  const sites = cluster.client.resource(Website).namespace('default');
  const maps = cluster.client.resource(ConfigMap).namespace('default');
  const parent = await sites.create(website('shop'));
  await cluster.settled();
  return { cluster, sites, maps, site, parent };
}

const namesOf = async (maps: Awaited<ReturnType<typeof start>>['maps']): Promise<string[]> =>
  (await maps.list({ labelSelector: 'dependents.windlass.dev/website' })).items.map(
    ({ metadata }) => metadata.name,
  );

describe('with a cache that is behind', () => {
  it('of parents, a replica neither deletes what a newer parent wants nor makes what an older one did', async () => {
    const { cluster, sites, maps, site } = await start();
    await using _ = cluster;
    const late = startWebsites(cluster, options);
    await late.manager.start();
    await cluster.settled();
    const before = late.writes.length;
    const hold = late.faults.holdWatches({ path: /websites/ });
    await sites.patch('shop', { spec: { contentName: 'words' } });
    await pass(cluster);
    const { metadata } = await maps.get('words');
    assert.deepEqual(await namesOf(maps), ['words']);
    assert.deepEqual(late.writes.slice(before), [], 'it waits for its cache');
    hold[Symbol.dispose]();
    await pass(cluster);
    await cluster.settled();
    assert.equal((await maps.get('words')).metadata.uid, metadata.uid);
    assert.deepEqual(await namesOf(maps), ['words']);
    assert.ok(site.writes.some(({ method }) => method === 'DELETE'));
  });

  it('of children, one that is gone is not made in passing', async () => {
    const { cluster, sites, maps, site } = await start();
    await using _ = cluster;
    const hold = site.faults.holdWatches({ path: /configmaps/ });
    await maps.delete('shop-content');
    await sites.patch('shop', { spec: { text: 'new' } });
    await pass(cluster);
    await assert.rejects(maps.get('shop-content'), isNotFound);
    hold[Symbol.dispose]();
    await pass(cluster);
    await cluster.advance(10_000);
    assert.deepEqual((await maps.get('shop-content')).data, { 'index.html': 'new' });
    const created = (await eventsOf(cluster, 'shop')).filter((event) => event.startsWith('Created'));
    assert.ok(created.length >= 1);
  });

  it('a namesake of what was to be deleted stays', async () => {
    const { cluster, maps, site, parent } = await start();
    await using _ = cluster;
    const objects = site.manager.objects<KubeObject>(ConfigMap);
    const mark = 'dependents.windlass.dev/website';
    const { signal } = new AbortController();
    const made = await maps.get('shop-content');
    const earlier = { ...made, metadata: { ...made.metadata, uid: 'earlier' } };
    assert.equal(await deleteChild(objects, earlier, parent, mark, signal), false);
    const other = { ...parent, metadata: { ...parent.metadata, uid: 'other' } };
    assert.equal(await deleteChild(objects, made, other, mark, signal), false);
    assert.equal((await maps.get('shop-content')).metadata.uid, made.metadata.uid);
    assert.equal(await deleteChild(objects, made, parent, mark, signal), true);
  });
});
