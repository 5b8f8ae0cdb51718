import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findCondition, formatTime } from '@windlass/apimachinery';
import type { PodSpec } from '@windlass/apimachinery/api/core/v1';
import { podPhase } from './pod-phase.ts';
import type { PodRecord } from './pod-record.ts';
import { podStatus, statusPatch } from './pod-status.ts';
import { isRestarted } from './restart-policy.ts';
import { type Known, NOW, testPod, testRecord } from './testing.ts';

const init = { name: 'i', image: 'x' };
const side = { name: 's', image: 'x', restartPolicy: 'Always' };
const two: PodSpec['containers'] = [
  { name: 'a', image: 'x' },
  { name: 'b', image: 'x' },
];

describe('the phase', () => {
  const rows: readonly (readonly [
    Partial<PodSpec>,
    Readonly<Record<string, Known>>,
    phase: string,
    ending: string,
    more?: Partial<PodRecord>,
  ])[] = [
    [{}, { a: 'new' }, 'Pending', 'Failed'],
    [{}, { a: 'run' }, 'Running', 'Running'],
    [{ containers: two }, { a: 'run!', b: 'new' }, 'Pending', 'Running'],
    [{ containers: two }, { a: 'run!', b: 'wait 1' }, 'Running', 'Running'],
    [{}, { a: 'wait 1' }, 'Running', 'Failed'],
    [{}, { a: 0 }, 'Running', 'Succeeded'],
    [{ restartPolicy: 'Never' }, { a: 0 }, 'Succeeded', 'Succeeded'],
    [{ restartPolicy: 'Never' }, { a: 1 }, 'Failed', 'Failed'],
    [{ restartPolicy: 'OnFailure' }, { a: 1 }, 'Running', 'Failed'],
    [{ restartPolicy: 'OnFailure', containers: two }, { a: 0, b: 1 }, 'Running', 'Failed'],
    [{ restartPolicy: 'Never', containers: two }, { a: 0, b: 1 }, 'Failed', 'Failed'],
    [{ restartPolicy: 'Never', containers: two }, { a: 0, b: 'run!' }, 'Running', 'Running'],
    [{ initContainers: [init] }, { i: 'run', a: 'new' }, 'Pending', 'Pending'],
    [{ initContainers: [init] }, { i: 'wait 1', a: 'new' }, 'Pending', 'Failed'],
    [{ restartPolicy: 'Never', initContainers: [init] }, { i: 1, a: 'new' }, 'Failed', 'Failed'],
    [
      { restartPolicy: 'Never', initContainers: [side] },
      { s: 'run!', a: 0 },
      'Running',
      'Running',
      { isInitialized: true },
    ],
    [
      { restartPolicy: 'Never', initContainers: [side] },
      { s: 143, a: 0 },
      'Succeeded',
      'Succeeded',
      { isInitialized: true },
    ],
  ];
  for (const [spec, known, phase, ending, more] of rows)
    it(`of ${JSON.stringify(known)} under ${spec.restartPolicy ?? 'Always'} is ${phase}, and at the end ${ending}`, () => {
      const pod = testPod(spec);
      const record = testRecord(pod, known, more);
      assert.deepEqual([podPhase(pod, record, false), podPhase(pod, record, true)], [phase, ending]);
    });
});

describe('restarts', () => {
  const rule = (operator: string, ...values: number[]) => ({
    restartPolicyRules: [{ action: 'Restart', exitCodes: { operator, values } }],
  });
  for (const [what, policy, container, role, code, expected] of [
    ['Always', 'Always', {}, 'main', 0, true],
    ['Never', 'Never', {}, 'main', 1, false],
    ['OnFailure after 0', 'OnFailure', {}, 'main', 0, false],
    ['OnFailure after 1', 'OnFailure', {}, 'main', 1, true],
    ['an init container after 0', 'Always', {}, 'init', 0, false],
    ['a sidecar in a pod that is Never', 'Never', {}, 'sidecar', 0, true],
    [
      'the container that says otherwise than its pod',
      'Never',
      { restartPolicy: 'OnFailure' },
      'main',
      1,
      true,
    ],
    ['a rule that names the code', 'Never', { restartPolicy: 'Never', ...rule('In', 42) }, 'main', 42, true],
    ['a rule that names another', 'Never', { restartPolicy: 'Never', ...rule('In', 42) }, 'main', 1, false],
    ['a rule for all but one', 'Never', { restartPolicy: 'Never', ...rule('NotIn', 42) }, 'main', 1, true],
  ] as const)
    it(`${expected ? 'happen' : 'do not happen'}: ${what}`, () =>
      assert.equal(
        isRestarted(testPod({ restartPolicy: policy }), { name: 'a', ...container }, role, code),
        expected,
      ));
});

describe('the status', () => {
  const at = (ms: number) => ({ hostIP: '172.30.0.1', now: NOW + ms });

  it('moves the time of a condition only with its status', () => {
    const pod = testPod({ containers: two });
    const first = podStatus(pod, testRecord(pod, { a: 'run!', b: 'run' }), at(0));
    const second = podStatus(pod, testRecord(pod, { a: 'run', b: 'run' }, { written: first }), at(5000));
    const ready = findCondition(second.conditions, 'Ready');
    assert.equal(ready?.message, 'containers with unready status: [a b]');
    assert.equal(ready.lastTransitionTime, formatTime(NOW));
    const third = podStatus(pod, testRecord(pod, { a: 'run!', b: 'run!' }, { written: second }), at(9000));
    assert.equal(findCondition(third.conditions, 'Ready')?.lastTransitionTime, formatTime(NOW + 9000));
  });

  it('waits for readiness gates', () => {
    const gates = { readinessGates: [{ conditionType: 'lb/ready' }] };
    const pod = testPod(gates);
    const message = (status?: string) => {
      const seen = {
        ...pod,
        status: { conditions: status === undefined ? [] : [{ type: 'lb/ready', status }] },
      };
      const { conditions } = podStatus(seen, testRecord(seen, { a: 'run!' }), at(0));
      assert.equal(findCondition(conditions, 'ContainersReady')?.status, 'True');
      return findCondition(conditions, 'Ready')?.message;
    };
    assert.equal(message(), 'corresponding condition of pod readiness gate "lb/ready" does not exist.');
    assert.equal(message('False'), 'the status of pod readiness gate "lb/ready" is not "True", but False');
    assert.equal(message('True'), undefined);
  });

  it('never takes back that a pod has ended', () => {
    const pod = testPod();
    const { phase } = podStatus(pod, testRecord(pod, { a: 'run!' }, { written: { phase: 'Failed' } }), at(0));
    assert.equal(phase, 'Failed');
  });

  it('without conditions is patched without them', () => {
    assert.deepEqual(statusPatch({}, { phase: 'Failed' }), { phase: 'Failed' });
    assert.equal(statusPatch({ phase: 'Failed' }, { phase: 'Failed' }), undefined);
  });

  it('is patched by what is new alone, and takes out what no longer holds', () => {
    const pod = testPod();
    const before = podStatus(pod, testRecord(pod, { a: 'run' }), at(0));
    assert.equal(
      statusPatch(before, podStatus(pod, testRecord(pod, { a: 'run' }, { written: before }), at(9000))),
      undefined,
    );
    const after = podStatus(pod, testRecord(pod, { a: 'run!' }, { written: before }), at(9000));
    const patch = statusPatch(before, after) ?? {};
    assert.deepEqual(Object.keys(patch).sort(), ['conditions', 'containerStatuses']);
    const conditions = patch['conditions'] as { type: string; reason: unknown; message: unknown }[];
    assert.deepEqual(
      conditions.map(({ type, reason, message }) => [type, reason, message]),
      [
        ['Ready', null, null],
        ['ContainersReady', null, null],
      ],
    );
  });
});
