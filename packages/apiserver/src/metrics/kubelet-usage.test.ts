import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock, fieldOf, nextTurn, SeededRandom } from '@windlass/base';
import { ApiServer } from '../api-server.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

test('what a real node measures is told of it; of a simulated one it is made up', async () => {
  const clock = new FakeClock();
  let seconds = 0;
  const readKubelet = async (name: string): Promise<string | undefined> => {
    if (name === 'broken') throw new Error('refused');
    if (name !== 'real') return undefined;
    seconds += 3;
    return `node_cpu_usage_seconds_total ${seconds}\nnode_memory_working_set_bytes 4096\n`;
  };
  await using server = new ApiServer({
    store: createMemoryStore({ clock }),
    clock,
    random: new SeededRandom(1),
    resourceMetrics: { readKubelet },
  });
  const transport = server.transport();
  for (const name of ['real', 'simulated', 'broken'])
    await transport.request({ method: 'POST', path: '/api/v1/nodes', body: { metadata: { name } } });
  for (let period = 0; period < 3; period++) {
    clock.advanceSync(15_000);
    for (let turn = 0; turn < 50; turn++) await nextTurn();
  }
  const { body } = await transport.request({ method: 'GET', path: '/apis/metrics.k8s.io/v1beta1/nodes' });
  const items = fieldOf(body, 'items') as readonly object[];
  const shown = items.map((item) => [
    fieldOf(fieldOf(item, 'metadata'), 'name'),
    fieldOf(item, 'usage'),
    fieldOf(item, 'window'),
  ]);
  assert.deepEqual(shown, [
    ['broken', { cpu: '0', memory: '0' }, '15s'],
    ['real', { cpu: '200000000n', memory: '4Ki' }, '15s'],
    ['simulated', { cpu: '0', memory: '0' }, '15s'],
  ]);
});

test('clients find the kinds and their scopes', async () => {
  await using server = new ApiServer({ store: createMemoryStore(), resourceMetrics: {} });
  const transport = server.transport();
  const { body } = await transport.request({ method: 'GET', path: '/apis/metrics.k8s.io/v1beta1' });
  const resources = fieldOf(body, 'resources') as readonly Record<string, unknown>[];
  assert.deepEqual(
    resources.map(({ name, kind, namespaced, verbs }) => [name, kind, namespaced, verbs]),
    [
      ['nodes', 'NodeMetrics', false, ['get', 'list']],
      ['pods', 'PodMetrics', true, ['get', 'list']],
    ],
  );
  const list = await transport.request({ method: 'GET', path: '/apis/metrics.k8s.io/v1beta1/pods' });
  assert.equal(fieldOf(list.body, 'kind'), 'PodMetricsList');
});
