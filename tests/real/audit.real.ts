// The audit log of our API server beside that of a real one, and what a kubelet may write in both.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parseAuditPolicy, type RunningCluster, startCluster } from '@windlass/cluster';
import { type KeyPair, type RealCluster, startRealCluster } from './harness/index.ts';
import { type Answer, type Call, JsonApi } from './support/json-api.ts';

type Fields = Readonly<Record<string, unknown>>;

const POLICY = `
apiVersion: audit.k8s.io/v1
kind: Policy
omitManagedFields: true
rules:
- level: None
  users: ["system:apiserver"]
- level: Metadata
  resources: [{ group: "", resources: ["secrets"] }]
- level: RequestResponse
  resources: [{ group: "", resources: ["configmaps"] }]
- level: Request
  resources: [{ group: "", resources: ["namespaces"] }]
  omitStages: [RequestReceived]
- level: None
  nonResourceURLs: ["/healthz*"]
- level: Metadata
`;
const AGENT = 'windlass-audit/1';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

let folder = '';
let theirCluster: RealCluster;
let ourCluster: RunningCluster;
let theirs: JsonApi;
let ours: JsonApi;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-audit-real-'));
  await writeFile(join(folder, 'policy.yaml'), POLICY);
  theirCluster = await startRealCluster({
    apiServerArgs: [
      `--audit-policy-file=${join(folder, 'policy.yaml')}`,
      `--audit-log-path=${join(folder, 'theirs.log')}`,
      '--enable-admission-plugins=NodeRestriction',
    ],
  });
  ourCluster = await startCluster({
    port: 0,
    audit: { path: join(folder, 'ours.log'), policy: parseAuditPolicy(POLICY) },
  });
  theirs = new JsonApi(theirCluster);
  ours = new JsonApi({
    ...theirCluster,
    server: ourCluster.server ?? '',
    ...credentialsOf(ourCluster.kubeconfig),
  });
});

after(async () => {
  theirs?.[Symbol.dispose]();
  ours?.[Symbol.dispose]();
  await ourCluster?.stop();
  await theirCluster?.stop();
  await rm(folder, { recursive: true, force: true });
});

function credentialsOf(kubeconfig: string): { ca: string; admin: KeyPair } {
  const text = (field: string): string => {
    const found = new RegExp(`"?${field}"?:\\s*"?([A-Za-z0-9+/=]+)`).exec(kubeconfig)?.[1] ?? '';
    return Buffer.from(found, 'base64').toString();
  };
  const admin = {
    cert: text('client-certificate-data'),
    key: text('client-key-data'),
    certFile: '',
    keyFile: '',
  };
  return { ca: text('certificate-authority-data'), admin };
}

/** Different in every run, but there or not there. */
const VARYING = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'auditID',
  'requestReceivedTimestamp',
  'stageTimestamp',
]);

async function eventsOf(name: string, count: number): Promise<unknown[]> {
  for (let turn = 0; ; turn++) {
    const text = await readFile(join(folder, `${name}.log`), 'utf8');
    const events = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Fields)
      .filter((event) => event['userAgent'] === AGENT);
    if (events.length >= count || turn === 100)
      return events.map((event) => {
        const { user: _, ...shown } = event;
        return JSON.parse(
          JSON.stringify(shown, (key, value: unknown) => (VARYING.has(key) ? '*' : value)),
        ) as unknown;
      });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('the audit logs', () => {
  it('tell the same of the same requests', async () => {
    const requests: readonly (readonly [string, string, Call?])[] = [
      [
        'POST',
        CONFIG_MAPS,
        { body: { metadata: { name: 'a' }, data: { x: 'y' } }, query: { fieldManager: 'me' } },
      ],
      ['GET', `${CONFIG_MAPS}/a`],
      ['GET', `${CONFIG_MAPS}/missing`],
      ['POST', CONFIG_MAPS, { body: { metadata: { name: 'A_' } } }],
      [
        'PATCH',
        `${CONFIG_MAPS}/a`,
        { body: { data: { x: 'z' } }, contentType: 'application/merge-patch+json' },
      ],
      ['GET', CONFIG_MAPS, { query: { labelSelector: 'a=b,c' } }],
      ['GET', CONFIG_MAPS, { query: { watch: 'true', timeoutSeconds: '1', labelSelector: 'none=none' } }],
      ['DELETE', `${CONFIG_MAPS}/a`],
      [
        'POST',
        '/api/v1/namespaces/default/secrets',
        { body: { metadata: { name: 's' }, stringData: { a: 'b' } } },
      ],
      ['GET', '/api/v1/namespaces/default/secrets/s'],
      ['POST', '/api/v1/namespaces', { body: { metadata: { name: 'audited' } }, query: { dryRun: 'All' } }],
      ['GET', '/version'],
      ['GET', '/healthz'],
      ['GET', '/apis/nothing.example.org/v1/things'],
    ];
    for (const [method, path, call = {}] of requests) {
      const answers = [
        await theirs.call(method, path, { ...call, userAgent: AGENT }),
        await ours.call(method, path, { ...call, userAgent: AGENT }),
      ];
      assert.equal(answers[1]?.status, answers[0]?.status, `${method} ${path}`);
    }
    // A RequestReceived and an end for each, but for what is left out, and one more for the watch.
    const count = (requests.length - 2) * 2 + 2;
    const expected = await eventsOf('theirs', count);
    const actual = await eventsOf('ours', count);
    assert.deepEqual(actual, expected);
  });
});

describe('a kubelet', () => {
  it('is refused the same, in the same words', async () => {
    const identity = { user: 'system:node:n1', groups: ['system:nodes'] };
    const pair = await theirCluster.issueClientCertificate(identity);
    using kubelet = new JsonApi({ ...theirCluster, admin: pair });
    const own = ourCluster.transport({
      name: identity.user,
      groups: [...identity.groups, 'system:authenticated'],
    });
    const ask = async (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<void> => {
      const shown = ({ status, body: said }: Pick<Answer, 'status' | 'body'>): unknown =>
        status < 300 ? status : { status, reason: said['reason'], message: said['message'] };
      const real = await kubelet.call(method, path, { ...(body !== undefined && { body }) });
      const mine = await own.request({ method, path, ...(body !== undefined && { body }) });
      assert.deepEqual(shown(mine as unknown as Answer), shown(real), `${method} ${path}`);
    };
    const node = (name: string, labels: Fields = {}): Fields => ({ metadata: { name, labels } });
    await ask(
      'POST',
      '/api/v1/nodes',
      node('n1', { 'node-restriction.kubernetes.io/x': 'y', 'other.k8s.io/a': 'b', mine: 'c' }),
    );
    await ask('POST', '/api/v1/nodes', node('n2'));
    await ask('POST', '/api/v1/nodes', node('n1', { 'kubernetes.io/os': 'linux', mine: 'c' }));
    await ask('PUT', '/api/v1/nodes/n1', {
      ...node('n1', { 'kubernetes.io/os': 'linux' }),
      spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] },
    });
    await ask('PUT', '/api/v1/nodes/n1/status', node('n1', { 'x.kubernetes.io/y': 'z' }));
    const pods = '/api/v1/namespaces/default/pods';
    const pod = (metadata: Fields, spec: Fields = {}): Fields => ({
      metadata: { name: 'mirror', ...metadata },
      spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }], ...spec },
    });
    const mirror = { annotations: { 'kubernetes.io/config.mirror': 'x' } };
    await ask('POST', pods, pod({}));
    await ask('POST', pods, pod(mirror, { nodeName: 'n2' }));
    await ask('POST', pods, pod(mirror));
    const lease = (namespace: string, name: string): Promise<void> =>
      ask('POST', `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`, { metadata: { name } });
    await lease('default', 'n1');
    const csiNode = (name: string): Fields => ({ metadata: { name }, spec: { drivers: [] } });
    await ask('POST', '/apis/storage.k8s.io/v1/csinodes', csiNode('n2'));
    await ask('POST', '/apis/storage.k8s.io/v1/csinodes', csiNode('n1'));
  });
});
