// Who may do what, through the whole server in process.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ApiResponse, Status } from '@windlass/apimachinery';
import { type RunningCluster, startCluster } from '@windlass/cluster';
import type { UserInfo } from './user.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const jane: UserInfo = { name: 'jane', groups: ['system:authenticated'] };

let cluster: RunningCluster;
before(async () => {
  cluster = await startCluster();
});
after(() => cluster.stop());

type Body = Readonly<Record<string, unknown>>;
const call = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: Body,
  { user, headers }: { user?: UserInfo; headers?: Record<string, string> } = {},
): Promise<ApiResponse> =>
  cluster.transport(user).request({
    method,
    path,
    ...(body !== undefined && { body }),
    ...(headers !== undefined && { headers }),
  });
const create = async (path: string, body: Body, user?: UserInfo): Promise<ApiResponse> =>
  call('POST', path, body, user === undefined ? {} : { user });
const messageOf = ({ body }: ApiResponse): string => (body as Status).message ?? '';
const made = async (path: string, body: Body): Promise<ApiResponse> => {
  const answer = await create(path, body);
  assert.equal(answer.status, 201, messageOf(answer));
  return answer;
};
/** Roles count a moment after they are written. */
const eventually = async (ask: () => Promise<ApiResponse>, status: number): Promise<ApiResponse> => {
  for (let turn = 0; ; turn++) {
    const answer = await ask();
    if (answer.status === status || turn === 100) return answer;
    await new Promise((resolve) => setImmediate(resolve));
  }
};
const bind = (user: string, role: string): Body => ({
  metadata: { name: `${user}-${role}` },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
  subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: user }],
});
const container = { name: 'main', image: 'example.invalid/none' };
const pod = (name: string, spec: Body = {}): Body => ({
  metadata: { name },
  spec: { containers: [container], ...spec },
});

describe('roles', () => {
  test('nobody may anything that is not granted, and is told what', async () => {
    const answer = await call('GET', '/api/v1/namespaces/default/pods', undefined, { user: jane });
    assert.equal(answer.status, 403);
    assert.equal(
      messageOf(answer),
      'pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "default"',
    );
  });

  test('view lets read in its namespace only, without secrets', async () => {
    await made(`${RBAC}/namespaces/default/rolebindings`, bind('viewer', 'view'));
    const user = { name: 'viewer', groups: ['system:authenticated'] };
    const list = (path: string) => () => call('GET', path, undefined, { user });
    assert.equal((await eventually(list('/api/v1/namespaces/default/pods'), 200)).status, 200);
    assert.equal((await list('/api/v1/namespaces/kube-system/pods')()).status, 403);
    assert.equal((await list('/api/v1/namespaces/default/secrets')()).status, 403);
  });

  test('an aggregated role takes in a new one by its label', async () => {
    await made(`${RBAC}/clusterroles`, {
      metadata: { name: 'more', labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
      rules: [{ apiGroups: ['example.org'], resources: ['widgets'], verbs: ['get'] }],
    });
    const has = async (): Promise<ApiResponse> => {
      const answer = await call('GET', `${RBAC}/clusterroles/admin`);
      const { rules } = answer.body as { rules: { apiGroups?: string[] }[] };
      return {
        ...answer,
        status: rules.some(({ apiGroups }) => apiGroups?.includes('example.org')) ? 200 : 404,
      };
    };
    assert.equal((await eventually(has, 200)).status, 200);
  });
});

describe('escalation', () => {
  const user: UserInfo = { name: 'boss', groups: ['system:authenticated'] };
  before(async () => {
    await made(`${RBAC}/namespaces/default/rolebindings`, bind('boss', 'admin'));
    const ask = () => call('GET', '/api/v1/namespaces/default/pods', undefined, { user });
    assert.equal((await eventually(ask, 200)).status, 200);
  });

  test('grants what one has, and nothing more', async () => {
    const roles = `${RBAC}/namespaces/default/roles`;
    const role = (name: string, resource: string): Body => ({
      metadata: { name },
      rules: [{ apiGroups: [''], resources: [resource], verbs: ['get'] }],
    });
    assert.equal((await create(roles, role('fine', 'pods'), user)).status, 201);
    const refused = await create(roles, role('too-much', 'nodes'), user);
    assert.equal(refused.status, 403);
    assert.equal(
      messageOf(refused),
      'roles.rbac.authorization.k8s.io "too-much" is forbidden: user "boss" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["nodes"], Verbs:["get"]}',
    );
  });

  test('binds no role that holds more, and none that is not there', async () => {
    const bindings = `${RBAC}/namespaces/default/rolebindings`;
    assert.equal((await create(bindings, bind('friend', 'cluster-admin'), user)).status, 403);
    assert.equal((await create(bindings, bind('friend', 'no-such'), user)).status, 404);
    assert.equal((await create(bindings, bind('friend', 'view'), user)).status, 201);
  });
});

describe('impersonation', () => {
  test('is for those who may, and then all is as the other', async () => {
    const headers = { 'impersonate-user': 'jane' };
    const own = await call('GET', '/api/v1/nodes', undefined, { headers });
    assert.match(messageOf(own), /User "jane" cannot list resource "nodes"/);
    const refused = await call('GET', '/api', undefined, {
      user: jane,
      headers: { 'impersonate-user': 'root' },
    });
    assert.equal(refused.status, 403);
    assert.equal(
      messageOf(refused),
      'users "root" is forbidden: User "jane" cannot impersonate resource "users" in API group "" at the cluster scope',
    );
  });

  test('of a group makes a member', async () => {
    const headers = { 'impersonate-user': 'x', 'impersonate-group': 'system:masters' };
    assert.equal((await call('GET', '/api/v1/nodes', undefined, { headers })).status, 200);
    const alone = await call('GET', '/api', undefined, { headers: { 'impersonate-group': 'a' } });
    assert.equal(alone.status, 500);
  });
});

describe('nodes', () => {
  test('read what their pods need', async () => {
    const user = { name: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] };
    const secrets = '/api/v1/namespaces/default/secrets';
    await made(secrets, { metadata: { name: 'used' } });
    await made(secrets, { metadata: { name: 'other' } });
    const volumes = [{ name: 'v', secret: { secretName: 'used' } }];
    await made('/api/v1/namespaces/default/pods', pod('on-n1', { nodeName: 'n1', volumes }));
    const get = (path: string) => () => call('GET', path, undefined, { user });
    assert.equal((await eventually(get(`${secrets}/used`), 200)).status, 200);
    assert.equal((await get(`${secrets}/other`)()).status, 403);
    assert.equal((await get(secrets)()).status, 403);
  });

  test('read the claims for devices of their pods, and publish their own devices', async () => {
    const user = { name: 'system:node:n4', groups: ['system:nodes', 'system:authenticated'] };
    const claims = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';
    const slices = '/apis/resource.k8s.io/v1/resourceslices';
    for (const name of ['used', 'other']) await made(claims, { metadata: { name }, spec: {} });
    const resourceClaims = [{ name: 'gpu', resourceClaimName: 'used' }];
    await made('/api/v1/namespaces/default/pods', pod('on-n4', { nodeName: 'n4', resourceClaims }));
    const sliceOf = (nodeName: string) => ({
      metadata: { name: `of-${nodeName}` },
      spec: { driver: 'd', nodeName, pool: { name: 'p', generation: 1, resourceSliceCount: 1 } },
    });
    await made(slices, sliceOf('n4'));
    await made(slices, sliceOf('n5'));
    const get = (path: string, query = {}) => cluster.transport(user).request({ method: 'GET', path, query });
    await eventually(() => get(`${claims}/used`), 200);
    await eventually(() => get(`${slices}/of-n4`), 200);
    for (const [path, fieldSelector, status] of [
      [`${claims}/other`, '', 403],
      [claims, '', 403],
      [`${slices}/of-n5`, '', 403],
      [slices, '', 403],
      [slices, 'spec.nodeName=n4', 200],
      [slices, 'spec.nodeName=n5', 403],
    ] as const)
      assert.equal(
        (await get(path, fieldSelector === '' ? {} : { fieldSelector })).status,
        status,
        `${path} ${fieldSelector}`,
      );
    const body = sliceOf('n4');
    const own = { metadata: { name: 'new' }, spec: body.spec };
    assert.equal((await create(slices, own, user)).status, 201);
    const foreign = { metadata: { name: 'foreign' }, spec: { ...body.spec, nodeName: 'n5' } };
    assert.equal((await create(slices, foreign, user)).status, 403);
  });

  test('read their own pods and their own object, and no others', async () => {
    const user = { name: 'system:node:n2', groups: ['system:nodes', 'system:authenticated'] };
    const pods = '/api/v1/namespaces/default/pods';
    await made(pods, pod('on-n2', { nodeName: 'n2' }));
    await made(pods, pod('on-n3', { nodeName: 'n3' }));
    await made('/api/v1/nodes', { metadata: { name: 'n2' } });
    await made('/api/v1/nodes', { metadata: { name: 'n3' } });
    const statusOf = async (path: string, query: Record<string, string> = {}): Promise<number> =>
      (await cluster.transport(user).request({ method: 'GET', path, query })).status;
    await eventually(() => call('GET', `${pods}/on-n2`, undefined, { user }), 200);
    for (const [path, fieldSelector, status] of [
      [`${pods}/on-n2`, '', 200],
      [`${pods}/on-n3`, '', 403],
      [pods, '', 403],
      ['/api/v1/pods', '', 403],
      ['/api/v1/pods', 'spec.nodeName=n2', 200],
      ['/api/v1/pods', 'spec.nodeName=n2,status.phase!=Failed', 200],
      ['/api/v1/pods', 'spec.nodeName!=n2', 403],
      ['/api/v1/pods', 'spec.nodeName=n3', 403],
      [pods, 'metadata.name=on-n2', 200],
      [pods, 'metadata.name=on-n3', 403],
      ['/api/v1/nodes/n2', '', 200],
      ['/api/v1/nodes/n3', '', 403],
      ['/api/v1/nodes', '', 403],
      ['/api/v1/nodes', 'metadata.name=n2', 200],
    ] as const)
      assert.equal(
        await statusOf(path, fieldSelector === '' ? {} : { fieldSelector }),
        status,
        `${path} ${fieldSelector}`,
      );
  });
});

describe('admission', () => {
  test('a namespace must be there, and not be going', async () => {
    const missing = await create('/api/v1/namespaces/nowhere/pods', pod('a'));
    assert.equal(missing.status, 404);
    assert.equal(messageOf(missing), 'namespaces "nowhere" not found');
    await made('/api/v1/namespaces', { metadata: { name: 'going' } });
    assert.equal((await call('DELETE', '/api/v1/namespaces/going')).status, 200);
    const going = await create('/api/v1/namespaces/going/configmaps', { metadata: { name: 'a' } });
    assert.equal(going.status, 403);
    assert.deepEqual((going.body as Status).details?.causes, [
      {
        reason: 'NamespaceTerminating',
        message: 'namespace going is being terminated',
        field: 'metadata.namespace',
      },
    ]);
    const kept = await call('DELETE', '/api/v1/namespaces/default');
    assert.equal(messageOf(kept), 'namespaces "default" is forbidden: this namespace may not be deleted');
  });

  test('a pod in a new namespace waits for its account', async () => {
    await made('/api/v1/namespaces', { metadata: { name: 'fresh' } });
    await made('/api/v1/namespaces/fresh/pods', pod('a'));
    const none = await create('/api/v1/namespaces/fresh/pods', pod('b', { serviceAccountName: 'bot' }));
    assert.equal(
      messageOf(none),
      'pods "b" is forbidden: error looking up service account fresh/bot: serviceaccount "bot" not found',
    );
  });

  test('priority comes from the class', async () => {
    const answer = await made(
      '/api/v1/namespaces/kube-system/pods',
      pod('critical', { priorityClassName: 'system-node-critical' }),
    );
    assert.equal((answer.body as { spec: { priority: number } }).spec.priority, 2_000_001_000);
    const none = await create('/api/v1/namespaces/default/pods', pod('p', { priorityClassName: 'none' }));
    assert.equal(messageOf(none), 'pods "p" is forbidden: no PriorityClass with name none was found');
  });

  test('limits are set and held', async () => {
    await made('/api/v1/namespaces', { metadata: { name: 'limited' } });
    await made('/api/v1/namespaces/limited/limitranges', {
      metadata: { name: 'l' },
      spec: {
        limits: [
          { type: 'Container', default: { cpu: '1' }, defaultRequest: { cpu: '100m' }, max: { cpu: '2' } },
        ],
      },
    });
    const fine = await made('/api/v1/namespaces/limited/pods', pod('fine'));
    const { spec } = fine.body as { spec: { containers: { resources: unknown }[] } };
    assert.deepEqual(spec.containers[0]?.resources, { limits: { cpu: '1' }, requests: { cpu: '100m' } });
    const big = await create(
      '/api/v1/namespaces/limited/pods',
      pod('big', { containers: [{ ...container, resources: { limits: { cpu: '3' } } }] }),
    );
    assert.match(messageOf(big), /maximum cpu usage per Container is 2, but limit is 3/);
  });

  test('quota is charged, and the last of it goes to one only', async () => {
    await made('/api/v1/namespaces', { metadata: { name: 'quota' } });
    await made('/api/v1/namespaces/quota/resourcequotas', {
      metadata: { name: 'q' },
      spec: { hard: { configmaps: '4' } },
    });
    const collection = '/api/v1/namespaces/quota/configmaps';
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => create(collection, { metadata: { name: `c${index}` } })),
    );
    const count = ((await call('GET', collection)).body as { items: unknown[] }).items.length;
    assert.equal(answers.filter(({ status }) => status === 201).length, count);
    assert.equal(count, 4);
    // What goes makes room again.
    const accepted = answers.find(({ status }) => status === 201)?.body as
      | { metadata: { name: string } }
      | undefined;
    const deleted = await call('DELETE', `${collection}/${accepted?.metadata.name ?? ''}`);
    assert.equal(deleted.status, 200);
    await eventually(() => create(collection, { metadata: { name: 'again' } }), 201).then(({ status }) =>
      assert.equal(status, 201),
    );
    const refused = answers.find(({ status }) => status === 403);
    assert.match(
      messageOf(refused as ApiResponse),
      /exceeded quota: q, requested: configmaps=1, used: configmaps=\d, limited: configmaps=4/,
    );
  });

  test('claims get the default class and are protected', async () => {
    await made('/apis/storage.k8s.io/v1/storageclasses', {
      metadata: { name: 'std', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'example.org/none',
    });
    const claim = await made('/api/v1/namespaces/default/persistentvolumeclaims', {
      metadata: { name: 'c' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    });
    const { spec, metadata } = claim.body as {
      spec: { storageClassName: string };
      metadata: { finalizers: string[] };
    };
    assert.equal(spec.storageClassName, 'std');
    assert.deepEqual(metadata.finalizers, ['kubernetes.io/pvc-protection']);
  });
});
