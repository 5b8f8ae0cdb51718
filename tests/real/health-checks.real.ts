// The health endpoints name the checks that a real server names, so that whoever asks for one of them finds it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCluster } from '@windlass/cluster';
import { httpsGet } from './harness/https-get.ts';
import { sharedRealCluster } from './harness/index.ts';

/** Of parts that we do not have. */
const NOT_OURS: ReadonlySet<string> = new Set([
  // It calls itself within the process, without a certificate.
  'loopback-serving-certificate',
  // One server needs neither a name among others nor to know them.
  'poststarthook/peer-endpoint-reconciler-controller',
  'poststarthook/start-kube-apiserver-identity-lease-controller',
  'poststarthook/start-kube-apiserver-identity-lease-garbage-collector',
  // The store knows how many objects it has.
  'poststarthook/storage-object-count-tracker-hook',
]);

const namesIn = (text: string): string[] =>
  [...text.matchAll(/^\[.\](\S+) (?:ok|failed)/gm)].map(([, name = '']) => name).sort();

for (const endpoint of ['healthz', 'livez', 'readyz'])
  test(`${endpoint} names the same checks`, async () => {
    const real = await sharedRealCluster();
    await using cluster = await startCluster({});
    const theirs = await httpsGet(`${real.server}/${endpoint}?verbose=1`, {
      ca: real.ca,
      cert: real.admin.cert,
      key: real.admin.key,
      signal: AbortSignal.timeout(10_000),
    });
    const { body } = await cluster
      .transport()
      .request({ method: 'GET', path: `/${endpoint}`, query: { verbose: '1' } });
    const ours = namesIn(String(body));
    assert.ok(ours.length > 10);
    assert.deepEqual(
      ours,
      namesIn(theirs.body).filter((name) => !NOT_OURS.has(name)),
    );
  });
