import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ApiResponse, Transport } from '@windlass/apimachinery';
import { ApiServer } from '../api-server.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

type Json = Record<string, unknown>;

let server: ApiServer;
let transport: Transport;

before(async () => {
  server = new ApiServer({ store: createMemoryStore() });
  transport = server.transport();
  await server.ready();
  await call('POST', '/api/v1/namespaces', { kind: 'Namespace', metadata: { name: 'n' } });
});
after(() => server.close());

function call(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: Json,
): Promise<ApiResponse> {
  const headers: Record<string, string> =
    method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {};
  return transport.request({ method, path, headers, ...(body !== undefined && { body }) });
}

function bodyOf({ body }: ApiResponse): Json {
  return body as Json;
}

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((parent, field) => (parent as Json | undefined)?.[field], value);

const SERVICES = '/api/v1/namespaces/n/services';
const service = (name: string, spec: Json): Json => ({ kind: 'Service', metadata: { name }, spec });

test('a service gets an address of the range, its families and its ports', async () => {
  const made = bodyOf(
    await call('POST', SERVICES, service('a', { type: 'NodePort', ports: [{ port: 80 }] })),
  );
  assert.match(String(at(made, 'spec.clusterIP')), /^10\.0\.0\.\d+$/);
  assert.deepEqual(at(made, 'spec.clusterIPs'), [at(made, 'spec.clusterIP')]);
  assert.deepEqual(at(made, 'spec.ipFamilies'), ['IPv4']);
  assert.equal(at(made, 'spec.ipFamilyPolicy'), 'SingleStack');
  const port = Number(at(made, 'spec.ports.0.nodePort'));
  assert.ok(port >= 30_000 && port <= 32_767);

  const again = await call(
    'POST',
    SERVICES,
    service('b', { clusterIP: at(made, 'spec.clusterIP'), ports: [{ port: 1 }] }),
  );
  assert.equal(again.status, 422);
  assert.match(
    String(bodyOf(again)['message']),
    /spec\.clusterIPs: Invalid value: .*provided IP is already allocated/,
  );
  const samePort = await call(
    'POST',
    SERVICES,
    service('b', { type: 'NodePort', ports: [{ port: 1, nodePort: port }] }),
  );
  assert.equal(samePort.status, 422);
  assert.match(
    String(bodyOf(samePort)['message']),
    /spec\.ports\[0\]\.nodePort: Invalid value: \d+: provided port is already allocated/,
  );

  const plain = bodyOf(await call('PATCH', `${SERVICES}/a`, { spec: { type: 'ClusterIP' } }));
  assert.equal(at(plain, 'spec.ports.0.nodePort'), undefined);
  assert.equal(at(plain, 'spec.clusterIP'), at(made, 'spec.clusterIP'));
  assert.equal(
    (await call('POST', SERVICES, service('c', { type: 'NodePort', ports: [{ port: 1, nodePort: port }] })))
      .status,
    201,
  );

  await call('DELETE', `${SERVICES}/a`);
  const reused = await call(
    'POST',
    SERVICES,
    service('d', { clusterIP: at(made, 'spec.clusterIP'), ports: [{ port: 1 }] }),
  );
  assert.equal(reused.status, 201);
});

test('a service that fails or is only tried holds nothing', async () => {
  const spec = { clusterIP: '10.0.0.7', ports: [{ port: 80 }] };
  const tried = await transport.request({
    method: 'POST',
    path: SERVICES,
    query: { dryRun: 'All' },
    body: service('dry', spec),
  });
  assert.equal(tried.status, 201);
  assert.equal((await call('POST', SERVICES, service('UPPER', spec))).status, 422);
  assert.equal((await call('POST', SERVICES, service('real', spec))).status, 201);
});

for (const [what, spec, expected] of [
  [
    'out of the range',
    { clusterIP: '1.2.3.4', ports: [{ port: 1 }] },
    /failed to allocate IP 1\.2\.3\.4: the provided network does not match the current range/,
  ],
  [
    'an external name with an address',
    { type: 'ExternalName', externalName: 'a.b', clusterIP: '10.0.0.9' },
    /spec\.clusterIPs: Forbidden: may not be set for ExternalName services/,
  ],
  [
    'a port out of range',
    { type: 'NodePort', ports: [{ port: 1, nodePort: 80 }] },
    /spec\.ports\[0\]\.nodePort: Invalid value: 80: provided port is not in the valid range\. The range of valid ports is 30000-32767/,
  ],
] as const) {
  test(`a service is refused: ${what}`, async () => {
    const answer = await call('POST', SERVICES, service('bad', spec));
    assert.equal(answer.status, 422);
    assert.match(String(bodyOf(answer)['message']), expected);
  });
}

test('addresses are known again after a restart', async () => {
  const store = createMemoryStore();
  const ports = [{ port: 1 }];
  const first = new ApiServer({ store });
  await first.transport().request({
    method: 'POST',
    path: '/api/v1/namespaces/default/services',
    body: service('x', { clusterIP: '10.0.0.40', ports }),
  });
  const second = new ApiServer({ store });
  const answer = await second.transport().request({
    method: 'POST',
    path: '/api/v1/namespaces/default/services',
    body: service('y', { clusterIP: '10.0.0.40', ports }),
  });
  assert.equal(answer.status, 422);
  await second.close();
  await first.close();
});

const PODS = '/api/v1/namespaces/n/pods';

async function makePod(name: string, more: Json = {}): Promise<void> {
  const spec = { containers: [{ name: 'c', image: 'i' }], ...more };
  const made = await call('POST', PODS, { kind: 'Pod', metadata: { name, labels: { app: name } }, spec });
  assert.equal(made.status, 201, JSON.stringify(made.body));
}

test('a binding puts a pod on a node, once', async () => {
  await makePod('bound');
  const binding = {
    kind: 'Binding',
    metadata: { name: 'bound', annotations: { note: 'x' } },
    target: { kind: 'Node', name: 'node-1' },
  };
  const answer = await call('POST', `${PODS}/bound/binding`, binding);
  assert.equal(answer.status, 201);
  assert.equal(bodyOf(answer)['kind'], 'Status');
  const pod = bodyOf(await call('GET', `${PODS}/bound`));
  assert.equal(at(pod, 'spec.nodeName'), 'node-1');
  assert.equal(at(pod, 'metadata.annotations.note'), 'x');
  assert.equal(at(pod, 'status.conditions.0.type'), 'PodScheduled');
  const again = await call('POST', `${PODS}/bound/binding`, binding);
  assert.equal(again.status, 409);
  assert.equal(
    bodyOf(again)['message'],
    'Operation cannot be fulfilled on pods/binding "bound": pod bound is already assigned to node "node-1"',
  );
});

test('the older binding of a namespace does the same', async () => {
  await makePod('older');
  const answer = await call('POST', '/api/v1/namespaces/n/bindings', {
    kind: 'Binding',
    metadata: { name: 'older' },
    target: { name: 'node-1' },
  });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  assert.equal(at(bodyOf(await call('GET', `${PODS}/older`)), 'spec.nodeName'), 'node-1');
});

test('an eviction asks the budget', async () => {
  await makePod('evicted', { nodeName: 'node-1' });
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  assert.equal((await call('PATCH', `${PODS}/evicted/status`, { status })).status, 200);
  const budgets = '/apis/policy/v1/namespaces/n/poddisruptionbudgets';
  await call('POST', budgets, {
    kind: 'PodDisruptionBudget',
    metadata: { name: 'b' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'evicted' } } },
  });
  const eviction = { kind: 'Eviction', metadata: { name: 'evicted' } };
  const early = await call('POST', `${PODS}/evicted/eviction`, eviction);
  assert.equal(early.status, 429);
  assert.equal(
    at(early.body, 'details.causes.0.message'),
    'The disruption budget b is still being processed by the server.',
  );
  const observed = {
    observedGeneration: 1,
    disruptionsAllowed: 0,
    currentHealthy: 1,
    desiredHealthy: 1,
    expectedPods: 1,
  };
  await call('PATCH', `${budgets}/b/status`, { status: observed });
  const refused = await call('POST', `${PODS}/evicted/eviction`, eviction);
  assert.equal(refused.status, 429);
  assert.equal(
    bodyOf(refused)['message'],
    "Cannot evict pod as it would violate the pod's disruption budget.",
  );
  assert.equal(
    at(refused.body, 'details.causes.0.message'),
    'The disruption budget b needs 1 healthy pods and has 1 currently',
  );
  await call('PATCH', `${budgets}/b/status`, { status: { disruptionsAllowed: 1 } });
  assert.equal((await call('POST', `${PODS}/evicted/eviction`, eviction)).status, 201);
  const budget = bodyOf(await call('GET', `${budgets}/b`));
  assert.equal(at(budget, 'status.disruptionsAllowed'), 0);
  assert.ok(at(budget, 'status.disruptedPods.evicted') !== undefined);
  const pod = bodyOf(await call('GET', `${PODS}/evicted`));
  assert.ok(at(pod, 'metadata.deletionTimestamp') !== undefined);
  assert.equal(at(pod, 'status.conditions.1.type'), 'DisruptionTarget');
});

test('a namespace goes when its last finalizer does', async () => {
  await call('POST', '/api/v1/namespaces', { kind: 'Namespace', metadata: { name: 'going' } });
  const deleted = bodyOf(await call('DELETE', '/api/v1/namespaces/going'));
  assert.equal(at(deleted, 'status.phase'), 'Terminating');
  const live = bodyOf(await call('GET', '/api/v1/namespaces/going'));
  assert.deepEqual(at(live, 'spec.finalizers'), ['kubernetes']);
  const answer = await call('PUT', '/api/v1/namespaces/going/finalize', {
    ...live,
    spec: { finalizers: [] },
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal((await call('GET', '/api/v1/namespaces/going')).status, 404);
});

test('a token is issued, reviewed, and refused when it would be too short', async () => {
  await call('POST', '/api/v1/namespaces/n/serviceaccounts', {
    kind: 'ServiceAccount',
    metadata: { name: 'robot' },
  });
  const path = '/api/v1/namespaces/n/serviceaccounts/robot/token';
  const short = await call('POST', path, { kind: 'TokenRequest', spec: { expirationSeconds: 10 } });
  assert.equal(short.status, 422);
  // The handler must not take its default for a value of the wrong type.
  const text = await call('POST', path, { kind: 'TokenRequest', spec: { expirationSeconds: '7200' } });
  assert.equal(text.status, 400);
  assert.match(
    String(at(text.body, 'message')),
    /^TokenRequest in version "v1" cannot be handled as a TokenRequest: json: cannot unmarshal string/,
  );
  const bound = { kind: 'constructor', name: 'a' };
  const unbound = await call('POST', path, { kind: 'TokenRequest', spec: { boundObjectRef: bound } });
  assert.equal(unbound.status, 422);
  const issued = await call('POST', path, { kind: 'TokenRequest', spec: {} });
  assert.equal(issued.status, 201, JSON.stringify(issued.body));
  assert.deepEqual(at(issued.body, 'metadata.managedFields.0.fieldsV1'), {
    'f:spec': { 'f:expirationSeconds': {} },
  });
  const secret = await call('POST', '/api/v1/namespaces/n/secrets', {
    kind: 'Secret',
    metadata: { name: 'bond' },
  });
  const bond = { kind: 'Secret', name: 'bond', uid: String(at(secret.body, 'metadata.uid')) };
  const asked = { expirationSeconds: 700, boundObjectRef: bond, audiences: ['me'] };
  const narrow = await call('POST', path, { kind: 'TokenRequest', spec: asked });
  assert.deepEqual(at(narrow.body, 'spec'), asked);
  assert.deepEqual(at(narrow.body, 'metadata.managedFields.0.fieldsV1'), {
    'f:spec': { 'f:audiences': {}, 'f:boundObjectRef': {}, 'f:expirationSeconds': {} },
  });
  const stale = { ...asked, boundObjectRef: { ...bond, uid: 'another' } };
  assert.equal((await call('POST', path, { kind: 'TokenRequest', spec: stale })).status, 409);
  const token = String(at(issued.body, 'status.token'));
  const review = (value: string): Promise<ApiResponse> =>
    call('POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
      kind: 'TokenReview',
      spec: { token: value },
    });
  const good = await review(token);
  assert.equal(at(good.body, 'status.authenticated'), true);
  assert.equal(at(good.body, 'status.user.username'), 'system:serviceaccount:n:robot');
  assert.equal(at((await review('nobody')).body, 'status.authenticated'), undefined);
});

test('access reviews answer for whom they name', async () => {
  const attributes = { verb: 'get', resource: 'pods', namespace: 'n' };
  const self = await call('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: attributes },
  });
  assert.equal(at(self.body, 'status.allowed'), true);
  const other = await call('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
    kind: 'SubjectAccessReview',
    spec: { user: 'jane', resourceAttributes: attributes },
  });
  assert.equal(other.status, 201);
  assert.equal(at(other.body, 'status.allowed'), false);
  const nobody = await call('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
    kind: 'SubjectAccessReview',
    spec: { resourceAttributes: attributes },
  });
  assert.equal(nobody.status, 422);
});

test('an event is the same in both groups, an autoscaler in both versions', async () => {
  await call('POST', '/api/v1/namespaces/n/events', {
    kind: 'Event',
    metadata: { name: 'e' },
    involvedObject: { kind: 'Pod', name: 'p', namespace: 'n' },
    message: 'hello',
    count: 2,
  });
  const event = bodyOf(await call('GET', '/apis/events.k8s.io/v1/namespaces/n/events/e'));
  assert.equal(event['note'], 'hello');
  assert.equal(at(event, 'regarding.name'), 'p');
  assert.equal(event['deprecatedCount'], 2);
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
  const metrics = [
    { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } },
    { type: 'Pods', pods: { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '5' } } },
  ];
  await call('POST', '/apis/autoscaling/v2/namespaces/n/horizontalpodautoscalers', {
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'h' },
    spec: { maxReplicas: 3, scaleTargetRef, metrics },
  });
  const old = bodyOf(await call('GET', '/apis/autoscaling/v1/namespaces/n/horizontalpodautoscalers/h'));
  assert.equal(at(old, 'spec.targetCPUUtilizationPercentage'), 60);
  const annotation = at(old, 'metadata.annotations') as Record<string, string>;
  assert.deepEqual(JSON.parse(annotation['autoscaling.alpha.kubernetes.io/metrics'] ?? ''), [
    { type: 'Pods', pods: { metricName: 'rps', targetAverageValue: '5' } },
  ]);
  const put = await call('PUT', '/apis/autoscaling/v1/namespaces/n/horizontalpodautoscalers/h', old);
  assert.equal(put.status, 200, JSON.stringify(put.body));
  const back = bodyOf(await call('GET', '/apis/autoscaling/v2/namespaces/n/horizontalpodautoscalers/h'));
  assert.deepEqual(at(back, 'spec.metrics'), metrics.toReversed());
});

test('a daemon set counts the changes of its template', async () => {
  const path = '/apis/apps/v1/namespaces/n/daemonsets';
  const labels = { app: 'd' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i:1' }] } };
  await call('POST', path, {
    kind: 'DaemonSet',
    metadata: { name: 'd' },
    spec: { selector: { matchLabels: labels }, template },
  });
  const generations = async (spec: Json): Promise<unknown[]> => {
    const changed = bodyOf(await call('PATCH', `${path}/d`, { spec }));
    const annotations = at(changed, 'metadata.annotations') as Json;
    return [annotations['deprecated.daemonset.template.generation'], at(changed, 'metadata.generation')];
  };
  assert.deepEqual(await generations({ minReadySeconds: 5 }), ['1', 2]);
  const next = { ...template, spec: { containers: [{ name: 'c', image: 'i:2' }] } };
  assert.deepEqual(await generations({ template: next }), ['2', 3]);
});
