import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeededRandom } from '@windlass/base';
import type { Fault } from './fault.ts';
import { generatePlan, type PlanGround } from './generate-plan.ts';

const ground: PlanGround = {
  processes: ['operator'],
  nodes: [],
  workloadMs: 1000,
  counts: { operator: { writes: 3, reads: 2 }, user: { writes: 1, reads: 0 } },
};

function faultsOf(more: Partial<PlanGround>): Fault[] {
  const seeds = Array.from({ length: 300 }, (_, seed) => seed);
  return seeds.flatMap((seed) => [...generatePlan(new SeededRandom(seed), { ...ground, ...more })]);
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
  for (const { kind } of faultsOf({ nodes: ['node-1'] })) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  assert.equal(counts.size, 9);
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  assert.equal(most?.[0], 'request');
});

test('only the kinds that are asked for and are possible', () => {
  assert.deepEqual(new Set(faultsOf({ kinds: ['kill', 'node'] }).map(({ kind }) => kind)), new Set(['kill']));
  assert.deepEqual(generatePlan(new SeededRandom(1), { ...ground, kinds: ['node'] }), []);
});
