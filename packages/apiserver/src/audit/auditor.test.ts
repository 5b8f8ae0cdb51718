// The audit log as the whole server writes it.
import assert from 'node:assert/strict';
import { type IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { after, before, describe, it } from 'node:test';
import type { ApiResponse } from '@windlass/apimachinery';
import { issueCertificate, MetricsRegistry, realClock, systemRandom } from '@windlass/base';
import type { UserInfo } from '../access/user.ts';
import { ApiServer } from '../api-server.ts';
import { createMemoryStore } from '../storage/memory-store.ts';
import type { AuditEvent } from './audit-event.ts';
import type { AuditPolicy } from './audit-policy.ts';
import type { AuditSink } from './audit-sink.ts';

class Lines implements AuditSink {
  readonly events: AuditEvent[] = [];
  isClosed = false;
  /** Set to make every writer wait. */
  gate: Promise<void> | undefined;
  write(line: string): void | Promise<void> {
    assert.ok(!line.includes('\n'));
    this.events.push(JSON.parse(line) as AuditEvent);
    return this.gate;
  }
  async close(): Promise<void> {
    this.isClosed = true;
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
  take(): AuditEvent[] {
    return this.events.splice(0);
  }
}

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const admin: UserInfo = { name: 'root', groups: ['system:masters', 'system:authenticated'] };
const jane: UserInfo = { name: 'jane', uid: '7', groups: ['dev'], extra: { team: ['a'] } };

async function serverWith(policy?: AuditPolicy) {
  const sink = new Lines();
  const metrics = new MetricsRegistry();
  const server = new ApiServer({
    store: createMemoryStore(),
    metrics,
    audit: { sink, ...(policy !== undefined && { policy }) },
  });
  await server.ready();
  sink.take();
  return { sink, server, metrics };
}

describe('the audit log by default', () => {
  let parts: Awaited<ReturnType<typeof serverWith>>;
  before(async () => {
    parts = await serverWith();
  });
  after(() => parts.server.close());

  const ask = (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    {
      body,
      user = admin,
      headers,
    }: { body?: object; user?: UserInfo; headers?: Record<string, string> } = {},
  ): Promise<ApiResponse> =>
    parts.server.transport(user).request({
      method,
      path,
      ...(body !== undefined && { body }),
      ...(headers !== undefined && { headers }),
    });

  it('has one line for a request, with who, what and how it ended', async () => {
    const body = { metadata: { name: 'a' }, data: { key: 'value' } };
    const query = { fieldManager: 'me', labelSelector: ['a=b', 'c'] };
    await parts.server.transport(admin).request({
      method: 'POST',
      path: CONFIG_MAPS,
      query,
      body,
      headers: { 'user-agent': `kubectl/${'x'.repeat(2000)}`, 'x-forwarded-for': '192.0.2.7, 192.0.2.8' },
    });
    const [event, ...others] = parts.sink.take();
    assert.equal(others.length, 0);
    assert.ok(event !== undefined);
    const { auditID, requestReceivedTimestamp, stageTimestamp, userAgent, ...rest } = event;
    assert.match(auditID, /^[0-9a-f-]{36}$/);
    assert.match(requestReceivedTimestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    assert.ok(stageTimestamp >= requestReceivedTimestamp);
    assert.match(userAgent ?? '', /^kubectl\/x{1016}\.\.\.TRUNCATED$/);
    assert.deepEqual(rest, {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'Metadata',
      stage: 'ResponseComplete',
      requestURI: `${CONFIG_MAPS}?fieldManager=me&labelSelector=a%3Db&labelSelector=c`,
      verb: 'create',
      user: { username: 'root', groups: ['system:masters', 'system:authenticated'] },
      sourceIPs: ['192.0.2.7', '192.0.2.8'],
      objectRef: { resource: 'configmaps', namespace: 'default', apiVersion: 'v1', name: 'a' },
      responseStatus: { metadata: {}, code: 201 },
      annotations: { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': '' },
    });
  });

  it('says what was refused, and why', async () => {
    await ask('GET', CONFIG_MAPS, { user: jane });
    const [event] = parts.sink.take();
    assert.deepEqual(event?.user, { username: 'jane', uid: '7', groups: ['dev'], extra: { team: ['a'] } });
    assert.equal(event?.annotations?.['authorization.k8s.io/decision'], 'forbid');
    assert.equal(event?.responseStatus?.reason, 'Forbidden');
    assert.equal(event?.responseStatus?.status, 'Failure');
    assert.match(event?.responseStatus?.message ?? '', /User "jane" cannot list resource "configmaps"/);
  });

  it('names both who asks and as whom', async () => {
    await ask('GET', CONFIG_MAPS, { headers: { 'impersonate-user': 'joe', 'impersonate-group': 'dev' } });
    const [event] = parts.sink.take();
    assert.equal(event?.user.username, 'root');
    assert.deepEqual(event?.impersonatedUser, { username: 'joe', groups: ['dev', 'system:authenticated'] });
  });

  it('tells a watch when it begins and when it ends', async () => {
    const stop = new AbortController();
    const answer = await parts.server
      .transport(admin)
      .watch({ method: 'GET', path: CONFIG_MAPS, query: { watch: 'true' }, signal: stop.signal });
    assert.ok('events' in answer && answer.events !== undefined);
    const [began] = parts.sink.take();
    assert.deepEqual([began?.verb, began?.stage], ['watch', 'ResponseStarted']);
    for await (const _ of answer.events) break;
    const [ended] = parts.sink.take();
    assert.equal(ended?.stage, 'ResponseComplete');
    assert.equal(ended?.auditID, began?.auditID);
    stop.abort();
  });

  it('has no body, of a secret or of anything else', async () => {
    await ask('POST', '/api/v1/namespaces/default/secrets', {
      body: { metadata: { name: 's' }, stringData: { password: 'hunter2' } },
    });
    await ask('GET', '/api/v1/namespaces/default/secrets/s');
    await ask('POST', '/api/v1/namespaces/default/serviceaccounts/default/token', {
      body: { kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1', spec: {} },
    });
    const events = parts.sink.take();
    assert.equal(events.length, 3);
    assert.ok(events.every((event) => !('requestObject' in event) && !('responseObject' in event)));
    assert.doesNotMatch(JSON.stringify(events), /hunter2|aHVudGVyMg|eyJ/);
  });

  it('counts its events', async () => {
    const counted = (name: string): number =>
      Number(parts.metrics.expose().split(`\n${name} `)[1]?.split('\n')[0]);
    const before = counted('apiserver_audit_event_total');
    const ofLevel = counted('apiserver_audit_level_total{level="Metadata"}');
    parts.sink.take();
    await ask('GET', '/version');
    assert.equal(counted('apiserver_audit_event_total') - before, 1);
    assert.equal(counted('apiserver_audit_level_total{level="Metadata"}') - ofLevel, 1);
    assert.equal(parts.sink.take()[0]?.objectRef, undefined);
  });

  it('holds an answer back until its line is taken', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    parts.sink.gate = promise;
    let isAnswered = false;
    const asking = ask('GET', '/version').then(() => {
      isAnswered = true;
    });
    for (let turn = 0; turn < 20; turn++) await new Promise((next) => setImmediate(next));
    assert.equal(isAnswered, false);
    assert.equal(parts.sink.take().length, 1);
    parts.sink.gate = undefined;
    resolve();
    await asking;
  });
});

describe('the audit log with a policy', () => {
  it('has bodies as they came, and as they went, where it says so', async () => {
    const { server, sink } = await serverWith({
      omitManagedFields: true,
      rules: [{ level: 'RequestResponse', resources: [{ resources: ['configmaps'] }] }, { level: 'None' }],
    });
    await using _ = server;
    const transport = server.transport(admin);
    await transport.request({ method: 'GET', path: '/api/v1/nodes' });
    assert.equal(sink.take().length, 0);
    const body = { metadata: { name: 'b' }, data: { key: 'value' } };
    await transport.request({ method: 'POST', path: CONFIG_MAPS, body });
    const [received, complete] = sink.take();
    assert.equal(received?.stage, 'RequestReceived');
    assert.equal(received?.stageTimestamp, received?.requestReceivedTimestamp);
    assert.deepEqual(complete?.requestObject, { kind: 'ConfigMap', apiVersion: 'v1', ...body });
    const stored = complete?.responseObject as { metadata: Record<string, unknown>; data: unknown };
    assert.deepEqual(stored.data, { key: 'value' });
    assert.equal(typeof stored.metadata['uid'], 'string');
    assert.equal('managedFields' in stored.metadata, false);
    const patch = [{ op: 'add', path: '/data/more', value: 'yes' }];
    await transport.request({
      method: 'PATCH',
      path: `${CONFIG_MAPS}/b`,
      headers: { 'content-type': 'application/json-patch+json' },
      body: patch,
    });
    assert.deepEqual(sink.take()[1]?.requestObject, patch);
    await transport.request({ method: 'GET', path: CONFIG_MAPS });
    const list = sink.take()[1]?.responseObject as { kind: string; items: { metadata: object }[] };
    assert.equal(list.kind, 'ConfigMapList');
    assert.ok(list.items.every(({ metadata }) => !('managedFields' in metadata)));
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' };
    await transport.request({ method: 'DELETE', path: `${CONFIG_MAPS}/b`, body: options });
    assert.deepEqual(sink.take()[1]?.requestObject, options);
    await server.close();
    assert.equal(sink.isClosed, true);
  });
});

describe('the audit log over HTTPS', () => {
  it('has those who could not say who they are, and every answer says its id', async () => {
    const { server, sink } = await serverWith();
    await using _ = server;
    const issuer = { clock: realClock, random: systemRandom };
    const ca = issueCertificate({ commonName: 'ca', usage: 'authority', validDays: 1 }, issuer);
    const leaf = (commonName: string, usage: 'server' | 'client') =>
      issueCertificate(
        { commonName, usage, validDays: 1, hosts: ['127.0.0.1'], organizations: ['system:masters'] },
        issuer,
        ca,
      );
    const own = leaf('server', 'server');
    const client = leaf('root', 'client');
    const port = await server.listen({ port: 0, tls: { ...own, clientCa: ca.cert } });
    sink.take();
    const ask = (options: object): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        const url = `https://127.0.0.1:${port}/version?x=1`;
        get(url, { ca: ca.cert, agent: false, ...options }, (answer) => {
          answer.resume();
          answer.on('end', () => resolve(answer));
        }).on('error', reject);
      });
    const refused = await ask({ headers: { authorization: 'Bearer nonsense' } });
    assert.equal(refused.statusCode, 401);
    const [event] = sink.take();
    assert.deepEqual([event?.stage, event?.user], ['ResponseStarted', {}]);
    assert.deepEqual(event?.responseStatus, {
      metadata: {},
      message: 'Authentication failed, attempted: bearer',
      code: 401,
    });
    assert.equal(refused.headers['audit-id'], event?.auditID);
    const known = await ask({ ...client, headers: { 'audit-id': 'mine' } });
    assert.equal(known.statusCode, 200);
    assert.equal(known.headers['audit-id'], 'mine');
    const [answered] = sink.take();
    assert.deepEqual(
      [answered?.auditID, answered?.requestURI, answered?.sourceIPs],
      ['mine', '/version?x=1', ['127.0.0.1']],
    );
  });
});
