// What a machine does not do for a drive is said: of the drive, of its volumes, and of their claims, each once.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PersistentVolume } from '@windlass/apimachinery/api/core/v1';
import { Event } from '@windlass/apimachinery/api/events/v1';
import { GIB, NodeTest, STAGING, targetOf } from '../testing/node-test.ts';

const HEALTH_MS = 60_000;
const METRICS_MS = 30_000;
const NO_QUOTA = { enforced: false, reason: 'this kernel keeps none' } as const;

/** `kind/name: note`, in the order of kinds. */
async function told(node: NodeTest, reason: string): Promise<string[]> {
  await node.cluster.advance(1000);
  const notes: string[] = [];
  for await (const { reason: why, regarding, note } of node.cluster.client.resource(Event).items())
    if (why === reason) notes.push(`${regarding?.kind}/${regarding?.name}: ${note}`);
  return notes.toSorted();
}

async function claimFor(node: NodeTest, volume: string): Promise<void> {
  await node.cluster.client.resource(PersistentVolume).create({
    metadata: { name: volume },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      csi: { driver: 'directpv-min-io', volumeHandle: volume },
      claimRef: { kind: 'PersistentVolumeClaim', namespace: 'default', name: 'data-web-0', uid: 'uid-1' },
    },
  });
}

const types = (object: { status: { conditions?: { type?: string }[] } }): (string | undefined)[] =>
  (object.status.conditions ?? []).map(({ type }) => type);

/** The value of a series as it is exposed. */
function valueOf(node: NodeTest, series: string): number | undefined {
  const line = node.process.manager.metrics
    .expose()
    .split('\n')
    .find((one) => one.startsWith(`directpv_stats_${series} `));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

describe('quotas that are not enforced', () => {
  test('are told of by the drive, the volume and the claim, once, and no longer when they are', async () => {
    await using node = await NodeTest.start([]);
    node.os.quotas = NO_QUOTA;
    node.os.plug('sdb');
    await node.cluster.settled();
    await node.init(['sdb']);
    await node.create('pvc-1');
    await claimFor(node, 'pvc-1');
    await node.stage('pvc-1');
    await node.publish('pvc-1', 'pod-1');
    for (let look = 0; look < 3; look++) await node.cluster.advance(HEALTH_MS);
    const { fsuuid } = (await node.drive()).status;
    assert.deepEqual(types(await node.drive()), ['QuotaNotEnforced']);
    assert.deepEqual(types(await node.volumes.get('pvc-1')), ['QuotaNotEnforced']);
    const note = `Quotas are not enforced on this drive, and volumes may take more than their size: ${NO_QUOTA.reason}`;
    assert.deepEqual(await told(node, 'QuotaNotEnforced'), [
      `DirectPVDrive/${fsuuid}: ${note}`,
      `DirectPVVolume/pvc-1: ${note}`,
      `PersistentVolumeClaim/data-web-0: Volume pvc-1: ${note}`,
    ]);
    assert.equal(valueOf(node, `drive_quota_enforced{drive="${fsuuid}"}`), 0);
    assert.equal((await node.drive()).status.status, 'Ready');

    node.os.quotas = { enforced: true };
    await node.cluster.advance(HEALTH_MS);
    assert.deepEqual(types(await node.drive()), []);
    assert.deepEqual(types(await node.volumes.get('pvc-1')), []);
    await node.cluster.advance(METRICS_MS);
    assert.equal(valueOf(node, `drive_quota_enforced{drive="${fsuuid}"}`), 1);
  });

  test('a volume that takes more than its size is told of, with its claim, and so is that it is over', async () => {
    await using node = await NodeTest.start();
    node.os.quotas = NO_QUOTA;
    await node.create('pvc-1');
    await claimFor(node, 'pvc-1');
    await node.stage('pvc-1');
    await node.publish('pvc-1', 'pod-1');
    node.os.write(`${targetOf('pod-1')}/file`, GIB);
    await node.cluster.advance(METRICS_MS);
    assert.deepEqual(await told(node, 'VolumeExceedsSize'), []);
    node.os.write(`${targetOf('pod-1')}/file`, 9 * GIB);
    for (let look = 0; look < 3; look++) await node.cluster.advance(METRICS_MS);
    assert.ok(types(await node.volumes.get('pvc-1')).includes('QuotaExceeded'));
    const notes = await told(node, 'VolumeExceedsSize');
    assert.equal(notes.length, 2);
    assert.match(
      notes[0] ?? '',
      /^DirectPVVolume\/pvc-1: It takes 9663676416 bytes, more than its size of 1073741824/,
    );
    assert.match(notes[1] ?? '', /^PersistentVolumeClaim\/data-web-0: Volume pvc-1: It takes/);
    const { volumeCondition } = await node.csi.nodeGetVolumeStats({
      volumeId: 'pvc-1',
      volumePath: targetOf('pod-1'),
    });
    assert.deepEqual(volumeCondition?.abnormal, true);
    // What it has taken beyond its size is nobody's to promise.
    await node.cluster.advance(15 * HEALTH_MS);
    const { totalCapacity, allocatedCapacity, freeCapacity } = (await node.drive()).status;
    assert.equal(freeCapacity, totalCapacity - allocatedCapacity);
    assert.ok(freeCapacity <= GIB, `${freeCapacity} bytes are free`);

    node.os.write(`${targetOf('pod-1')}/file`, 1000);
    await node.cluster.advance(METRICS_MS);
    assert.ok(!types(await node.volumes.get('pvc-1')).includes('QuotaExceeded'));
  });
});

test('what else the machine refuses is told of by the drive, once', async () => {
  await using node = await NodeTest.start();
  node.os.refused = ['mounts are not made read-only'];
  for (let look = 0; look < 3; look++) await node.cluster.advance(HEALTH_MS);
  assert.deepEqual(types(await node.drive()), ['Degraded']);
  assert.equal((await told(node, 'DriveDegraded')).length, 1);
  node.os.refused = [];
  await node.cluster.advance(HEALTH_MS);
  assert.deepEqual(types(await node.drive()), []);
});

test('a volume whose directory is gone gets no empty one in its place', async () => {
  await using node = await NodeTest.start();
  await node.create('pvc-1');
  await node.stage('pvc-1');
  node.os.write(`${STAGING}/pvc-1/file`, 1000);
  await node.unstage('pvc-1');
  const mount = `/var/lib/directpv/mnt/${(await node.drive()).status.fsuuid}`;
  await node.os.makeDirectory(`${mount}/lost+found`);
  await node.os.rename(`${mount}/pvc-1`, `${mount}/lost+found/4711`);
  await assert.rejects(node.stage('pvc-1'), /gone from drive .* look for its data in lost\+found/);
  assert.equal(await node.os.entryType(`${mount}/pvc-1`), undefined);
  await node.os.rename(`${mount}/lost+found/4711`, `${mount}/pvc-1`);
  await node.stage('pvc-1');
  assert.deepEqual(await node.os.list(`${STAGING}/pvc-1`), ['file']);
});
