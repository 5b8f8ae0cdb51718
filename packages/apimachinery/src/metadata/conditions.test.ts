import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FakeClock } from '@windlass/base';
import type { NodeCondition } from '../generated/api/core/v1.ts';
import type { Condition as StandardCondition } from '../generated/api/meta/v1.ts';
import { deepFreeze } from '../json/deep-freeze.ts';
import { formatTime } from '../time/time.ts';
import {
  type Condition,
  findCondition,
  isConditionFalse,
  isConditionTrue,
  removeCondition,
  setCondition,
} from './conditions.ts';

const clock = new FakeClock();
const NOW = formatTime(clock.now());
const THEN = '2001-01-01T00:00:00Z';
const ready: Condition = {
  type: 'Ready',
  status: 'True',
  reason: 'Up',
  message: 'm',
  lastTransitionTime: THEN,
};
const list = deepFreeze([{ ...ready, type: 'Other' }, ready]) as readonly Condition[];

describe('setting a condition', () => {
  test('that is new puts it last, from now on or from when it says', () => {
    const { conditions, changed } = setCondition<Condition>(undefined, { type: 'A', status: 'True' }, clock);
    assert.equal(changed, true);
    assert.deepEqual(conditions, [{ type: 'A', status: 'True', lastTransitionTime: NOW }]);
    assert.deepEqual(setCondition(undefined, ready, clock).conditions, [ready]);
    assert.equal(setCondition(list, { ...ready, type: 'New' }, clock).conditions.at(-1)?.type, 'New');
  });

  test('that is the same changes nothing, not even the array', () => {
    const result = setCondition(list, { type: 'Ready', status: 'True', reason: 'Up', message: 'm' }, clock);
    assert.deepEqual(result, { conditions: list, changed: false });
    assert.equal(result.conditions, list);
  });

  test('with another status moves the transition time', () => {
    const next: Condition = { type: 'Ready', status: 'False', reason: 'Up', message: 'm' };
    assert.equal(setCondition(list, next, clock).conditions[1]?.lastTransitionTime, NOW);
    const given = setCondition(list, { ...next, lastTransitionTime: '2002-01-01T00:00:00Z' }, clock);
    assert.equal(given.conditions[1]?.lastTransitionTime, '2002-01-01T00:00:00Z');
  });

  for (const change of [{ reason: 'Down' }, { message: 'x' }, { observedGeneration: 3 }])
    test(`with another ${Object.keys(change).join()} keeps the transition time`, () => {
      const next = { ...ready, ...change, lastTransitionTime: NOW };
      const result = setCondition(list, next, clock);
      assert.equal(result.changed, true);
      assert.deepEqual(result.conditions[1], { ...ready, ...change });
      assert.equal(result.conditions[0], list[0]);
    });

  test('that says less takes the rest away', () => {
    const detailed = [{ ...ready, observedGeneration: 4 }];
    const result = setCondition<Condition>(detailed, { type: 'Ready', status: 'True' }, clock);
    assert.deepEqual(result.conditions, [{ type: 'Ready', status: 'True', lastTransitionTime: THEN }]);
  });

  test('keeps fields that only some kinds have', () => {
    const node: NodeCondition[] = [{ ...ready, lastHeartbeatTime: THEN }];
    const result = setCondition<NodeCondition>(node, { type: 'Ready', status: 'False' }, clock);
    assert.equal(result.conditions[0]?.lastHeartbeatTime, THEN);
  });

  test('fits the conditions of every kind', () => {
    const strict: StandardCondition[] = [];
    const next = { type: 'A', status: 'True', reason: 'R', message: '' };
    const { conditions } = setCondition(strict, next, clock);
    const stored: readonly StandardCondition[] = conditions;
    assert.equal(stored[0]?.lastTransitionTime, NOW);
    const undated: NodeCondition[] = [{ type: 'A', status: 'False', lastTransitionTime: null }];
    assert.equal(setCondition(undated, next, clock).conditions[0]?.lastTransitionTime, NOW);
  });

  test('generation 0 is the same as none', () => {
    assert.equal(setCondition(list, { ...ready, observedGeneration: 0 }, clock).changed, false);
  });
});

test('removing a condition', () => {
  const { conditions, changed } = removeCondition(list, 'Ready');
  assert.deepEqual([conditions.map(({ type }) => type), changed], [['Other'], true]);
  assert.deepEqual(removeCondition(list, 'None'), { conditions: list, changed: false });
  assert.deepEqual(removeCondition(undefined, 'None'), { conditions: [], changed: false });
});

test('asking for a condition', () => {
  assert.equal(findCondition(list, 'Ready'), list[1]);
  assert.equal(findCondition(undefined, 'Ready'), undefined);
  const unknown = [{ type: 'A', status: 'Unknown' }];
  assert.deepEqual(
    [isConditionTrue(list, 'Ready'), isConditionTrue(list, 'None'), isConditionTrue(unknown, 'A')],
    [true, false, false],
  );
  assert.deepEqual(
    [isConditionFalse(list, 'Ready'), isConditionFalse(list, 'None'), isConditionFalse(unknown, 'A')],
    [false, false, false],
  );
  assert.equal(isConditionFalse([{ type: 'A', status: 'False' }], 'A'), true);
});
