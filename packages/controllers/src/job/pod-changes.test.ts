// Beside the table of plan.test.ts (how many pods run): the limits of one run, and the waits.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Served } from '@windlass/apimachinery';
import type { Job } from '@windlass/apimachinery/api/batch/v1';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import { isActive } from '../shared/pods.ts';
import { accountOf } from './accounting.ts';
import { indexOf } from './job-pods.ts';
import { failed, indexed, job, NOW, running } from './plan-testing.ts';
import { MAX_PODS_PER_RUN, planPods } from './pod-changes.ts';

const changes = (of: Served<Job>, pods: readonly Served<Pod>[]) => {
  const { drop, create, waitMs } = planPods(of, pods, pods.filter(isActive), accountOf(of, pods), NOW);
  return {
    drop: drop.map(({ metadata }) => metadata.name),
    indexes: create.map((pod) => indexOf(served(Pod, pod))),
    create: create.length,
    waitMs,
  };
};
const many = (count: number): Served<Pod>[] => Array.from({ length: count }, (_, at) => running(`p${at}`));

describe('pods of a job', () => {
  it('come and go in limited numbers a run', () => {
    assert.equal(changes(job({ parallelism: MAX_PODS_PER_RUN + 1 }), []).create, MAX_PODS_PER_RUN);
    assert.equal(changes(job({ parallelism: 0 }), many(MAX_PODS_PER_RUN + 1)).drop.length, MAX_PODS_PER_RUN);
    assert.equal(changes(job({ suspend: true }), many(MAX_PODS_PER_RUN + 1)).drop.length, MAX_PODS_PER_RUN);
  });

  it('wait after a failure, and none comes meanwhile', () => {
    const result = changes(job({ parallelism: 1 }), [failed('a')]);
    assert.ok(result.waitMs > 0);
    assert.equal(result.create, 0);
  });
});

describe('pods of an indexed job', () => {
  it('are for the lowest indexes that nobody works on and that are not over', () => {
    const of = indexed({ parallelism: 3, completions: 6 }, { completedIndexes: '0,3', succeeded: 2 });
    assert.deepEqual(changes(of, [running('a', { index: 1 })]).indexes, [2, 4]);
  });

  it('go when they share an index, have none, or one beyond the end; those that are ready stay', () => {
    const of = indexed({ parallelism: 4, completions: 2 });
    const pods = [
      running('a', { index: 0 }),
      running('b', { index: 0, isReady: true }),
      running('c'),
      running('d', { index: 2 }),
      running('e', { index: 1 }),
    ];
    assert.deepEqual(changes(of, pods).drop.toSorted(), ['a', 'c', 'd']);
  });

  it('wait each for its own index, where each has a limit', () => {
    const of = indexed({ parallelism: 2, completions: 2, backoffLimitPerIndex: 3 });
    const result = changes(of, [failed('a', { index: 0, failures: 0 })]);
    assert.deepEqual(result.indexes, [1]);
    assert.ok(result.waitMs > 0);
  });
});
