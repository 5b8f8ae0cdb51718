// How containers live: one after the other, asked by probes, told by hooks, and ended in order.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '@windlass/base/testing/until';
import { Containerd, IMAGE } from './harness/containerd.ts';
import { MachineCluster } from './harness/machine-cluster.ts';

let containerd: Containerd;
let cluster: MachineCluster;

before(async () => {
  containerd = await Containerd.start();
  cluster = await MachineCluster.start(containerd);
});

after(async () => {
  await cluster?.[Symbol.asyncDispose]();
  await containerd?.[Symbol.asyncDispose]();
});

const sh = (script: string): string[] => ['sh', '-c', script];
const SHARED = { volumes: [{ name: 'shared', emptyDir: {} }] };
const MOUNTED = { volumeMounts: [{ name: 'shared', mountPath: '/shared' }] };

it('init containers come first, in order, and a sidecar before the rest', async () => {
  await cluster.run(
    'ordered',
    { command: sh('echo main >> /shared/order; cat /shared/order; sleep 1000'), ...MOUNTED },
    {
      ...SHARED,
      initContainers: [
        { name: 'one', image: IMAGE, command: sh('sleep 1; echo one >> /shared/order'), ...MOUNTED },
        {
          name: 'side',
          image: IMAGE,
          restartPolicy: 'Always',
          command: sh('echo side >> /shared/order; trap "exit 0" TERM; while true; do sleep 0.1; done'),
          startupProbe: { exec: { command: ['grep', 'side', '/shared/order'] }, periodSeconds: 1 },
          ...MOUNTED,
        },
        { name: 'two', image: IMAGE, command: sh('echo two >> /shared/order'), ...MOUNTED },
      ],
    },
  );
  const { status } = await cluster.running('ordered');
  assert.equal(await cluster.exec('ordered', 'cat', '/shared/order'), 'one\nside\ntwo\nmain\n');
  assert.deepEqual(
    status?.initContainerStatuses?.map(({ name, ready }) => [name, ready]),
    [
      ['one', true],
      ['side', true],
      ['two', true],
    ],
  );
  await cluster.pods.delete('ordered');
  await cluster.gone('ordered');
});

describe('probes', () => {
  it('ask over HTTP, TCP, by a command, and decide whether a pod is ready', async () => {
    await cluster.run(
      'asked',
      {
        command: sh('mkdir /www; exec httpd -f -p 8080 -h /www'),
        ports: [{ name: 'web', containerPort: 8080 }],
        startupProbe: { tcpSocket: { port: 'web' }, periodSeconds: 1 },
        readinessProbe: { httpGet: { port: 'web', path: '/ready' }, periodSeconds: 1 },
      },
      {},
    );
    await cluster.when(
      'asked',
      'has started',
      ({ status }) => status?.containerStatuses?.[0]?.started === true,
    );
    await until(
      'it is said why it is not ready',
      () => cluster.events('asked', 'Unhealthy'),
      (notes) => notes.includes('Readiness probe failed: HTTP probe failed with statuscode: 404'),
    );
    await cluster.exec('asked', 'touch', '/www/ready');
    await cluster.running('asked');
    await cluster.exec('asked', 'rm', '/www/ready');
    await cluster.when(
      'asked',
      'is not ready',
      ({ status }) => status?.containerStatuses?.[0]?.ready === false,
    );
  });

  it('end a container that does not answer, which is started again', async () => {
    await cluster.run('stuck', {
      command: sh('touch /tmp/alive; sleep 2; rm /tmp/alive; sleep 1000'),
      livenessProbe: { exec: { command: ['cat', '/tmp/alive'] }, periodSeconds: 1, failureThreshold: 2 },
    });
    const { status } = await cluster.when(
      'stuck',
      'was started again',
      ({ status: seen }) => (seen?.containerStatuses?.[0]?.restartCount ?? 0) > 0,
    );
    assert.equal(status?.containerStatuses?.[0]?.lastState?.terminated?.exitCode, 137);
    const notes = await cluster.events('stuck', 'Unhealthy');
    assert.ok(
      notes.some((note) => note.startsWith("Liveness probe failed: cat: can't open")),
      notes.join(),
    );
    await cluster.pods.delete('stuck');
  });

  it('that take too long have failed', async () => {
    await cluster.run('slow', {
      command: ['sleep', '1000'],
      readinessProbe: { exec: { command: ['sleep', '100'] }, periodSeconds: 1, timeoutSeconds: 1 },
    });
    await until(
      'it is said',
      () => cluster.events('slow', 'Unhealthy'),
      (notes) => notes.includes('Readiness probe failed: command timed out after 1s'),
    );
    await cluster.pods.delete('slow');
    await cluster.gone('slow');
  });
});

describe('the end', () => {
  it('comes by SIGTERM, after the hook, within the grace', async () => {
    await cluster.run(
      'polite',
      {
        command: sh(
          'trap "echo told; sleep 1; echo done; exit 0" TERM; echo up; while true; do sleep 0.1; done',
        ),
        lifecycle: {
          postStart: { exec: { command: sh('echo started > /tmp/hook') } },
          preStop: { exec: { command: sh('echo hooked > /proc/1/fd/1') } },
        },
      },
      { terminationGracePeriodSeconds: 20 },
    );
    await cluster.running('polite');
    assert.equal(await cluster.exec('polite', 'cat', '/tmp/hook'), 'started\n');
    const following = cluster.logs('polite', { follow: true });
    await cluster.pods.delete('polite');
    assert.equal(await following, 'up\nhooked\ntold\ndone\n');
    await cluster.gone('polite');
  });

  it('is by force when the grace is over', async () => {
    await cluster.run(
      'deaf',
      { command: sh('trap "" TERM; while true; do sleep 0.1; done') },
      { terminationGracePeriodSeconds: 2 },
    );
    await cluster.running('deaf');
    const began = performance.now();
    await cluster.pods.delete('deaf');
    await cluster.gone('deaf');
    const took = performance.now() - began;
    assert.ok(took > 1500 && took < 15_000, `${took} ms`);
  });

  it('is that of a container whose hook fails', async () => {
    await cluster.run('hookless', {
      command: ['sleep', '1000'],
      lifecycle: { postStart: { exec: { command: sh('echo broken; exit 1') } } },
    });
    await until(
      'it is said',
      () => cluster.events('hookless', 'FailedPostStartHook'),
      (notes) => notes.some((note) => note.includes('failed: broken')),
    );
    await cluster.when(
      'hookless',
      'was ended',
      ({ status }) => status?.containerStatuses?.[0]?.lastState?.terminated !== undefined,
    );
    await cluster.pods.delete('hookless');
    await cluster.gone('hookless');
  });
});

describe('what a container leaves to be read', () => {
  it('is in its file', async () => {
    await cluster.run(
      'note',
      { command: sh('echo -n why > /tmp/why; exit 2'), terminationMessagePath: '/tmp/why' },
      {
        restartPolicy: 'Never',
      },
    );
    const { status } = await cluster.ended('note');
    assert.equal(status?.containerStatuses?.[0]?.state?.terminated?.message, 'why');
  });

  it('is the end of its log when that is wanted', async () => {
    await cluster.run(
      'log',
      { command: sh('echo one; echo two; exit 2'), terminationMessagePolicy: 'FallbackToLogsOnError' },
      { restartPolicy: 'Never' },
    );
    const { status } = await cluster.ended('log');
    assert.equal(status?.containerStatuses?.[0]?.state?.terminated?.message, 'one\ntwo\n');
  });
});

describe('what cannot run', () => {
  for (const [name, image, policy, reason, message] of [
    [
      'never',
      'windlass.test/none:1',
      'Never',
      'ErrImageNeverPull',
      /is not present with pull policy of Never/,
    ],
    ['nohost', 'registry.invalid/none:1', 'Always', 'ErrImagePull', /failed to .*registry\.invalid/],
    ['badname', 'Windlass:1', 'IfNotPresent', 'InvalidImageName', /must be lowercase/],
  ] as const)
    it(`says why: ${reason}`, async () => {
      await cluster.run(name, { image, imagePullPolicy: policy });
      const { status } = await cluster.when(
        name,
        `is ${reason}`,
        ({ status: seen }) => seen?.containerStatuses?.[0]?.state?.waiting?.reason === reason,
      );
      assert.match(status?.containerStatuses?.[0]?.state?.waiting?.message ?? '', message);
      if (reason === 'ErrImagePull')
        await cluster.when(
          name,
          'backs off',
          ({ status: seen }) => seen?.containerStatuses?.[0]?.state?.waiting?.reason === 'ImagePullBackOff',
        );
      await cluster.pods.delete(name);
      await cluster.gone(name);
    });

  it('says that a program is not there', async () => {
    await cluster.run('noprogram', { command: ['/no/such/program'] }, { restartPolicy: 'Never' });
    const { status } = await cluster.ended('noprogram');
    const end = status?.containerStatuses?.[0]?.state?.terminated;
    assert.equal(end?.reason, 'StartError');
    assert.match(end?.message ?? '', /\/no\/such\/program.*no such file or directory/s);
  });
});
