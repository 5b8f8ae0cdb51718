import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Pod, Service } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import { TriggerTimes } from './trigger-times.ts';

const at = (second: number): string => `2026-01-01T00:00:0${second}Z`;
const service = (created: number) =>
  served(Service, { metadata: { name: 'web', creationTimestamp: at(created) } });
const pod = (name: string, readySince?: number) =>
  served(Pod, {
    metadata: { name },
    status: {
      conditions:
        readySince === undefined
          ? []
          : [{ type: 'Ready', status: 'True' as const, lastTransitionTime: at(readySince) }],
    },
  });

describe('the time of the oldest change that is not published yet', () => {
  for (const [what, looks] of [
    ['is when the service was made, at the first look', [[service(1), [pod('a', 3)], at(1)]]],
    [
      'is when a pod became ready, afterwards',
      [
        [service(1), [], at(1)],
        [service(1), [pod('a', 3)], at(3)],
      ],
    ],
    [
      'is the oldest of several',
      [
        [service(1), [], at(1)],
        [service(1), [pod('a', 5), pod('b', 4)], at(4)],
      ],
    ],
    [
      'is none when nothing changed',
      [
        [service(1), [pod('a', 3)], at(1)],
        [service(1), [pod('a', 3)], undefined],
      ],
    ],
    [
      'is none for a pod that was never ready, nor for one that goes',
      [
        [service(1), [pod('a', 3)], at(1)],
        [service(1), [pod('b')], undefined],
      ],
    ],
    [
      'is when a service of the same name was made anew',
      [
        [service(1), [pod('a', 3)], at(1)],
        [service(5), [pod('a', 3)], at(5)],
      ],
    ],
  ] as const)
    it(what, () => {
      const times = new TriggerTimes();
      for (const [seen, pods, expected] of looks) assert.equal(times.next('web', seen, pods), expected);
    });

  it('is that of the service again once it was forgotten', () => {
    const times = new TriggerTimes();
    times.next('web', service(1), []);
    times.forget('web');
    assert.equal(times.next('web', service(1), []), at(1));
  });
});
