import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { danglingCondition } from './dangling-condition.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const FOUND = 'This FlowSchema references the PriorityLevelConfiguration object named "a" and it exists';
const MISSING =
  'This FlowSchema references the PriorityLevelConfiguration object named "a" but there is no such object';

describe('the condition Dangling', () => {
  test('is False when the level is there', () => {
    assert.deepEqual(danglingCondition({ schema: {}, levelName: 'a', isDangling: false }, NOW), {
      type: 'Dangling',
      status: 'False',
      reason: 'Found',
      message: FOUND,
      lastTransitionTime: '2026-01-02T03:04:05Z',
    });
  });

  test('is True when it is not', () => {
    const condition = danglingCondition({ schema: {}, levelName: 'a', isDangling: true }, NOW);
    assert.deepEqual(
      [condition?.status, condition?.reason, condition?.message],
      ['True', 'NotFound', MISSING],
    );
  });

  test('stays when it is right, whatever other conditions say', () => {
    const right = { type: 'Dangling', status: 'False', reason: 'Found', message: FOUND };
    const of = (condition: object) =>
      danglingCondition(
        {
          schema: { status: { conditions: [{ type: 'Other' }, condition] } },
          levelName: 'a',
          isDangling: false,
        },
        NOW,
      );
    assert.equal(of(right), undefined);
    assert.notEqual(of({ ...right, status: 'True' }), undefined);
    assert.notEqual(of({ ...right, reason: 'x' }), undefined);
    assert.notEqual(of({ ...right, message: 'x' }), undefined);
  });
});
