import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Served } from '@windlass/apimachinery';
import { PodDisruptionBudget } from '@windlass/apimachinery/api/policy/v1';
import { served } from '@windlass/apimachinery/testing';
import { PreparedFilters, prepareFilters } from '../framework/filters.ts';
import { DEFAULT_FILTERS } from '../plugins/default-plugins.ts';
import { Nominations } from '../queue/nominations.ts';
import { testNode, testPod, testView } from '../testing.ts';
import { type Candidate, findVictims, pickCandidate } from './victims.ts';

const budget = (app: string, disruptionsAllowed: number): Served<PodDisruptionBudget> =>
  served(PodDisruptionBudget, {
    metadata: { name: app, namespace: 'default' },
    spec: { selector: { matchLabels: { app } } },
    status: { disruptionsAllowed },
  });

function victims(
  pod: ReturnType<typeof testPod>,
  node: ReturnType<typeof testNode>,
  budgets: Served<PodDisruptionBudget>[] = [],
  nominated: ReturnType<typeof testPod>[] = [],
) {
  const prepared = prepareFilters(pod, DEFAULT_FILTERS, testView([node]));
  assert.ok(prepared instanceof PreparedFilters);
  const nominations = new Nominations();
  for (const other of nominated) nominations.set(other, node.name);
  const found = findVictims(pod, node, prepared, nominations, budgets);
  return 'victims' in found
    ? { names: found.victims.map(({ key }) => key.slice(8)), violations: found.violations }
    : found.reasons[0];
}

describe('victims', () => {
  const important = testPod('new', { cpu: '2', priority: 10 });

  it('are as few as can be, and the least important', () => {
    const node = testNode('n', { cpu: '4' }, [
      testPod('a', { cpu: '2', priority: 5 }),
      testPod('b', { cpu: '1', priority: 1 }),
      testPod('c', { cpu: '1', priority: 2 }),
    ]);
    assert.deepEqual(victims(important, node), { names: ['c', 'b'], violations: 0 });
    assert.deepEqual(victims(testPod('new', { cpu: '1', priority: 10 }), node), {
      names: ['b'],
      violations: 0,
    });
  });

  it('are the younger ones among equals', () => {
    const node = testNode('n', { cpu: '2' }, [
      testPod('old', { cpu: '1', startedAt: 1 }),
      testPod('young', { cpu: '1', startedAt: 2 }),
    ]);
    assert.deepEqual(victims(testPod('new', { cpu: '1', priority: 10 }), node), {
      names: ['young'],
      violations: 0,
    });
  });

  it('are not those that a budget protects, while others will do', () => {
    const node = testNode('n', { cpu: '2' }, [
      testPod('kept', { cpu: '1', labels: { app: 'kept' } }),
      testPod('free', { cpu: '1', priority: 5 }),
    ]);
    const one = testPod('new', { cpu: '1', priority: 10 });
    assert.deepEqual(victims(one, node, [budget('kept', 0)]), { names: ['free'], violations: 0 });
    assert.deepEqual(victims(one, node, [budget('kept', 1)]), { names: ['kept'], violations: 0 });
    assert.deepEqual(victims(important, node, [budget('kept', 0)]), {
      names: ['free', 'kept'],
      violations: 1,
    });
  });

  it('are never as important, and never enough when the pod does not fit anyway', () => {
    const equal = testNode('n', { cpu: '2' }, [testPod('p', { cpu: '2', priority: 10 })]);
    assert.equal(victims(important, equal), 'No preemption victims found for incoming pod');
    const small = testNode('n', { cpu: '3' }, [
      testPod('p', { cpu: '2', priority: 10 }),
      testPod('q', { cpu: '500m' }),
    ]);
    assert.equal(victims(important, small), 'Insufficient cpu');
  });

  it('leave the room to those for whom it is made already, if they are as important', () => {
    const node = testNode('n', { cpu: '4' }, [testPod('small', { cpu: '1' })]);
    const other = testPod('other', { cpu: '2', priority: 10 });
    assert.deepEqual(victims(important, node, [], [other]), { names: ['small'], violations: 0 });
    assert.equal(victims(testPod('new', { cpu: '3', priority: 10 }), node, [], [other]), 'Insufficient cpu');
    for (const nobody of [[], [testPod('lesser', { cpu: '2', priority: 9 })], [important]])
      assert.deepEqual(victims(important, node, [], nobody), { names: [], violations: 0 });
  });

  it('include who does not want the pod near', () => {
    const terms = [{ topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'new' } } }];
    const shy = testPod('shy', {
      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
    });
    const pod = testPod('new', { priority: 10, labels: { app: 'new' } });
    assert.deepEqual(victims(pod, testNode('n', {}, [shy, testPod('calm')])), {
      names: ['shy'],
      violations: 0,
    });
  });
});

describe('the choice of a node', () => {
  const candidate = (
    node: string,
    violations: number,
    ...pods: [priority: number, startedAt: number][]
  ): Candidate => ({
    node,
    violations,
    victims: pods.map(([priority, startedAt], index) => testPod(`${node}${index}`, { priority, startedAt })),
  });
  for (const [by, candidates, expected] of [
    ['broken budgets', [candidate('a', 1, [1, 0]), candidate('b', 0, [9, 0])], 'b'],
    ['the most important victim', [candidate('a', 0, [5, 0]), candidate('b', 0, [4, 0], [4, 0])], 'b'],
    ['the sum of priorities', [candidate('a', 0, [5, 0], [3, 0]), candidate('b', 0, [5, 0], [2, 0])], 'b'],
    ['the number of victims', [candidate('a', 0, [5, 0], [5, 0]), candidate('b', 0, [5, 0])], 'b'],
    ['how short they have run', [candidate('a', 0, [5, 1]), candidate('b', 0, [5, 2])], 'b'],
    ['order', [candidate('a', 0, [5, 1]), candidate('b', 0, [5, 1])], 'a'],
  ] as const)
    it(`is by ${by}`, () => assert.equal(pickCandidate(candidates)?.node, expected));
});
