// What a few requests in a row do to built-in kinds. A real server has shown each: tests/real/differential.real.ts met
// them with seeds other than its own.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { ApiRequest, KubeObject, Status } from '@windlass/apimachinery';
import { FakeClock } from '@windlass/base';
import { ApiServer } from '../api-server.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

type Answer = KubeObject & { readonly [field: string]: unknown };

const clock = new FakeClock({ start: Date.parse('2030-01-01T00:00:00Z') });
const server = new ApiServer({ store: createMemoryStore({ clock }), clock });
const transport = server.transport();
after(() => server.close());

const NAMESPACES = '/api/v1/namespaces';
const DEFAULT = `${NAMESPACES}/default`;
const APPLY = { headers: { 'content-type': 'application/apply-patch+yaml' }, query: { fieldManager: 'me' } };
const MERGE = { headers: { 'content-type': 'application/merge-patch+json' } };

async function call(
  method: ApiRequest['method'],
  path: string,
  body?: unknown,
  more: Partial<ApiRequest> = {},
): Promise<{ readonly status: number; readonly body: Answer }> {
  const answer = await transport.request({ method, path, ...(body !== undefined && { body }), ...more });
  return { status: answer.status, body: answer.body as Answer };
}

/** `field: message` of all that is wrong. */
function causesOf(body: Answer): string[] {
  const { details } = body as unknown as Status;
  return (details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`).toSorted();
}

describe('a deletion', () => {
  it('can be asked for by an apply that creates, and is over with the next write', async () => {
    const path = `${DEFAULT}/configmaps/gone`;
    const config = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { deletionTimestamp: '2024-02-29T12:00:00Z' },
    };
    const created = await call('PATCH', path, config, APPLY);
    assert.equal(created.status, 201);
    assert.equal(created.body.metadata?.deletionTimestamp, '2024-02-29T12:00:00Z');
    assert.equal((await call('GET', path)).status, 200);
    assert.equal((await call('PATCH', path, { data: { a: 'b' } }, MERGE)).status, 200);
    assert.equal((await call('GET', path)).status, 404);
  });

  it('cannot be asked for by a POST', async () => {
    const metadata = { name: 'stays', deletionTimestamp: '2024-02-29T12:00:00Z', selfLink: '/x' };
    const { body } = await call('POST', `${DEFAULT}/configmaps`, { metadata });
    assert.deepEqual([body.metadata?.deletionTimestamp, body.metadata?.selfLink], [undefined, undefined]);
  });

  it('of a namespace begins with the first request and ends with the second, if nothing holds it', async () => {
    const path = `${NAMESPACES}/empty`;
    await call('POST', NAMESPACES, { metadata: { name: 'empty' } });
    const { status } = await call('PUT', `${path}/finalize`, { metadata: { name: 'empty' }, spec: {} });
    assert.equal(status, 200);
    const first = await call('DELETE', path);
    assert.deepEqual(first.body['status'], { phase: 'Terminating' });
    assert.equal((await call('GET', path)).status, 200);
    await call('DELETE', path);
    assert.equal((await call('GET', path)).status, 404);
  });
});

describe('a service', () => {
  const path = `${DEFAULT}/services`;
  const named = (name: string, spec: object): object => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec,
  });

  it('by an external name has neither addresses nor families, and says nothing of its traffic', async () => {
    const external = { type: 'ExternalName', externalName: 'example.com' };
    const fields = { clusterIPs: ['10.0.0.9'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' };
    const { body } = await call('POST', path, named('e', { ...external, ...fields }));
    assert.deepEqual(
      causesOf(body),
      ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy'].map(
        (field) => `spec.${field}: Forbidden: may not be set for ExternalName services`,
      ),
    );
    const made = await call('POST', path, named('e', { ...external, internalTrafficPolicy: 'Local' }));
    assert.deepEqual([made.status, made.body['spec']], [201, { ...external, sessionAffinity: 'None' }]);
    const wrong = await call('PATCH', `${path}/e`, { spec: { internalTrafficPolicy: 'x' } }, MERGE);
    assert.match(causesOf(wrong.body).join(), /^spec\.internalTrafficPolicy: Unsupported value: "x"/);
  });

  it('that becomes one loses what it had, unless that is changed with it', async () => {
    await call('POST', path, named('s', { ports: [{ port: 80 }] }));
    const change = { type: 'ExternalName', externalName: 'example.com' };
    const both = await call('PATCH', `${path}/s`, { spec: { ...change, ipFamilies: ['IPv6'] } }, MERGE);
    assert.deepEqual(causesOf(both.body), [
      'spec.ipFamilies: Forbidden: may not be set for ExternalName services',
    ]);
    const { status, body } = await call('PATCH', `${path}/s`, { spec: change }, MERGE);
    assert.equal(status, 200);
    const spec = body['spec'] as Record<string, unknown>;
    for (const field of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'])
      assert.equal(spec[field], undefined, field);
  });

  it('keeps the node port of a port whose number changes, and loses it with its type', async () => {
    const balancer = { type: 'LoadBalancer', ports: [{ name: 'a', port: 80 }] };
    const made = await call('POST', path, named('n', balancer));
    const nodePortOf = (body: Answer): unknown =>
      (body['spec'] as { ports: { nodePort?: number }[] }).ports[0]?.nodePort;
    const given = nodePortOf(made.body);
    assert.ok(typeof given === 'number');
    const ports = [{ name: 'a', port: 81 }];
    const moved = await call('PUT', `${path}/n`, named('n', { ...balancer, ports }));
    assert.equal(nodePortOf(moved.body), given);
    const change = { spec: { allocateLoadBalancerNodePorts: false } };
    assert.equal(nodePortOf((await call('PATCH', `${path}/n`, change, MERGE)).body), given);
    const { status, body } = await call('PATCH', `${path}/n`, { spec: { type: 'ClusterIP' } }, MERGE);
    assert.deepEqual([status, nodePortOf(body)], [200, undefined]);
  });

  it('keeps its address and ports from others, and not from itself under a wrong uid', async () => {
    await call('POST', path, named('u', { type: 'NodePort', ports: [{ port: 80 }] }));
    const config = { apiVersion: 'v1', kind: 'Service', metadata: { uid: 'other' }, spec: {} };
    const { body } = await call('PATCH', `${path}/u`, config, APPLY);
    assert.deepEqual(causesOf(body), ['metadata.uid: Invalid value: "other": field is immutable']);
  });
});

describe('what a server says of', () => {
  it('a StatefulSet: its claims are claims, whatever they are called', async () => {
    const path = '/apis/apps/v1/namespaces/default/statefulsets';
    const labels = { app: 'a' };
    const claim = {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const spec = { selector: { matchLabels: labels }, template, volumeClaimTemplates: [claim] };
    assert.equal((await call('POST', path, { metadata: { name: 's' }, spec })).status, 201);
    const renamed = { spec: { volumeClaimTemplates: [{ ...claim, kind: 'Role', apiVersion: 'x/v1' }] } };
    const { status, body } = await call('PATCH', `${path}/s`, renamed, MERGE);
    assert.equal(status, 200, JSON.stringify(body));
    const [stored] = (body['spec'] as { volumeClaimTemplates: KubeObject[] }).volumeClaimTemplates;
    assert.deepEqual([stored?.kind, stored?.apiVersion], ['PersistentVolumeClaim', 'v1']);
  });

  it('a second default priority class, even of the same name', async () => {
    const path = '/apis/scheduling.k8s.io/v1/priorityclasses';
    const object = { metadata: { name: 'p' }, value: 1, globalDefault: true };
    assert.equal((await call('POST', path, object)).status, 201);
    const { status, body } = await call('POST', path, object);
    assert.deepEqual(
      [status, body['message']],
      [
        403,
        'priorityclasses.scheduling.k8s.io "p" is forbidden: PriorityClass p is already marked as default. Only one default can exist',
      ],
    );
    assert.equal((await call('PATCH', `${path}/p`, { description: 'x' }, MERGE)).status, 200);
    await call('DELETE', `${path}/p`);
  });

  it('a pod of the runtime class without a name', async () => {
    const spec = { containers: [{ name: 'c', image: 'i' }], runtimeClassName: '' };
    const { status, body } = await call('POST', `${DEFAULT}/pods`, { metadata: { name: 'r' }, spec });
    assert.deepEqual([status, body['message']], [500, 'resource name may not be empty']);
  });

  it('a pod that waits at a gate, and since when', async () => {
    const spec = { containers: [{ name: 'c', image: 'i' }], schedulingGates: [{ name: 'x.io/a' }] };
    const { body } = await call('POST', `${DEFAULT}/pods`, { metadata: { name: 'g' }, spec });
    const { conditions } = body['status'] as { conditions: object[] };
    assert.deepEqual(conditions, [
      {
        type: 'PodScheduled',
        status: 'False',
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
        lastProbeTime: null,
        lastTransitionTime: '2030-01-01T00:00:00Z',
      },
    ]);
  });

  it('a replication controller whose name is too long, in bytes', async () => {
    const path = `${DEFAULT}/replicationcontrollers`;
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const metadata = { name: 'x'.repeat(254) };
    const { body } = await call('POST', path, { metadata, spec: { selector: { a: 'b' }, template } });
    assert.match(
      causesOf(body).join(),
      /^metadata\.name: Invalid value: "x+": must be no more than 253 bytes$/,
    );
  });

  it('a disruption budget: first what is wrong with it, then with its metadata', async () => {
    const path = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
    const metadata = { name: 'b', labels: { a: '-' } };
    const spec = { minAvailable: -1 };
    const wrong = await call('POST', path, { metadata, spec });
    assert.deepEqual(
      causesOf(wrong.body).map((cause) => cause.split(':')[0]),
      ['spec.minAvailable'],
    );
    const labels = await call('POST', path, { metadata, spec: { minAvailable: 1 } });
    assert.deepEqual(
      causesOf(labels.body).map((cause) => cause.split(':')[0]),
      ['metadata.labels'],
    );
  });

  it('an event: the same', async () => {
    const metadata = { name: 'e', labels: { a: '-' } };
    const fields = (object: Answer): (string | undefined)[] =>
      causesOf(object).map((cause) => cause.split(':')[0]);
    const wrong = await call('POST', `${DEFAULT}/events`, { metadata, involvedObject: { namespace: 'x' } });
    assert.deepEqual(fields(wrong.body), ['involvedObject.namespace']);
    const right = { metadata, involvedObject: { namespace: 'default' } };
    assert.deepEqual(fields((await call('POST', `${DEFAULT}/events`, right)).body), ['metadata.labels']);
  });

  it('a claim whose data source had a group before: any other is only too late', async () => {
    const path = `${DEFAULT}/persistentvolumeclaims`;
    const resources = { requests: { storage: '1Gi' } };
    const dataSourceRef = { apiGroup: 'x.io', kind: 'Y', name: 'z' };
    const spec = { accessModes: ['ReadWriteOnce'], resources, dataSourceRef };
    assert.equal((await call('POST', path, { metadata: { name: 'c' }, spec })).status, 201);
    const patch = { spec: { dataSourceRef: { apiGroup: ' a' } } };
    const { body } = await call('PATCH', `${path}/c`, patch, MERGE);
    assert.deepEqual(
      causesOf(body).filter((cause) => cause.includes('apiGroup')),
      [],
    );
    const other = {
      metadata: { name: 'd' },
      spec: { ...spec, dataSourceRef: { ...dataSourceRef, apiGroup: ' a' } },
    };
    assert.match(
      causesOf((await call('POST', path, other)).body).join(),
      /dataSourceRef\.apiGroup: Invalid value/,
    );
  });
});

describe('the pull policy of an image', () => {
  const rows: [image: string, policy: string][] = [
    ['web', 'Always'],
    ['web:latest', 'Always'],
    ['example.com:5000/a/b_c--d', 'Always'],
    ['[2001:db8::1]:5000/a', 'Always'],
    ['web:1', 'IfNotPresent'],
    ['example.com:5000/a:1', 'IfNotPresent'],
    [`web@sha256:${'0'.repeat(64)}`, 'IfNotPresent'],
    // No registry knows these.
    [' a', 'IfNotPresent'],
    ['a ', 'IfNotPresent'],
    ['A', 'IfNotPresent'],
    ['a//b', 'IfNotPresent'],
    ['a:', 'IfNotPresent'],
    ['0'.repeat(64), 'IfNotPresent'],
    ['x'.repeat(247), 'Always'],
    ['x'.repeat(248), 'IfNotPresent'],
  ];
  for (const [image, policy] of rows)
    it(`of ${JSON.stringify(image)} is ${policy}`, async () => {
      const template = { spec: { containers: [{ name: 'c', image }] } };
      const { body } = await call(
        'POST',
        `${DEFAULT}/podtemplates`,
        { metadata: { name: 't' }, template },
        { query: { dryRun: 'All' } },
      );
      const { spec } = body['template'] as { spec: { containers: { imagePullPolicy: string }[] } };
      assert.equal(spec.containers[0]?.imagePullPolicy, policy);
    });
});
