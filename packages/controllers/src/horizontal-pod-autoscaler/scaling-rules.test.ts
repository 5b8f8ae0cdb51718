import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HorizontalPodAutoscalerBehavior } from '@windlass/apimachinery/api/autoscaling/v2';
import { DEFAULT_AUTOSCALER } from '../options/autoscaler-options.ts';
import { ScalingHistory } from './scaling-history.ts';
import { applyRules, longestPeriodMs } from './scaling-rules.ts';

const NOW = Date.UTC(2026, 0, 1, 12);

interface Row {
  readonly what: string;
  readonly behavior?: HorizontalPodAutoscalerBehavior;
  readonly current: number;
  readonly proposed: number;
  readonly min?: number;
  readonly max?: number;
  /** Earlier wishes: seconds ago, replicas. */
  readonly wishes?: readonly (readonly [ago: number, replicas: number])[];
  /** Earlier steps: seconds ago, from, to. */
  readonly steps?: readonly (readonly [ago: number, before: number, after: number])[];
  readonly desired: number;
  readonly able?: string;
  readonly limited?: string;
}

const ROWS: readonly Row[] = [
  { what: 'as many as asked', current: 3, proposed: 5, desired: 5, limited: 'DesiredWithinRange' },
  { what: 'not more than twice as many', current: 3, proposed: 9, desired: 6, limited: 'ScaleUpLimit' },
  { what: 'but up to four at once', current: 1, proposed: 9, desired: 4, limited: 'ScaleUpLimit' },
  { what: 'not more than the most', current: 8, proposed: 12, desired: 10, limited: 'TooManyReplicas' },
  {
    what: 'not fewer than the least',
    current: 3,
    proposed: 1,
    min: 2,
    desired: 2,
    limited: 'TooFewReplicas',
  },
  {
    what: 'not fewer than was asked for in the last five minutes',
    current: 8,
    proposed: 2,
    wishes: [
      [400, 9],
      [200, 6],
      [100, 4],
    ],
    desired: 6,
    able: 'ScaleDownStabilized',
  },
  {
    what: 'rules: four more or twice as many, whichever is more',
    behavior: {},
    current: 2,
    proposed: 20,
    max: 100,
    desired: 6,
    limited: 'ScaleUpLimit',
  },
  {
    what: 'rules: the smaller step when told so',
    behavior: {
      scaleUp: {
        selectPolicy: 'Min',
        policies: [
          { type: 'Pods', value: 4, periodSeconds: 60 },
          { type: 'Percent', value: 50, periodSeconds: 60 },
        ],
      },
    },
    current: 4,
    proposed: 20,
    max: 100,
    desired: 6,
    limited: 'ScaleUpLimit',
  },
  {
    what: 'rules: what was done within the period counts',
    behavior: { scaleUp: { policies: [{ type: 'Pods', value: 4, periodSeconds: 60 }] } },
    current: 7,
    proposed: 20,
    max: 100,
    steps: [[30, 4, 7]],
    desired: 8,
    limited: 'ScaleUpLimit',
  },
  {
    what: 'rules: what was done before it does not',
    behavior: { scaleUp: { policies: [{ type: 'Pods', value: 4, periodSeconds: 60 }] } },
    current: 7,
    proposed: 20,
    max: 100,
    steps: [[61, 4, 7]],
    desired: 11,
  },
  {
    what: 'rules: never up when that is disabled',
    behavior: { scaleUp: { selectPolicy: 'Disabled' } },
    current: 3,
    proposed: 9,
    desired: 3,
    limited: 'ScaleUpLimit',
  },
  {
    what: 'rules: down by a share, rounded so that more go',
    behavior: {
      scaleDown: {
        stabilizationWindowSeconds: 0,
        policies: [{ type: 'Percent', value: 10, periodSeconds: 60 }],
      },
    },
    current: 25,
    proposed: 2,
    max: 100,
    desired: 22,
    limited: 'ScaleDownLimit',
  },
  {
    what: 'rules: down by the smaller step when told so',
    behavior: {
      scaleDown: {
        stabilizationWindowSeconds: 0,
        selectPolicy: 'Min',
        policies: [
          { type: 'Percent', value: 50, periodSeconds: 60 },
          { type: 'Pods', value: 1, periodSeconds: 60 },
        ],
      },
    },
    current: 10,
    proposed: 2,
    desired: 9,
    limited: 'ScaleDownLimit',
  },
  {
    what: 'rules: down to the least',
    behavior: { scaleDown: { stabilizationWindowSeconds: 0 } },
    current: 10,
    proposed: 1,
    min: 3,
    desired: 3,
    limited: 'TooFewReplicas',
  },
  {
    what: 'rules: never down when that is disabled',
    behavior: { scaleDown: { stabilizationWindowSeconds: 0, selectPolicy: 'Disabled' } },
    current: 9,
    proposed: 2,
    desired: 9,
    limited: 'ScaleDownLimit',
  },
  {
    what: 'rules: down waits five minutes, unless told otherwise',
    behavior: {},
    current: 9,
    proposed: 2,
    wishes: [[200, 8]],
    desired: 8,
    able: 'ScaleDownStabilized',
  },
  {
    what: 'rules: up waits as well when told so',
    behavior: { scaleUp: { stabilizationWindowSeconds: 60 } },
    current: 3,
    proposed: 9,
    wishes: [
      [90, 1],
      [30, 4],
    ],
    desired: 4,
    able: 'ScaleUpStabilized',
  },
];

describe('what is done of what metrics ask for', () => {
  for (const { what, behavior, current, proposed, min = 1, max = 10, ...row } of ROWS)
    it(what, () => {
      const history = new ScalingHistory();
      for (const [ago, replicas] of row.wishes ?? [])
        history.recommended(replicas, NOW - ago * 1000, Number.POSITIVE_INFINITY);
      for (const [ago, before, after] of row.steps ?? [])
        history.scaled(before, after, NOW - ago * 1000, Number.POSITIVE_INFINITY);
      const output = applyRules({
        behavior,
        current,
        proposed,
        min,
        max,
        history,
        now: NOW,
        settings: DEFAULT_AUTOSCALER,
      });
      assert.equal(output.desired, row.desired);
      assert.equal(output.ableToScale.reason, row.able ?? 'ReadyForNewScale');
      if (row.limited !== undefined) assert.equal(output.scalingLimited.reason, row.limited);
      const isLimited = output.scalingLimited.reason !== 'DesiredWithinRange';
      assert.equal(output.scalingLimited.status, isLimited ? 'True' : 'False');
    });
});

it('wishes and steps are forgotten when no rule looks at them any more', () => {
  const history = new ScalingHistory();
  history.begin(9, NOW - 400_000);
  history.recommended(2, NOW, 300_000);
  assert.equal(history.highestSince(0), 2);
  history.scaled(1, 5, NOW - 100_000, 60_000);
  history.scaled(5, 6, NOW, 60_000);
  assert.equal(history.replicasAt(0, 6), 5);
  assert.equal(
    longestPeriodMs({ scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 90 }] } }),
    90_000,
  );
});
