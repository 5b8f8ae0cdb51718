// What the cache keeps count of, beside what one would count by looking at everything.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Node, Pod } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import { SeededRandom } from '@windlass/base';
import { testSeed } from '@windlass/base/testing';
import { SchedulerCache } from './scheduler-cache.ts';

const STEPS = 2000;
const NODES = ['a', 'b', 'c', 'd'];
const UIDS = Array.from({ length: 12 }, (_, index) => `pod-${index}`);
const NAMESPACES = ['one', 'two'];

const affinity = {
  podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone' }] },
};

interface Known {
  readonly node: string;
  readonly namespace: string;
  readonly app: string;
  readonly isPicky: boolean;
  readonly isGoing: boolean;
}

function podOf(
  uid: string,
  { node, namespace, app, isPicky, isGoing }: Known,
): ReturnType<typeof served<Pod>> {
  return served(Pod, {
    metadata: {
      name: uid,
      namespace,
      uid,
      labels: { app },
      ...(isGoing && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    },
    spec: { nodeName: node, containers: [{ name: 'c' }], ...(isPicky && { affinity }) },
  });
}

describe('what the cache counts', () => {
  const seed = testSeed();
  it(`is what a look at all nodes and pods gives, whatever came and went (seed ${seed})`, () => {
    const random = new SeededRandom(seed);
    const pick = <T>(values: readonly T[]): T => {
      const value = values[random.int(values.length)];
      assert.ok(value !== undefined);
      return value;
    };
    const cache = new SchedulerCache();
    const nodes = new Map<string, readonly string[]>();
    const pods = new Map<string, Known>();
    for (let step = 0; step < STEPS; step++) {
      const name = pick(NODES);
      const uid = pick(UIDS);
      const action = random.int(6);
      if (action === 0) {
        const images = ['nginx:1', 'redis:7'].filter(() => random.int(2) === 0);
        const status = { images: images.map((image) => ({ names: [image, `${image}-too`], sizeBytes: 1 })) };
        cache.setNode(served(Node, { metadata: { name }, status }));
        nodes.set(name, images);
      } else if (action === 1) {
        cache.removeNode(name);
        nodes.delete(name);
      } else if (action === 2) {
        cache.removePod(uid);
        pods.delete(uid);
      } else {
        const pod: Known = {
          node: name,
          namespace: pods.get(uid)?.namespace ?? pick(NAMESPACES),
          app: pick(['x', 'y']),
          isPicky: random.int(3) === 0,
          isGoing: random.int(4) === 0,
        };
        cache.setPod(podOf(uid, pod));
        pods.set(uid, pod);
      }
      check(cache, nodes, pods);
    }
  });
});

function check(
  cache: SchedulerCache,
  nodes: ReadonlyMap<string, readonly string[]>,
  pods: ReadonlyMap<string, Known>,
): void {
  const names = (infos: Iterable<{ readonly name: string }>): string[] =>
    [...infos].map(({ name }) => name).sort();
  assert.deepEqual(names(cache.nodes()), [...nodes.keys()].sort());
  const picky = new Set(
    [...pods.values()].filter(({ isPicky, node }) => isPicky && nodes.has(node)).map(({ node }) => node),
  );
  assert.deepEqual(names(cache.nodesWithAffinity()), [...picky].sort());
  for (const image of ['nginx:1', 'redis:7'])
    assert.equal(
      cache.nodesWithImage(`${image}-too`),
      [...nodes.values()].filter((images) => images.includes(image)).length,
    );
  for (const namespace of NAMESPACES) {
    const counted = [...cache.podGroups(namespace)].flatMap(({ labels, counts }) =>
      [...counts].map(([{ name }, count]) => `${labels['app']} ${name} ${count}`),
    );
    const looked = new Map<string, number>();
    for (const { namespace: own, app, node, isGoing } of pods.values())
      if (own === namespace && !isGoing)
        looked.set(`${app} ${node}`, (looked.get(`${app} ${node}`) ?? 0) + 1);
    assert.deepEqual(counted.sort(), [...looked].map(([key, count]) => `${key} ${count}`).sort());
  }
}
