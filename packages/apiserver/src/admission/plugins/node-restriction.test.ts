// What a kubelet may write, through the whole server in process.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ApiResponse, KubeObject, Status } from '@windlass/apimachinery';
import { ApiServer } from '../../api-server.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { forbiddenNodeLabels } from '../node-labels.ts';
import { apiObjectOf } from '../pod-api-objects.ts';

type Fields = Readonly<Record<string, unknown>>;
const node = { name: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] };
const PODS = '/api/v1/namespaces/default/pods';

let server: ApiServer;
let nodeUid = '';
before(async () => {
  server = new ApiServer({ store: createMemoryStore() });
  await server.ready();
  for (const name of ['n1', 'n2']) {
    const made = await admin('POST', '/api/v1/nodes', { metadata: { name, labels: { team: 'a' } } });
    if (name === 'n1') nodeUid = (made.body as KubeObject).metadata?.uid ?? '';
  }
  for (const [name, nodeName] of [
    ['own', 'n1'],
    ['other', 'n2'],
  ] as const)
    await admin('POST', PODS, {
      metadata: { name },
      spec: { nodeName, containers: [{ name: 'c', image: 'i' }] },
    });
});
after(() => server.close());

function ask(
  user: typeof node | undefined,
  method: 'POST' | 'PUT' | 'GET' | 'DELETE',
  path: string,
  body?: Fields,
) {
  return server.transport(user).request({ method, path, ...(body !== undefined && { body }) });
}
const admin = (
  method: 'POST' | 'PUT' | 'GET' | 'DELETE',
  path: string,
  body?: Fields,
): Promise<ApiResponse> => ask(undefined, method, path, body);
const kubelet = (
  method: 'POST' | 'PUT' | 'GET' | 'DELETE',
  path: string,
  body?: Fields,
): Promise<ApiResponse> => ask(node, method, path, body);
const refused = (answer: ApiResponse, problem: string): void => {
  assert.equal(answer.status, 403, JSON.stringify(answer.body));
  const { message = '' } = answer.body as Status;
  assert.ok(message.endsWith(`is forbidden: ${problem}`), message);
};
async function current(
  path: string,
  change: (object: KubeObject & Record<string, unknown>) => void,
): Promise<Fields> {
  const object = structuredClone((await admin('GET', path)).body) as KubeObject & Record<string, unknown>;
  change(object);
  return object;
}

describe('a kubelet', () => {
  it('writes its own node, and no other', async () => {
    const own = await current('/api/v1/nodes/n1', (object) => {
      object.metadata = {
        ...object.metadata,
        labels: { ...object.metadata?.labels, 'kubernetes.io/os': 'linux' },
      };
    });
    assert.equal((await kubelet('PUT', '/api/v1/nodes/n1', own)).status, 200);
    refused(
      await kubelet('PUT', '/api/v1/nodes/n2', await current('/api/v1/nodes/n2', () => {})),
      'node "n1" is not allowed to modify node "n2"',
    );
  });

  it('does not set taints, owners, or labels that draw pods', async () => {
    const path = '/api/v1/nodes/n1';
    const put = async (change: Parameters<typeof current>[1]) =>
      kubelet('PUT', path, await current(path, change));
    refused(
      await put((object) => {
        object['spec'] = { taints: [] };
      }),
      'node "n1" is not allowed to modify taints',
    );
    refused(
      await put((object) => {
        const owner = { apiVersion: 'v1', kind: 'Node', name: 'n2', uid: 'x' };
        object.metadata = { ...object.metadata, ownerReferences: [owner] };
      }),
      'node "n1" is not allowed to modify ownerReferences',
    );
    refused(
      await put((object) => {
        const labels = { 'a.node-restriction.kubernetes.io/x': 'y', 'other.k8s.io/x': 'y', mine: 'z' };
        object.metadata = { ...object.metadata, labels: { ...object.metadata?.labels, ...labels } };
      }),
      'is not allowed to modify labels: a.node-restriction.kubernetes.io/x, other.k8s.io/x',
    );
  });

  it('writes the status of pods that run on it', async () => {
    assert.equal(
      (await kubelet('PUT', `${PODS}/own/status`, await current(`${PODS}/own`, () => {}))).status,
      200,
    );
    refused(
      await kubelet('PUT', `${PODS}/other/status`, await current(`${PODS}/other`, () => {})),
      'node "n1" can only update pod status for pods with spec.nodeName set to itself',
    );
    refused(
      await kubelet(
        'PUT',
        `${PODS}/own/status`,
        await current(`${PODS}/own`, (object) => {
          object.metadata = { ...object.metadata, labels: { a: 'b' } };
        }),
      ),
      'node "n1" cannot update labels through pod status',
    );
  });

  it('shows the pods of its own files, as its own, without anything from the API', async () => {
    const owner = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: nodeUid, controller: true };
    const mirror = (metadata: Fields = {}, spec: Fields = {}): Fields => ({
      metadata: {
        name: 'm',
        annotations: { 'kubernetes.io/config.mirror': 'x' },
        ownerReferences: [owner],
        ...metadata,
      },
      spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }], ...spec },
    });
    for (const [body, problem] of [
      [
        mirror({ annotations: {} }),
        'pod does not have "kubernetes.io/config.mirror" annotation, node "n1" can only create mirror pods',
      ],
      [mirror({}, { nodeName: 'n2' }), 'node "n1" can only create pods with spec.nodeName set to itself'],
      [
        mirror({ ownerReferences: [] }),
        'node "n1" can only create pods with an owner reference set to itself',
      ],
      [
        mirror({ ownerReferences: [{ ...owner, controller: false }] }),
        'node "n1" can only create pods with a controller owner reference set to itself',
      ],
      [
        mirror({ ownerReferences: [{ ...owner, blockOwnerDeletion: true }] }),
        'node "n1" must not set blockOwnerDeletion on an owner reference',
      ],
      [
        mirror({ ownerReferences: [{ ...owner, uid: 'z' }] }),
        `node n1 UID mismatch: expected z got ${nodeUid}`,
      ],
    ] as const)
      refused(await kubelet('POST', PODS, body), problem);
    const made = await kubelet('POST', PODS, mirror());
    assert.equal(made.status, 201, JSON.stringify(made.body));
  });

  it('writes how large a claim of its pods has become, and nothing else of it', async () => {
    const path = '/api/v1/namespaces/default/persistentvolumeclaims';
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    await admin('POST', path, { metadata: { name: 'data' }, spec });
    await admin('POST', PODS, {
      metadata: { name: 'claiming' },
      spec: {
        nodeName: 'n1',
        containers: [{ name: 'c', image: 'i' }],
        volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }],
      },
    });
    const put = async (change: Parameters<typeof current>[1]): Promise<ApiResponse> =>
      kubelet('PUT', `${path}/data/status`, await current(`${path}/data`, change));
    const conditions = [{ type: 'FileSystemResizePending', status: 'True' }];
    const grown = await put((object) => {
      object['status'] = { ...(object['status'] as Fields), capacity: { storage: '1Gi' }, conditions };
    });
    assert.equal(grown.status, 200, JSON.stringify(grown.body));
    const problem =
      'node "n1" is not allowed to update fields other than status.quantity and status.conditions';
    refused(
      await put((object) => {
        object['status'] = { ...(object['status'] as Fields), phase: 'Lost' };
      }),
      problem,
    );
    refused(
      await put((object) => {
        object.metadata = { ...object.metadata, labels: { a: 'b' } };
      }),
      problem,
    );
  });

  for (const [what, path, body, problem] of [
    [
      'lease',
      '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases',
      (name: string) => ({ metadata: { name }, spec: { holderIdentity: name } }),
      'can only access node lease with the same name as the requesting node',
    ],
    [
      'CSINode',
      '/apis/storage.k8s.io/v1/csinodes',
      (name: string) => ({ metadata: { name }, spec: { drivers: [] } }),
      'can only access CSINode with the same name as the requesting node',
    ],
    [
      'slices',
      '/apis/resource.k8s.io/v1/resourceslices',
      (name: string) => ({
        metadata: { name: `slice-${name}` },
        spec: {
          driver: 'gpu.example.com',
          nodeName: name,
          pool: { name, generation: 1, resourceSliceCount: 1 },
          devices: [],
        },
      }),
      'can only create ResourceSlice with the same NodeName as the requesting node',
    ],
  ] as const)
    it(`makes its own ${what}, and no other node's`, async () => {
      const made = await kubelet('POST', path, body('n1'));
      assert.equal(made.status, 201, JSON.stringify(made.body));
      refused(await kubelet('POST', path, body('n2')), problem);
    });

  it('reads and clears the slices of its own', async () => {
    const path = '/apis/resource.k8s.io/v1/resourceslices';
    const ask = (method: 'GET' | 'DELETE', at: string, fieldSelector?: string): Promise<ApiResponse> =>
      server.transport(node).request({
        method,
        path: at,
        ...(fieldSelector !== undefined && { query: { fieldSelector } }),
      });
    assert.equal((await ask('GET', path, 'spec.nodeName=n1')).status, 200);
    assert.equal((await ask('DELETE', path, 'spec.nodeName=n1')).status, 200);
    for (const [method, at, selector] of [
      ['GET', path, undefined],
      ['GET', path, 'spec.nodeName=n2'],
      ['GET', path, 'spec.nodeName!=n1'],
      ['DELETE', path, 'spec.nodeName=n2'],
      ['DELETE', `${path}/slice-n1`, undefined],
    ] as const)
      assert.equal((await ask(method, at, selector)).status, 403, `${method} ${at} ${selector}`);
  });

  it('has its lease where the leases of nodes are', async () => {
    const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    const answer = await kubelet('POST', path, { metadata: { name: 'n1' }, spec: { holderIdentity: 'n1' } });
    assert.equal(answer.status, 403);
    assert.match((answer.body as Status).message ?? '', /can only access leases in the "kube-node-lease"/);
  });

  it('deletes and evicts pods that run on it', async () => {
    refused(
      await kubelet('DELETE', `${PODS}/other`),
      'node "n1" can only delete pods with spec.nodeName set to itself',
    );
    const eviction = (name: string) =>
      kubelet('POST', `${PODS}/${name}/eviction`, {
        kind: 'Eviction',
        apiVersion: 'policy/v1',
        metadata: { name },
      });
    refused(await eviction('other'), 'node n1 can only evict pods with spec.nodeName set to itself');
    assert.equal((await eviction('own')).status, 201);
  });

  it('gets tokens for pods that run on it', async () => {
    const spec = { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] };
    const made = await admin('POST', PODS, { metadata: { name: 'tokens' }, spec });
    const uid = (made.body as KubeObject).metadata?.uid;
    const token = (boundObjectRef: Fields, more: Fields = {}): Promise<ApiResponse> =>
      kubelet('POST', '/api/v1/namespaces/default/serviceaccounts/default/token', {
        kind: 'TokenRequest',
        apiVersion: 'authentication.k8s.io/v1',
        spec: { boundObjectRef, ...more },
      });
    const bound = { kind: 'Pod', apiVersion: 'v1', name: 'tokens', uid };
    refused(await token({ ...bound, kind: 'Secret' }), 'node requested token not bound to a pod');
    refused(await token({ ...bound, uid: '' }), 'node requested token with a pod binding without a uid');
    refused(
      await token(bound, { audiences: ['elsewhere'] }),
      'audience "elsewhere" not found in pod spec volume, system:node:n1 is not authorized to request tokens for this audience',
    );
    const given = await token(bound);
    assert.equal(given.status, 201, JSON.stringify(given.body));
  });
});

describe('labels that a node may not set', () => {
  it('are those of Kubernetes, but for some', () => {
    const labels = {
      'kubernetes.io/hostname': 'a',
      'x.node.kubernetes.io/y': 'a',
      'kubelet.kubernetes.io/z': 'a',
      'example.org/a': 'a',
      plain: 'a',
      'notk8s.io/x': 'a',
      'k8s.io/x': 'a',
      'topology.kubernetes.io/other': 'a',
      'node-restriction.kubernetes.io/x': 'a',
    };
    const expected = ['k8s.io/x', 'node-restriction.kubernetes.io/x', 'topology.kubernetes.io/other'];
    assert.deepEqual(forbiddenNodeLabels(labels, {}), expected);
    assert.deepEqual(forbiddenNodeLabels({}, labels), expected);
    assert.deepEqual(forbiddenNodeLabels(labels, labels), []);
  });
});

describe('what a pod needs of the API', () => {
  for (const [spec, expected] of [
    [{}, undefined],
    [{ volumes: [{ name: 'v', hostPath: { path: '/' } }] }, undefined],
    [{ serviceAccountName: 'a' }, 'serviceaccounts'],
    [{ imagePullSecrets: [{ name: 's' }] }, 'secrets'],
    [{ resourceClaims: [{ name: 'r' }] }, 'resourceclaims'],
    [{ volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] }, 'persistentvolumeclaims'],
    [{ volumes: [{ name: 'v', csi: { driver: 'd' } }] }, 'csidrivers (via CSI volumes)'],
    [
      { volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 'p' } }] } }] },
      'serviceaccounts (via projected volumes)',
    ],
  ] as const) {
    it(`is ${expected ?? 'nothing'} for ${JSON.stringify(spec)}`, () => {
      assert.equal(apiObjectOf({ spec: { containers: [], ...structuredClone(spec) } }), expected);
    });
  }
});
