import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Service } from '@windlass/apimachinery/api/core/v1';
import { EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import { Ingress } from '@windlass/apimachinery/api/networking/v1';
import { startTestCluster, type TestCluster } from '@windlass/cluster/testing';
import { registerIngressController } from './controller.ts';
import { realNginx } from './nginx.ts';

const service: Service = {
  metadata: { name: 'web', namespace: 'default' },
  spec: { ports: [{ name: 'http', port: 80, protocol: 'TCP' }] },
};
const ingress = (host: string, path = '/'): Ingress => ({
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    rules: [
      {
        host,
        http: {
          paths: [{ path, pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 80 } } } }],
        },
      },
    ],
  },
});
const slice = (port: number, addresses: string[] = ['10.0.0.1']): EndpointSlice => ({
  metadata: { name: 'web-1', namespace: 'default', labels: { 'kubernetes.io/service-name': 'web' } },
  addressType: 'IPv4',
  endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
  ports: [{ name: 'http', port, protocol: 'TCP' }],
});

async function publish(cluster: TestCluster, port: number): Promise<void> {
  await cluster.client.resource(Service).namespace('default').create(service);
  await cluster.client.resource(EndpointSlice).namespace('default').create(slice(port));
  await cluster.client.resource(Ingress).namespace('default').create(ingress('shop.example.com'));
  await cluster.settled();
}

test('what the cluster says becomes a configuration; what changes nothing loads nothing', async () => {
  await using cluster = await startTestCluster();
  const { manager } = cluster.manager();
  const loaded: string[] = [];
  let isBroken = false;
  const nginx = {
    load: async (config: string) => {
      if (isBroken) throw new Error('nginx: [emerg] no');
      loaded.push(config);
    },
  };
  registerIngressController(manager, nginx, { listen: '127.0.0.1:8080', folder: '/tmp/x' });
  await manager.start();
  await publish(cluster, 9000);
  const config = loaded.at(-1) ?? '';
  assert.match(config, /upstream default_web_80 \{\n {4}server 10\.0\.0\.1:9000;\n/);
  assert.match(
    config,
    /server_name shop\.example\.com;\n {4}location \/ \{ proxy_pass http:\/\/default_web_80; \}/,
  );
  const before = loaded.length;
  await cluster.client
    .resource(Service)
    .namespace('default')
    .patch('web', { metadata: { annotations: { looked: 'at' } } });
  await cluster.settled();
  assert.equal(loaded.length, before);

  // A configuration that is refused is tried again, and in the end the newest one is there.
  isBroken = true;
  const slices = cluster.client.resource(EndpointSlice).namespace('default');
  await slices.patch('web-1', { endpoints: [{ addresses: ['10.0.0.7'], conditions: { ready: true } }] });
  await cluster.settled();
  isBroken = false;
  await cluster.advance(1000);
  assert.match(loaded.at(-1) ?? '', /server 10\.0\.0\.7:9000;/);
  await slices.patch('web-1', { endpoints: [{ addresses: ['10.0.0.7'], conditions: { ready: false } }] });
  await cluster.settled();
  assert.match(loaded.at(-1) ?? '', /server 127\.0\.0\.1:9 down;/, 'nobody is ready');
});

function nginxProgram(): string | undefined {
  for (const program of ['nginx', '/usr/sbin/nginx']) {
    try {
      execFileSync(program, ['-v'], { stdio: 'ignore' });
      return program;
    } catch {
      // The next one, or none.
    }
  }
  return undefined;
}
const program = nginxProgram();

test('a real nginx answers with it, and follows', {
  skip: program === undefined && 'nginx is not installed',
}, async (t) => {
  const backend = (text: string) => createServer((_, response) => response.end(text)).listen(0, '127.0.0.1');
  const backends = [backend('first'), backend('second')];
  await Promise.all(backends.map((server) => once(server, 'listening')));
  const [first = 0, second = 0] = backends.map((server) => (server.address() as AddressInfo).port);
  const probe = createTcpServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  const folder = await mkdtemp(join(tmpdir(), 'windlass-ingress-'));
  t.after(async () => {
    const pid = await readFile(join(folder, 'nginx.pid'), 'utf8').catch(() => undefined);
    if (pid !== undefined) process.kill(Number(pid), 'SIGTERM');
    for (const server of backends) server.close();
    await rm(folder, { recursive: true, force: true });
  });
  await using cluster = await startTestCluster();
  const { manager } = cluster.manager();
  registerIngressController(manager, realNginx({ program: program ?? '', folder }), {
    listen: `127.0.0.1:${port}`,
    folder,
    reach: (address) => address.replace('10.0.0.1', '127.0.0.1'),
  });
  await manager.start();
  await publish(cluster, first);
  const get = (host: string): Promise<string> =>
    new Promise((resolve, reject) => {
      // A connection for each request: a worker that is to end closes those that are kept alive.
      const sent = request({ host: '127.0.0.1', port, agent: false, headers: { host } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve(`${response.statusCode} ${Buffer.concat(chunks).toString()}`));
      });
      sent.on('error', reject);
      sent.end();
    });
  // A reload is a signal: old workers end their connections before the new ones take over.
  const eventually = async (text: string): Promise<void> => {
    while ((await get('shop.example.com')) !== text) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  await eventually('200 first');
  assert.match(await get('other.example.com'), /^404/);
  await cluster.client
    .resource(EndpointSlice)
    .namespace('default')
    .patch('web-1', { ports: [{ name: 'http', port: second, protocol: 'TCP' }] });
  await cluster.settled();
  await eventually('200 second');
});
