// What field selectors may ask of the built-in kinds, and what they find. The list is upstream's.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Transport } from '@windlass/apimachinery';
import { ApiServer } from '../api-server.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

let server: ApiServer;
let transport: Transport;
before(async () => {
  server = new ApiServer({ store: createMemoryStore() });
  await server.ready();
  transport = server.transport({ name: 'admin', groups: ['system:masters', 'system:authenticated'] });
});
after(() => server.close());

async function list(path: string, fieldSelector: string): Promise<readonly [number, string]> {
  const { status, body } = await transport.request({ method: 'GET', path, query: { fieldSelector } });
  const { message, items = [] } = body as { message?: string; items?: { metadata: { name: string } }[] };
  return [status, message ?? items.map(({ metadata }) => metadata.name).join(' ')];
}

const REFERENCE = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];
const BOTH = ['metadata.name', 'metadata.namespace'];
const SAYS_ALL = (field: string): string =>
  `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`;
const SAYS = (field: string): string => `field label not supported: ${field}`;

interface Row {
  readonly path: string;
  readonly fields: readonly string[];
  readonly unknown: readonly string[];
  readonly says: (field: string) => string;
}

const ROWS: readonly Row[] = [
  {
    path: '/api/v1/pods',
    fields: [
      ...BOTH,
      'spec.nodeName',
      'spec.host',
      'spec.restartPolicy',
      'spec.schedulerName',
      'spec.serviceAccountName',
      'spec.hostNetwork',
      'status.phase',
      'status.podIP',
      'status.podIPs',
      'status.nominatedNodeName',
    ],
    unknown: ['spec.hostname'],
    says: SAYS,
  },
  {
    path: '/api/v1/nodes',
    fields: ['metadata.name', 'spec.unschedulable'],
    unknown: ['metadata.namespace'],
    says: SAYS,
  },
  {
    path: '/api/v1/namespaces',
    fields: ['metadata.name', 'status.phase'],
    unknown: ['metadata.namespace'],
    says: SAYS,
  },
  { path: '/api/v1/secrets', fields: [...BOTH, 'type'], unknown: ['data'], says: SAYS },
  {
    path: '/api/v1/services',
    fields: [...BOTH, 'spec.clusterIP', 'spec.type'],
    unknown: ['spec.ports'],
    says: SAYS,
  },
  {
    path: '/api/v1/replicationcontrollers',
    fields: [...BOTH, 'status.replicas'],
    unknown: ['spec.replicas'],
    says: SAYS,
  },
  {
    path: '/api/v1/events',
    fields: [
      ...BOTH,
      ...REFERENCE.map((field) => `involvedObject.${field}`),
      'reason',
      'type',
      'source',
      'reportingComponent',
    ],
    unknown: ['regarding.name', 'reportingController'],
    says: SAYS,
  },
  {
    path: '/apis/events.k8s.io/v1/events',
    fields: [
      ...BOTH,
      ...REFERENCE.map((field) => `regarding.${field}`),
      'reason',
      'type',
      'reportingController',
    ],
    unknown: ['involvedObject.name', 'reportingComponent', 'source', 'deprecatedSource'],
    says: SAYS,
  },
  {
    path: '/apis/batch/v1/jobs',
    fields: [...BOTH, 'status.successful'],
    unknown: ['status.failed'],
    says: (field) => `field label "${field}" not supported for Job`,
  },
  {
    path: '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    fields: ['metadata.name', 'spec.signerName'],
    unknown: ['metadata.namespace'],
    says: SAYS,
  },
  {
    path: '/apis/resource.k8s.io/v1/resourceslices',
    fields: ['metadata.name', 'spec.nodeName', 'spec.driver'],
    unknown: ['metadata.namespace'],
    says: (field) => `field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: ${field}`,
  },
  { path: '/api/v1/configmaps', fields: BOTH, unknown: ['data'], says: SAYS_ALL },
  { path: '/api/v1/persistentvolumes', fields: BOTH, unknown: ['spec.claimRef'], says: SAYS_ALL },
  { path: '/apis/apps/v1/deployments', fields: BOTH, unknown: ['status.replicas'], says: SAYS_ALL },
  {
    path: '/apis/networking.k8s.io/v1/ipaddresses',
    fields: BOTH,
    unknown: ['spec.parentRef'],
    says: SAYS_ALL,
  },
];

describe('what field selectors may ask for', () => {
  for (const { path, fields, unknown, says } of ROWS)
    it(path, async () => {
      for (const field of fields) assert.equal((await list(path, `${field}=none`))[0], 200, field);
      for (const field of unknown) {
        const [status, message] = await list(path, `${field}=none`);
        assert.deepEqual([status, message.includes(says(field))], [400, true], message);
      }
    });
});

describe('an event, found by its fields', () => {
  before(async () => {
    const regarding = {
      kind: 'Pod',
      namespace: 'default',
      name: 'web',
      uid: 'u',
      apiVersion: 'v1',
      resourceVersion: '7',
      fieldPath: 'f',
    };
    const common = {
      metadata: { name: 'new' },
      eventTime: '2030-01-01T00:00:00.000000Z',
      action: 'Go',
      reason: 'Done',
      type: 'Normal',
    };
    const path = '/apis/events.k8s.io/v1/namespaces/default/events';
    const body = { ...common, regarding, reportingController: 'example.com/c', reportingInstance: 'c-1' };
    assert.equal((await transport.request({ method: 'POST', path, body })).status, 201);
    const old = {
      metadata: { name: 'old' },
      involvedObject: { ...regarding, name: 'db' },
      source: { component: 'kubelet' },
    };
    const answer = await transport.request({
      method: 'POST',
      path: '/api/v1/namespaces/default/events',
      body: old,
    });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
  });

  const CORE = '/api/v1/events';
  const EVENTS = '/apis/events.k8s.io/v1/events';
  const rows: [path: string, selector: string, names: string][] = [
    [CORE, 'source=example.com/c', 'new'],
    [CORE, 'source=kubelet', 'old'],
    [CORE, 'reportingComponent=example.com/c', 'new'],
    [CORE, 'involvedObject.name=db', 'old'],
    [EVENTS, 'regarding.name=web', 'new'],
    [EVENTS, 'regarding.name=db', 'old'],
    [EVENTS, 'regarding.name!=db', 'new'],
    [EVENTS, 'reportingController=example.com/c', 'new'],
    [EVENTS, 'regarding.kind=Pod,reason=Done,type=Normal', 'new'],
    ...REFERENCE.filter((field) => field !== 'name').map((field): [string, string, string] => [
      EVENTS,
      `regarding.${field}!=`,
      'new old',
    ]),
  ];
  for (const [path, selector, names] of rows)
    it(`${path} ${selector}`, async () => assert.deepEqual(await list(path, selector), [200, names]));
});

describe('a list of everything', () => {
  it('says how many are left after a page, and one of a selection does not', async () => {
    const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
    const left = async (query: Readonly<Record<string, string>>): Promise<unknown> => {
      const { body } = await transport.request({ method: 'GET', path, query: { limit: '1', ...query } });
      const { metadata } = body as { metadata: { continue?: string; remainingItemCount?: number } };
      assert.notEqual(metadata.continue ?? '', '');
      return metadata.remainingItemCount;
    };
    const { body } = await transport.request({ method: 'GET', path });
    assert.equal(await left({}), (body as { items: unknown[] }).items.length - 1);
    assert.equal(await left({ labelSelector: 'kubernetes.io/bootstrapping' }), undefined);
  });
});
