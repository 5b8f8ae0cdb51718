import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { CancelledError, createLogger, FakeClock, MetricsRegistry, memoryWriter } from '@windlass/base';
import type { TransportError } from '../errors.ts';
import { CertificateAuthority } from '../testing/certificates.ts';
import { LoopbackServer, sendJson } from '../testing/loopback-server.ts';
import { HttpTransport } from './http-transport.ts';

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

test('a request carries method, path, query, headers and body; the answer comes decoded', async () => {
  await using server = await LoopbackServer.start({
    onRequest: (request, response) => {
      void readBody(request).then((body) => {
        const { method, url, headers } = request;
        sendJson(response, { method, url, body, headers }, 201, { 'x-answer': 'yes' });
      });
    },
  });
  await using transport = new HttpTransport({
    config: { server: `${server.url}/prefix/` },
    userAgent: 'tests/1',
  });
  const response = await transport.request({
    method: 'POST',
    path: '/api/v1/namespaces/a%2Fb/pods',
    query: { labelSelector: 'a in (b,c)', empty: undefined, many: ['1', '2&3'], blank: '' },
    headers: { 'x-mine': 'a' },
    body: { text: 'äöü' },
  });
  assert.equal(response.status, 201);
  assert.equal(response.headers['x-answer'], 'yes');
  const seen = response.body as {
    method: string;
    url: string;
    body: string;
    headers: Record<string, string>;
  };
  assert.equal(seen.method, 'POST');
  assert.equal(
    seen.url,
    '/prefix/api/v1/namespaces/a%2Fb/pods?labelSelector=a%20in%20(b%2Cc)&many=1&many=2%263&blank=',
  );
  assert.equal(seen.body, '{"text":"äöü"}');
  assert.equal(seen.headers['content-type'], 'application/json');
  assert.equal(seen.headers['accept'], 'application/json');
  assert.equal(seen.headers['user-agent'], 'tests/1');
  assert.equal(seen.headers['x-mine'], 'a');
});

test('an answer that is no JSON comes as bytes, an empty one as undefined, a false one is an error', async () => {
  await using server = await LoopbackServer.start({
    onRequest: (request, response) => {
      if (request.url === '/text')
        response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found');
      else if (request.url === '/empty') response.writeHead(204).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{"token":"s3cret"');
    },
  });
  await using transport = new HttpTransport({ config: { server: server.url } });
  const text = await transport.request({ method: 'GET', path: '/text' });
  assert.equal(Buffer.from(text.body as Uint8Array).toString(), '404 page not found');
  assert.equal((await transport.request({ method: 'GET', path: '/empty' })).body, undefined);
  await assert.rejects(transport.request({ method: 'GET', path: '/broken' }), (error: TransportError) => {
    assert.equal(error.code, 'BAD_RESPONSE');
    assert.ok(!error.message.includes('s3cret'));
    return true;
  });
});

test('1,000 requests leave at most the configured number of sockets, and none after close', async () => {
  await using server = await LoopbackServer.start({
    onRequest: (_request, response) => sendJson(response, {}),
  });
  const transport = new HttpTransport({ config: { server: server.url }, connections: 4 });
  await Promise.all(
    Array.from({ length: 1000 }, () => transport.request({ method: 'GET', path: '/api/v1/pods' })),
  );
  assert.equal(server.accepted, 4);
  assert.equal(server.open, 4);
  await transport.close();
  await server.noSockets();
  assert.equal(server.open, 0);
  await assert.rejects(transport.request({ method: 'GET', path: '/' }), {
    code: 'TRANSPORT_CLOSED',
    sent: false,
  });
});

test('watches take no connection from requests', { timeout: 5000 }, async () => {
  await using server = await LoopbackServer.start({
    onRequest: (request, response) => {
      if (request.url === '/watch')
        response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
      else sendJson(response, {});
    },
  });
  await using transport = new HttpTransport({ config: { server: server.url }, connections: 1 });
  for (let index = 0; index < 5; index++) await transport.watch({ method: 'GET', path: '/watch' });
  assert.equal((await transport.request({ method: 'GET', path: '/' })).status, 200);
  assert.equal(server.open, 6);
});

test('a client certificate says who we are; another CA is refused; files that rotate are followed', async () => {
  using authority = new CertificateAuthority();
  using stranger = new CertificateAuthority();
  const own = authority.issue('server', '/CN=server');
  const alice = authority.issue('alice', '/CN=alice');
  const bob = authority.issue('bob', '/CN=bob');
  await using server = await LoopbackServer.start({
    tls: { ...own, ca: authority.cert, requestCert: true, rejectUnauthorized: true },
    onRequest: (request, response) => {
      sendJson(response, { user: (request.socket as TLSSocket).getPeerCertificate().subject.CN });
    },
  });
  const clock = new FakeClock();
  const log = memoryWriter();
  const certFile = join(authority.directory, 'current.crt');
  const keyFile = join(authority.directory, 'current.key');
  writeFileSync(certFile, alice.cert);
  writeFileSync(keyFile, alice.key);
  const tls = { ca: { data: authority.cert }, cert: { file: certFile }, key: { file: keyFile } };
  const transport = new HttpTransport({
    config: { server: server.url, tls },
    clock,
    logger: createLogger(log),
  });
  const whoAmI = async (): Promise<unknown> => (await transport.request({ method: 'GET', path: '/' })).body;
  assert.deepEqual(await whoAmI(), { user: 'alice' });

  writeFileSync(certFile, bob.cert);
  assert.deepEqual(await whoAmI(), { user: 'alice' }, 'a minute has not passed');
  await clock.advance(60_000);
  assert.deepEqual(await whoAmI(), { user: 'alice' }, "bob's certificate does not fit alice's key");
  assert.match(log.records.at(-1)?.message ?? '', /new certificates cannot be used/);
  writeFileSync(keyFile, bob.key);
  await clock.advance(60_000);
  assert.deepEqual(await whoAmI(), { user: 'bob' });
  await transport.close();
  await server.noSockets();

  await using wrong = new HttpTransport({
    config: { server: server.url, tls: { ca: { data: stranger.cert } } },
  });
  await assert.rejects(wrong.request({ method: 'GET', path: '/' }), { code: 'TLS_FAILED', sent: false });
  await using insecure = new HttpTransport({
    config: {
      server: server.url,
      tls: { cert: { data: alice.cert }, key: { data: alice.key }, insecureSkipVerify: true },
    },
  });
  assert.equal((await insecure.request({ method: 'GET', path: '/' })).status, 200);
});

test('the name in tls-server-name is asked for and checked', async () => {
  using authority = new CertificateAuthority();
  const own = authority.issue('server', '/CN=server', 'DNS:api.internal');
  let asked: string | undefined | null | false;
  await using server = await LoopbackServer.start({
    tls: { ...own },
    onRequest: (request, response) => {
      asked = (request.socket as TLSSocket).servername;
      sendJson(response, {});
    },
  });
  const ca = { data: authority.cert };
  await using named = new HttpTransport({
    config: { server: server.url, tls: { ca, serverName: 'api.internal' } },
  });
  assert.equal((await named.request({ method: 'GET', path: '/' })).status, 200);
  assert.equal(asked, 'api.internal');
  await using other = new HttpTransport({ config: { server: server.url, tls: { ca } } });
  await assert.rejects(other.request({ method: 'GET', path: '/' }), { code: 'TLS_FAILED' });
});

test('a token file is read again within a minute, and at once when the server refuses it', async () => {
  using authority = new CertificateAuthority();
  const seen: (string | undefined)[] = [];
  let valid = 'Bearer one';
  await using server = await LoopbackServer.start({
    onRequest: (request, response) => {
      seen.push(request.headers.authorization);
      if (request.headers.authorization === valid) sendJson(response, {});
      else sendJson(response, { kind: 'Status' }, 401);
    },
  });
  const file = join(authority.directory, 'token');
  writeFileSync(file, 'one\n');
  const clock = new FakeClock();
  await using transport = new HttpTransport({
    config: { server: server.url, auth: { type: 'tokenFile', file } },
    clock,
  });
  const get = async (): Promise<number> => (await transport.request({ method: 'GET', path: '/' })).status;
  assert.equal(await get(), 200);
  writeFileSync(file, 'two');
  assert.equal(await get(), 200);
  valid = 'Bearer two';
  assert.equal(await get(), 200);
  assert.deepEqual(seen, ['Bearer one', 'Bearer one', 'Bearer one', 'Bearer two']);
  writeFileSync(file, 'three');
  await clock.advance(60_000);
  valid = 'Bearer three';
  assert.equal(await get(), 200);
  assert.equal(seen.length, 5);
  valid = 'Bearer nobody';
  assert.equal(await get(), 401);
  assert.equal(seen.length, 6, 'the same token is not sent twice');
});

test('impersonation: groups are headers of their own, extra keys are encoded', async () => {
  let raw: string[] = [];
  await using server = await LoopbackServer.start({
    onRequest: (request, response) => {
      raw = request.rawHeaders;
      sendJson(response, {});
    },
  });
  await using transport = new HttpTransport({
    config: {
      server: server.url,
      impersonate: {
        user: 'jane',
        uid: '7',
        groups: ['dev', 'ops'],
        extra: { 'example.com/Scope%': ['a', 'b'] },
      },
    },
  });
  await transport.request({ method: 'GET', path: '/' });
  const headers = raw.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${raw[index + 1]}`] : []));
  for (const line of [
    'impersonate-user: jane',
    'impersonate-uid: 7',
    'impersonate-group: dev',
    'impersonate-group: ops',
    'impersonate-extra-example.com%2Fscope%25: a',
    'impersonate-extra-example.com%2Fscope%25: b',
  ])
    assert.ok(headers.includes(line), `${line} in ${headers.join(' | ')}`);
});

test('gzip is unpacked; it is asked for by who wants it, unless compression is off', async () => {
  const asked: (string | undefined)[] = [];
  await using server = await LoopbackServer.start({
    onRequest: (request, response) => {
      asked.push(request.headers['accept-encoding']);
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(request.url === '/bad' ? 'not gzip' : gzipSync('{"packed":true}'));
    },
  });
  await using transport = new HttpTransport({ config: { server: server.url } });
  const headers = { 'accept-encoding': 'gzip' };
  assert.deepEqual((await transport.request({ method: 'GET', path: '/', headers })).body, { packed: true });
  await using plain = new HttpTransport({ config: { server: server.url, disableCompression: true } });
  await plain.request({ method: 'GET', path: '/', headers });
  await transport.request({ method: 'GET', path: '/' });
  assert.deepEqual(asked, ['gzip', undefined, undefined]);
  await assert.rejects(transport.request({ method: 'GET', path: '/bad' }), { code: 'BAD_RESPONSE' });
});

test('an abort ends a request that waits for the answer, and one that waits for a connection', async () => {
  const arrived = Promise.withResolvers<void>();
  await using server = await LoopbackServer.start({
    onRequest: (request, response) => {
      if (request.url === '/hang') arrived.resolve();
      else sendJson(response, {});
    },
  });
  await using transport = new HttpTransport({ config: { server: server.url }, connections: 1 });
  const running = new AbortController();
  const queued = new AbortController();
  const hanging = transport.request({ method: 'GET', path: '/hang', signal: running.signal });
  await arrived.promise;
  const waiting = transport.request({ method: 'GET', path: '/never', signal: queued.signal });
  await new Promise((resolve) => setImmediate(resolve));
  queued.abort();
  await assert.rejects(waiting, CancelledError);
  running.abort();
  await assert.rejects(hanging, CancelledError);
  assert.equal((await transport.request({ method: 'GET', path: '/' })).status, 200);
  await assert.rejects(
    transport.request({ method: 'GET', path: '/', signal: AbortSignal.abort() }),
    CancelledError,
  );
});

test('a request that is given up while it waits for a connection costs nobody a connection', async () => {
  const held = Promise.withResolvers<() => void>();
  await using server = await LoopbackServer.start({
    onRequest: (request, response) => {
      if (request.url === '/held') held.resolve(() => sendJson(response, {}));
      else sendJson(response, { url: request.url });
    },
  });
  await using transport = new HttpTransport({ config: { server: server.url }, connections: 1 });
  const first = transport.request({ method: 'GET', path: '/held' });
  const answer = await held.promise;
  const controller = new AbortController();
  const given = transport.request({ method: 'GET', path: '/given-up', signal: controller.signal });
  const last = transport.request({ method: 'GET', path: '/last' });
  await new Promise((resolve) => setImmediate(resolve));
  controller.abort();
  await assert.rejects(given, CancelledError);
  answer();
  await first;
  assert.deepEqual((await last).body, { url: '/last' });
  assert.equal(server.accepted, 1);
});

test('errors say whether the server can have seen the request', async () => {
  await using server = await LoopbackServer.start({ onRequest: () => server.cut() });
  await using transport = new HttpTransport({ config: { server: server.url } });
  await assert.rejects(transport.request({ method: 'GET', path: '/x' }), (error: TransportError) => {
    assert.equal(error.code, 'CONNECTION_LOST');
    assert.equal(error.sent, true);
    assert.match(error.message, /^GET \/x failed: /);
    return true;
  });
  await using nobody = new HttpTransport({ config: { server: 'http://127.0.0.1:1' } });
  await assert.rejects(nobody.request({ method: 'GET', path: '/' }), {
    code: 'CONNECTION_REFUSED',
    sent: false,
  });
  await using noName = new HttpTransport({ config: { server: 'http://nowhere.invalid' } });
  await assert.rejects(noName.request({ method: 'GET', path: '/' }), {
    code: 'CONNECTION_REFUSED',
    sent: false,
  });
});

test('a silent server is given up', async () => {
  await using server = await LoopbackServer.start({ onRequest: () => {} });
  await using transport = new HttpTransport({ config: { server: server.url }, responseTimeoutMs: 50 });
  await assert.rejects(transport.request({ method: 'GET', path: '/' }), {
    code: 'RESPONSE_TIMEOUT',
    sent: true,
  });
});

test('sizes are measured', async () => {
  await using server = await LoopbackServer.start({
    onRequest: (_request, response) => sendJson(response, { a: 1 }),
  });
  const metrics = new MetricsRegistry();
  await using transport = new HttpTransport({ config: { server: server.url }, metrics });
  await transport.request({ method: 'PUT', path: '/', body: { hello: 'world' } });
  assert.match(metrics.expose(), /^rest_client_request_size_bytes_sum\{[^}]*\} 17$/m);
  assert.match(metrics.expose(), /^rest_client_response_size_bytes_sum\{[^}]*\} 7$/m);
});

test('close ends what runs and what waits', async () => {
  const arrived = Promise.withResolvers<void>();
  await using server = await LoopbackServer.start({
    onRequest: (request, response) => {
      if (request.url === '/watch')
        response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
      else arrived.resolve();
    },
  });
  const transport = new HttpTransport({ config: { server: server.url }, connections: 1 });
  const { events } = await transport.watch({ method: 'GET', path: '/watch' });
  const watching = events?.[Symbol.asyncIterator]().next();
  const running = transport.request({ method: 'GET', path: '/hang' });
  const waiting = transport.request({ method: 'GET', path: '/next' });
  await arrived.promise;
  const outcomes = Promise.allSettled([watching, running, waiting]);
  await transport.close();
  for (const outcome of await outcomes) {
    assert.ok(outcome.status === 'rejected');
    assert.equal((outcome.reason as TransportError).code, 'TRANSPORT_CLOSED');
  }
  await server.noSockets();
});

test('bad options are named', () => {
  const create = (options: object) => () => new HttpTransport({ config: { server: 'http://x' }, ...options });
  assert.throws(
    create({ config: { server: 'localhost:8080' } }),
    /config\.server must be an http or https URL/,
  );
  assert.throws(create({ config: { server: 'ftp://u:s3cret@x' } }), /but it is "ftp:\/\/\[redacted\]@x"/);
  assert.throws(create({ connections: 0 }), /connections must be a whole number of at least 1, but it is 0/);
  assert.throws(
    create({ watchIdleTimeoutMs: Number.NaN }),
    /watchIdleTimeoutMs must be a number of at least 0/,
  );
});
