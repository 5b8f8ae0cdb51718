import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Taint, Toleration } from '@windlass/apimachinery/api/core/v1';
import { evictionTime, sinceWhen, toleratedMs } from './eviction-time.ts';

const taint = (key: string, value?: string): Taint => ({
  key,
  effect: 'NoExecute',
  ...(value !== undefined && { value }),
});
const exists = (key: string, seconds?: number): Toleration => ({
  key,
  operator: 'Exists',
  effect: 'NoExecute',
  ...(seconds !== undefined && { tolerationSeconds: seconds }),
});

describe('how long a taint is tolerated', () => {
  const rows: readonly [string, readonly Toleration[], number][] = [
    ['not at all without a toleration', [], 0],
    ['not at all by one of another key', [exists('b')], 0],
    ['for ever', [exists('a')], Number.POSITIVE_INFINITY],
    ['for its seconds', [exists('a', 60)], 60_000],
    ['for the least of several', [exists('a', 60), exists('a', 5), exists('a')], 5000],
    ['not at all with none left', [exists('a', 0), exists('a', 60)], 0],
    ['not at all with less than none', [exists('a', -1)], 0],
    ['by one for every key', [{ operator: 'Exists', tolerationSeconds: 7 }], 7000],
  ];
  for (const [what, tolerations, wanted] of rows)
    it(what, () => assert.equal(toleratedMs(taint('a'), tolerations), wanted));
});

describe('when a pod has to go', () => {
  const tolerations = [
    exists('a', 300),
    exists('b', 10),
    exists('node.kubernetes.io/not-ready', 300),
    exists('node.kubernetes.io/unreachable', 300),
  ];
  const timeline = (steps: readonly [at: number, taints: readonly Taint[]][]): number[] => {
    let since: ReadonlyMap<string, number> = new Map();
    return steps.map(([at, taints]) => {
      since = sinceWhen(taints, since, at * 1000);
      return evictionTime(taints, tolerations, since) / 1000;
    });
  };

  it('never without a taint', () => assert.deepEqual(timeline([[0, []]]), [Number.POSITIVE_INFINITY]));

  it('at once when one of several is not tolerated', () =>
    assert.deepEqual(timeline([[5, [taint('a'), taint('c')]]]), [5]));

  it('by the first taint, not by one that comes again', () =>
    assert.deepEqual(
      timeline([
        [0, [taint('a')]],
        [100, [taint('a')]],
      ]),
      [300, 300],
    ));

  it('sooner when a stricter one comes, and as before when it goes', () =>
    assert.deepEqual(
      timeline([
        [0, [taint('a')]],
        [100, [taint('a'), taint('b')]],
        [105, [taint('a')]],
        [200, []],
        [250, [taint('a')]],
      ]),
      [300, 110, 300, Number.POSITIVE_INFINITY, 550],
    ));

  it('the time goes on when a node that is not ready cannot be reached any more', () =>
    assert.deepEqual(
      timeline([
        [0, [taint('node.kubernetes.io/not-ready')]],
        [60, [taint('node.kubernetes.io/unreachable')]],
      ]),
      [300, 300],
    ));
});
