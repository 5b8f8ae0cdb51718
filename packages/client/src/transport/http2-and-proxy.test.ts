import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { CertificateAuthority } from '../testing/certificates.ts';
import { LoopbackServer, sendJson } from '../testing/loopback-server.ts';
import { HttpTransport } from './http-transport.ts';

test('HTTP/2 is spoken when it is allowed and offered: requests and watches share a session', async () => {
  using authority = new CertificateAuthority();
  const { cert, key } = authority.issue('server', '/CN=server');
  let sessions = 0;
  const server = createSecureServer({ cert, key, allowHTTP1: true }, (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    if (request.url === '/watch') response.write('{"type":"ADDED","object":{"a":1}}\n');
    else response.end(JSON.stringify({ version: request.httpVersion }));
  });
  server.on('session', () => sessions++);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const config = {
    server: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tls: { ca: { data: authority.cert } },
  };
  const fast = new HttpTransport({ config, allowH2: true });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => fast.request({ method: 'GET', path: '/' })),
  );
  assert.deepEqual(
    new Set(answers.map(({ body }) => (body as { version: string }).version)),
    new Set(['2.0']),
  );
  assert.equal(sessions, 1);
  const { events } = await fast.watch({ method: 'GET', path: '/watch' });
  for await (const batch of events ?? []) {
    assert.deepEqual(batch, [{ type: 'ADDED', object: { a: 1 } }]);
    break;
  }
  await fast.close();
  await using plain = new HttpTransport({ config });
  assert.deepEqual((await plain.request({ method: 'GET', path: '/' })).body, { version: '1.1' });
  await plain.close();
  await new Promise((resolve) => {
    server.close(resolve);
  });
});

test('a proxy is asked for a tunnel, with its password, and the server is still checked end to end', async () => {
  using authority = new CertificateAuthority();
  const own = authority.issue('server', '/CN=server');
  await using server = await LoopbackServer.start({
    tls: { ...own },
    onRequest: (_request, response) => sendJson(response, { through: 'proxy' }),
  });
  const tunnels: (string | undefined)[] = [];
  const proxy = createServer();
  proxy.on('connect', (request, socket) => {
    tunnels.push(`${request.url} ${request.headers['proxy-authorization']}`);
    const upstream = connect(server.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    socket.on('error', () => upstream.destroy());
    upstream.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  const proxyUrl = `http://me:s3cret@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const transport = new HttpTransport({
    config: { server: server.url, tls: { ca: { data: authority.cert } }, proxyUrl },
    connections: 1,
  });
  for (let index = 0; index < 3; index++) {
    assert.deepEqual((await transport.request({ method: 'GET', path: '/' })).body, { through: 'proxy' });
  }
  assert.deepEqual(tunnels, [
    `127.0.0.1:${server.port} Basic ${Buffer.from('me:s3cret').toString('base64')}`,
  ]);
  await transport.close();
  await server.noSockets();
  proxy.closeAllConnections();
  proxy.close();
});
