import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { createLogger, memoryWriter } from '@windlass/base';
import { startTestCluster } from '@windlass/cluster/testing';
import { MAX_RETRIES, registerPodToStdout } from './controller.ts';

const pod = (name: string): Pod => ({
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'nginx' }] },
});

test('prints what becomes of pods', async () => {
  await using cluster = await startTestCluster();
  const pods = cluster.client.resource(Pod).namespace('default');
  await pods.create(pod('before'));
  const { manager } = cluster.manager();
  const lines: string[] = [];
  registerPodToStdout(manager, { print: (line) => lines.push(line) });
  await manager.start();
  await cluster.settled();
  await pods.create(pod('after'));
  await cluster.settled();
  await pods.delete('before', { gracePeriodSeconds: 0 });
  await cluster.settled();
  // A deletion may show as a change first.
  assert.deepEqual(
    [...new Set(lines)],
    [
      'Sync/Add/Update for Pod before',
      'Sync/Add/Update for Pod after',
      'Pod default/before does not exist anymore',
    ],
  );
});

test('a pod that cannot be printed is tried again five times, then left alone until it changes', async () => {
  await using cluster = await startTestCluster();
  const pods = cluster.client.resource(Pod).namespace('default');
  const writer = memoryWriter();
  const { manager } = cluster.manager({ logger: createLogger(writer) });
  let tries = 0;
  registerPodToStdout(manager, {
    print: () => {
      tries++;
      throw new Error('the pipe is closed');
    },
  });
  await manager.start();
  await pods.create(pod('a'));
  await cluster.settled();
  for (let step = 0; step < 20; step++) await cluster.advance(60_000);
  assert.equal(tries, 1 + MAX_RETRIES);
  const last = writer.records.findLast(({ level }) => level === 'error');
  assert.equal(last?.message, 'reconcile failed after its last retry; it waits for the next event');
  assert.equal(last?.fields['key'], 'default/a');
  await pods.patch('a', { metadata: { labels: { changed: 'yes' } } });
  await cluster.settled();
  assert.equal(tries, 2 + MAX_RETRIES);
});
