// What each step does to a container, and what is noted of it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Served } from '@windlass/apimachinery';
import { ConfigMap, type Container, type Pod, type PodStatus } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import { FakeClock, nextTurn, silentLogger } from '@windlass/base';
import { type ContainerExit, type Image, ImageError, type ProbeOutcome } from '../runtime/runtime.ts';
import { PodContainers } from './pod-containers.ts';
import { PodEvents } from './pod-events.ts';
import { type Known, NOW, testPod, testRecord } from './testing.ts';

const IMAGE: Image = { image: 'x', imageID: 'x@1', sizeBytes: 1, wasPresent: true };

interface Setting {
  readonly state?: Known;
  readonly container?: Partial<Container>;
  readonly pull?: () => Promise<Image>;
  readonly probe?: ProbeOutcome;
  /** Whether the config map that it names is there. */
  readonly hasConfig?: boolean;
  /** What the server says of it. */
  readonly status?: PodStatus;
  /** Whether the runtime knows a container of that status. */
  readonly isThere?: boolean;
}

function setUp(setting: Setting = {}) {
  const { state = 'new', container = {}, pull, probe, hasConfig = true, status, isThere = false } = setting;
  const clock = new FakeClock({ start: NOW });
  const pod: Served<Pod> = {
    ...testPod({ containers: [{ name: 'a', image: 'x', ...container }] }),
    ...(status !== undefined && { status }),
  };
  const record = testRecord(pod, { a: state });
  const story: string[] = [];
  const tell = (_: unknown, reason: string): void => void story.push(reason);
  const exits: ((exit: ContainerExit) => void)[] = [];
  const runningAs = (id: string) => ({
    id,
    startedAt: NOW,
    stop: (graceMs: number): void => void story.push(`stop in ${graceMs}`),
    probe: async (): Promise<ProbeOutcome> => probe ?? { isSuccess: true },
  });
  const known = record.containers.get('a');
  assert.ok(known);
  if (known.phase.kind === 'running') known.phase = { ...known.phase, container: runningAs('test://1') };
  const containers = new PodContainers(record, {
    runtime: {
      version: 'test://1',
      pull: pull ?? (async () => IMAGE),
      start: async ({ onCreated }, onExit) => {
        onCreated();
        exits.push(onExit);
        return runningAs(`test://${exits.length}`);
      },
      attach: async (_, { id }) => (isThere ? runningAs(id) : undefined),
    },
    events: new PodEvents({
      normal: tell,
      warning: tell,
      event: () => {},
    } as unknown as ConstructorParameters<typeof PodEvents>[0]), // Only these are called.
    logger: silentLogger,
    clock,
    objects: {
      allocatable: () => ({}),
      services: async () => [],
      configMap: async () => (hasConfig ? served(ConfigMap, {}) : undefined),
      secret: async () => undefined,
    },
    pod: () => pod,
    hostIP: '172.30.0.1',
    address: () => '10.0.0.7',
    volumes: () => new Map(),
    onPulled: (name) => story.push(`pulled ${name}`),
    onEnded: (name) => story.push(`ended ${name}`),
    onProbed: (name) => story.push(`probed ${name}`),
  });
  return { containers, record, known, story, exits, clock };
}

describe('pulling an image', () => {
  it('goes on beside the other steps, and wakes the pod when it is there', async () => {
    const gate = Promise.withResolvers<Image>();
    const { containers, known, story } = setUp({ pull: () => gate.promise });
    await containers.take({ do: 'pull', container: 'a' });
    assert.deepEqual([known.pull, story], [{ kind: 'pulling' }, []]);
    gate.resolve(IMAGE);
    await nextTurn();
    assert.deepEqual([known.pull, known.image?.imageID, story], [undefined, 'x@1', ['Pulled', 'pulled a']]);
  });

  it('that fails is noted with when to try again', async () => {
    const { containers, known, story } = setUp({
      pull: () => Promise.reject(new ImageError('ErrImagePull', 'not found')),
    });
    await containers.take({ do: 'pull', container: 'a' });
    await nextTurn();
    assert.ok(known.pull?.kind === 'failed' && known.pull.retryAt > NOW);
    assert.deepEqual([known.pull.reason, story.at(-1)], ['ErrImagePull', 'pulled a']);
  });

  it('that is cut off by the end of the pod says nothing', async () => {
    const { containers, story } = setUp({
      pull: () => Promise.reject(new DOMException('stopped', 'AbortError')),
    });
    await containers.take({ do: 'pull', container: 'a' });
    await nextTurn();
    assert.deepEqual(story, []);
  });
});

describe('starting a container', () => {
  it('gives the pod its address once', async () => {
    const { containers, record, known, story } = setUp();
    await containers.take({ do: 'start', container: 'a' });
    assert.deepEqual(
      [record.podIP, known.phase.kind, story],
      ['10.0.0.7', 'running', ['Created', 'Started']],
    );
    record.podIP = '10.0.0.8';
    await containers.take({ do: 'start', container: 'a' });
    assert.equal(record.podIP, '10.0.0.8');
  });

  it('waits for what its environment names', async () => {
    const { containers, known, exits } = setUp({
      hasConfig: false,
      container: { envFrom: [{ configMapRef: { name: 'c' } }] },
    });
    await containers.take({ do: 'start', container: 'a' });
    assert.equal(exits.length, 0);
    assert.ok((known.configRetryAt ?? 0) > NOW);
  });
});

describe('a container that ends', () => {
  it('is noted, and wakes the pod', async () => {
    const { containers, known, story, exits } = setUp();
    await containers.take({ do: 'start', container: 'a' });
    assert.equal(containers.areRunning, true);
    exits[0]?.({ exitCode: 3 });
    assert.deepEqual([known.phase.kind, story.at(-1)], ['terminated', 'ended a']);
    assert.equal(containers.areRunning, false);
  });

  it('after another one took its place concerns nobody', async () => {
    const { containers, known, story, exits } = setUp();
    await containers.take({ do: 'start', container: 'a' });
    await containers.take({ do: 'start', container: 'a' });
    exits[0]?.({ exitCode: 3 });
    assert.equal(known.phase.kind, 'running');
    assert.equal(story.includes('ended a'), false);
  });
});

describe('stopping a container', () => {
  it('makes it unready at once, with the time by which it has ended', async () => {
    const { containers, known, story } = setUp({ state: 'run!' });
    await containers.take({ do: 'stop', container: 'a', graceMs: 5000 });
    assert.ok(known.phase.kind === 'running');
    assert.deepEqual([known.phase.stopAt, known.isReady], [NOW + 5000, false]);
    assert.deepEqual(story, ['Killing', 'stop in 5000']);
  });

  it('without grace is what a pod that is gone gets', () => {
    const { containers, story } = setUp({ state: 'run!' });
    containers.kill();
    assert.deepEqual(story, ['stop in 0']);
  });
});

describe('a probe', () => {
  const rows: readonly [
    rule: string,
    kind: 'startup' | 'readiness' | 'liveness',
    isSuccess: boolean,
    container: Partial<Container>,
    then: { isReady: boolean; isStarted: boolean; story: string[] },
  ][] = [
    [
      'for readiness that passes makes it ready',
      'readiness',
      true,
      { readinessProbe: {} },
      { isReady: true, isStarted: false, story: [] },
    ],
    [
      'for readiness that fails takes that back, and stops nothing',
      'readiness',
      false,
      { readinessProbe: { failureThreshold: 1 } },
      { isReady: false, isStarted: false, story: ['Unhealthy'] },
    ],
    [
      'for startup that passes makes a container without a readiness probe ready',
      'startup',
      true,
      { startupProbe: {} },
      { isReady: true, isStarted: true, story: [] },
    ],
    [
      'for startup that passes leaves readiness to its own probe',
      'startup',
      true,
      { startupProbe: {}, readinessProbe: {} },
      { isReady: false, isStarted: true, story: [] },
    ],
    [
      'for liveness that fails too often stops it, with the grace of the pod',
      'liveness',
      false,
      { livenessProbe: { failureThreshold: 1 } },
      { isReady: false, isStarted: false, story: ['Unhealthy', 'Killing', 'stop in 30000'] },
    ],
    [
      'for liveness that has a grace of its own stops it with that',
      'liveness',
      false,
      { livenessProbe: { failureThreshold: 1, terminationGracePeriodSeconds: 2 } },
      { isReady: false, isStarted: false, story: ['Unhealthy', 'Killing', 'stop in 2000'] },
    ],
    [
      'for liveness that fails once of three times changes nothing',
      'liveness',
      false,
      { livenessProbe: {} },
      { isReady: false, isStarted: false, story: ['Unhealthy'] },
    ],
  ];
  for (const [rule, kind, isSuccess, container, wanted] of rows)
    it(rule, async () => {
      const { containers, known, story } = setUp({ state: 'run', container, probe: { isSuccess } });
      await containers.take({ do: 'probe', container: 'a', kind });
      assert.deepEqual({ isReady: known.isReady, isStarted: known.isStarted, story }, wanted);
    });
});

describe('a container that an agent before this one has started', () => {
  const status = {
    startTime: '2026-01-01T00:00:00Z',
    containerStatuses: [
      {
        name: 'a',
        image: 'x',
        imageID: 'x',
        ready: true,
        started: true,
        restartCount: 0,
        containerID: 'test://9',
        state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
      },
    ],
  };

  it('runs on, and is as ready as it was until its probes say otherwise', async () => {
    const { containers, known } = setUp({ status, isThere: true, container: { readinessProbe: {} } });
    await containers.restore();
    assert.deepEqual([known.phase.kind, known.isStarted, known.isReady], ['running', true, true]);
  });

  it('has ended when the runtime does not know it', async () => {
    const { containers, known } = setUp({ status });
    await containers.restore();
    assert.deepEqual([known.phase.kind, containers.areRunning], ['terminated', false]);
  });
});
