import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ApiRequest, ApiResponse, Transport } from '@windlass/apimachinery';
import { nextTurn } from '@windlass/base';
import { ApiServer } from '../api-server.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import { auditPolicyFor } from '../audit/audit-policy.ts';
import { createMemoryStore } from '../storage/index.ts';

type Json = Readonly<Record<string, unknown>>;

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const SERVICES = '/api/v1/namespaces/default/services';
const TYPES = { merge: 'application/merge-patch+json', apply: 'application/apply-patch+yaml' } as const;

/** Sends bodies as bytes, as they come over HTTP: only these are large. */
class Client {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  send(
    method: ApiRequest['method'],
    path: string,
    body?: Json,
    { contentType = 'application/json', ...more }: Partial<ApiRequest> & { contentType?: string } = {},
  ): Promise<ApiResponse> {
    const [pathname = '', search = ''] = path.split('?');
    return this.#transport.request({
      method,
      path: pathname,
      query: Object.fromEntries(new URLSearchParams(search)),
      headers: { 'content-type': contentType, 'user-agent': 'tester/1' },
      ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
      ...more,
    });
  }

  /** The object that is answered; its status must be this one. */
  async must(status: number, ...call: Parameters<Client['send']>): Promise<Served> {
    const answer = await this.send(...call);
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    // The tests know what they asked for.
    return answer.body as Served;
  }
}

interface Served {
  readonly metadata: { readonly name: string; readonly uid: string; readonly resourceVersion: string };
  readonly spec?: { readonly clusterIP?: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly message?: string;
  readonly color?: string;
}

const configMap = (name: string, data: Json = { a: 'b' }, metadata: Json = {}): Json => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});

describe('LargeWrites', () => {
  const audited: AuditEvent[] = [];
  let server: ApiServer;
  let client: Client;

  before(async () => {
    server = new ApiServer({
      store: createMemoryStore({}),
      largeWriteBytes: 0,
      serviceCidr: '10.9.0.0/29',
      audit: {
        policy: auditPolicyFor('Request'),
        sink: {
          // The server writes nothing else.
          write: (line) => void audited.push(JSON.parse(line) as AuditEvent),
          close: async () => {},
          [Symbol.asyncDispose]: async () => {},
        },
      },
    });
    await server.ready();
    client = new Client(server.transport());
  });

  after(() => server.close());

  it('stores what the thread has made, once', async () => {
    const created = await client.must(201, 'POST', CONFIG_MAPS, configMap('one'));
    assert.deepEqual(await client.must(200, 'GET', `${CONFIG_MAPS}/one`), created);
    const { message } = await client.must(409, 'POST', CONFIG_MAPS, configMap('one'));
    assert.equal(message, 'configmaps "one" already exists');
  });

  it('answers as a read does, also in a version that is not the stored one', async () => {
    const path = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers';
    const scaler = (maxReplicas: number): Json => ({
      apiVersion: 'autoscaling/v1',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'one' },
      spec: { maxReplicas, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
    });
    const answers = [
      () => client.must(201, 'POST', path, scaler(3)),
      () => client.must(200, 'PUT', `${path}/one`, scaler(4)),
      () =>
        client.must(200, 'PATCH', `${path}/one`, { spec: { maxReplicas: 5 } }, { contentType: TYPES.merge }),
    ];
    for (const write of answers) {
      const answer = await write();
      assert.deepEqual(answer, await client.must(200, 'GET', `${path}/one`));
    }
  });

  it('keeps a write that comes between: nobody overwrites what they have not seen', async () => {
    await client.must(201, 'POST', CONFIG_MAPS, configMap('counted', { n: '0' }));
    const add = (key: string) =>
      client.must(
        200,
        'PATCH',
        `${CONFIG_MAPS}/counted`,
        { data: { [key]: 'x' } },
        { contentType: TYPES.merge },
      );
    const inProcess = server.transport();
    await Promise.all([
      ...Array.from({ length: 6 }, (_, at) => add(`large-${at}`)),
      // Not bytes, so done by the server's own thread, meanwhile.
      ...Array.from({ length: 6 }, (_, at) =>
        inProcess.request({
          method: 'PATCH',
          path: `${CONFIG_MAPS}/counted`,
          headers: { 'content-type': TYPES.merge },
          body: { data: { [`small-${at}`]: 'x' } },
        }),
      ),
    ]);
    const { data } = await client.must(200, 'GET', `${CONFIG_MAPS}/counted`);
    assert.equal(Object.keys(data ?? {}).length, 13);
    const stale = configMap('counted', {}, { resourceVersion: '1' });
    await client.must(409, 'PUT', `${CONFIG_MAPS}/counted`, stale);
  });

  it('stores nothing for a dry run, and answers what it would have stored', async () => {
    const dry = await client.must(201, 'POST', `${CONFIG_MAPS}?dryRun=All`, configMap('dry'));
    assert.equal(dry.metadata.name, 'dry');
    await client.must(404, 'GET', `${CONFIG_MAPS}/dry`);
  });

  it('makes names, and removes what only waited for its last finalizer', async () => {
    const body = configMap('', {}, { generateName: 'made-', finalizers: ['example.com/hold'] });
    const { metadata } = await client.must(201, 'POST', CONFIG_MAPS, body);
    const path = `${CONFIG_MAPS}/${metadata.name}`;
    assert.match(metadata.name, /^made-[a-z0-9]{5}$/);
    await client.must(200, 'DELETE', path);
    await client.must(200, 'GET', path);
    await client.must(200, 'PATCH', path, { metadata: { finalizers: null } }, { contentType: TYPES.merge });
    await client.must(404, 'GET', path);
  });

  it('gives back the address of a service that was refused, and of one that is gone', async () => {
    const service = (name: string, spec: Json = {}): Json => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name },
      spec: { ports: [{ port: 80 }], ...spec },
    });
    // The block has six addresses.
    for (let round = 0; round < 8; round++) {
      await client.must(422, 'POST', SERVICES, service(`refused-${round}`, { ports: [{ port: 0 }] }));
      await client.must(201, 'POST', `${SERVICES}?dryRun=All`, service(`dry-${round}`));
    }
    const addresses = new Set<string>();
    for (let at = 0; at < 6; at++) {
      const { spec } = await client.must(201, 'POST', SERVICES, service(`s${at}`));
      addresses.add(spec?.clusterIP ?? '');
    }
    assert.equal(addresses.size, 6);
    const full = await client.must(422, 'POST', SERVICES, service('too-many'));
    assert.match(full.message ?? '', /range is full/);
    await client.must(200, 'DELETE', `${SERVICES}/s0`);
    await client.must(201, 'POST', SERVICES, service('again'));
  });

  it('passes on warnings, errors and what the audit log wants', async () => {
    const warned = await client.send('POST', CONFIG_MAPS, { ...configMap('warned'), unknown: 1 });
    assert.match(String(warned.headers['warning']), /unknown field \\"unknown\\"/);
    const wrong = await client.must(422, 'POST', CONFIG_MAPS, configMap('wrong', { 'not a key': '' }));
    assert.match(wrong.message ?? '', /ConfigMap "wrong" is invalid: data\[not a key\]/);
    await client.must(404, 'POST', '/api/v1/namespaces/nowhere/configmaps', configMap('a'));
    const event = audited.find(
      ({ objectRef, stage }) => objectRef?.name === 'warned' && stage === 'ResponseComplete',
    );
    const { kind, data } = (event?.requestObject ?? {}) as Json;
    assert.deepEqual({ kind, data }, { kind: 'ConfigMap', data: { a: 'b' } });
  });

  it('serves custom resources by the definition of now', async () => {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const definition = (maximum: number): Json => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.large.test' },
      spec: {
        group: 'large.test',
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: { size: { type: 'integer', maximum }, color: { type: 'string', default: 'red' } },
              },
            },
          },
        ],
      },
    });
    const things = '/apis/large.test/v1/namespaces/default/things';
    const thing = (name: string, size: number): Json => ({
      apiVersion: 'large.test/v1',
      kind: 'Thing',
      metadata: { name },
      size,
    });
    await client.must(201, 'POST', path, definition(5));
    while ((await client.send('GET', things)).status !== 200) await nextTurn();
    const created = await client.must(201, 'POST', things, thing('small', 5));
    assert.equal(created.color, 'red');
    await client.must(422, 'POST', things, thing('large', 6));
    await client.must(200, 'PATCH', `${path}/things.large.test`, definition(6), { contentType: TYPES.merge });
    // A definition counts a moment after it is written.
    while ((await client.send('POST', `${things}?dryRun=All`, thing('large', 6))).status !== 201)
      await nextTurn();
    await client.must(422, 'POST', things, thing('large', 7));
  });

  it('does not begin a write whose client has gone', async () => {
    const gone = new AbortController();
    const first = client.must(201, 'POST', CONFIG_MAPS, configMap('before'));
    const second = client.send('POST', CONFIG_MAPS, configMap('gone'), { signal: gone.signal });
    gone.abort();
    await first;
    assert.notEqual((await second).status, 201);
    await client.must(404, 'GET', `${CONFIG_MAPS}/gone`);
  });
});

describe('a server with a large write', () => {
  it('goes on with other things meanwhile', async () => {
    await using server = new ApiServer({ store: createMemoryStore({}) });
    await server.ready();
    const client = new Client(server.transport());
    // So the thread is there.
    await client.must(201, 'POST', CONFIG_MAPS, configMap('first', { a: 'x'.repeat(200_000) }));
    const pod = (): Json => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'large' },
      spec: {
        containers: Array.from({ length: 15_000 }, (_, at) => ({
          name: `c${at}`,
          image: 'i',
          env: [{ name: 'A' }],
        })),
      },
    });
    let longest = 0;
    const state = { isDone: false };
    const start = performance.now();
    const write = client.send('POST', '/api/v1/namespaces/default/pods?dryRun=All', pod()).finally(() => {
      state.isDone = true;
    });
    for (let last = performance.now(); !state.isDone; ) {
      await nextTurn();
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }
    const whole = performance.now() - start;
    assert.equal((await write).status, 201);
    assert.ok(longest < whole / 3, `${longest} of ${whole} ms in one turn`);
  });

  it('tells those who wait that it stops, and stops', async () => {
    const server = new ApiServer({ store: createMemoryStore({}), largeWriteBytes: 0 });
    await server.ready();
    const client = new Client(server.transport());
    const writes = Array.from({ length: 4 }, (_, at) =>
      client.send('POST', CONFIG_MAPS, configMap(`c${at}`)),
    );
    await nextTurn();
    await server.close();
    for (const { status, body } of await Promise.all(writes))
      assert.ok(status === 201 || status === 503, JSON.stringify(body));
  });
});
