import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { SeededRandom } from '@windlass/base';
import { checkPlan } from './check-plan.ts';
import { FAULT_KINDS, type Fault, type FaultKind } from './fault.ts';
import { generatePlan, type PlanGround } from './generate-plan.ts';

const ground: PlanGround = {
  processes: ['a', 'b'],
  nodes: ['node-1', 'node-2'],
  drives: ['drive-1', 'drive-2'],
  workloadMs: 5000,
  counts: { a: { writes: 5, reads: 3 }, b: { writes: 0, reads: 0 }, user: { writes: 2, reads: 0 } },
  calls: { a: { rename: 2 }, operator: { rename: 2 } },
};
const SEEDS = Array.from({ length: 2000 }, (_, seed) => seed);
const plans = (of: PlanGround) => SEEDS.map((seed) => generatePlan(new SeededRandom(seed), of));
const kindsOf = (of: PlanGround): Set<FaultKind> =>
  new Set(plans(of).flatMap((plan) => plan.map(({ kind }) => kind)));

describe('plans that seeds make', () => {
  it('pass the check, whatever there is to break', () => {
    for (const of of [
      ground,
      { ...ground, nodes: [] },
      { ...ground, counts: {} },
      { ...ground, workloadMs: 0 },
    ])
      for (const plan of plans(of)) checkPlan(plan, of);
  });

  it('have every kind of fault, with every answer and effect', () => {
    const faults = plans(ground).flat();
    assert.deepEqual(kindsOf(ground), new Set(FAULT_KINDS));
    const answers = new Set(faults.flatMap((fault) => (fault.kind === 'request' ? [fault.answer] : [])));
    assert.equal(answers.size, 7);
    const effects = new Set(faults.flatMap((fault) => (fault.kind === 'watch' ? [fault.effect] : [])));
    assert.deepEqual(effects, new Set(['drop', 'hold', 'compact', 'gap']));
    const whens = faults.flatMap((fault) => ('when' in fault ? [typeof fault.when] : []));
    assert.deepEqual(new Set(whens), new Set(['number', 'object']));
  });

  it('have up to five faults, and sometimes none', () => {
    const lengths = new Set(plans(ground).map(({ length }) => length));
    assert.deepEqual(lengths, new Set([0, 1, 2, 3, 4, 5]));
  });

  it('have only kinds that are wanted and possible', () => {
    assert.deepEqual(kindsOf({ ...ground, kinds: ['kill', 'node'] }), new Set(['kill', 'node']));
    assert.ok(!kindsOf({ ...ground, nodes: [] }).has('node'));
    assert.deepEqual(kindsOf({ ...ground, processes: [] }), new Set(['server', 'node', 'drive']));
    assert.deepEqual(kindsOf({ ...ground, kinds: ['node'], nodes: [] }), new Set());
  });

  it('follow from the seed', () => {
    assert.deepEqual(plans(ground), plans(ground));
  });
});

function faultsOf(more: Partial<PlanGround>): Fault[] {
  const seeds = Array.from({ length: 300 }, (_, seed) => seed);
  return seeds.flatMap((seed) => [
    ...generatePlan(new SeededRandom(seed), {
      ...ground,
      nodes: [],
      drives: [],
      processes: ['operator'],
      ...more,
    }),
  ]);
}

test('watches of one resource fail, and watches of all', () => {
  const watches = faultsOf({ watched: { operator: ['apps', 'configmaps'] }, kinds: ['watch'] });
  const resources = watches.map((fault) => fault.kind === 'watch' && fault.resource);
  assert.deepEqual(new Set(resources), new Set([undefined, 'apps', 'configmaps']));
});

test('who watches one resource, or none that is known, loses all watches at once', () => {
  for (const watched of [{ operator: ['apps'] }, {}])
    for (const fault of faultsOf({ watched, kinds: ['watch'] })) assert.ok(!('resource' in fault));
});

test('requests go wrong most often, and no kind is left out', () => {
  const counts = new Map<string, number>();
  for (const { kind } of faultsOf({ nodes: ['node-1'], drives: ['drive-1'] }))
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  assert.equal(counts.size, FAULT_KINDS.length);
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  assert.equal(most?.[0], 'request');
});
