// What simulated nodes and pods use, as `kubectl top` and the autoscaler see it. The clock is moved by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { APIService } from '@windlass/apimachinery/api/apiregistration/v1';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { HorizontalPodAutoscaler } from '@windlass/apimachinery/api/autoscaling/v2';
import { FakeClock, fieldOf, nextTurn, SeededRandom } from '@windlass/base';
import { createClient } from '@windlass/client';
import { type RunningCluster, startCluster } from './start-cluster.ts';

const METRICS = '/apis/metrics.k8s.io/v1beta1';
const WEB = { app: 'web' };

function web(usage: string): Deployment {
  return {
    metadata: { name: 'web' },
    spec: {
      replicas: 1,
      selector: { matchLabels: WEB },
      template: {
        metadata: { labels: WEB, annotations: { 'kwok.x-k8s.io/usage-cpu': usage } },
        spec: { containers: [{ name: 'main', image: 'web:1', resources: { requests: { cpu: '100m' } } }] },
      },
    },
  };
}

/** Moves the clock until it holds. */
async function moved(clock: FakeClock, what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  for (let step = 0; step < 2000; step++) {
    if (await holds()) return;
    clock.advanceSync(500);
    for (let turn = 0; turn < 20; turn++) await nextTurn();
  }
  assert.fail(`not within 1000 s of the clock: ${what}`);
}

async function started(clock: FakeClock): Promise<RunningCluster> {
  let cluster: RunningCluster | undefined;
  const starting = startCluster({ nodes: 1, controllers: ['*'], clock, random: new SeededRandom(1) });
  void starting.then((running) => {
    cluster = running;
  });
  await moved(clock, 'the cluster has started', () => cluster !== undefined);
  return starting;
}

test('a busy deployment is scaled up, and what it uses is told', async () => {
  const clock = new FakeClock();
  const cluster = await started(clock);
  const transport = cluster.transport();
  const client = createClient({ transport, clock });
  const get = async (path: string, query = {}): Promise<unknown> =>
    (await transport.request({ method: 'GET', path, query })).body;
  const pods = async (): Promise<readonly object[]> =>
    fieldOf(
      await get(`${METRICS}/namespaces/default/pods`, { labelSelector: 'app=web' }),
      'items',
    ) as object[];
  assert.equal(
    (await client.resource(APIService).get('v1beta1.metrics.k8s.io')).spec?.groupPriorityMinimum,
    100,
  );
  await client.resource(Deployment).namespace('default').create(web('300m'));
  await moved(clock, 'a pod runs', async () => (await pods()).length === 1);
  const [first] = await pods();
  assert.deepEqual(fieldOf(first, 'containers'), [{ name: 'main', usage: { cpu: '300m', memory: '1Mi' } }]);
  const name = String(fieldOf(fieldOf(first, 'metadata'), 'name'));
  assert.equal(fieldOf(await get(`${METRICS}/namespaces/default/pods/${name}`), 'kind'), 'PodMetrics');
  assert.equal(fieldOf(await get(`${METRICS}/namespaces/default/pods/none`), 'code'), 404);
  const nodes = fieldOf(await get(`${METRICS}/nodes`), 'items') as readonly object[];
  assert.deepEqual(
    nodes.map((node) => fieldOf(node, 'usage')),
    [{ cpu: '300m', memory: '1Mi' }],
  );
  await client
    .resource(HorizontalPodAutoscaler)
    .namespace('default')
    .create({
      metadata: { name: 'web' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        minReplicas: 1,
        maxReplicas: 5,
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 100 } },
          },
        ],
      },
    });
  // Each uses three times what it should, until there are no more to be had.
  const replicas = async (): Promise<number | undefined> =>
    (await client.resource(Deployment).namespace('default').get('web')).spec?.replicas;
  await moved(clock, 'the deployment has five replicas', async () => (await replicas()) === 5);
  await moved(clock, 'all of them run', async () => (await pods()).length === 5);
  let isStopped = false;
  void cluster.stop().then(() => {
    isStopped = true;
  });
  await moved(clock, 'the cluster has stopped', () => isStopped);
});
