// Whatever is lost, late or restarted, the children end up as declared, and then nobody writes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { controllerOf, isNotFound, type KubeObject, type ResourceType } from '@windlass/apimachinery';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { ConfigMap, Secret, Service } from '@windlass/apimachinery/api/core/v1';
import { nextTurn, SeededRandom } from '@windlass/base';
import { runAlone, testSeeds } from '@windlass/base/testing';
import type { TestCluster } from '@windlass/cluster/testing';
import { all } from '@windlass/cluster/testing/objects';
import { child } from './child.ts';
import type { DependentsOptions } from './dependents.ts';
import {
  address,
  content,
  makeAvailable,
  type Site,
  server,
  startWebsites,
  Website,
  website,
  websiteCluster,
} from './website-testing.ts';

const KINDS: readonly ResourceType[] = [ConfigMap, Deployment, Service, Secret];
const options: Partial<DependentsOptions<Website>> = {
  owns: KINDS,
  children: (site) => {
    const text = content(site);
    const { name } = site.metadata;
    return [
      text,
      server(site, [text]),
      site.spec.isPublic === true && address(site),
      site.spec.isPublic === true && child(Secret, { metadata: { name, namespace: 'vault' } }),
    ];
  },
};

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await nextTurn();
};

const ignoreMissing = (error: unknown): void => {
  if (!isNotFound(error)) throw error;
};

/** What the garbage collector does, which does not run here. */
async function collectGarbage(cluster: TestCluster): Promise<void> {
  const parents = new Set((await all(cluster, Website)).map(({ metadata }) => metadata?.uid));
  for (const type of KINDS)
    for (const object of await all<KubeObject>(cluster, type)) {
      const owner = controllerOf(object);
      const { namespace = '', name = '' } = object.metadata ?? {};
      if (owner?.kind === 'Website' && !parents.has(owner.uid))
        await cluster.client
          .resource<KubeObject>(type)
          .namespace(namespace)
          .delete(name)
          .catch(ignoreMissing);
    }
}

/** `ConfigMap default/words` of all children that there are, with the uid of each. */
async function childrenIn(cluster: TestCluster): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const type of KINDS)
    for (const { metadata } of await all<KubeObject>(cluster, type))
      if (metadata?.labels?.['dependents.windlass.dev/website'] !== undefined)
        found.set(`${type.kind} ${metadata.namespace}/${metadata.name}`, metadata.uid ?? '');
  return found;
}

async function wantedIn(cluster: TestCluster): Promise<string[]> {
  return (await all(cluster, Website))
    .flatMap(({ metadata, spec }) => {
      const name = metadata?.name ?? '';
      const open = [`Service default/${name}`, `Secret vault/${name}`];
      return [
        `ConfigMap default/${spec.contentName ?? `${name}-content`}`,
        `Deployment default/${name}`,
        ...(spec.isPublic === true ? open : []),
      ];
    })
    .sort();
}

class Storm {
  readonly cluster: TestCluster;
  readonly #random: SeededRandom;
  readonly #holds: Disposable[] = [];
  site: Site;

  constructor(cluster: TestCluster, seed: number) {
    this.cluster = cluster;
    this.#random = new SeededRandom(seed);
    this.site = startWebsites(cluster, options);
  }

  #pick<T>(...values: readonly T[]): T {
    const value = values[this.#random.int(values.length)];
    assert.ok(value !== undefined);
    return value;
  }

  async restart(): Promise<void> {
    this.release();
    const stopped = this.site.manager.stop();
    await turns(20);
    await this.cluster.clock.advance(100);
    await stopped;
    this.site = startWebsites(this.cluster, options);
    await this.site.manager.start();
  }

  release(): void {
    for (const hold of this.#holds.splice(0)) hold[Symbol.dispose]();
  }

  async step(): Promise<void> {
    const sites = this.cluster.client.resource(Website).namespace('default');
    const { faults } = this.site;
    const name = this.#pick('a', 'b', 'c');
    const method = this.#pick<'PATCH' | 'DELETE' | 'GET'>('PATCH', 'PATCH', 'DELETE', 'GET');
    const spec = {
      text: this.#pick('one', 'two'),
      isPublic: this.#pick(true, false),
      contentName: this.#pick(`${name}-words`, `${name}-content`),
      replicas: this.#pick(1, 2),
    };
    const steps: readonly (() => unknown)[] = [
      () => sites.create(website(name, spec)).catch(() => sites.patch(name, { spec })),
      () => sites.patch(name, { spec }).catch(ignoreMissing),
      () => sites.delete(name).then(() => collectGarbage(this.cluster), ignoreMissing),
      () => faults.fail({ method, answer: this.#pick<'lost' | 'refused'>('lost', 'refused') }),
      () => faults.fail({ method, answer: 'lost', afterwards: true }),
      () => faults.fail({ method, answer: { code: 503, reason: 'ServiceUnavailable' }, times: 2 }),
      () => faults.conflict({ method: 'PATCH' }),
      () => faults.dropWatches(),
      () =>
        this.#holds.push(
          faults.holdWatches({ path: this.#pick(/websites/, /configmaps/, /deployments/, /secrets/) }),
        ),
      () => this.release(),
      () => faults.crashAfterWrites(this.#random.int(4)),
      () => this.restart(),
      () => makeAvailable(this.cluster, name).catch(ignoreMissing),
      () =>
        this.cluster.client
          .resource(ConfigMap)
          .namespace('default')
          .delete(`${name}-words`)
          .catch(ignoreMissing),
      () => this.cluster.clock.advance(this.#pick(5, 100, 6000)),
    ];
    await this.#pick(...steps)();
    await turns(this.#random.int(30));
    if (this.site.faults.hasCrashed) await this.restart();
  }

  /** No more faults, and time for every back-off to end. */
  async calm(): Promise<void> {
    this.release();
    this.site.faults.heal();
    if (this.site.faults.hasCrashed) await this.restart();
    for (let round = 0; round < 200; round++) {
      await turns(50);
      await this.cluster.clock.advance(10_000);
    }
    await collectGarbage(this.cluster);
    await this.cluster.settled();
    for (const { metadata } of await all(this.cluster, Deployment))
      await makeAvailable(this.cluster, metadata?.name ?? '');
    await this.cluster.advance(60_000);
  }
}

describe('in a storm of faults', () => {
  for (const seed of testSeeds(6))
    it(`everything ends as declared, seed ${seed}`, { timeout: 120_000 }, async () => {
      await using cluster = await websiteCluster(['vault']);
      const storm = new Storm(cluster, seed);
      await storm.site.manager.start();
      const sites = cluster.client.resource(Website).namespace('default');
      await sites.create(website('steady', { isPublic: true }));
      await cluster.settled();
      const steady = [...(await childrenIn(cluster))];
      assert.equal(steady.length, 4);

      for (let step = 0; step < 60; step++) await storm.step();
      await storm.calm();

      const there = await childrenIn(cluster);
      assert.deepEqual([...there.keys()].sort(), await wantedIn(cluster), runAlone(seed));
      for (const [name, uid] of steady)
        assert.equal(there.get(name), uid, `${name} was replaced; ${runAlone(seed)}`);
      for (const { metadata, status } of await all(cluster, Website)) {
        const said = status?.conditions?.map(({ type, status: is }) => `${type}=${is}`).join();
        assert.equal(said, 'Ready=True,Progressing=False', `${metadata?.name}; ${runAlone(seed)}`);
      }
      const before = storm.site.writes.length;
      await cluster.advance(3_600_000);
      assert.equal(storm.site.writes.length, before, `somebody writes at rest; ${runAlone(seed)}`);
    });
});
