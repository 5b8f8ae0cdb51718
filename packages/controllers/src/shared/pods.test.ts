import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatTime } from '@windlass/apimachinery';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import { availableInMs, isActive, isTerminal, isTerminating, type ReadonlyPod, readySince } from './pods.ts';

const NOW = Date.UTC(2026, 0, 1, 12);

describe('a pod', () => {
  // As IsPodActive, IsPodTerminating and IsPodTerminal of Kubernetes: what has ended neither counts nor terminates.
  for (const [phase, isDeleted, wanted] of [
    ['Pending', false, 'active'],
    ['Running', false, 'active'],
    ['Unknown', false, 'active'],
    ['Running', true, 'terminating'],
    ['Pending', true, 'terminating'],
    ['Succeeded', false, 'terminal'],
    ['Failed', false, 'terminal'],
    ['Succeeded', true, 'terminal'],
    ['Failed', true, 'terminal'],
  ] as const)
    it(`that is ${phase}${isDeleted ? ' and being deleted' : ''} is ${wanted}`, () => {
      const pod: ReadonlyPod = served(Pod, {
        metadata: { ...(isDeleted && { deletionTimestamp: formatTime(NOW) }) },
        status: { phase },
      });
      const kinds = { active: isActive(pod), terminating: isTerminating(pod), terminal: isTerminal(pod) };
      assert.deepEqual(
        Object.entries(kinds).filter(([, is]) => is),
        [[wanted, true]],
      );
    });
});

describe('a pod becomes available', () => {
  const pod = (status: 'True' | 'False', since?: number): ReadonlyPod =>
    served(Pod, {
      status: {
        conditions: [
          {
            type: 'Ready',
            status,
            ...(since !== undefined && { lastTransitionTime: formatTime(NOW - since * 1000) }),
          },
        ],
      },
    });
  for (const [what, each, minReadySeconds, wanted] of [
    ['at once without a minimum', pod('True'), 0, 0],
    ['when it has been ready for the minimum', pod('True', 10), 10, 0],
    ['in what is left of the minimum', pod('True', 4), 10, 6000],
    ['never when it is not ready', pod('False', 99), 10, Number.POSITIVE_INFINITY],
    ['never when it is not ready, without a minimum', pod('False', 99), 0, Number.POSITIVE_INFINITY],
    ['never when it does not say since when it is ready', pod('True'), 10, Number.POSITIVE_INFINITY],
    ['never without a status', served(Pod, {}), 10, Number.POSITIVE_INFINITY],
  ] as const)
    it(what, () => {
      assert.equal(availableInMs(each, minReadySeconds, NOW), wanted);
    });

  it('is ready since the last change, if it is ready', () => {
    assert.deepEqual([readySince(pod('True', 5)), readySince(pod('False', 5))], [NOW - 5000, undefined]);
  });
});
