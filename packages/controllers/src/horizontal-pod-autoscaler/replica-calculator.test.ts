import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatTime } from '@windlass/apimachinery';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import * as fc from 'fast-check';
import { DEFAULT_AUTOSCALER } from '../options/autoscaler-options.ts';
import type { ReadonlyPod } from '../shared/pods.ts';
import type { PodMetrics } from './metrics-reader.ts';
import {
  type PodMetricInput,
  replicasForAverage,
  replicasForShare,
  replicasForUtilization,
  replicasForValue,
} from './replica-calculator.ts';

const NOW = Date.UTC(2026, 0, 1, 12);
const ago = (seconds: number): string => formatTime(NOW - seconds * 1000);

interface PodOptions {
  readonly phase?: string;
  /** Undefined: there is no condition. */
  readonly ready?: 'True' | 'False' | undefined;
  readonly since?: number;
  readonly started?: number;
  readonly isGoing?: boolean;
  readonly request?: string;
}

/** An old pod that works, unless told otherwise. Times are seconds ago. */
const pod = (name: string, options: PodOptions = {}): ReadonlyPod => {
  const { phase = 'Running', since = 3500, started = 3600, isGoing = false, request = '1' } = options;
  const ready = 'ready' in options ? options.ready : 'True';
  return served(Pod, {
    metadata: { name, ...(isGoing && { deletionTimestamp: ago(1) }) },
    spec: { containers: [{ name: 'main', resources: { requests: { cpu: request } } }] },
    status: {
      phase,
      startTime: ago(started),
      conditions:
        ready === undefined ? [] : [{ type: 'Ready', status: ready, lastTransitionTime: ago(since) }],
    },
  });
};
/** In thousandths; the metric is of the minute before now. */
const metrics = (values: Record<string, number>): PodMetrics =>
  new Map(Object.entries(values).map(([name, value]) => [name, { value, timestamp: NOW, windowMs: 60_000 }]));
const input = (pods: readonly ReadonlyPod[], values: Record<string, number>): PodMetricInput => ({
  metrics: metrics(values),
  pods,
  current: pods.length,
  tolerances: { down: 0.1, up: 0.1 },
  now: NOW,
  settings: DEFAULT_AUTOSCALER,
});
const three = ['a', 'b', 'c'].map((name) => pod(name));

interface Row {
  readonly what: string;
  readonly pods: readonly ReadonlyPod[];
  readonly used: Record<string, number>;
  /** In percent. */
  readonly target: number;
  readonly replicas: number;
  readonly utilization?: number;
  readonly resource?: string;
}

const ROWS: readonly Row[] = [
  { what: 'up', pods: three, used: { a: 300, b: 500, c: 700 }, target: 30, replicas: 5, utilization: 50 },
  { what: 'down', pods: three, used: { a: 100, b: 100, c: 100 }, target: 30, replicas: 1, utilization: 10 },
  {
    what: 'within the tolerance nothing',
    pods: three,
    used: { a: 320, b: 330, c: 325 },
    target: 30,
    replicas: 3,
  },
  {
    what: 'just beyond it something',
    pods: three,
    used: { a: 340, b: 340, c: 340 },
    target: 30,
    replicas: 4,
  },
  {
    what: 'up, with one of which nothing is known: as if it were idle',
    pods: [...three, pod('d')],
    used: { a: 900, b: 900, c: 900 },
    target: 30,
    replicas: 9,
  },
  {
    what: 'up, but not when the unknown one would bring it back',
    pods: [...three, pod('d')],
    used: { a: 400, b: 400, c: 400 },
    target: 30,
    replicas: 4,
  },
  {
    what: 'down, with one of which nothing is known: as if it used all that it asks for',
    pods: [...three, pod('d')],
    used: { a: 100, b: 100, c: 100 },
    target: 50,
    replicas: 3,
  },
  {
    what: 'up, with one that waits for a node: as if it were idle',
    pods: [...three, pod('d', { phase: 'Pending', ready: undefined })],
    used: { a: 900, b: 900, c: 900 },
    target: 30,
    replicas: 9,
  },
  {
    what: 'down, with one that waits for a node: as if it were not there',
    pods: [...three, pod('d', { phase: 'Pending', ready: undefined })],
    used: { a: 100, b: 100, c: 100 },
    target: 30,
    replicas: 1,
  },
  {
    what: 'one that goes and one that has failed do not count',
    pods: [...three, pod('d', { isGoing: true }), pod('e', { phase: 'Failed' })],
    used: { a: 600, b: 600, c: 600, d: 0, e: 0 },
    target: 30,
    replicas: 6,
  },
  {
    what: 'a young one that is not ready does not count',
    pods: [...three, pod('d', { started: 60, ready: 'False', since: 60 })],
    used: { a: 100, b: 100, c: 100, d: 9000 },
    target: 30,
    replicas: 1,
  },
  {
    what: 'a young one that was not ready for all of the metric does not count',
    pods: [...three, pod('d', { started: 60, since: 20 })],
    used: { a: 100, b: 100, c: 100, d: 9000 },
    target: 30,
    replicas: 1,
  },
  {
    what: 'a young one that was ready for all of the metric counts',
    pods: [...three, pod('d', { started: 200, since: 100 })],
    used: { a: 100, b: 100, c: 100, d: 900 },
    target: 30,
    replicas: 4,
  },
  {
    what: 'an old one that is not ready any more counts',
    pods: [...three, pod('d', { ready: 'False', since: 60 })],
    used: { a: 600, b: 600, c: 600, d: 600 },
    target: 30,
    replicas: 8,
  },
  {
    what: 'an old one that has never been ready does not count',
    pods: [...three, pod('d', { ready: 'False', since: 3599 })],
    used: { a: 100, b: 100, c: 100, d: 9000 },
    target: 30,
    replicas: 1,
  },
];

describe('the utilization of pods', () => {
  for (const { what, pods, used, target, replicas, utilization } of ROWS)
    it(what, () => {
      const proposal = replicasForUtilization(input(pods, used), 'cpu', undefined, target);
      assert.equal(proposal.replicas, replicas);
      if (utilization !== undefined) assert.equal(proposal.utilization, utilization);
    });

  it('of one container is that of others not', () => {
    const both: ReadonlyPod = {
      ...pod('a'),
      spec: {
        containers: [
          { name: 'main', resources: { requests: { cpu: '1' } } },
          { name: 'other', resources: { requests: { cpu: '4' } } },
        ],
      },
    };
    assert.equal(replicasForUtilization(input([both], { a: 900 }), 'cpu', 'main', 30).utilization, 90);
    assert.throws(() => replicasForUtilization(input([both], { a: 900 }), 'cpu', 'none', 30), {
      message: 'container none not found in Pod a',
    });
  });

  const problems: [what: string, run: () => unknown, message: string][] = [
    [
      'without pods',
      () => replicasForUtilization(input([], { a: 1 }), 'cpu', undefined, 30),
      'no pods returned by selector while calculating replica count',
    ],
    [
      'with none that is ready',
      () => replicasForUtilization(input([pod('a', { phase: 'Pending' })], { a: 1 }), 'cpu', undefined, 30),
      'did not receive metrics for targeted pods (pods might be unready)',
    ],
    [
      'with one that does not say what it needs',
      () => replicasForUtilization(input(three, { a: 1 }), 'memory', undefined, 30),
      'missing request for memory in container main of Pod a',
    ],
  ];
  for (const [what, run, message] of problems)
    it(`cannot be told ${what}`, () => assert.throws(run, { message, code: 'METRICS' }));
});

describe('an average', () => {
  it('is compared with its target', () => {
    assert.deepEqual(
      replicasForAverage(input(three, { a: 10_000, b: 20_000, c: 30_000 }), undefined, 10_000),
      {
        replicas: 6,
        average: 20_000,
        utilization: undefined,
      },
    );
  });

  it('of memory counts young pods as well', () => {
    const young = [...three, pod('d', { started: 10, since: 5 })];
    assert.equal(replicasForAverage(input(young, { a: 1, b: 1, c: 1, d: 9 }), 'memory', 1).replicas, 12);
  });
});

describe('one value', () => {
  const of = (usage: number, target: number, current = 3): number =>
    replicasForValue(usage, target, { pods: three, current, tolerances: { down: 0.1, up: 0.1 } });
  it('asks for more or fewer in its proportion, by the pods that are ready', () => {
    assert.deepEqual([of(20, 10), of(5, 10), of(10.5, 10)], [6, 2, 3]);
    assert.equal(of(25, 10, 0), 3, 'from nothing, as if there were one');
  });

  it('that all share asks for as many as it takes', () => {
    const tolerances = { down: 0.1, up: 0.1 };
    assert.deepEqual(replicasForShare(8600, 2000, 4, tolerances), { replicas: 4, average: 2150 });
    assert.deepEqual(replicasForShare(20_000, 2000, 4, tolerances), { replicas: 10, average: 5000 });
  });
});

it('what is not known never makes a change greater, nor turns it round', () => {
  const values = fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(values, fc.nat(4), fc.integer({ min: 10, max: 100 }), (used, unknown, target) => {
      const known = used.map((_, at) => pod(`p${at}`));
      const record = Object.fromEntries(used.map((value, at) => [`p${at}`, value]));
      const all = [...known, ...Array.from({ length: unknown }, (_, at) => pod(`u${at}`))];
      const sure = replicasForUtilization(input(known, record), 'cpu', undefined, target).replicas;
      const careful = replicasForUtilization(input(all, record), 'cpu', undefined, target).replicas;
      if (sure > known.length)
        assert.ok(careful >= all.length && careful - all.length <= sure - known.length);
      else if (sure < known.length) assert.ok(careful <= all.length);
    }),
  );
});
