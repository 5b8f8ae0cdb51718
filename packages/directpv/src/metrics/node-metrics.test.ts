import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GIB, NODE, NodeTest, targetOf } from '../testing/node-test.ts';

const EVERY_MS = 30_000;

/** The value of a series as it is exposed; undefined when it is not. */
function valueOf(node: NodeTest, series: string): number | undefined {
  const line = node.process.manager.metrics
    .expose()
    .split('\n')
    .find((one) => one.startsWith(`directpv_stats_${series} `));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

const volume = (name: string): string => `{node="${NODE}",tenant="",volumeID="${name}"}`;

test('published volumes are shown with what they have and take, and no longer when they are not', async () => {
  await using node = await NodeTest.start();
  await node.create('pvc-1');
  await node.stage('pvc-1');
  await node.publish('pvc-1', 'pod-1');
  node.os.write(`${targetOf('pod-1')}/file`, 5000);
  await node.cluster.advance(EVERY_MS);
  assert.equal(valueOf(node, `bytes_total${volume('pvc-1')}`), GIB);
  assert.equal(valueOf(node, `bytes_used${volume('pvc-1')}`), 5000);
  await node.unpublish('pvc-1', 'pod-1');
  await node.cluster.advance(EVERY_MS);
  assert.equal(valueOf(node, `bytes_total${volume('pvc-1')}`), undefined);
});

test('weakness 27: a drive that is gone is not ready', async () => {
  await using node = await NodeTest.start();
  const series = `drive_ready{drive="${(await node.drive()).status.fsuuid}"}`;
  await node.cluster.advance(EVERY_MS);
  assert.equal(valueOf(node, series), 1);
  node.os.unplug('sdb');
  await node.cluster.advance(EVERY_MS);
  assert.equal(valueOf(node, series), 0);
});

test('weakness 27: latencies are of the time since the last look, bytes of all time', async () => {
  await using node = await NodeTest.start();
  const labels = `{drive="${(await node.drive()).status.fsuuid}"}`;
  const disk = node.os.disk('sdb');
  const first = { reads: 100, writes: 10, readBytes: 1000, writtenBytes: 2000 };
  disk.statistics = { ...first, readSeconds: 50, writeSeconds: 5, waitSeconds: 60 };
  await node.cluster.advance(EVERY_MS);
  disk.statistics = { ...disk.statistics, reads: 200, readBytes: 1500, readSeconds: 51, waitSeconds: 62 };
  await node.cluster.advance(EVERY_MS);
  assert.equal(valueOf(node, `drive_read_latency_seconds${labels}`), 0.01);
  assert.equal(valueOf(node, `drive_write_latency_seconds${labels}`), 0);
  assert.equal(valueOf(node, `drive_wait_time_seconds${labels}`), 0.02);
  assert.equal(valueOf(node, `drive_total_read_bytes${labels}`), 1500);
  assert.equal(valueOf(node, `drive_total_write_bytes${labels}`), 2000);
});

test('weakness 29: what cannot be measured is counted, and nothing is told of it', async () => {
  await using node = await NodeTest.start();
  await node.create('pvc-1');
  await node.stage('pvc-1');
  await node.publish('pvc-1', 'pod-1');
  await node.cluster.advance(EVERY_MS);
  node.os.fail({ operation: 'usage', code: 'ENODATA', times: 3 });
  await node.cluster.advance(3 * EVERY_MS);
  assert.equal(valueOf(node, 'failures_total{what="volume"}'), 3);
});

test('the capacity of drives is shown', async () => {
  await using node = await NodeTest.start();
  await node.create('pvc-1');
  await node.cluster.advance(EVERY_MS);
  const { fsuuid, freeCapacity } = (await node.drive()).status;
  assert.equal(valueOf(node, `drive_capacity_bytes{drive="${fsuuid}",state="allocated"}`), GIB);
  assert.equal(valueOf(node, `drive_capacity_bytes{drive="${fsuuid}",state="free"}`), freeCapacity);
});
