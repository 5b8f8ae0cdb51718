import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inDefault, type Json, KindApi } from '../../testing/kind-api.ts';

const api = new KindApi();
const probe = { tcpSocket: { port: 1 } };
const CANNOT = 'Forbidden: cannot be set for an Ephemeral Container';

// It is never restarted and has no share of the pod's resources (allowedEphemeralContainerFields).
describe('a container that is added to a running pod', () => {
  const rows: readonly (readonly [rule: string, container: Json, refusals: readonly string[]])[] = [
    ['needs a name and an image', {}, []],
    ['may look at a container of the pod', { targetContainerName: 'c' }, []],
    [
      'looks at no other',
      { targetContainerName: 'd' },
      ['spec.ephemeralContainers[0].targetContainerName: Not found: "d"'],
    ],
    ['has a name of its own', { name: 'c' }, ['spec.ephemeralContainers[0].name: Duplicate value: "c"']],
    ...(
      [
        ['ports', [{ containerPort: 1 }]],
        ['resources', { requests: { cpu: '1' } }],
        ['livenessProbe', probe],
        ['readinessProbe', probe],
        ['startupProbe', probe],
        ['lifecycle', { preStop: { exec: { command: ['a'] } } }],
        ['resizePolicy', [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }]],
        ['restartPolicy', 'Always'],
      ] as const
    ).map(
      ([field, value]) =>
        [`has no ${field}`, { [field]: value }, [`spec.ephemeralContainers[0].${field}: ${CANNOT}`]] as const,
    ),
    ...(['ports', 'resizePolicy', 'livenessProbe', 'lifecycle'] as const).map(
      (field) =>
        [
          `has no ${field}, not even without anything in it`,
          { [field]: field === 'ports' || field === 'resizePolicy' ? [] : {} },
          [`spec.ephemeralContainers[0].${field}: ${CANNOT}`],
        ] as const,
    ),
    ['may have resources without anything in them', { resources: {} }, []],
    [
      'mounts volumes as a whole',
      { volumeMounts: [{ name: 'v', mountPath: '/v', subPath: 'a' }] },
      [`spec.ephemeralContainers[0].volumeMounts[0].subPath: ${CANNOT}`],
    ],
  ];
  for (const [rule, container, refusals] of rows)
    it(rule, async () => {
      const spec = { containers: [{ name: 'c', image: 'i' }], volumes: [{ name: 'v', emptyDir: {} }] };
      const path = await api.create(inDefault('pods'), { spec });
      const ephemeralContainers = [{ name: 'e', image: 'i', terminationMessagePolicy: 'File', ...container }];
      assert.deepEqual(
        await api.changeRefusals(`${path}/ephemeralcontainers`, { spec: { ephemeralContainers } }),
        refusals,
      );
    });
});
