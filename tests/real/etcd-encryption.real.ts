// Secrets that are encrypted in etcd: what a kube-apiserver encrypts we read, and the other way round.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { etcdPairs } from './support/etcd-keys.ts';
import { type OneServer, startTwoServers } from './support/two-servers.ts';

const secret = Buffer.alloc(32, 7).toString('base64');
const provider = (name: string): object => ({ [name]: { keys: [{ name: 'one', secret }] } });
const PROVIDERS = ['aescbc', 'aesgcm', 'secretbox'];
/** What each resource is written with, first in its list; all of them can be read. */
const RESOURCES: Readonly<Record<string, string>> = {
  secrets: 'aescbc',
  configmaps: 'aesgcm',
  serviceaccounts: 'secretbox',
};

test('what one encrypts the other reads, with every provider', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'windlass-encryption-'));
  const configuration = JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources: Object.entries(RESOURCES).map(([resource, first]) => ({
      resources: [resource],
      providers: [first, ...PROVIDERS.filter((name) => name !== first)]
        .map(provider)
        .concat({ identity: {} }),
    })),
  });
  try {
    const file = join(folder, 'encryption.json');
    await writeFile(file, configuration, { mode: 0o600 });
    await using servers = await startTwoServers(
      { apiServerArgs: [`--encryption-provider-config=${file}`] },
      configuration,
    );
    const { real, ours, cluster } = servers;
    for (const [resource, kind, data] of [
      ['secrets', 'Secret', { data: { password: 'aHVudGVyMg==' } }],
      ['configmaps', 'ConfigMap', { data: { password: 'hunter2' } }],
      ['serviceaccounts', 'ServiceAccount', { secrets: [{ name: 'hunter2' }] }],
    ] as const)
      for (const [name, writer, reader] of [
        ['by-ours', ours, real],
        ['by-real', real, ours],
      ] as const) {
        const collection = `/api/v1/namespaces/default/${resource}`;
        const body = { apiVersion: 'v1', kind, metadata: { name }, ...data };
        const written = await must(writer, 'POST', collection, { body });
        const [pair] = await etcdPairs(cluster.etcdUrl, `/registry/${resource}/default/${name}`);
        const begin = `k8s:enc:${RESOURCES[resource]}:v1:one:`;
        assert.equal(pair?.value.subarray(0, begin.length).toString(), begin, `${writer.name}: ${resource}`);
        assert.equal(pair?.value.includes('hunter2'), false);
        assert.deepEqual(await must(reader, 'GET', `${collection}/${name}`), written);
        const labelled = {
          ...written,
          metadata: { ...(written['metadata'] as object), labels: { by: 'other' } },
        };
        await must(reader, 'PUT', `${collection}/${name}`, { body: labelled });
        const { metadata } = await must(writer, 'GET', `${collection}/${name}`);
        assert.deepEqual((metadata as { labels?: object }).labels, { by: 'other' });
      }
  } finally {
    await rm(folder, { recursive: true });
  }
});

async function must(
  server: OneServer,
  ...call: Parameters<OneServer['call']>
): Promise<Readonly<Record<string, unknown>>> {
  const { status, body } = await server.call(...call);
  assert.ok(
    status < 300,
    `${server.name} answers ${call[0]} ${call[1]} with ${status}: ${JSON.stringify(body)}`,
  );
  return body;
}
