// Who may write what of a resource claim, through the whole server in process.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ApiResponse, Status } from '@windlass/apimachinery';
import type { UserInfo } from '../../access/user.ts';
import { ApiServer } from '../../api-server.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';

type Fields = Readonly<Record<string, unknown>>;
const server = new ApiServer({ store: createMemoryStore() });
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const claimsIn = (namespace: string): string =>
  `/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaims`;

async function ask(
  method: 'POST' | 'PATCH',
  path: string,
  body: Fields,
  user?: UserInfo,
): Promise<ApiResponse> {
  const headers = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {};
  return server.transport(user).request({ method, path, body, headers });
}

const specOf = (exactly: Fields = {}): Fields => ({
  devices: { requests: [{ name: 'a', exactly: { deviceClassName: 'gpu', ...exactly } }] },
});
const DEVICE = { driver: 'gpu.example.com', pool: 'n1', device: 'gpu-0' };
const resultsOf = (more: Fields = {}): Fields => ({ results: [{ request: 'a', ...DEVICE, ...more }] });
const onNode = (name: string): Fields => ({
  nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] }],
});

before(async () => {
  await server.ready();
  for (const [name, labels] of [
    ['plain', {}],
    ['admin', { 'resource.kubernetes.io/admin-access': 'true' }],
  ] as const)
    await ask('POST', '/api/v1/namespaces', { metadata: { name, labels } });
  const grant = async (name: string, resources: readonly string[], verbs: readonly string[]) => {
    const rules = [{ apiGroups: ['resource.k8s.io'], resources, verbs }];
    await ask('POST', `${RBAC}/clusterroles`, { metadata: { name }, rules });
  };
  const bind = (name: string, role: string) =>
    ask('POST', `${RBAC}/clusterrolebindings`, {
      metadata: { name: `${name}-${role}` },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name }],
    });
  await grant('status', ['resourceclaims/status'], ['update', 'patch']);
  await grant('binding', ['resourceclaims/binding'], ['patch']);
  await grant('near', ['resourceclaims/driver'], ['associated-node:patch']);
  await grant('far', ['resourceclaims/driver'], ['arbitrary-node:update']);
  for (const [user, roles] of [
    ['nobody', ['status']],
    ['binder', ['status', 'binding']],
    ['system:serviceaccount:kube-system:driver', ['status', 'near']],
    ['controller', ['status', 'far']],
  ] as const)
    for (const role of roles) await bind(user, role);
});
after(() => server.close());

let count = 0;
/** A claim with this status, and its path. */
async function claimWith(status: Fields, namespace = 'plain'): Promise<string> {
  const name = `claim-${count++}`;
  const made = await ask('POST', claimsIn(namespace), { metadata: { name }, spec: specOf() });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const path = `${claimsIn(namespace)}/${name}/status`;
  const changed = await ask('PATCH', path, { status });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  return path;
}

describe('access to devices as an administrator', () => {
  const refusal = (field: string): RegExp =>
    new RegExp(
      `${field}: Forbidden: admin access to devices requires the .* label on the containing namespace`,
    );

  for (const [namespace, status] of [
    ['plain', 422],
    ['admin', 201],
  ] as const)
    it(`may ${status === 201 ? '' : 'not '}be asked for in a namespace that is ${namespace}`, async () => {
      const spec = specOf({ adminAccess: true });
      const claim = await ask('POST', claimsIn(namespace), { metadata: { name: 'asking' }, spec });
      assert.equal(claim.status, status, JSON.stringify(claim.body));
      const templates = claimsIn(namespace).replace(/s$/, 'templates');
      const template = await ask('POST', templates, { metadata: { name: 'asking' }, spec: { spec } });
      assert.equal(template.status, status, JSON.stringify(template.body));
      if (status === 201) return;
      assert.match(
        (claim.body as Status).message ?? '',
        refusal('spec.devices.requests\\[0\\].exactly.adminAccess'),
      );
      assert.match(
        (template.body as Status).message ?? '',
        refusal('spec.spec.devices.requests\\[0\\].exactly.adminAccess'),
      );
    });

  it('may not be given where it may not be asked for', async () => {
    const path = await claimWith({});
    const allocation = { devices: resultsOf({ adminAccess: true }) };
    const { status, body } = await ask('PATCH', path, { status: { allocation } });
    assert.equal(status, 422);
    assert.match(
      (body as Status).message ?? '',
      refusal('status.allocation.devices.results\\[0\\].adminAccess'),
    );
  });
});

describe('the status of a claim', () => {
  const allocation = { devices: resultsOf(), nodeSelector: onNode('n1') };
  const driverOn = (node: string): UserInfo => ({
    name: 'system:serviceaccount:kube-system:driver',
    groups: ['system:authenticated'],
    extra: { 'authentication.kubernetes.io/node-name': [node] },
  });
  const user = (name: string): UserInfo => ({ name, groups: ['system:authenticated'] });
  const rows: readonly (readonly [who: string, user: UserInfo, change: Fields, allowed: boolean])[] = [
    ['nobody special', user('nobody'), { reservedFor: [{ resource: 'pods', name: 'a', uid: 'b' }] }, false],
    ['who binds', user('binder'), { reservedFor: [{ resource: 'pods', name: 'a', uid: 'b' }] }, true],
    ['nobody special', user('nobody'), { devices: [DEVICE] }, false],
    ['who binds', user('binder'), { devices: [DEVICE] }, false],
    ['the driver on the node', driverOn('n1'), { devices: [DEVICE] }, true],
    ['the driver on another node', driverOn('n2'), { devices: [DEVICE] }, false],
    ['a controller of all nodes', user('controller'), { devices: [DEVICE] }, true],
  ];
  for (const [who, asking, change, allowed] of rows)
    it(`${who} may ${allowed ? '' : 'not '}write ${Object.keys(change).join()}`, async () => {
      const path = await claimWith({ allocation });
      const { status, body } = await ask('PATCH', path, { status: change }, asking);
      assert.equal(status, allowed ? 200 : 422, JSON.stringify(body));
      if (!allowed) assert.match((body as Status).message ?? '', /requires resource="resourceclaims\//);
    });
});
