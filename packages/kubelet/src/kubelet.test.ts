// The node agent on the embedded server: what people and controllers see of nodes and pods.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findCondition, isConditionTrue, isNotFound } from '@windlass/apimachinery';
import { Lease } from '@windlass/apimachinery/api/coordination/v1';
import { type ContainerStatus, Node, Pod, type PodSpec } from '@windlass/apimachinery/api/core/v1';
import { Event } from '@windlass/apimachinery/api/events/v1';
import { startTestCluster, type TestCluster } from '@windlass/cluster/testing';
import { addKubelet } from './kubelet.ts';
import type { KubeletOptions } from './kubelet-options.ts';
import { simulatedNodes } from './node/node-spec.ts';

interface Nodes extends AsyncDisposable {
  readonly cluster: TestCluster;
  readonly faults: ReturnType<TestCluster['manager']>['faults'];
  /** Ends the agent and starts another one, which knows nothing. */
  restart(): Promise<void>;
}

async function startNodes(options: Partial<KubeletOptions> = {}): Promise<Nodes> {
  const cluster = await startTestCluster();
  let current = cluster.manager();
  const start = async (): Promise<void> => {
    addKubelet(current.manager, { nodes: simulatedNodes(2), ...options });
    await current.manager.start();
    await cluster.settled();
  };
  await start();
  return {
    cluster,
    get faults() {
      return current.faults;
    },
    restart: async () => {
      const stopped = current.manager.stop();
      await cluster.clock.advance(0);
      await stopped;
      current = cluster.manager();
      await start();
    },
    [Symbol.asyncDispose]: () => cluster.stop(),
  };
}

const DOWN = { code: 500, reason: 'InternalError' };

const pods = (cluster: TestCluster) => cluster.client.resource(Pod).namespace('default');

async function run(
  cluster: TestCluster,
  name: string,
  spec: Partial<PodSpec> = {},
  annotations: Record<string, string> = {},
): Promise<void> {
  await pods(cluster).create({
    metadata: {
      name,
      annotations: Object.fromEntries(
        Object.entries(annotations).map(([key, value]) => [`simulation.windlass.dev/${key}`, value]),
      ),
    },
    spec: { nodeName: 'node-1', containers: [{ name: 'main', image: 'nginx' }], ...spec },
  });
  await cluster.settled();
}

const status = async (cluster: TestCluster, name: string) => (await pods(cluster).get(name)).status ?? {};

const events = async (cluster: TestCluster, reason: string): Promise<string[]> => {
  const { items } = await cluster.client.resource(Event).namespace('default').list();
  return items.filter((event) => event.reason === reason).map(({ note }) => note ?? '');
};
const reasonOf = (
  { state }: ContainerStatus = { name: '', image: '', imageID: '', ready: false, restartCount: 0 },
) =>
  state?.waiting?.reason ??
  state?.terminated?.reason ??
  (state?.running === undefined ? undefined : 'Running');

describe('a node', () => {
  it('registers as a real one does, and renews its lease', async () => {
    await using nodes = await startNodes();
    const { cluster } = nodes;
    const node = await cluster.client.resource(Node).get('node-1');
    assert.equal(node.metadata?.labels?.['kubernetes.io/hostname'], 'node-1');
    assert.equal(node.status?.allocatable?.['pods'], '110');
    assert.ok(isConditionTrue(node.status?.conditions, 'Ready'));
    const leases = cluster.client.resource(Lease).namespace('kube-node-lease');
    const first = (await leases.get('node-2')).spec?.renewTime;
    await cluster.advance(10_000);
    const second = await leases.get('node-2');
    assert.equal(Date.parse(second.spec?.renewTime ?? '') - Date.parse(first ?? ''), 10_000);
    assert.equal(second.metadata?.ownerReferences?.[0]?.kind, 'Node');
  });

  it('says that it is ready when somebody has said otherwise, and else every five minutes', async () => {
    await using nodes = await startNodes();
    const { cluster } = nodes;
    const client = cluster.client.resource(Node);
    const version = async (): Promise<string | undefined> =>
      (await client.get('node-1')).metadata.resourceVersion;
    const before = await version();
    await cluster.advance(299_000);
    assert.equal(await version(), before, 'heartbeats are leases');
    await cluster.advance(11_000);
    assert.notEqual(await version(), before);
    await client.status.patch(
      'node-1',
      { status: { conditions: [{ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' }] } },
      { type: 'strategic' },
    );
    await cluster.settled();
    assert.ok(isConditionTrue((await client.get('node-1')).status?.conditions, 'Ready'));
  });

  it('goes on renewing after the server was away', async () => {
    await using nodes = await startNodes();
    const { cluster, faults } = nodes;
    faults.fail({ path: /leases/, answer: DOWN, times: 4 });
    await cluster.advance(10_000);
    await cluster.advance(5000);
    const lease = await cluster.client.resource(Lease).namespace('kube-node-lease').get('node-1');
    assert.ok(cluster.clock.now() - Date.parse(lease.spec?.renewTime ?? '') < 10_000);
  });

  it('that was deleted does not come back by itself', async () => {
    await using nodes = await startNodes();
    const { cluster } = nodes;
    await cluster.client.resource(Node).delete('node-1');
    await cluster.advance(60_000);
    await assert.rejects(cluster.client.resource(Node).get('node-1'), isNotFound);
    await nodes.restart();
    assert.ok(await cluster.client.resource(Node).get('node-1'));
  });
});

describe('a pod', () => {
  it('becomes ready, with an address of its node', async () => {
    await using nodes = await startNodes();
    const { cluster } = nodes;
    await run(cluster, 'web');
    await run(cluster, 'other');
    const { phase, conditions, containerStatuses, podIP, hostIP } = await status(cluster, 'web');
    assert.equal(phase, 'Running');
    assert.ok(isConditionTrue(conditions, 'Ready'));
    assert.equal(containerStatuses?.[0]?.image, 'docker.io/library/nginx:latest');
    assert.deepEqual([podIP, (await status(cluster, 'other')).podIP], ['10.128.0.2', '10.128.0.3']);
    assert.equal(hostIP, '172.30.0.1');
    assert.deepEqual(await events(cluster, 'Started'), ['Started container main', 'Started container main']);
  });

  it('goes when it is deleted, and only when its containers have ended', async () => {
    await using nodes = await startNodes();
    const { cluster } = nodes;
    await run(cluster, 'web', {}, { 'stop-after': '7s', 'stop-exit-code': '0' });
    await pods(cluster).delete('web');
    await cluster.advance(6000);
    assert.equal((await status(cluster, 'web')).phase, 'Running');
    assert.equal(isConditionTrue((await status(cluster, 'web')).conditions, 'Ready'), false);
    await cluster.advance(1000);
    await assert.rejects(pods(cluster).get('web'), isNotFound);
    assert.deepEqual(await events(cluster, 'Killing'), ['Stopping container main']);
  });

  it('is seen on its way out before it is gone, and takes what its hook takes', async () => {
    await using nodes = await startNodes();
    const { cluster } = nodes;
    const lifecycle = { preStop: { exec: { command: ['sh', '-c', 'sleep 3'] } } };
    await run(cluster, 'web');
    await run(cluster, 'slow', { containers: [{ name: 'main', image: 'nginx', lifecycle }] });
    for (const [name, waitMs] of [
      ['web', 0],
      ['slow', 3000],
    ] as const) {
      const { resourceVersion } = (await pods(cluster).get(name)).metadata;
      const watch = pods(cluster).watch({ fieldSelector: `metadata.name=${name}`, resourceVersion });
      await pods(cluster).delete(name);
      if (waitMs > 0) {
        await cluster.advance(waitMs - 1);
        assert.notEqual((await pods(cluster).get(name)).metadata.deletionTimestamp, undefined);
      }
      await cluster.advance(waitMs > 0 ? 1 : 0);
      const seen: string[] = [];
      for await (const { type, object } of watch) {
        if (type === 'BOOKMARK') continue;
        seen.push(`${type} ${object.metadata?.deletionTimestamp !== undefined}`);
        if (type === 'DELETED') break;
      }
      assert.equal(seen[0], 'MODIFIED true');
      assert.equal(seen.at(-1), 'DELETED true');
    }
  });

  it('that does not end in its grace is killed', async () => {
    await using nodes = await startNodes();
    const { cluster } = nodes;
    await run(cluster, 'stubborn', { terminationGracePeriodSeconds: 5 }, { 'stop-after': '1h' });
    const { resourceVersion } = (await pods(cluster).get('stubborn')).metadata;
    const watch = pods(cluster).watch({ fieldSelector: 'metadata.name=stubborn', resourceVersion });
    await pods(cluster).delete('stubborn');
    await cluster.advance(5000);
    let last: Pod | undefined;
    for await (const { type, object } of watch) {
      if (type === 'DELETED') break;
      if (type === 'MODIFIED') last = object;
    }
    assert.equal(last?.status?.phase, 'Failed');
    assert.equal(last.status.containerStatuses?.[0]?.state?.terminated?.exitCode, 137);
  });

  it('that keeps a finalizer stays, and runs nothing', async () => {
    await using nodes = await startNodes();
    const { cluster } = nodes;
    await run(cluster, 'held');
    await pods(cluster).patch('held', { metadata: { finalizers: ['windlass.dev/hold'] } });
    await pods(cluster).delete('held');
    await cluster.advance(1000);
    assert.equal((await status(cluster, 'held')).phase, 'Failed');
    await cluster.advance(60_000);
    await pods(cluster).patch('held', { metadata: { finalizers: null } }, { type: 'merge' });
    await cluster.advance(1000);
    await assert.rejects(pods(cluster).get('held'), isNotFound);
  });
});

describe('containers', () => {
  const exits = (exitCode: string): Record<string, string> => ({ 'run-for': '1s', 'exit-code': exitCode });

  for (const [policy, code, phase] of [
    ['Never', '0', 'Succeeded'],
    ['Never', '3', 'Failed'],
    ['OnFailure', '0', 'Succeeded'],
    ['OnFailure', '3', 'Running'],
    ['Always', '0', 'Running'],
  ] as const)
    it(`that end with ${code} under ${policy} leave the pod ${phase}`, async () => {
      await using nodes = await startNodes();
      const { cluster } = nodes;
      await run(cluster, 'job', { restartPolicy: policy }, exits(code));
      await cluster.advance(1000);
      const { phase: now, containerStatuses, conditions } = await status(cluster, 'job');
      assert.equal(now, phase);
      if (phase === 'Running') return;
      assert.equal(containerStatuses?.[0]?.state?.terminated?.exitCode, Number(code));
      assert.equal(
        findCondition(conditions, 'Ready')?.reason,
        phase === 'Failed' ? 'PodFailed' : 'PodCompleted',
      );
    });

  it('start again at once, then after 10 s, 20 s and so on', async () => {
    await using nodes = await startNodes();
    const { cluster } = nodes;
    await run(cluster, 'crash', {}, exits('1'));
    const restarts = async (): Promise<number | undefined> =>
      (await status(cluster, 'crash')).containerStatuses?.[0]?.restartCount;
    await cluster.advance(1000);
    assert.equal(await restarts(), 1);
    await cluster.advance(1000);
    const waiting = (await status(cluster, 'crash')).containerStatuses?.[0];
    assert.equal(waiting?.state?.waiting?.reason, 'CrashLoopBackOff');
    assert.match(
      waiting?.state?.waiting?.message ?? '',
      /^back-off 10s restarting failed container=main pod=crash_default\(/,
    );
    assert.equal(waiting?.lastState?.terminated?.exitCode, 1);
    assert.equal((await status(cluster, 'crash')).phase, 'Running');
    await cluster.advance(9999);
    assert.equal(await restarts(), 1);
    await cluster.advance(1);
    assert.equal(await restarts(), 2);
    await cluster.advance(1000 + 19_999);
    assert.equal(await restarts(), 2);
    await cluster.advance(1);
    assert.equal(await restarts(), 3);
  });

  it('whose image cannot be had wait, and say why', async () => {
    await using nodes = await startNodes();
    const { cluster } = nodes;
    await run(cluster, 'lost', {}, { 'pull-error': 'not found' });
    const reason = async (): Promise<string | undefined> =>
      reasonOf((await status(cluster, 'lost')).containerStatuses?.[0]);
    assert.equal(await reason(), 'ErrImagePull');
    await cluster.advance(1000);
    assert.equal(await reason(), 'ImagePullBackOff');
    await pods(cluster).patch(
      'lost',
      { metadata: { annotations: { 'simulation.windlass.dev/pull-error': null } } },
      { type: 'merge' },
    );
    await cluster.advance(9000);
    assert.equal(await reason(), 'Running');
  });

  for (const [what, image, first, later] of [
    [
      'that no registry can have',
      'invalid.registry.k8s.io/invalid/alpine:3.1',
      'ErrImagePull',
      'ImagePullBackOff',
    ],
    ['whose name is none', 'Not An Image', 'InvalidImageName', 'InvalidImageName'],
  ] as const)
    it(`with an image ${what} never run`, async () => {
      await using nodes = await startNodes();
      const { cluster } = nodes;
      await run(cluster, 'lost', { containers: [{ name: 'main', image }] });
      const reason = async (): Promise<string | undefined> =>
        reasonOf((await status(cluster, 'lost')).containerStatuses?.[0]);
      assert.equal(await reason(), first);
      await cluster.advance(5000);
      assert.equal(await reason(), later);
      await cluster.advance(600_000);
      assert.equal((await status(cluster, 'lost')).phase, 'Pending');
    });

  it('that mount a volume where they may not wait, and say why', async () => {
    await using nodes = await startNodes();
    const { cluster } = nodes;
    const mount = { name: 'v', mountPath: '/v', subPathExpr: '$(WHERE)' };
    await run(cluster, 'lost', {
      containers: [
        { name: 'main', image: 'x', env: [{ name: 'WHERE', value: '..' }], volumeMounts: [mount] },
      ],
      volumes: [{ name: 'v', emptyDir: {} }],
    });
    const { containerStatuses } = await status(cluster, 'lost');
    assert.deepEqual(containerStatuses?.[0]?.state?.waiting, {
      reason: 'CreateContainerConfigError',
      message: "unable to provision SubPath `..`: must not contain '..'",
    });
  });

  it('share images with the pods of their node', async () => {
    await using nodes = await startNodes();
    const { cluster } = nodes;
    const containers = [{ name: 'main', image: 'nginx:1.27' }];
    await run(cluster, 'one', { containers });
    await run(cluster, 'two', { containers });
    await run(cluster, 'elsewhere', { containers, nodeName: 'node-2' });
    assert.equal((await events(cluster, 'Pulling')).length, 2, 'once a node');
    const pulled = await events(cluster, 'Pulled');
    assert.equal(pulled.filter((note) => note.endsWith('"nginx:1.27" already present on machine')).length, 1);
  });

  it('follow their command', async () => {
    await using nodes = await startNodes();
    const { cluster } = nodes;
    await run(cluster, 'script', {
      restartPolicy: 'Never',
      containers: [{ name: 'main', image: 'busybox', command: ['sh', '-c', 'sleep 2; exit 7'] }],
    });
    await cluster.advance(1999);
    assert.equal((await status(cluster, 'script')).phase, 'Running');
    await cluster.advance(1);
    assert.equal((await status(cluster, 'script')).containerStatuses?.[0]?.state?.terminated?.exitCode, 7);
  });
});

describe('init containers', () => {
  it('run one after the other, before the others', async () => {
    await using nodes = await startNodes();
    const { cluster } = nodes;
    await run(
      cluster,
      'app',
      {
        initContainers: [
          { name: 'one', image: 'busybox' },
          { name: 'two', image: 'busybox' },
        ],
      },
      { 'run-for.one': '2s', 'run-for.two': '3s' },
    );
    const seen = async (): Promise<(string | undefined)[]> => {
      const { initContainerStatuses = [], containerStatuses = [] } = await status(cluster, 'app');
      return [...initContainerStatuses, ...containerStatuses].map(reasonOf);
    };
    assert.deepEqual(await seen(), ['Running', 'PodInitializing', 'PodInitializing']);
    assert.equal(
      findCondition((await status(cluster, 'app')).conditions, 'Initialized')?.message,
      'containers with incomplete status: [one two]',
    );
    await cluster.advance(2000);
    assert.deepEqual(await seen(), ['Completed', 'Running', 'PodInitializing']);
    await cluster.advance(3000);
    assert.deepEqual(await seen(), ['Completed', 'Completed', 'Running']);
    assert.ok(isConditionTrue((await status(cluster, 'app')).conditions, 'Ready'));
  });

  it('that fail for good fail the pod', async () => {
    await using nodes = await startNodes();
    const { cluster } = nodes;
    await run(
      cluster,
      'app',
      { restartPolicy: 'Never', initContainers: [{ name: 'one', image: 'busybox' }] },
      { 'exit-code.one': '1' },
    );
    await cluster.advance(0);
    const { phase, containerStatuses } = await status(cluster, 'app');
    assert.equal(phase, 'Failed');
    assert.equal(reasonOf(containerStatuses?.[0]), 'PodInitializing');
  });

  it('that stay are sidecars: they start first, count for readiness, and end last', async () => {
    await using nodes = await startNodes();
    const { cluster } = nodes;
    await run(
      cluster,
      'app',
      {
        restartPolicy: 'Never',
        initContainers: [
          {
            name: 'proxy',
            image: 'envoy',
            restartPolicy: 'Always',
            startupProbe: { tcpSocket: { port: 1 }, periodSeconds: 1, failureThreshold: 9 },
          },
          { name: 'setup', image: 'busybox' },
        ],
      },
      { 'startup-after.proxy': '3s', 'run-for.main': '10s', 'exit-code.main': '0' },
    );
    assert.equal(reasonOf((await status(cluster, 'app')).initContainerStatuses?.[1]), 'PodInitializing');
    await cluster.advance(3000);
    await cluster.advance(0);
    assert.equal((await status(cluster, 'app')).phase, 'Running');
    assert.ok(isConditionTrue((await status(cluster, 'app')).conditions, 'Ready'));
    await cluster.advance(10_000);
    await cluster.advance(0);
    const { phase, initContainerStatuses } = await status(cluster, 'app');
    assert.equal(phase, 'Succeeded');
    assert.equal(initContainerStatuses?.[0]?.state?.terminated?.exitCode, 143);
  });
});

describe('probes', () => {
  const probe = { httpGet: { port: 80 }, periodSeconds: 1, failureThreshold: 2 };
  const withProbes = (probes: object): Partial<PodSpec> => ({
    containers: [{ name: 'main', image: 'nginx', ...probes }],
  });

  it('decide whether a container is ready', async () => {
    await using nodes = await startNodes();
    const { cluster } = nodes;
    await run(cluster, 'web', withProbes({ readinessProbe: probe }), { 'readiness-after': '3s' });
    const ready = async (): Promise<boolean> =>
      isConditionTrue((await status(cluster, 'web')).conditions, 'Ready');
    assert.equal(await ready(), false);
    assert.equal(
      findCondition((await status(cluster, 'web')).conditions, 'Ready')?.message,
      'containers with unready status: [main]',
    );
    await cluster.advance(3000);
    assert.equal(await ready(), true);
    await pods(cluster).patch('web', {
      metadata: { annotations: { 'simulation.windlass.dev/readiness': 'false' } },
    });
    await cluster.settled();
    assert.equal(await ready(), true, 'once is not enough');
    await cluster.advance(1000);
    assert.equal(await ready(), false);
  });

  it('of liveness start a container anew', async () => {
    await using nodes = await startNodes();
    const { cluster } = nodes;
    await run(cluster, 'web', withProbes({ livenessProbe: probe }), { 'liveness-until': '5s' });
    await cluster.advance(6000);
    await cluster.advance(0);
    const { containerStatuses } = await status(cluster, 'web');
    assert.equal(containerStatuses?.[0]?.restartCount, 1);
    assert.ok(
      (await events(cluster, 'Killing')).includes('Container main failed liveness probe, will be restarted'),
    );
  });

  it('of a pod that nothing happens to cost nothing', async () => {
    await using nodes = await startNodes();
    const { cluster, faults } = nodes;
    await run(cluster, 'web', withProbes({ readinessProbe: probe, livenessProbe: probe }));
    await cluster.advance(2000);
    const before = faults.activity;
    await cluster.advance(7000);
    assert.equal(faults.activity, before);
  });
});

describe('a pod that must end', () => {
  it('fails when its time is up', async () => {
    await using nodes = await startNodes();
    const { cluster } = nodes;
    await run(cluster, 'slow', { activeDeadlineSeconds: 20 });
    await cluster.advance(20_000);
    await cluster.advance(0);
    const { phase, reason, message } = await status(cluster, 'slow');
    assert.deepEqual(
      [phase, reason, message],
      ['Failed', 'DeadlineExceeded', 'Pod was active on the node longer than the specified deadline'],
    );
  });

  it('is evicted by its node', async () => {
    await using nodes = await startNodes();
    const { cluster } = nodes;
    await run(cluster, 'fat');
    await pods(cluster).patch('fat', {
      metadata: { annotations: { 'simulation.windlass.dev/evict': 'too fat' } },
    });
    await cluster.advance(0);
    const { phase, reason, message, conditions } = await status(cluster, 'fat');
    assert.deepEqual([phase, reason, message], ['Failed', 'Evicted', 'too fat']);
    assert.equal(findCondition(conditions, 'DisruptionTarget')?.reason, 'TerminationByKubelet');
  });

  it('leaves its address to others', async () => {
    await using nodes = await startNodes({ nodes: [{ name: 'node-1', podCidr: '10.9.0.0/29' }] });
    const { cluster } = nodes;
    for (let index = 0; index < 8; index++) {
      await run(cluster, `job-${index}`, { restartPolicy: 'Never' }, { 'exit-code': '0' });
      await cluster.advance(0);
      assert.equal((await status(cluster, `job-${index}`)).phase, 'Succeeded');
    }
  });

  it('is refused by a node that it does not fit', async () => {
    await using nodes = await startNodes({
      admit: () => ({ reason: 'OutOfcpu', message: 'no CPU is left' }),
    });
    const { cluster } = nodes;
    await run(cluster, 'big');
    const { phase, reason, message, containerStatuses } = await status(cluster, 'big');
    assert.deepEqual([phase, reason, message], ['Failed', 'OutOfcpu', 'Pod was rejected: no CPU is left']);
    assert.notEqual(reasonOf(containerStatuses?.[0]), 'Running');
  });
});

describe('a container that is added to a pod', () => {
  it('starts beside the others, and does not start again', async () => {
    await using nodes = await startNodes();
    const { cluster } = nodes;
    await run(cluster, 'web');
    const pod = await pods(cluster).get('web');
    assert.ok(pod.spec !== undefined);
    const ephemeralContainers = [{ name: 'debug', image: 'busybox', command: ['sleep', '5'] }];
    await pods(cluster)
      .subresource('ephemeralcontainers')
      .replace({ ...pod, spec: { ...pod.spec, ephemeralContainers } });
    await cluster.settled();
    const seen = async () => {
      const { ephemeralContainerStatuses, conditions } = await status(cluster, 'web');
      return [reasonOf(ephemeralContainerStatuses?.[0]), isConditionTrue(conditions, 'Ready')];
    };
    assert.deepEqual(await seen(), ['Running', true]);
    await cluster.advance(60_000);
    assert.deepEqual(await seen(), ['Completed', true]);
  });
});

describe('a node that is cut off', () => {
  it('says nothing, and makes up for it when it is back', async () => {
    const cluster = await startTestCluster();
    await using _stop = { [Symbol.asyncDispose]: () => cluster.stop() };
    const { manager } = cluster.manager();
    const kubelet = addKubelet(manager, { nodes: simulatedNodes(2) });
    await manager.start();
    await run(cluster, 'web');
    kubelet.suspend('node-1');
    await pods(cluster).delete('web');
    await run(cluster, 'late');
    await cluster.advance(60_000);
    const leases = cluster.client.resource(Lease).namespace('kube-node-lease');
    const age = async (node: string): Promise<number> =>
      cluster.clock.now() - Date.parse((await leases.get(node)).spec?.renewTime ?? '');
    assert.ok((await age('node-1')) >= 60_000);
    assert.ok((await age('node-2')) <= 10_000);
    assert.equal((await status(cluster, 'late')).phase, 'Pending');
    assert.ok(await pods(cluster).get('web'));
    kubelet.resume('node-1');
    await cluster.advance(10_000);
    assert.ok((await age('node-1')) <= 10_000);
    assert.equal((await status(cluster, 'late')).phase, 'Running');
    await assert.rejects(pods(cluster).get('web'), isNotFound);
  });
});

describe('an agent that is started anew', () => {
  it('takes up what runs, and changes nothing', async () => {
    await using nodes = await startNodes();
    const { cluster } = nodes;
    await run(cluster, 'web');
    const before = await pods(cluster).get('web');
    await nodes.restart();
    await cluster.advance(1000);
    assert.deepEqual(await pods(cluster).get('web'), before);
    await run(cluster, 'next');
    assert.notEqual((await status(cluster, 'next')).podIP, before.status?.podIP);
  });

  it('finishes what another one has begun', async () => {
    await using nodes = await startNodes();
    const { cluster } = nodes;
    await run(cluster, 'job', { restartPolicy: 'Never' }, { 'run-for': '30s', 'exit-code': '0' });
    await run(cluster, 'web');
    await pods(cluster).patch('web', {
      metadata: { annotations: { 'simulation.windlass.dev/stop-after': '2s' } },
    });
    await nodes.restart();
    await pods(cluster).delete('web');
    await cluster.advance(2000);
    await assert.rejects(pods(cluster).get('web'), isNotFound);
    await cluster.advance(28_000);
    assert.equal((await status(cluster, 'job')).phase, 'Succeeded');
  });

  it('does what the server did not hear of', async () => {
    await using nodes = await startNodes();
    const { cluster, faults } = nodes;
    faults.fail({ method: 'PATCH', path: /pods\/web\/status/, answer: 'lost', times: 3, afterwards: true });
    await run(cluster, 'web');
    await cluster.advance(5000);
    assert.equal((await status(cluster, 'web')).phase, 'Running');
    faults.fail({ method: 'DELETE', answer: DOWN, times: 2 });
    await pods(cluster).delete('web');
    await cluster.advance(5000);
    await assert.rejects(pods(cluster).get('web'), isNotFound);
  });
});
