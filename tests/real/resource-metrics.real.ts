// The real kubectl's `top` and `autoscale` against simulated nodes.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '@windlass/base/testing/until';
import { startCluster } from '@windlass/cluster';
import { run } from './harness/needs.ts';

const LABELS = { app: 'web' };
const WEB = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: LABELS },
    template: {
      metadata: {
        labels: LABELS,
        annotations: { 'kwok.x-k8s.io/usage-cpu': '250m', 'kwok.x-k8s.io/usage-memory': '64Mi' },
      },
      spec: {
        containers: ['main', 'side'].map((name) => ({
          name,
          image: 'web:1',
          resources: { requests: { cpu: '100m' } },
        })),
      },
    },
  },
};

test('kubectl shows what nodes, pods and containers use', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'windlass-top-'));
  const cluster = await startCluster({
    dataDir: folder,
    inMemory: true,
    port: 0,
    nodes: 1,
    controllers: ['*'],
  });
  const kubectl = async (args: readonly string[], stdin = ''): Promise<string> => {
    const call = run('kubectl', [...args], {
      env: { ...process.env, KUBECONFIG: cluster.kubeconfigPath, HOME: folder },
    });
    call.child.stdin?.end(stdin);
    return (await call).stdout;
  };
  try {
    await kubectl(['create', '-f', '-'], JSON.stringify(WEB));
    await until(
      'the pod is shown',
      () => kubectl(['top', 'pod']),
      (text) => text.includes('web-'),
    );
    assert.match(
      await kubectl(['top', 'pod']),
      /NAME +CPU\(cores\) +MEMORY\(bytes\) *\nweb-\S+ +500m +128Mi/,
    );
    assert.match(
      await kubectl(['top', 'pod', '--containers']),
      /web-\S+ +main +250m +64Mi *\nweb-\S+ +side +250m/,
    );
    assert.match(await kubectl(['top', 'node']), /CPU\(cores\) +CPU\(%\)[\s\S]* 500m +\d+%/);
    assert.match(await kubectl(['top', 'pod', '-l', 'app=web', '--no-headers']), /^web-/);
    assert.match(
      await kubectl(['get', 'pods.metrics.k8s.io']),
      /NAME +CPU +MEMORY +WINDOW\nweb-\S+ +500m +128Mi +15s/,
    );
    assert.match(await kubectl(['get', 'apiservice', 'v1beta1.metrics.k8s.io']), /Local +True/);
  } finally {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

test('a service of type LoadBalancer has an address', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'windlass-balancer-'));
  const cluster = await startCluster({
    dataDir: folder,
    inMemory: true,
    port: 0,
    nodes: 1,
    controllers: ['*'],
  });
  const env = { ...process.env, KUBECONFIG: cluster.kubeconfigPath, HOME: folder };
  try {
    await run('kubectl', ['create', 'service', 'loadbalancer', 'web', '--tcp=80'], { env });
    const ask = [
      'wait',
      'service/web',
      '--for=jsonpath={.status.loadBalancer.ingress[0].ip}=192.0.2.1',
      '--timeout=90s',
    ];
    await run('kubectl', ask, { env });
    assert.match(
      (await run('kubectl', ['get', 'service', 'web'], { env })).stdout,
      /LoadBalancer +\S+ +192\.0\.2\.1 +80:\d+\/TCP/,
    );
    await run('kubectl', ['delete', 'service', 'web', '--timeout=90s'], { env });
  } finally {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
