// Whether, and where, pods make room in Kubernetes 1.36 (pkg/scheduler/framework: PodEligibleToPreemptOthers,
// calculateNumCandidates, DryRunPreemption).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Served } from '@windlass/apimachinery';
import { PodDisruptionBudget } from '@windlass/apimachinery/api/policy/v1';
import { served } from '@windlass/apimachinery/testing';
import type { NodeInfo } from '../cache/node-info.ts';
import { type PodInfo, podInfo } from '../cache/pod-info.ts';
import { PreparedFilters, prepareFilters } from '../framework/filters.ts';
import type { Rejection } from '../framework/plugin.ts';
import { DEFAULT_FILTERS } from '../plugins/default-plugins.ts';
import { Nominations } from '../queue/nominations.ts';
import { testNode, testPod, testView } from '../testing.ts';
import { findCandidate, type PreemptionInput } from './find-candidate.ts';

const FULL: Rejection = { plugin: 'NodeResourcesFit', reasons: ['Insufficient cpu'], isUnresolvable: false };
const NEVER: Rejection = { plugin: 'NodeAffinity', reasons: ['no match'], isUnresolvable: true };

const important = testPod('new', { cpu: '2', priority: 10 });

/** On its way out, because it gives way to another. */
function leaving(name: string, priority: number, condition: object = {}): PodInfo {
  const { pod } = testPod(name, { cpu: '2', priority });
  const target = { type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler', ...condition };
  return podInfo({
    ...pod,
    metadata: { ...pod.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
    status: { conditions: [target] },
  });
}

function find(
  nodes: readonly NodeInfo[],
  more: Partial<PreemptionInput> & {
    readonly rejections?: [string, Rejection][];
    readonly nominatedNode?: string;
  } = {},
) {
  const {
    pod = important,
    nominatedNode = '',
    rejections = nodes.map(({ name }): [string, Rejection] => [name, FULL]),
  } = more;
  const prepared = prepareFilters(pod, DEFAULT_FILTERS, testView(nodes));
  assert.ok(prepared instanceof PreparedFilters);
  const nominations = new Nominations();
  nominations.set(pod, nominatedNode);
  const result = findCandidate({
    pod,
    diagnosis: { nodeCount: nodes.length, rejections: new Map(rejections) },
    prepared,
    nodeOf: (name) => nodes.find((node) => node.name === name),
    nominations,
    budgets: [],
    offset: 0,
    ...more,
  });
  return result.kind === 'candidate' ? result.candidate.node : result.message;
}

describe('a pod', () => {
  const node = testNode('n', { cpu: '2' }, [testPod('small', { cpu: '2' })]);
  const full = (...pods: PodInfo[]): NodeInfo =>
    testNode('chosen', { cpu: '4' }, [testPod('small', { cpu: '2' }), ...pods]);
  const TERMINATING = 'not eligible due to a terminating pod on the nominated node.';

  it('makes room where a less important one runs', () => {
    assert.equal(find([node]), 'n');
  });

  it('that preempts nobody makes no room', () => {
    const polite = testPod('new', { cpu: '2', priority: 10, preemptionPolicy: 'Never' });
    assert.equal(find([node], { pod: polite }), 'not eligible due to preemptionPolicy=Never.');
  });

  // While victims end, each further victim would be one too many: the first ones make the room already.
  const rows: [rule: string, other: PodInfo, wanted: string][] = [
    ['waits for a less important one that gives way on its nominated node', leaving('v', 5), TERMINATING],
    ['does not wait for one that is as important', leaving('v', 10), 'chosen'],
    [
      'does not wait for one that ends for another reason',
      leaving('v', 5, { reason: 'DeletionByTaintManager' }),
      'chosen',
    ],
    [
      'does not wait for one that will not be disrupted after all',
      leaving('v', 5, { status: 'False' }),
      'chosen',
    ],
    ['does not wait for one that does not end', testPod('v', { cpu: '2', priority: 5 }), 'chosen'],
  ];
  for (const [rule, other, wanted] of rows)
    it(rule, () => {
      assert.equal(find([full(other)], { nominatedNode: 'chosen' }), wanted);
    });

  it('does not wait on a node that it was not nominated for', () => {
    assert.equal(find([full(leaving('v', 5))]), 'chosen');
    assert.equal(find([full(leaving('v', 5))], { nominatedNode: 'gone' }), 'chosen');
  });

  it('looks again when its nominated node can no longer take it at all', () => {
    const rejections: [string, Rejection][] = [
      ['chosen', NEVER],
      ['n', FULL],
    ];
    assert.equal(find([full(leaving('v', 5)), node], { nominatedNode: 'chosen', rejections }), 'n');
  });
});

describe('no room', () => {
  it('can be made where no removal helps', () => {
    const nodes = [testNode('a'), testNode('b')];
    const rejections = nodes.map(({ name }): [string, Rejection] => [name, NEVER]);
    assert.equal(
      find(nodes, { rejections }),
      '0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
    );
  });

  it('can be made where all are as important, and each node says why', () => {
    const busy = testNode('a', { cpu: '2' }, [testPod('p', { cpu: '2', priority: 10 })]);
    assert.equal(
      find([busy, testNode('b')], {
        rejections: [
          ['a', FULL],
          ['b', NEVER],
        ],
      }),
      '0/2 nodes are available: 1 No preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling.',
    );
  });

  it('can be made when no node was asked about', () => {
    assert.equal(find([testNode('a')], { rejections: [] }), 'Preemption is not helpful for scheduling.');
  });
});

describe('the search', () => {
  const budget: Served<PodDisruptionBudget> = served(PodDisruptionBudget, {
    metadata: { name: 'kept', namespace: 'default' },
    spec: { selector: { matchLabels: { app: 'kept' } } },
    status: { disruptionsAllowed: 0 },
  });
  /** A node whose one victim has this priority: the lowest wins among those that are looked at. */
  const victim = (index: number, priority: number, app = 'free'): NodeInfo =>
    testNode(`n${index}`, { cpu: '2' }, [testPod(`p${index}`, { cpu: '2', priority, labels: { app } })]);
  const nodes = (count: number, best: number): NodeInfo[] =>
    Array.from({ length: count }, (_, index) => victim(index, index === best ? 1 : 5));

  it('ends with the hundredth candidate', () => {
    assert.equal(find(nodes(150, 99)), 'n99');
    assert.equal(find(nodes(150, 100)), 'n0');
  });

  it('begins at the offset, and goes around', () => {
    assert.equal(find(nodes(150, 100), { offset: 100 }), 'n100');
    assert.equal(find(nodes(150, 49), { offset: 100 }), 'n49');
    assert.equal(find(nodes(150, 50), { offset: 100 }), 'n100');
  });

  it('takes a tenth of the nodes that may become a candidate, if that is more', () => {
    assert.equal(find(nodes(1100, 109)), 'n109');
    assert.equal(find(nodes(1100, 110)), 'n0');
    const all = nodes(1100, 105);
    const rejections = all.map(({ name }, index): [string, Rejection] => [name, index < 900 ? FULL : NEVER]);
    assert.equal(find(all, { rejections }), 'n0', 'those that never fit do not count');
  });

  it('goes on while every candidate breaks a budget', () => {
    const kept = Array.from({ length: 120 }, (_, index) => victim(index, 1, 'kept'));
    assert.equal(find([...kept, victim(120, 9)], { budgets: [budget] }), 'n120');
  });

  it('leaves out a node that has gone meanwhile', () => {
    assert.equal(
      find([victim(1, 5)], {
        rejections: [
          ['gone', FULL],
          ['n1', FULL],
        ],
      }),
      'n1',
    );
  });
});
