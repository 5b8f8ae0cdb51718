// What each kind refuses, as a client sees it. The rest is held against a real server: tests/real/differential.real.ts.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ApiServer } from '../../api-server.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';

const server = new ApiServer({ store: createMemoryStore() });
after(() => server.close());

type Json = Record<string, unknown>;

const pod = (spec: Json): Json => ({
  kind: 'Pod',
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});
const container = (more: Json): Json => pod({ containers: [{ name: 'c', image: 'i', ...more }] });
const template = {
  metadata: { labels: { a: 'b' } },
  spec: { restartPolicy: 'Always', containers: [{ name: 'c', image: 'i' }] },
};
const deployment = (spec: Json): Json => ({
  kind: 'Deployment',
  spec: { selector: { matchLabels: { a: 'b' } }, template, ...spec },
});

/** The kind, the object, and all that is wrong with it. */
const ROWS: readonly (readonly [kind: string, object: Json, messages: readonly string[]])[] = [
  ['/v1/Pod', pod({}), []],
  ['/v1/Pod', pod({ containers: [] }), ['spec.containers: Required value']],
  [
    '/v1/Pod',
    pod({ initContainers: [{ name: 'c', image: 'i' }] }),
    ['spec.initContainers[0].name: Duplicate value: "c"'],
  ],
  [
    '/v1/Pod',
    container({ volumeMounts: [{ name: 'v', mountPath: '/v' }] }),
    ['spec.containers[0].volumeMounts[0].name: Not found: "v"'],
  ],
  [
    '/v1/Pod',
    container({ ports: [{ containerPort: 70_000 }] }),
    [
      'spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
    ],
  ],
  [
    '/v1/Pod',
    container({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }),
    [
      'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
    ],
  ],
  [
    '/v1/Pod',
    container({ imagePullPolicy: 'Often' }),
    [
      'spec.containers[0].imagePullPolicy: Unsupported value: "Often": supported values: "Always", "IfNotPresent", "Never"',
    ],
  ],
  ['apps/v1/Deployment', deployment({}), []],
  [
    'apps/v1/Deployment',
    deployment({ replicas: -1 }),
    ['spec.replicas: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'apps/v1/Deployment',
    deployment({ selector: { matchLabels: { a: 'x' } } }),
    ['spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`'],
  ],
  [
    'apps/v1/Deployment',
    deployment({ template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } }),
    ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'],
  ],
  [
    'batch/v1/Job',
    { kind: 'Job', spec: { template } },
    ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
  ],
  ['/v1/Service', { kind: 'Service', spec: { type: 'ClusterIP' } }, ['spec.ports: Required value']],
  [
    '/v1/Service',
    { kind: 'Service', spec: { ports: [{ port: 1 }, { port: 2 }] } },
    ['spec.ports[0].name: Required value', 'spec.ports[1].name: Required value'],
  ],
  [
    '/v1/PersistentVolumeClaim',
    {
      kind: 'PersistentVolumeClaim',
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '0' } } },
    },
    ['spec.resources[storage]: Invalid value: "0": must be greater than zero'],
  ],
  [
    'policy/v1/PodDisruptionBudget',
    { kind: 'PodDisruptionBudget', spec: { minAvailable: 1, maxUnavailable: 1 } },
    [
      'spec: Invalid value: {"minAvailable":1,"maxUnavailable":1}: minAvailable and maxUnavailable cannot be both set',
    ],
  ],
];

const PLURALS: Readonly<Record<string, string>> = {
  '/v1/Pod': '/api/v1/namespaces/default/pods',
  '/v1/Service': '/api/v1/namespaces/default/services',
  '/v1/PersistentVolumeClaim': '/api/v1/namespaces/default/persistentvolumeclaims',
  'apps/v1/Deployment': '/apis/apps/v1/namespaces/default/deployments',
  'batch/v1/Job': '/apis/batch/v1/namespaces/default/jobs',
  'policy/v1/PodDisruptionBudget': '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
};

interface Refusal {
  readonly details?: { readonly causes?: readonly { readonly field: string; readonly message: string }[] };
}

for (const [kind, object, messages] of ROWS) {
  test(`${kind}: ${messages.join(' and ') || 'nothing is wrong'}`, async () => {
    const body = { ...object, metadata: { name: 'x' } };
    const query = { dryRun: 'All' };
    const path = PLURALS[kind] ?? '';
    const answer = await server.transport().request({ method: 'POST', path, body, query });
    const causes = (answer.body as Refusal).details?.causes ?? [];
    assert.deepEqual(
      causes.map(({ field, message }) => `${field}: ${message}`),
      messages,
    );
    assert.equal(answer.status, messages.length === 0 ? 201 : 422);
  });
}
