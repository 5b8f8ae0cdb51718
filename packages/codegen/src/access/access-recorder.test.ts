import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiRequest, decodeYamlDocuments, type Transport } from '@windlass/apimachinery';
import { accessOf } from './access.ts';
import { accessManifests } from './access-manifests.ts';
import { AccessRecorder } from './access-recorder.ts';
import { policyRules } from './policy-rules.ts';

const rows: readonly [ApiRequest['method'], string, string | undefined, object?][] = [
  ['GET', '/api/v1/pods', ' pods list'],
  ['GET', '/api/v1/namespaces', ' namespaces list'],
  ['GET', '/api/v1/namespaces/a', ' namespaces get'],
  ['PUT', '/api/v1/namespaces/a/finalize', ' namespaces/finalize update'],
  ['GET', '/api/v1/namespaces/a/pods', 'a pods list'],
  ['GET', '/api/v1/namespaces/a/pods/b', 'a pods get'],
  ['GET', '/api/v1/namespaces/a/pods/b/log', 'a pods/log get'],
  ['POST', '/apis/apps/v1/namespaces/a/deployments', 'a apps deployments create'],
  ['PATCH', '/apis/apps/v1/namespaces/a/deployments/b/status', 'a apps deployments/status patch'],
  [
    'PATCH',
    '/apis/apps/v1/namespaces/a/deployments/b',
    'a apps deployments create,patch',
    { 'content-type': 'application/apply-patch+yaml' },
  ],
  ['DELETE', '/apis/apps/v1/namespaces/a/deployments', 'a apps deployments deletecollection'],
  ['DELETE', '/apis/apps/v1/namespaces/a/deployments/b', 'a apps deployments delete'],
  ['GET', '/apis', undefined],
  ['GET', '/apis/apps/v1', undefined],
  ['GET', '/version', undefined],
];
for (const [method, path, expected, headers] of rows) {
  test(`${method} ${path} needs ${expected ?? 'nothing'}`, () => {
    const found = accessOf(
      { method, path, ...(headers !== undefined && { headers: { ...headers } }) },
      'request',
    );
    const text =
      found &&
      [
        found.namespace ?? '',
        ...(found.group === '' ? [] : [found.group]),
        found.resource,
        found.verbs.join(),
      ].join(' ');
    assert.equal(text, expected);
  });
}

test('rules are completed, merged and sorted', () => {
  const access = (group: string, resource: string, ...verbs: string[]) => ({
    group,
    resource,
    namespace: undefined,
    verbs,
  });
  const wanted = [
    access('apps', 'statefulsets', 'watch'),
    access('apps', 'deployments', 'watch'),
    access('apps', 'deployments', 'watch'),
    access('events.k8s.io', 'events', 'create'),
    access('coordination.k8s.io', 'leases', 'get'),
    access('', 'pods', 'delete'),
  ];
  assert.deepEqual(policyRules(wanted), [
    { apiGroups: [''], resources: ['pods'], verbs: ['delete'] },
    { apiGroups: ['apps'], resources: ['deployments', 'statefulsets'], verbs: ['get', 'list', 'watch'] },
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create', 'get', 'update'] },
    { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
  ]);
  assert.deepEqual(policyRules(wanted.toReversed()), policyRules(wanted));
});

test('objects that are known by name are allowed alone, and their collection with a selector too', () => {
  const group = 'admissionregistration.k8s.io';
  const path = `/apis/${group}/v1/validatingwebhookconfigurations`;
  const accesses = [
    accessOf({ method: 'GET', path: `${path}/a` }, 'request'),
    accessOf({ method: 'GET', path, query: { fieldSelector: 'metadata.name=a' } }, 'watch'),
    accessOf({ method: 'PUT', path: `${path}/b` }, 'request'),
    accessOf({ method: 'GET', path: '/api/v1/namespaces/x/secrets/a' }, 'request'),
    accessOf({ method: 'GET', path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions' }, 'request'),
    accessOf({ method: 'GET', path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/a' }, 'watch'),
    accessOf({ method: 'PUT', path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/a' }, 'request'),
  ].filter((access) => access !== undefined);
  const resources = ['validatingwebhookconfigurations'];
  const definitions = ['customresourcedefinitions'];
  assert.deepEqual(policyRules(accesses), [
    { apiGroups: [''], resources: ['secrets'], verbs: ['get'] },
    { apiGroups: [group], resources, resourceNames: ['a'], verbs: ['get', 'list', 'watch'] },
    { apiGroups: [group], resources, resourceNames: ['b'], verbs: ['update'] },
    {
      apiGroups: ['apiextensions.k8s.io'],
      resources: definitions,
      resourceNames: ['a'],
      verbs: ['get', 'update', 'watch'],
    },
    { apiGroups: ['apiextensions.k8s.io'], resources: definitions, verbs: ['list'] },
  ]);
});

test('what the runtime needs is there although nothing was asked, and merging changes nothing', () => {
  const webhooks = {
    validating: ['op'],
    mutating: ['op'],
    conversion: ['foos.example.com'],
    secret: 'op-webhooks',
  };
  const options = { name: 'op', namespace: 'home', webhooks };
  const text = accessManifests([], options);
  const rules = decodeYamlDocuments(text).flatMap(
    ({ value }) =>
      (value as { rules?: { resources: string[]; resourceNames?: string[]; verbs: string[] }[] }).rules ?? [],
  );
  assert.deepEqual(
    rules.map(
      ({ resources, resourceNames = [], verbs }) =>
        `${resources.join()} ${resourceNames.join()}: ${verbs.join()}`,
    ),
    [
      'mutatingwebhookconfigurations,validatingwebhookconfigurations op: get,list,update,watch',
      'customresourcedefinitions foos.example.com: get,list,update,watch',
      'events : create,patch',
      'secrets : create',
      'secrets op-webhooks: get,update',
      'leases : create,get,update',
    ],
  );
  const recorder = new AccessRecorder();
  assert.deepEqual(recorder.accesses, []);
  assert.equal(recorder.manifests(options), text);
});

test('what is noted becomes an account with roles: everywhere, and at home', async () => {
  const Foo = { group: 'example.com', version: 'v1', kind: 'Foo', plural: 'foos', namespaced: true };
  const recorder = new AccessRecorder({ owners: [Foo] });
  const inner: Transport = {
    request: () => Promise.resolve({ status: 200, headers: {}, body: undefined }),
    watch: () => Promise.resolve({ status: 200, headers: {} }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const transport = recorder.through(inner);
  await transport.watch({ method: 'GET', path: '/apis/example.com/v1/foos' });
  const owner = { apiVersion: 'example.com/v1', kind: 'Foo', name: 'a', uid: 'u', blockOwnerDeletion: true };
  const metadata = { ownerReferences: [owner] };
  await transport.request({ method: 'POST', path: '/api/v1/namespaces/x/pods', body: { metadata } });
  await transport.request({ method: 'GET', path: '/apis/coordination.k8s.io/v1/namespaces/home/leases/a' });
  const text = recorder.manifests({ name: 'foo-operator', namespace: 'home' });
  const objects = decodeYamlDocuments(text).map(({ value }) => value as { kind: string; rules?: unknown });
  assert.deepEqual(
    objects.map(({ kind, rules }) => [kind, rules]),
    [
      ['ServiceAccount', undefined],
      [
        'ClusterRole',
        [
          { apiGroups: [''], resources: ['pods'], verbs: ['create'] },
          { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
          { apiGroups: ['example.com'], resources: ['foos'], verbs: ['get', 'list', 'watch'] },
          { apiGroups: ['example.com'], resources: ['foos/finalizers'], verbs: ['update'] },
        ],
      ],
      ['ClusterRoleBinding', undefined],
      [
        'Role',
        [{ apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create', 'get', 'update'] }],
      ],
      ['RoleBinding', undefined],
    ],
  );
});

test('logs and commands pass, and are noted', async () => {
  const recorder = new AccessRecorder();
  const inner: Transport = {
    request: () => Promise.resolve({ status: 200, headers: {}, body: undefined }),
    watch: () => Promise.resolve({ status: 200, headers: {} }),
    stream: ({ path }) => Promise.resolve({ status: 200, headers: { path } }),
    upgrade: ({ path }) => Promise.resolve({ status: 101, headers: { path } }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const transport = recorder.through(inner);
  const pod = '/api/v1/namespaces/x/pods/web';
  const logs = await transport.stream?.({ method: 'GET', path: `${pod}/log` });
  const exec = await transport.upgrade?.({ method: 'GET', path: `${pod}/exec` });
  assert.equal(logs?.headers['path'], `${pod}/log`);
  assert.equal(exec?.status, 101);
  const text = recorder.manifests({ name: 'a', namespace: 'home' });
  const role = decodeYamlDocuments(text).map(({ value }) => value as { kind: string; rules?: unknown });
  assert.deepEqual(role.find(({ kind }) => kind === 'ClusterRole')?.rules, [
    { apiGroups: [''], resources: ['pods/exec'], verbs: ['create', 'get'] },
    { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
    // What the runtime needs is always there.
    { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
  ]);
});

test('what a transport cannot do, it cannot do through a recorder', () => {
  const transport = new AccessRecorder().through({
    request: () => Promise.resolve({ status: 200, headers: {}, body: undefined }),
    watch: () => Promise.resolve({ status: 200, headers: {} }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
  assert.ok(!('stream' in transport || 'upgrade' in transport));
});
