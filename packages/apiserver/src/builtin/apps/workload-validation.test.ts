// What deployments, stateful sets and their kin ask of their pods, and what may be said of them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inDefault, type Json, KindApi, testRefusals } from '../testing/kind-api.ts';

const api = new KindApi();
const SELECTED = { selector: { matchLabels: { a: 'b' } } };
const template = (spec: Json = {}): Json => ({
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});
const workload = (spec: Json): Json => ({ spec: { ...SELECTED, template: template(), ...spec } });

for (const [plural, noun] of [
  ['deployments', 'ReplicaSet'],
  ['replicasets', 'ReplicaSet'],
  ['statefulsets', 'StatefulSet'],
  ['daemonsets', 'DaemonSet'],
] as const)
  describe(`a pod of ${plural}`, () => {
    testRefusals(api, inDefault(`apps/v1/${plural}`), (spec) => workload({ template: template(spec) }), [
      ['needs a container', { containers: [] }, ['spec.template.spec.containers: Required value']],
      [
        'runs until somebody stops it',
        { restartPolicy: 'OnFailure', activeDeadlineSeconds: 1 },
        [
          `spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ${noun} is not Supported`,
          'spec.template.spec.restartPolicy: Unsupported value: "OnFailure": supported values: "Always"',
        ],
      ],
    ]);
  });

describe('the steps of a roll-out', () => {
  const strategy = (rollingUpdate: Json): Json =>
    workload({ strategy: { type: 'RollingUpdate', rollingUpdate } });
  const at = 'spec.strategy.rollingUpdate';
  testRefusals(api, inDefault('apps/v1/deployments'), strategy, [
    ['may be all pods at once', { maxUnavailable: '100%', maxSurge: '200%' }, []],
    [
      'take away no more pods than there are',
      { maxUnavailable: '101%' },
      [`${at}.maxUnavailable: Invalid value: "101%": must not be greater than 100%`],
    ],
    [
      'are counts or percentages',
      { maxUnavailable: 'few', maxSurge: -1 },
      [
        `${at}.maxSurge: Invalid value: -1: must be greater than or equal to 0`,
        `${at}.maxUnavailable: Invalid value: "few": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')`,
      ],
    ],
  ]);
});

describe('the status of a workload', () => {
  const MORE = 'cannot be greater than status.replicas';
  const counts = {
    deployments: ['updatedReplicas', 'readyReplicas', 'availableReplicas'],
    replicasets: ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
    statefulsets: ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
  };
  for (const [plural, fields] of Object.entries(counts))
    for (const field of fields)
      it(`has no more ${field} of ${plural} than there are, and none that is negative`, async () => {
        const path = `${await api.create(inDefault(`apps/v1/${plural}`), workload({}))}/status`;
        // Who is available is ready too.
        const status = { replicas: 1, readyReplicas: field === 'availableReplicas' ? 1 : 0 };
        assert.deepEqual(await api.changeRefusals(path, { status: { ...status, [field]: 1 } }), []);
        const tooMany = await api.changeRefusals(path, { status: { ...status, [field]: 2 } });
        assert.equal(tooMany[0], `status.${field}: Invalid value: 2: ${MORE}`);
        const negative = await api.changeRefusals(path, { status: { ...status, [field]: -1 } });
        assert.deepEqual(
          negative[0],
          `status.${field}: Invalid value: -1: must be greater than or equal to 0`,
        );
      });

  it('counts names that were taken, and never backwards', async () => {
    const path = `${await api.create(inDefault('apps/v1/deployments'), workload({}))}/status`;
    await api.change(path, { status: { collisionCount: 2 } });
    assert.deepEqual(await api.changeRefusals(path, { status: { collisionCount: 1 } }), [
      'status.collisionCount: Invalid value: 1: cannot be decremented',
    ]);
  });
});
