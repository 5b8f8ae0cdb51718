// Whatever a stranger sends, the server answers with a Status or hangs up, and goes on.
import assert from 'node:assert/strict';
import { connect as connectHttp2 } from 'node:http2';
import { after, before, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { SeededRandom } from '@windlass/base';
import { type Cluster, startCluster } from '@windlass/cluster';

const SEED = 20_260;
const ROUNDS = 1500;
const random = new SeededRandom(SEED);
const problems: unknown[] = [];
const note = (error: unknown): void => void problems.push(error);

let cluster: Cluster;
let port: number;
let identity: { cert: string; key: string };
before(async () => {
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
  cluster = await startCluster({ port: 0 });
  port = Number(new URL(cluster.server ?? '').port);
  const pem = (name: string): string =>
    Buffer.from(
      new RegExp(`${name}"?: *"?([A-Za-z0-9+/=]+)`).exec(cluster.kubeconfig)?.[1] ?? '',
      'base64',
    ).toString();
  identity = { cert: pem('client-certificate-data'), key: pem('client-key-data') };
});
after(async () => {
  await cluster.stop();
  process.off('unhandledRejection', note);
  process.off('uncaughtException', note);
});

const pick = <T>(values: readonly T[]): T => values[random.int(values.length)] as T;
const noise = (length: number): string =>
  Buffer.from(random.bytes(random.int(length) + 1)).toString('latin1');
const PATHS = [
  '/api/v1/namespaces/default/pods',
  '/api/v1/namespaces/default/configmaps/x',
  '/apis/apps/v1/deployments',
  '/apis',
  '/api/v1/watch',
  '/openapi/v3',
  '//',
  '/%zz',
  '/api/v1/namespaces/%2e%2e/pods',
  '/api/v1/pods?limit=-1',
  '/api/v1/pods?continue=%00',
  '/api/v1/pods?fieldSelector=a%3D%3D%3D',
  '/api/v1/pods?labelSelector=((',
  '/healthz',
  '/api/v1/pods?resourceVersion=x',
  '/api/v1/namespaces/default/pods/x/log',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles/__proto__',
] as const;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE'] as const;
const TYPES = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'x',
  '',
] as const;
const bodyOf = (): Buffer => {
  const forms = [
    () => '',
    () => noise(200),
    () => '{',
    () => '[]',
    () => 'null',
    () => '{"kind":5}',
    () => '{"metadata":[]}',
    () => '['.repeat(5000),
    () => '{"a":'.repeat(2000),
    () => '{"kind":"Pod","apiVersion":"v1","spec":{"containers":{"0":1}}}',
    () => '{"__proto__":{"x":1},"metadata":{"name":"a"}}',
    () => 'a: &a [*a]',
    () => `k8s\0${noise(100)}`,
    () => '[{"op":"add","path":"/-/-","value":1}]',
    () => '{"metadata":{"name":"\ud800"}}',
    () => '1e999',
  ] as const;
  return Buffer.from(pick(forms)(), random.int(2) === 0 ? 'latin1' : 'utf8');
};

test(`malformed requests over HTTP/2 (seed ${SEED})`, { timeout: 60_000 }, async () => {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false, ...identity });
  session.on('error', () => {});
  let known = 0;
  const ask = (): Promise<void> =>
    new Promise((resolve) => {
      const method = pick(METHODS);
      const stream = session.request({
        ':method': method,
        ':path': pick(PATHS),
        ...(random.int(4) > 0 && { 'content-type': pick(TYPES) }),
        ...(random.int(6) === 0 && { accept: pick(TYPES) }),
        ...(random.int(8) === 0 && { 'impersonate-user': 'a', 'impersonate-extra-%zz': 'b' }),
        ...(random.int(20) === 0 && { authorization: `Bearer ${'x'.repeat(random.int(500))}` }),
      });
      const chunks: Buffer[] = [];
      let status = 0;
      let isCut = false;
      stream.on('response', (headers) => {
        status = headers[':status'] ?? 0;
      });
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', () => resolve());
      stream.on('close', () => {
        if (status !== 401) known++;
        const text = Buffer.concat(chunks).toString();
        if (
          !isCut &&
          status >= 400 &&
          method !== 'HEAD' &&
          !/"Status"|404 page not found|Status|k8s/.test(text)
        )
          note(new Error(`${method} answered ${status} with ${JSON.stringify(text.slice(0, 200))}`));
        if (status === 500 && /Internal error occurred/.test(text) && !/without impersonating/.test(text))
          note(new Error(`an internal error: ${text.slice(0, 300)}`));
        resolve();
      });
      // The others have no body, and end with their headers.
      if (!['POST', 'PUT', 'PATCH'].includes(method)) return;
      if (random.int(10) > 0) {
        stream.end(bodyOf());
        return;
      }
      isCut = true;
      stream.write(bodyOf());
      stream.close(8);
    });
  for (let done = 0; done < ROUNDS; done += 50) await Promise.all(Array.from({ length: 50 }, ask));
  session.destroy();
  assert.ok(known > ROUNDS / 2, 'most requests must come past authentication');
  assert.deepEqual(problems, []);
});

test('bytes that are no HTTP at all', { timeout: 60_000 }, async () => {
  const send = (bytes: Buffer): Promise<void> =>
    new Promise((resolve) => {
      const socket = connectTls({
        port,
        host: '127.0.0.1',
        rejectUnauthorized: false,
        ALPNProtocols: [pick(['http/1.1', 'h2'])],
      });
      socket.on('secureConnect', () => socket.end(bytes));
      socket.on('data', () => {});
      socket.on('error', () => resolve());
      socket.on('close', () => resolve());
    });
  const wires = [
    () => noise(500),
    () => 'GET / HTTP/1.1\r\n\r\n',
    () => `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    () => 'POST /api HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\nshort',
    () => 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    () => `GET / HTTP/1.1\r\n${noise(60)}: ${noise(60)}\r\n\r\n`,
    () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' + noise(300),
  ] as const;
  for (let done = 0; done < 100; done += 10)
    await Promise.all(Array.from({ length: 10 }, () => send(Buffer.from(pick(wires)(), 'latin1'))));
  const alive = await cluster.transport().request({ method: 'GET', path: '/readyz' });
  assert.equal(alive.status, 200);
  assert.deepEqual(problems, []);
});
