import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '@windlass/apimachinery/api/core/v1';
import { silentLogger } from '@windlass/base';
import { TestCluster } from '@windlass/cluster/testing';
import { CountedObjects } from './counted-objects.ts';

const SECRETS = { group: '', plural: 'secrets' };
const signal = new AbortController().signal;

test('nothing is watched before it is asked for, and nothing after the last one who asked has gone', async () => {
  await using cluster = new TestCluster();
  const { manager, faults } = cluster.manager();
  await manager.start();
  const counted = new CountedObjects({ cluster: manager.cluster, quotasFor: () => ['default/q'] });
  const told: string[] = [];
  const sink = { logger: silentLogger, add: (key: string) => void told.push(key) };
  const sources = [counted.start(sink), counted.start({ logger: silentLogger, add: () => {} })];
  await cluster.settled();
  assert.equal(faults.openWatches, 0);

  assert.deepEqual(await counted.list(SECRETS, 'default', signal), []);
  assert.equal(faults.openWatches, 1);
  const secrets = cluster.client.resource(Secret).namespace('default');
  await secrets.create({ metadata: { name: 'a' } });
  await cluster.settled();
  assert.deepEqual(told, ['default/q']);

  await sources[0]?.stop();
  await cluster.settled();
  assert.equal(faults.openWatches, 1, 'another still wants it');
  await sources[1]?.stop();
  await cluster.settled();
  assert.equal(faults.openWatches, 0);
});
