import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ValidatingWebhookConfiguration } from '@windlass/apimachinery/api/admissionregistration/v1';
import { createLogger, memoryWriter, realClock } from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import { startTestCluster } from '@windlass/cluster/testing';
import { keepCaBundles } from './ca-bundle.ts';

const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const RIGHT = Buffer.from(PEM).toString('base64');

test('a configuration is mended when one of its webhooks lost the authority, and left alone when none did', async () => {
  await using cluster = await startTestCluster();
  const configurations = cluster.client.resource(ValidatingWebhookConfiguration);
  const webhook = (name: string) => ({
    name: `${name}.example.com`,
    clientConfig: { url: 'https://127.0.0.1:1/', caBundle: RIGHT },
    sideEffects: 'None' as const,
    admissionReviewVersions: ['v1'],
  });
  await configurations.create({ metadata: { name: 'check' }, webhooks: [webhook('one'), webhook('two')] });
  const stop = new AbortController();
  const writer = memoryWriter();
  const kept = keepCaBundles({
    client: cluster.client,
    targets: { validating: ['check'] },
    authority: () => PEM,
    clock: realClock,
    logger: createLogger(writer, 'info'),
    signal: stop.signal,
  });
  // The second, and then the first: each time the other one is right.
  for (const [index, mended] of [
    [1, 1],
    [0, 2],
  ] as const) {
    await configurations.patch('check', { metadata: { labels: { round: String(index) } } });
    await configurations.patch(
      'check',
      [{ op: 'remove', path: `/webhooks/${index}/clientConfig/caBundle` }],
      {
        type: 'json',
      },
    );
    await until('it is mended', async () => {
      const { webhooks = [] } = await configurations.get('check');
      return webhooks.every(({ clientConfig }) => clientConfig.caBundle === RIGHT);
    });
    await until('and told', () => writer.records.length >= mended);
  }
  stop.abort();
  await kept;
  assert.equal(writer.records.length, 2, 'what was right was not written again');
});
