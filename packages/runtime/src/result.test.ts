import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkedResult, NO_RESULT } from './result.ts';

const OTHERWISE = 'return nothing, or an object with requeueAfterMs, requeue or priority';

it('is nothing, or what may be asked for', () => {
  for (const nothing of [undefined, null, {}]) assert.deepEqual(checkedResult(nothing), NO_RESULT);
  const asked = { requeueAfterMs: 5, requeue: true, priority: 1 };
  assert.deepEqual(checkedResult(asked), asked);
});

it('is never ignored where it means nothing', () => {
  const rows: [outcome: unknown, said: string][] = [
    [
      { requeueAfter: '5m' },
      'an object with requeueAfter, which is called requeueAfterMs here and is a number of milliseconds',
    ],
    [
      { RequeueAfter: 5 },
      'an object with RequeueAfter, which is called requeueAfterMs here and is a number of milliseconds',
    ],
    [{ apiVersion: 'v1', kind: 'Pod', metadata: {}, spec: {} }, 'an object with apiVersion, kind, metadata'],
    [{ requeueAfterMs: '5' }, 'a requeueAfterMs of "5" (string)'],
  ];
  for (const [outcome, said] of rows)
    assert.throws(() => checkedResult(outcome), { message: `the reconciler returned ${said}; ${OTHERWISE}` });
});
