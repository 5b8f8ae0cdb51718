// What the client makes of an API server that dies, hangs, comes back and forgets. On a cluster of its own.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isExpired } from '@windlass/apimachinery';
import { ConfigMap, Pod } from '@windlass/apimachinery/api/core/v1';
import { DeadlineError } from '@windlass/base';
import { type Client, createClient, loadConfig } from '@windlass/client';
import { type RealCluster, startRealCluster } from './harness/index.ts';

let cluster: RealCluster;
let client: Client;

before(async () => {
  cluster = await startRealCluster();
  const config = await loadConfig({ path: cluster.kubeconfigPath });
  client = createClient({ config, http: { watchIdleTimeoutMs: 1500, responseTimeoutMs: 2000 } });
});

after(async () => {
  await client.close();
  await cluster.stop();
});

const maps = () => client.resource(ConfigMap).namespace('default');

test('a server that dies breaks watches and refuses requests; when it is back, all goes on', async () => {
  await maps().create({ metadata: { name: 'survivor' } });
  const watch = maps().watch({ fieldSelector: 'metadata.name=survivor' });
  assert.equal((await watch.next()).value?.type, 'ADDED');
  const broken = assert.rejects(watch.next(), { code: 'CONNECTION_LOST', sent: true });
  await cluster.killApiServer();
  await broken;
  await assert.rejects(maps().get('survivor'), { code: 'CONNECTION_REFUSED', sent: false });
  await assert.rejects(maps().watch().next(), { code: 'CONNECTION_REFUSED' });
  await cluster.restartApiServer();
  assert.equal((await maps().get('survivor')).metadata.name, 'survivor');
});

test('a server that hangs: a watch is idle, a request times out, a deadline holds', async () => {
  const watch = maps().watch({ fieldSelector: 'metadata.name=survivor' });
  assert.equal((await watch.next()).value?.type, 'ADDED');
  cluster.pauseApiServer();
  try {
    await Promise.all([
      assert.rejects(watch.next(), { code: 'WATCH_IDLE' }),
      assert.rejects(maps().list(), { code: 'RESPONSE_TIMEOUT', sent: true }),
      assert.rejects(maps().list({ timeoutMs: 500 }), DeadlineError),
    ]);
  } finally {
    cluster.resumeApiServer();
  }
  assert.equal((await maps().get('survivor')).metadata.name, 'survivor');
});

test('a server that forgets: pages fail or go on, lists start over, a watch is expired', async () => {
  const names = Array.from({ length: 9 }, (_, index) => `page-${index}`);
  for (const name of names) await maps().create({ metadata: { name, labels: { paged: 'yes' } } });
  const options = { labelSelector: 'paged=yes', limit: 3 };
  const forget = async (): Promise<void> => {
    // The revision must move on, or the newest one is the one that is kept.
    await maps().patch('survivor', { data: { now: String(Math.random()) } });
    await cluster.compactEtcd();
  };
  const start = (await maps().list()).metadata.resourceVersion ?? '';

  const failing = maps().listPages(options);
  await failing.next();
  await forget();
  await assert.rejects(failing.next(), (error) => isExpired(error));

  const going = maps().listPages({ ...options, onExpired: 'continue' });
  const seen = (await going.next()).value?.items ?? [];
  await forget();
  for await (const page of going) seen.push(...page.items);
  assert.deepEqual(
    seen.map(({ metadata }) => metadata.name),
    names,
  );

  await forget();
  await assert.rejects(maps().watch({ resourceVersion: start }).next(), (error) => isExpired(error));
  await assert.rejects(
    client.resource(Pod).namespace('default').list({ resourceVersion: '1', resourceVersionMatch: 'Exact' }),
    (error) => isExpired(error),
  );
});
