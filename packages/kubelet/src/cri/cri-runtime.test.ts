// What the agent asks of a container runtime, and what it makes of the answers.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { Served } from '@windlass/apimachinery';
import type { Container, Pod, PodSpec } from '@windlass/apimachinery/api/core/v1';
import { FakeClock, silentLogger } from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import { GrpcError } from '@windlass/grpc';
import { NOW, testPod } from '../pod/testing.ts';
import {
  type ContainerExit,
  ImageError,
  type PullRequest,
  StartError,
  type StartRequest,
} from '../runtime/runtime.ts';
import { CriRuntime } from './cri-runtime.ts';
import { FakeRuntime } from './testing/fake-runtime.ts';

const { signal } = new AbortController();

async function setUp(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'cri-'));
  const clock = new FakeClock({ start: NOW });
  const fake = await FakeRuntime.start(directory, clock);
  const connect = () =>
    CriRuntime.connect({
      endpoint: fake.endpoint,
      node: 'n1',
      address: '192.0.2.1',
      root: directory,
      cgroups: join(directory, 'cgroups'),
      clock,
      logger: silentLogger,
    });
  const runtime = await connect();
  t.after(async () => {
    await runtime[Symbol.asyncDispose]();
    await fake[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });
  return { directory, clock, fake, runtime, connect };
}

function pod(spec: Partial<PodSpec> = {}, uid = 'u'): Served<Pod> {
  return testPod({ nodeName: 'n1', ...spec }, { uid });
}

function request(of: Served<Pod>, more: Partial<StartRequest> = {}): StartRequest {
  const [container] = of.spec?.containers ?? [];
  assert.ok(container !== undefined);
  return {
    pod: of,
    container,
    isInit: false,
    attempt: 0,
    image: { image: 'x', imageID: 'x', ref: 'sha256:x', sizeBytes: 0, wasPresent: true },
    environment: async () => new Map(),
    volumes: () => new Map(),
    signal,
    onCreated: () => {},
    onHookFailed: () => {},
    ...more,
  };
}

/** What is told of the end of a container. */
function exits(): { readonly told: ContainerExit[]; readonly onExit: (exit: ContainerExit) => void } {
  const told: ContainerExit[] = [];
  return { told, onExit: (exit) => void told.push(exit) };
}

/** Lets the runtime be looked at until something is seen. */
async function seen(clock: FakeClock, what: string, look: () => boolean): Promise<void> {
  await until(what, async () => {
    await clock.advance(1000);
    return look();
  });
}

describe('a container', () => {
  it('is started in its pod’s sandbox, and its end is told once', async (t) => {
    const { runtime, fake, clock } = await setUp(t);
    const { told, onExit } = exits();
    const ips = await runtime.pods.ensure(pod(), signal);
    const started = await runtime.start(request(pod()), onExit);
    assert.deepEqual(fake.story, ['sandbox p 0', 'create a 0', 'start a']);
    assert.deepEqual(ips, ['10.9.0.1']);
    assert.equal(started.id, 'containerd://00000002');
    assert.equal(started.startedAt, NOW);
    await clock.advance(5000);
    fake.end('a', 3);
    await seen(clock, 'the end is told', () => told.length > 0);
    assert.deepEqual(told, [{ exitCode: 3, reason: 'Error', finishedAt: NOW + 5000 }]);
    await clock.advance(5000);
    assert.equal(told.length, 1);
  });

  it('has its variables, in the words of its commands too', async (t) => {
    const { runtime, fake } = await setUp(t);
    const of = pod({ containers: [{ name: 'a', image: 'x', command: ['run'], args: ['$(A)', '$(B)'] }] });
    await runtime.start(request(of, { environment: async () => new Map([['A', 'ä']]) }), () => {});
    const { config } = fake.container('a');
    assert.deepEqual([...config.command, ...config.args], ['run', 'ä', '$(B)']);
    assert.deepEqual(config.envs, [{ key: 'A', value: Buffer.from('ä').toString('base64') }]);
  });

  it('that cannot start has ended, with the reason', async (t) => {
    const { runtime, fake, clock } = await setUp(t);
    const { told, onExit } = exits();
    fake.failures.set('startContainer', new GrpcError('UNKNOWN', 'exec: "nope": not found'));
    await runtime.start(request(pod()), onExit);
    await seen(clock, 'the end is told', () => told.length > 0);
    assert.deepEqual(told[0], {
      exitCode: 128,
      reason: 'StartError',
      message: 'exec: "nope": not found',
      finishedAt: NOW,
    });
  });

  for (const [method, reason] of [
    ['createContainer', 'CreateContainerError'],
    ['runPodSandbox', 'CreatePodSandboxError'],
  ] as const)
    it(`that ${method} refuses is to be tried again: ${reason}`, async (t) => {
      const { runtime, fake } = await setUp(t);
      fake.failures.set(method, new GrpcError('UNKNOWN', 'no room'));
      await assert.rejects(
        runtime.start(request(pod()), () => {}),
        (error) => error instanceof StartError && error.reason === reason && error.message === 'no room',
      );
    });

  it('leaves its message', async (t) => {
    const { runtime, directory, fake, clock } = await setUp(t);
    const { told, onExit } = exits();
    await runtime.start(request(pod()), onExit);
    const mount = fake
      .container('a')
      .config.mounts.find(({ containerPath }) => containerPath === '/dev/termination-log');
    assert.equal(mount?.hostPath, join(directory, 'pods/u/containers/a/0'));
    await writeFile(mount.hostPath, 'because');
    fake.end('a', 1);
    await seen(clock, 'the end is told', () => told.length > 0);
    assert.equal(told[0]?.message, 'because');
  });

  it('of which the runtime knows nothing any more is lost', async (t) => {
    const { runtime, fake, clock } = await setUp(t);
    const { told, onExit } = exits();
    await runtime.start(request(pod()), onExit);
    fake.containers.clear();
    await seen(clock, 'the end is told', () => told.length > 0);
    assert.equal(told[0]?.reason, 'ContainerStatusUnknown');
  });

  it('is not lost because the runtime does not answer', async (t) => {
    const { runtime, fake, clock } = await setUp(t);
    const { told, onExit } = exits();
    await runtime.start(request(pod()), onExit);
    fake.failures.set('listContainers', new GrpcError('UNAVAILABLE', 'gone'));
    await clock.advance(5000);
    fake.failures.clear();
    fake.end('a', 0);
    await seen(clock, 'the end is told', () => told.length > 0);
    assert.deepEqual(
      told.map(({ exitCode }) => exitCode),
      [0],
    );
  });
});

it('a container that runs gets other resources', async (t) => {
  const { runtime, fake } = await setUp(t);
  const container = await runtime.start(request(pod()), () => {});
  container.resize?.({ limits: { cpu: '2' } }, pod());
  await until('it is told', () => fake.story.includes('resize a 200000'));
});

describe('the end of a container', () => {
  it('is asked for with its grace, and seen at once', async (t) => {
    const { runtime, fake } = await setUp(t);
    const { told, onExit } = exits();
    const container = await runtime.start(request(pod()), onExit);
    container.stop(30_000);
    await until('the end is told', () => told.length === 1);
    assert.deepEqual(fake.story.slice(-1), ['stop a in 30']);
  });

  it('comes sooner when that is asked for, and not because the same is said again', async (t) => {
    const { runtime, fake } = await setUp(t);
    fake.isDeaf = true;
    const { told, onExit } = exits();
    const container = await runtime.start(request(pod()), onExit);
    container.stop(30_000);
    await until('it is told', () => fake.story.includes('stop a in 30'));
    container.stop(29_900);
    container.stop(60_000);
    container.stop(0);
    await until('the end is told', () => told.length === 1);
    assert.deepEqual(fake.story.slice(3), ['stop a in 30', 'stop a in 0']);
  });

  it('comes after its hook, which takes its time off the grace', async (t) => {
    const { runtime, fake, clock } = await setUp(t);
    const hook = Promise.withResolvers<object>();
    fake.exec = () => hook.promise;
    const lifecycle = { preStop: { exec: { command: ['bye'] } } };
    const of = pod({ containers: [{ name: 'a', image: 'x', lifecycle }] });
    const container = await runtime.start(request(of), () => {});
    container.stop(10_000);
    await clock.advance(4000);
    assert.ok(!fake.story.some((line) => line.startsWith('stop a')));
    hook.resolve({});
    await until('it is told', () => fake.story.includes('stop a in 6'));
  });

  it('does not wait for a hook longer than the grace, and leaves the program a little', async (t) => {
    const { runtime, fake, clock } = await setUp(t);
    fake.exec = () => new Promise(() => {});
    const told: string[] = [];
    const lifecycle = { preStop: { exec: { command: ['bye'] } } };
    const of = pod({ containers: [{ name: 'a', image: 'x', lifecycle }] });
    const container = await runtime.start(
      request(of, { onHookFailed: (hook, message) => told.push(`${hook}: ${message}`) }),
      () => {},
    );
    container.stop(10_000);
    await until('it is told', async () => {
      await clock.advance(1000);
      return fake.story.includes('stop a in 2');
    });
    assert.deepEqual(told, ['PreStop: the lifecycle hook did not end in time']);
  });

  it('is that of a container whose first hook fails', async (t) => {
    const { runtime, fake } = await setUp(t);
    fake.exec = async () => ({ exitCode: 1, stderr: Buffer.from('broken').toString('base64') });
    const told: string[] = [];
    const lifecycle = { postStart: { exec: { command: ['hello'] } } };
    const of = pod({ containers: [{ name: 'a', image: 'x', lifecycle }], terminationGracePeriodSeconds: 7 });
    await runtime.start(
      request(of, { onHookFailed: (hook, message) => told.push(`${hook}: ${message}`) }),
      () => {},
    );
    await until('it is told', () => fake.story.includes('stop a in 7'));
    assert.deepEqual(told, ['PostStart: Exec lifecycle hook (hello) failed: broken']);
  });
});

describe('an agent that comes after another one', () => {
  it('finds what runs and what has ended, and follows it', async (t) => {
    const { runtime, connect, fake, clock } = await setUp(t);
    const two: Container[] = [
      { name: 'a', image: 'x' },
      { name: 'b', image: 'x' },
    ];
    const of = pod({ containers: two });
    await runtime.start(request(of), () => {});
    const b = request(pod({ containers: two.slice(1) }));
    await runtime.start(b, () => {});
    fake.end('b', 4);
    await using next = await connect();
    const found = (await next.pods.find(of)).toSorted((one, other) =>
      one.container.localeCompare(other.container),
    );
    assert.deepEqual(
      found.map(({ container, attempt, exit }) => [container, attempt, exit?.exitCode]),
      [
        ['a', 0, undefined],
        ['b', 0, 4],
      ],
    );
    const { told, onExit } = exits();
    const [first] = found;
    assert.ok(first !== undefined);
    await next.attach(request(of), first, onExit);
    assert.deepEqual(await next.pods.ensure(of, signal), ['10.9.0.1'], 'the same sandbox');
    fake.end('a', 1);
    await seen(clock, 'the end is told', () => told.length === 1);
  });

  it('removes what was made and never started, so that it is started once', async (t) => {
    const { runtime, connect, fake } = await setUp(t);
    await runtime.start(request(pod()), () => {});
    fake.container('a').status.state = 'CONTAINER_CREATED';
    await using next = await connect();
    assert.deepEqual(await next.pods.find(pod()), []);
    await next.start(request(pod()), () => {});
    assert.equal(fake.containers.size, 1);
  });

  it('makes a new sandbox when the former one is gone, and keeps what it has printed', async (t) => {
    const { runtime, fake } = await setUp(t);
    await runtime.start(request(pod()), () => {});
    for (const sandbox of fake.sandboxes.values()) sandbox.isReady = false;
    await runtime.start(request(pod(), { attempt: 1 }), () => {});
    assert.deepEqual(fake.story, [
      'sandbox p 0',
      'create a 0',
      'start a',
      'sandbox p 1',
      'create a 1',
      'start a',
    ]);
    assert.equal(fake.containers.size, 2);
  });

  it('removes what is of pods that are gone, and leaves what is of other nodes', async (t) => {
    const { runtime, fake } = await setUp(t);
    await runtime.pods.ensure(pod({}, 'here'), signal);
    await runtime.pods.ensure(pod({}, 'gone'), signal);
    await runtime.pods.ensure(pod({ nodeName: 'other' }, 'of-other'), signal);
    await runtime.pods.removeOthers(new Set(['here']));
    assert.deepEqual(
      [...fake.sandboxes.values()].map(({ config }) => config.metadata?.uid),
      ['here', 'of-other'],
    );
  });
});

it('a pod that has ended gives back its network once, and is forgotten with all that it had', async (t) => {
  const { runtime, directory, fake } = await setUp(t);
  await runtime.start(request(pod()), () => {});
  assert.match(await readFile(join(directory, 'pods/u/etc-hosts'), 'utf8'), /10\.9\.0\.1\tp\n/);
  await runtime.pods.end('u');
  await runtime.pods.end('u');
  assert.equal(fake.story.filter((line) => line === 'stop sandbox p').length, 1);
  assert.equal(fake.containers.size, 1, 'its log can still be read');
  await runtime.pods.remove('u');
  assert.equal(fake.containers.size + fake.sandboxes.size, 0);
  await assert.rejects(readFile(join(directory, 'pods/u/etc-hosts')), { code: 'ENOENT' });
});

describe('an image', () => {
  const pull = (policy: string, image = 'x:1', secrets: Record<string, string> = {}): PullRequest => ({
    ...request(
      pod({
        containers: [{ name: 'a', image, imagePullPolicy: policy }],
        imagePullSecrets: Object.keys(secrets).map((name) => ({ name })),
      }),
    ),
    // Only these fields of a secret are looked at.
    secret: async (name) => ({ data: { '.dockerconfigjson': secrets[name] } }) as never,
  });

  it('is fetched when it is not there, and by its policy', async (t) => {
    const { runtime, fake } = await setUp(t);
    const pulling: string[] = [];
    const fetch = (policy: string) => runtime.pull(pull(policy), () => pulling.push(policy), signal);
    await assert.rejects(fetch('Never'), { reason: 'ErrImageNeverPull' });
    const fetched = await fetch('IfNotPresent');
    assert.deepEqual(fetched, {
      image: 'x:1',
      imageID: 'sha256:x:1',
      ref: 'sha256:x:1',
      sizeBytes: 5,
      wasPresent: false,
    });
    assert.equal((await fetch('IfNotPresent')).wasPresent, true);
    assert.equal((await fetch('Never')).wasPresent, true);
    assert.equal((await fetch('Always')).wasPresent, false);
    assert.deepEqual(pulling, ['IfNotPresent', 'Always']);
    assert.deepEqual(fake.story, ['pull x:1', 'pull x:1']);
  });

  it('is asked for with the names that secrets have for its registry', async (t) => {
    const { runtime, fake } = await setUp(t);
    const config = {
      auths: { 'r.example': { auth: Buffer.from('me:secret').toString('base64') }, other: {} },
    };
    const secrets = { s: Buffer.from(JSON.stringify(config)).toString('base64') };
    await runtime.pull(pull('Always', 'r.example/x:1', secrets), () => {}, signal);
    assert.deepEqual(fake.story, ['pull r.example/x:1 as me']);
  });

  for (const [image, failure, reason, message] of [
    [
      'x:1',
      new GrpcError('NOT_FOUND', 'failed to resolve: x:1: not found'),
      'ErrImagePull',
      /^failed to resolve: x:1: not found$/,
    ],
    ['X', undefined, 'InvalidImageName', /must be lowercase/],
  ] as const)
    it(`that cannot be had says why: ${reason}`, async (t) => {
      const { runtime, fake } = await setUp(t);
      if (failure !== undefined) fake.failures.set('pullImage', failure);
      await assert.rejects(
        runtime.pull(pull('Always', image), () => {}, signal),
        (error) => error instanceof ImageError && error.reason === reason && message.test(error.message),
      );
    });
});

it('the node says what is wrong with its runtime, and when it is right again', async (t) => {
  const { runtime, fake, clock } = await setUp(t);
  assert.equal(runtime.problem, undefined);
  fake.networkProblem = 'cni plugin not initialized';
  const problem =
    'the container runtime has no network for pods (cni plugin not initialized): put a CNI configuration into /somewhere/net.d';
  await seen(clock, 'the problem is seen', () => runtime.problem === problem);
  fake.networkProblem = '';
  await seen(clock, 'it is gone', () => runtime.problem === undefined);
});
