// An etcd that takes only clients with a certificate.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { EtcdUnusableError, openEtcdStore } from '@windlass/apiserver';
import { CertificateAuthority } from './harness/certificates.ts';
import { createEtcd } from './harness/etcd.ts';
import { ensureEtcd } from './harness/etcd-program.ts';
import { freePorts } from './harness/free-ports.ts';

test('with certificates it is a store; without them it says why not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'windlass-etcd-tls-'));
  const authority = await CertificateAuthority.create(folder);
  const server = await authority.issueServer('server');
  const client = await authority.issueClient('client', { user: 'windlass', groups: [] });
  const [clientPort = 0, peerPort = 0, securePort = 0] = await freePorts(3);
  const url = `https://127.0.0.1:${securePort}`;
  const etcd = createEtcd({
    program: process.env['ETCD_PROGRAM'] ?? (await ensureEtcd(() => {})),
    folder,
    logFile: join(folder, 'etcd.log'),
    clientPort,
    peerPort,
    extraArgs: [
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${url}`,
      // Where the harness asks whether it is ready.
      `--listen-metrics-urls=http://127.0.0.1:${clientPort}`,
      `--cert-file=${server.certFile}`,
      `--key-file=${server.keyFile}`,
      `--trusted-ca-file=${authority.ca.certFile}`,
      '--client-cert-auth',
    ],
  });
  try {
    await etcd.process.start();
    const ca = authority.ca.cert;
    {
      const tls = { ca, cert: client.cert, key: client.key };
      await using store = await openEtcdStore({ servers: [url], tls });
      const key = '//configmaps/default/a';
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } };
      const { revision } = await store.put(key, object, 0);
      assert.equal((await store.get(key))?.revision, revision);
      const watch = store.watch('//configmaps/', { fromRevision: revision - 1 });
      assert.equal((await watch.next()).value?.[0]?.revision, revision);
      await watch.return();
    }
    const unusable = (error: unknown): boolean =>
      error instanceof EtcdUnusableError && error.message.startsWith(`the etcd at ${url} cannot be used: `);
    await Promise.all([
      assert.rejects(openEtcdStore({ servers: [url], tls: { ca } }), unusable),
      assert.rejects(
        openEtcdStore({ servers: [url] }),
        (error) => unusable(error) && /certificate/.test(String(error)),
      ),
    ]);
  } finally {
    await etcd.process.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
