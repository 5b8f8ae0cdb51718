// What the node lifecycle controller decides, as tables.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatMicroTime, formatTime, type Served } from '@windlass/apimachinery';
import { Lease } from '@windlass/apimachinery/api/coordination/v1';
import { Node, type Taint } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import { DEFAULT_NODE_LIFECYCLE } from '../options/node-lifecycle-options.ts';
import { EvictionQueue } from './eviction-queue.ts';
import { judgeHealth, type NodeHealth } from './node-health.ts';
import { withConditionTaints, withEvictionTaint } from './node-taints.ts';
import { judgeZones, zoneOf, zoneState } from './zones.ts';

const BORN = Date.UTC(2026, 0, 1);
const at = (seconds: number): number => BORN + seconds * 1000;

interface NodeParts {
  readonly ready?: string;
  readonly heartbeat?: number;
  readonly conditions?: Record<string, string>;
  readonly taints?: Taint[];
  readonly unschedulable?: boolean;
  readonly labels?: Record<string, string>;
}
function node({
  ready,
  heartbeat = 0,
  conditions = {},
  taints = [],
  unschedulable = false,
  labels = {},
}: NodeParts): Served<Node> {
  const all = { ...(ready !== undefined && { Ready: ready }), ...conditions };
  return served(Node, {
    metadata: { name: 'n', creationTimestamp: formatTime(BORN), labels },
    spec: { taints, ...(unschedulable && { unschedulable }) },
    status: {
      conditions: Object.entries(all).map(([type, status]) => ({
        type,
        status,
        lastHeartbeatTime: formatTime(at(heartbeat)),
      })),
    },
  });
}
const lease = (renewed: number): Served<Lease> =>
  served(Lease, { spec: { renewTime: formatMicroTime(at(renewed)) } });

describe('the health of a node', () => {
  /** Each step is what is seen at a second; the answer is what its readiness is then, written or not. */
  type Step = readonly [second: number, node: NodeParts, leaseAt: number | undefined, wanted: string];
  const rows: readonly [string, readonly Step[]][] = [
    [
      'is what it says while it says it',
      [
        [0, { ready: 'True' }, undefined, 'True'],
        [40, { ready: 'True', heartbeat: 40 }, undefined, 'True'],
        [80, { ready: 'False', heartbeat: 80 }, undefined, 'False'],
      ],
    ],
    [
      'is unknown after it was silent for fifty seconds',
      [
        [0, { ready: 'True' }, undefined, 'True'],
        [50, { ready: 'True' }, undefined, 'True'],
        [51, { ready: 'True' }, undefined, 'Unknown!'],
      ],
    ],
    [
      'is known by its lease alone',
      [
        [0, { ready: 'True' }, 0, 'True'],
        [45, { ready: 'True' }, 40, 'True'],
        [90, { ready: 'True' }, 80, 'True'],
        [141, { ready: 'True' }, 80, 'Unknown!'],
      ],
    ],
    [
      'is counted from when this process heard, not by the clock of the node',
      [
        [500, { ready: 'True', heartbeat: -9000 }, -9000, 'True'],
        [550, { ready: 'True', heartbeat: -9000 }, -9000, 'True'],
        [551, { ready: 'True', heartbeat: -9000 }, -9000, 'Unknown!'],
      ],
    ],
    [
      'may take a minute to report for the first time',
      [
        [1, {}, undefined, '-'],
        [60, {}, undefined, '-'],
        [61, {}, undefined, 'Unknown!'],
      ],
    ],
    [
      'is written once',
      [
        [0, { ready: 'False' }, undefined, 'False'],
        [51, { ready: 'False' }, undefined, 'Unknown!'],
        [56, { ready: 'Unknown' }, undefined, 'Unknown'],
      ],
    ],
    [
      'comes back with a report',
      [
        [0, { ready: 'True' }, undefined, 'True'],
        [51, { ready: 'True' }, undefined, 'Unknown!'],
        [90, { ready: 'True', heartbeat: 90 }, undefined, 'True'],
        [140, { ready: 'True', heartbeat: 90 }, undefined, 'True'],
      ],
    ],
  ];
  for (const [what, steps] of rows)
    it(what, () => {
      let before: NodeHealth | undefined;
      for (const [second, parts, leaseAt, wanted] of steps) {
        const seen = leaseAt === undefined ? undefined : lease(leaseAt);
        const report = judgeHealth({
          node: node(parts),
          lease: seen,
          before,
          now: at(second),
          ...DEFAULT_NODE_LIFECYCLE,
        });
        before = report.health;
        const written = report.conditions === undefined ? '' : '!';
        assert.equal(`${report.current ?? '-'}${written}`, wanted, `at ${second} s`);
      }
    });

  it('says why of each condition, and leaves what others report', () => {
    const parts = { ready: 'True', conditions: { DiskPressure: 'False', NetworkUnavailable: 'False' } };
    const before = { heardAt: at(0), ready: node(parts).status?.conditions?.[0], renewedAt: undefined };
    const { conditions } = judgeHealth({
      node: node(parts),
      lease: undefined,
      before,
      now: at(60),
      ...DEFAULT_NODE_LIFECYCLE,
    });
    assert.deepEqual(
      conditions?.map(({ type, status, reason }) => `${type} ${status} ${reason ?? ''}`.trim()),
      [
        'Ready Unknown NodeStatusUnknown',
        'DiskPressure Unknown NodeStatusUnknown',
        'NetworkUnavailable False',
        'MemoryPressure Unknown NodeStatusNeverUpdated',
        'PIDPressure Unknown NodeStatusNeverUpdated',
      ],
    );
  });
});

describe('taints', () => {
  const short = (taints: readonly { key: string; effect: string }[] | undefined): string[] | undefined =>
    taints?.map(({ key, effect }) => `${key.replace('node.kubernetes.io/', '')}:${effect}`);
  const own = (key: string, effect = 'NoSchedule'): Taint => ({ key: `node.kubernetes.io/${key}`, effect });
  const gpu = { key: 'gpu', effect: 'NoSchedule' };

  it('keep new pods away as the conditions have it', () => {
    const rows: readonly [NodeParts, string[] | undefined][] = [
      [{ ready: 'True' }, undefined],
      [{ ready: 'False' }, ['not-ready:NoSchedule']],
      [{ ready: 'Unknown' }, ['unreachable:NoSchedule']],
      [{ ready: 'True', taints: [own('not-ready'), gpu] }, ['gpu:NoSchedule']],
      [{ ready: 'Unknown', taints: [own('not-ready')] }, ['unreachable:NoSchedule']],
      [
        {
          ready: 'True',
          conditions: {
            MemoryPressure: 'True',
            DiskPressure: 'True',
            PIDPressure: 'True',
            NetworkUnavailable: 'True',
          },
        },
        [
          'memory-pressure:NoSchedule',
          'disk-pressure:NoSchedule',
          'pid-pressure:NoSchedule',
          'network-unavailable:NoSchedule',
        ],
      ],
      [{ ready: 'True', conditions: { MemoryPressure: 'Unknown' }, taints: [own('memory-pressure')] }, []],
      [{ ready: 'True', unschedulable: true }, ['unschedulable:NoSchedule']],
      [{ ready: 'True', taints: [own('unschedulable')] }, []],
      [
        { ready: 'False', taints: [own('not-ready', 'NoExecute')] },
        ['not-ready:NoExecute', 'not-ready:NoSchedule'],
      ],
      [{ taints: [own('not-ready')] }, []],
    ];
    for (const [parts, wanted] of rows)
      assert.deepEqual(short(withConditionTaints(node(parts), 'now')), wanted, JSON.stringify(parts));
  });

  it('move pods off a node that is not ready, or cannot be reached', () => {
    const rows: readonly [Taint[], string, string[] | undefined][] = [
      [[], 'True', undefined],
      [[gpu], 'False', ['gpu:NoSchedule', 'not-ready:NoExecute']],
      [[own('not-ready', 'NoExecute')], 'False', undefined],
      [[own('not-ready', 'NoExecute')], 'Unknown', ['unreachable:NoExecute']],
      [
        [own('unreachable', 'NoExecute'), own('not-ready', 'NoExecute')],
        'Unknown',
        ['unreachable:NoExecute'],
      ],
      [[own('unreachable', 'NoExecute'), own('unreachable')], 'True', ['unreachable:NoSchedule']],
    ];
    for (const [taints, readiness, wanted] of rows)
      assert.deepEqual(short(withEvictionTaint(node({ taints }), readiness, 'now')), wanted);
  });
});

describe('zones', () => {
  it('are regions and zones, by the old labels too', () => {
    const zone = (labels: Record<string, string>): string => zoneOf(node({ labels }));
    assert.equal(zone({}), '');
    assert.equal(zone({ 'topology.kubernetes.io/zone': 'a', 'topology.kubernetes.io/region': 'r' }), 'r/a');
    assert.equal(
      zone({ 'failure-domain.beta.kubernetes.io/zone': 'b', 'topology.kubernetes.io/zone': 'a' }),
      '/b',
    );
  });

  it('are well, partly not, or not at all', () => {
    const rows: readonly [ready: number, notReady: number, string][] = [
      [3, 0, 'Normal'],
      [0, 1, 'FullDisruption'],
      [1, 2, 'Normal'],
      [2, 3, 'PartialDisruption'],
      [5, 5, 'Normal'],
      [45, 55, 'PartialDisruption'],
      [0, 0, 'Normal'],
    ];
    for (const [ready, notReady, wanted] of rows)
      assert.equal(zoneState({ ready, notReady }, DEFAULT_NODE_LIFECYCLE), wanted, `${ready}/${notReady}`);
  });

  it('decide how fast pods are moved', () => {
    const rates = (zones: Record<string, [number, number]>) => {
      const counts = new Map(
        Object.entries(zones).map(([zone, [ready, notReady]]) => [zone, { ready, notReady }]),
      );
      const { isTotal, rates: found } = judgeZones(counts, DEFAULT_NODE_LIFECYCLE);
      return [isTotal, ...found.values()];
    };
    assert.deepEqual(rates({ a: [2, 1], b: [3, 0] }), [false, 0.1, 0.1]);
    assert.deepEqual(rates({ a: [2, 3], b: [20, 40] }), [false, 0, 0.01]);
    assert.deepEqual(rates({ a: [0, 3], b: [3, 0] }), [false, 0.1, 0.1]);
    assert.deepEqual(rates({ a: [0, 3], b: [0, 1] }), [true, 0, 0]);
    assert.deepEqual(rates({}), [false]);
  });

  it('let nodes go one after the other', () => {
    const queue = new EvictionQueue(0.1);
    for (const name of ['a', 'b', 'c']) queue.add(name);
    assert.equal(queue.take(0), 'a');
    assert.equal(queue.take(9999), undefined);
    assert.equal(queue.waitMs(4000), 6000);
    queue.delete('b');
    assert.equal(queue.take(10_000), 'c');
    queue.add('d');
    queue.rate = 0;
    assert.equal(queue.waitMs(60_000), Number.POSITIVE_INFINITY);
    queue.rate = 0.01;
    assert.equal(queue.take(60_000), undefined);
    assert.equal(queue.take(110_000), 'd');
  });
});
