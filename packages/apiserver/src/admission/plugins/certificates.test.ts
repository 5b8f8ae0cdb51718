import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ApiResponse, KubeObject, Status } from '@windlass/apimachinery';
import type { UserInfo } from '../../access/user.ts';
import { ApiServer } from '../../api-server.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';

/** Made with openssl; their keys are gone. */
const MASTERS = `-----BEGIN CERTIFICATE REQUEST-----
MIHyMIGYAgEAMDYxFzAVBgNVBAoMDnN5c3RlbTptYXN0ZXJzMQwwCgYDVQQKDANk
ZXYxDTALBgNVBAMMBGphbmUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARhj+cx
f06cHM7qLaL/uhY0vLmDy5W3q+Lavc+GDxKFcm0et1v4vbYtrSzNDopMxqIXwpDJ
Spa0+v8gQiqttrkOoAAwCgYIKoZIzj0EAwIDSQAwRgIhAMJA+fIUlnQqJ2crPz2C
2TVs2a2Hak1+DjgzpGVOzOO6AiEA16n6GIy5Ehm8aOqPMW8Yt9H9ujdmFz3cvJBE
/b8AdKk=
-----END CERTIFICATE REQUEST-----`;
const NODE = `-----BEGIN CERTIFICATE REQUEST-----
MIHqMIGSAgEAMDAxFTATBgNVBAoMDHN5c3RlbTpub2RlczEXMBUGA1UEAwwOc3lz
dGVtOm5vZGU6bjEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAR8Ti64P2zMk0eW
2BKEIUx4aXqZboIP5HLk/mKmemqklNBPkkLofkTHAG8Tn3Itehu7ebGrI5X9Q5Eg
8QrsIofeoAAwCgYIKoZIzj0EAwIDRwAwRAIgTNGQj/NcI/HI9E4wL9QzF/KM5k1g
3vzN6IKmhyXVBYoCIBNIbdQ3qA6gudhUkJeKv2LjJBYqfOCE4NPAzZuSBARV
-----END CERTIFICATE REQUEST-----`;
/** Its group is system:masters, too, in characters of two bytes (BMPString). Its key is gone. */
const WIDE_MASTERS = `-----BEGIN CERTIFICATE REQUEST-----
MIHjMIGJAgEAMCcxJTAjBgNVBAoeHABzAHkAcwB0AGUAbQA6AG0AYQBzAHQAZQBy
AHMwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASspZxPNY77ytCB1XMAfribhrlc
fgEIUFt+/2xX4cKZv4zRtV7nDJlAfzkHB6abfvYoCzkoIAhgfImPL2ChmK40oAAw
CgYIKoZIzj0EAwIDSQAwRgIhAJ3ME/21G9oEpp0tUoZBXhF2rWDMQG5hb69vXNV+
hysjAiEA0gflB39ApFG9Fc1rpS6CNJot2SxNUjHow/3rVfCL3cQ=
-----END CERTIFICATE REQUEST-----`;
const PATH = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const CLIENT = 'kubernetes.io/kube-apiserver-client';
type Fields = Readonly<Record<string, unknown>>;

describe('signing requests', () => {
  let server: ApiServer;
  before(async () => {
    server = new ApiServer({ store: createMemoryStore() });
    await server.ready();
  });
  after(() => server.close());
  const call = (
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: Fields,
    user?: UserInfo,
  ): Promise<ApiResponse> =>
    server.transport(user).request({ method, path, ...(body !== undefined && { body }) });
  const create = (name: string, request: string, signerName = CLIENT): Promise<ApiResponse> =>
    call('POST', PATH, {
      metadata: { name },
      spec: { request: Buffer.from(request).toString('base64'), signerName, usages: ['client auth'] },
    });
  const messageOf = ({ body }: ApiResponse): string => (body as Status).message ?? '';
  const grant = async (user: UserInfo, resources: readonly Fields[]): Promise<void> => {
    const { name } = user;
    await call('POST', `${RBAC}/clusterroles`, { metadata: { name }, rules: resources });
    const answer = await call('POST', `${RBAC}/clusterrolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name }],
    });
    assert.equal(answer.status, 201);
  };
  /** Roles count a moment after they are written. */
  const eventually = async (ask: () => Promise<ApiResponse>, isDone: (answer: ApiResponse) => boolean) => {
    let answer = await ask();
    for (let turn = 0; turn < 100 && !isDone(answer); turn++) {
      await new Promise((next) => setImmediate(next));
      answer = await ask();
    }
    return answer;
  };
  const withStatus = async (name: string, status: Fields): Promise<Fields> => ({
    ...((await call('GET', `${PATH}/${name}`)).body as KubeObject & Fields),
    status,
  });
  const condition = (type: string): Fields => ({ type, status: 'True', reason: 'r', message: 'm' });

  it('for administrators are refused where nobody looks', async () => {
    const answer = await create('masters', MASTERS);
    assert.equal(answer.status, 403);
    assert.ok(
      messageOf(answer).endsWith(
        'is forbidden: use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed',
      ),
    );
    assert.match(messageOf(await create('wide', WIDE_MASTERS)), /with system:masters group is not allowed$/);
    assert.match(
      messageOf(await create('none', 'hello')),
      /spec.request: Invalid value: .*PEM block type must be/,
    );
    assert.equal((await create('elsewhere', MASTERS, 'example.org/mine')).status, 201);
    assert.equal((await create('node', NODE)).status, 201);
  });

  it('are approved by those who may for the signer', async () => {
    await create('a', NODE);
    const approver = { name: 'approver', groups: ['system:authenticated'] };
    const group = { apiGroups: ['certificates.k8s.io'] };
    await grant(approver, [
      { ...group, resources: ['certificatesigningrequests/approval'], verbs: ['update'] },
      { ...group, resources: ['signers'], resourceNames: ['example.org/*'], verbs: ['approve'] },
    ]);
    const approve = async (name: string) =>
      call(
        'PUT',
        `${PATH}/${name}/approval`,
        await withStatus(name, { conditions: [condition('Approved')] }),
        approver,
      );
    const refused = await eventually(
      () => approve('a'),
      (answer) => messageOf(answer).includes('not permitted'),
    );
    assert.equal(refused.status, 403);
    assert.ok(
      messageOf(refused).endsWith(
        'is forbidden: user not permitted to approve requests with signerName "kubernetes.io/kube-apiserver-client"',
      ),
      messageOf(refused),
    );
    assert.equal((await approve('elsewhere')).status, 200);
  });

  it('are signed by those who may for the signer', async () => {
    const signer = { name: 'signer', groups: ['system:authenticated'] };
    const group = { apiGroups: ['certificates.k8s.io'] };
    await grant(signer, [
      { ...group, resources: ['certificatesigningrequests/status'], verbs: ['update'] },
      { ...group, resources: ['signers'], resourceNames: ['example.org/mine'], verbs: ['sign'] },
    ]);
    const sign = async (name: string) =>
      call(
        'PUT',
        `${PATH}/${name}/status`,
        await withStatus(name, { conditions: [condition('Failed')] }),
        signer,
      );
    const refused = await eventually(
      () => sign('node'),
      (answer) => messageOf(answer).includes('not permitted'),
    );
    assert.ok(
      messageOf(refused).endsWith(
        'is forbidden: user not permitted to sign requests with signerName "kubernetes.io/kube-apiserver-client"',
      ),
      messageOf(refused),
    );
    const same = await call('PUT', `${PATH}/node/status`, await withStatus('node', {}), signer);
    assert.equal(same.status, 200, messageOf(same));
  });
});
