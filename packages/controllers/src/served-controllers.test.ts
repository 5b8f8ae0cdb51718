import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, createClient } from '@windlass/client';
import { TestCluster } from '@windlass/cluster/testing';
import { CONTROLLERS } from './controller-list.ts';
import { selectControllers } from './select-controllers.ts';
import { servedControllers } from './served-controllers.ts';

const signal = new AbortController().signal;

/** A client of a server that does not know some groups. */
function without(cluster: TestCluster, ...groups: readonly string[]): Client {
  const inner = cluster.transport();
  return createClient({
    clock: cluster.clock,
    random: cluster.random,
    transport: {
      watch: (request) => inner.watch(request),
      [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
      request: async (request) => {
        const answer = await inner.request({
          ...request,
          headers: { ...request.headers, accept: 'application/json' },
        });
        const body = answer.body as { groups?: readonly { name: string }[] };
        return request.path === '/apis' && body.groups !== undefined
          ? { ...answer, body: { ...body, groups: body.groups.filter(({ name }) => !groups.includes(name)) } }
          : answer;
      },
    },
  });
}

test('a cluster that serves everything keeps all controllers', async () => {
  await using cluster = new TestCluster();
  const found = await servedControllers(['*'], cluster.client, signal);
  assert.deepEqual(found, { controllers: ['*'], unserved: [] });
});

test('a controller whose kinds are not served is left out, also when it is named', async () => {
  await using cluster = new TestCluster();
  const client = without(cluster, 'resource.k8s.io');
  for (const list of [['*'], ['resourceclaim-controller', 'job-controller']]) {
    const { controllers, unserved } = await servedControllers(list, client, signal);
    assert.deepEqual(unserved, ['resourceclaim-controller']);
    const names = new Set(selectControllers(CONTROLLERS, controllers).map(({ name }) => name));
    assert.equal(names.has('resourceclaim-controller'), false);
    assert.equal(names.has('job-controller'), true);
  }
});
