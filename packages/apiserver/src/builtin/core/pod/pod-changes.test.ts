// What of a pod may change (ValidatePodUpdate and ValidatePodStatusUpdate of Kubernetes 1.36).
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inDefault, type Json, KindApi } from '../../testing/kind-api.ts';

const api = new KindApi();
const PODS = inDefault('pods');
const pod = (spec: Json): Json => ({ spec: { containers: [{ name: 'c', image: 'i' }], ...spec } });

describe('the time that a pod may run', () => {
  const at = 'spec.activeDeadlineSeconds';
  const rows: readonly (readonly [
    rule: string,
    before: number | undefined,
    now: number | null,
    refusals: readonly string[],
  ])[] = [
    ['may be given later', undefined, 5, []],
    ['may become shorter', 5, 4, []],
    [
      'does not become longer',
      5,
      6,
      [`${at}: Invalid value: 6: must be less than or equal to previous value`],
    ],
    [
      'is not taken back',
      5,
      null,
      [`${at}: Invalid value: null: must not update from a positive integer to nil value`],
    ],
    ['may be the most that 32 bits hold', undefined, 2 ** 31 - 1, []],
    [
      'is no more than 32 bits hold',
      undefined,
      2 ** 31,
      // First as part of any pod, then as a change.
      [
        `${at}: Invalid value: 2147483648: must be between 1 and 2147483647, inclusive`,
        `${at}: Invalid value: 2147483648: must be between 0 and 2147483647, inclusive`,
      ],
    ],
  ];
  for (const [rule, before, now, refusals] of rows)
    it(rule, async () => {
      const path = await api.create(PODS, pod(before === undefined ? {} : { activeDeadlineSeconds: before }));
      assert.deepEqual(await api.changeRefusals(path, { spec: { activeDeadlineSeconds: now } }), refusals);
    });
});

describe('a container that has ended', () => {
  const ended = (exitCode: number): Json => ({ terminated: { exitCode } });
  const running = { running: {} };
  const rows: readonly (readonly [
    rule: string,
    spec: Json,
    statuses: 'containerStatuses' | 'ephemeralContainerStatuses',
    exitCode: number,
    isRefused: boolean,
  ])[] = [
    ['is started again where that is always done', {}, 'containerStatuses', 0, false],
    ['is started again after a failure', { restartPolicy: 'OnFailure' }, 'containerStatuses', 1, false],
    ['is not started again after a success', { restartPolicy: 'OnFailure' }, 'containerStatuses', 0, true],
    [
      'is not started again where that is never done',
      { restartPolicy: 'Never' },
      'containerStatuses',
      1,
      true,
    ],
    ['is not started again when it was added to the pod', {}, 'ephemeralContainerStatuses', 1, true],
  ];
  for (const [rule, spec, field, exitCode, isRefused] of rows)
    it(rule, async () => {
      const path = `${await api.create(PODS, pod(spec))}/status`;
      const one = { name: 'c', image: 'i', imageID: '', ready: false, restartCount: 0 };
      await api.change(path, { status: { [field]: [{ ...one, state: ended(exitCode) }] } });
      assert.deepEqual(
        await api.changeRefusals(path, { status: { [field]: [{ ...one, state: running }] } }),
        isRefused
          ? [`status.${field}[0].state: Forbidden: may not be transitioned to non-terminated state`]
          : [],
      );
    });
});

describe('the claims that were made for a pod', () => {
  const at = 'status.resourceClaimStatuses';
  const rows: readonly (readonly [rule: string, statuses: readonly Json[], refusals: readonly string[]])[] = [
    ['may be named', [{ name: 'gpu', resourceClaimName: 'a' }], []],
    ['may be none where none was needed', [{ name: 'gpu' }], []],
    [
      'are for what the pod asked for',
      [{ name: 'other' }],
      [`${at}[0].name: Invalid value: "other": must match the name of an entry in \`spec.resourceClaims\``],
    ],
    ['are named once', [{ name: 'gpu' }, { name: 'gpu' }], [`${at}[1].name: Duplicate value: "gpu"`]],
  ];
  for (const [rule, statuses, refusals] of rows)
    it(rule, async () => {
      const claims = { resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 't' }] };
      const path = await api.create(PODS, pod(claims));
      const change = { status: { resourceClaimStatuses: statuses } };
      assert.deepEqual(await api.changeRefusals(`${path}/status`, change), refusals);
    });
});
