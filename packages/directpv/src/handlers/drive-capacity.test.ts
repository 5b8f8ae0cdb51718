// What drives say they have is what their file systems offer, whoever wrote something else.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Event } from '@windlass/apimachinery/api/events/v1';
import type { DirectPVDrive } from '../resources/drive.ts';
import { GIB, NodeTest, STAGING } from '../testing/node-test.ts';

const MIB = 1024 ** 2;
const HEALTH_MS = 60_000;
const MEASURE_MS = 15 * 60_000;

async function noteOf(node: NodeTest, reason: string): Promise<string[]> {
  await node.cluster.advance(1000);
  const notes: string[] = [];
  for await (const { reason: why, note } of node.cluster.client.resource(Event).items())
    if (why === reason) notes.push(note ?? '');
  return notes;
}

/** As DirectPV's own node server writes it at each start: the size of the device. */
function rewritten(drive: DirectPVDrive, raw = 10 * GIB): DirectPVDrive {
  const { allocatedCapacity } = drive.status;
  const status = { ...drive.status, totalCapacity: raw, freeCapacity: raw - allocatedCapacity };
  return { ...drive, status };
}

describe('a drive whose total somebody else has written', () => {
  test('is measured at once, and never gives more than it has', async () => {
    await using node = await NodeTest.start();
    const before = (await node.drive()).status;
    assert.ok(before.totalCapacity < 10 * GIB);
    // The node is away: only what it has measured before stands between a claim and too large a volume.
    await node.process.manager.stop();
    await node.drives.replace(rewritten(await node.drive()));
    await node.restart();
    await assert.rejects(node.create('pvc-large', 10 * GIB), /no drive found for requested size/);
    const { status } = await node.drive();
    assert.deepEqual(
      [status.totalCapacity, status.freeCapacity],
      [before.totalCapacity, before.freeCapacity],
    );
    await node.assertConsistent();
  });

  test('is measured again while the node runs', async () => {
    await using node = await NodeTest.start();
    const { totalCapacity } = (await node.drive()).status;
    await node.drives.replace(rewritten(await node.drive()));
    await node.cluster.settled();
    assert.equal((await node.drive()).status.totalCapacity, totalCapacity);
  });

  test('is measured again when it was written during a look that did not measure', async () => {
    await using node = await NodeTest.start();
    const { totalCapacity } = (await node.drive()).status;
    const ask = node.os.statFileSystem.bind(node.os);
    let isWritten = false;
    node.os.statFileSystem = async (path) => {
      if (!isWritten) {
        isWritten = true;
        await node.drives.replace(rewritten(await node.drive(), totalCapacity - GIB));
      }
      return ask(path);
    };
    await node.cluster.advance(HEALTH_MS);
    await node.cluster.settled();
    assert.ok(isWritten, 'a look was under way');
    assert.equal((await node.drive()).status.totalCapacity, totalCapacity);
  });

  test('is adopted, and then has what its file system has', async () => {
    await using node = await NodeTest.start();
    await node.create('pvc-1');
    const { totalCapacity } = (await node.drive()).status;
    await node.process.manager.stop();
    const { annotations: _none, ...metadata } = (await node.drive()).metadata ?? {};
    await node.drives.replace({ ...rewritten(await node.drive()), metadata });
    await node.restart();
    await node.cluster.advance(1000);
    const { status } = await node.drive();
    assert.equal(status.totalCapacity, totalCapacity);
    assert.equal(status.freeCapacity, totalCapacity - GIB);
    await node.assertConsistent();
  });
});

describe('a file system that has less than before', () => {
  test('makes its drive smaller, as soon as what is promised is not there, and later for all else', async () => {
    await using node = await NodeTest.start();
    await node.create('pvc-1');
    await node.stage('pvc-1');
    const before = (await node.drive()).status;
    const mount = `/var/lib/directpv/mnt/${before.fsuuid}`;
    // Somebody keeps files of their own on the drive.
    node.os.write(`${mount}/stranger`, 2 * GIB);
    await node.cluster.advance(HEALTH_MS);
    const after = (await node.drive()).status;
    assert.equal(after.totalCapacity, before.totalCapacity - 2 * GIB);
    assert.equal(after.freeCapacity, before.freeCapacity - 2 * GIB);
    // Of what volumes were promised nothing is missing yet, so that it takes longer until anybody looks.
    node.os.write(`${STAGING}/pvc-1/file`, 500 * MIB);
    await node.os.removeTree(`${mount}/stranger`);
    await node.cluster.advance(MEASURE_MS);
    assert.equal((await node.drive()).status.totalCapacity, before.totalCapacity);
    await node.assertConsistent();
  });

  test('than volumes were promised: the drive says so, and gets no new ones until it is over', async () => {
    await using node = await NodeTest.start();
    await node.create('pvc-1', 6 * GIB);
    await node.create('pvc-2', 2 * GIB);
    const { fsuuid, totalCapacity } = (await node.drive()).status;
    node.os.write(`/var/lib/directpv/mnt/${fsuuid}/stranger`, 3 * GIB);
    await node.cluster.advance(MEASURE_MS);
    const over = await node.drive();
    assert.equal(over.status.freeCapacity, 0);
    assert.equal(over.status.allocatedCapacity, 8 * GIB);
    assert.deepEqual(
      over.status.conditions?.map(({ type }) => type),
      ['Overcommitted'],
    );
    const notes = await noteOf(node, 'DriveOvercommitted');
    assert.equal(notes.length, 1);
    assert.match(notes[0] ?? '', /promised 8589934592 bytes, but the file system has \d+ for them/);
    await assert.rejects(node.create('pvc-3', MIB));
    // What goes makes up for it first.
    await node.delete('pvc-2');
    await node.cluster.advance(HEALTH_MS);
    const { status } = await node.drive();
    assert.deepEqual(status.conditions ?? [], []);
    assert.equal(status.freeCapacity, status.totalCapacity - 6 * GIB);
    assert.ok(status.totalCapacity <= totalCapacity - 3 * GIB);
    await node.create('pvc-3', MIB);
  });

  test('is measured without books, too: by walking', async () => {
    await using node = await NodeTest.start();
    node.os.quotas = { enforced: false, reason: 'a test' };
    await node.create('pvc-1');
    await node.stage('pvc-1');
    node.os.write(`${STAGING}/pvc-1/file`, 3 * GIB);
    const { totalCapacity } = (await node.drive()).status;
    await node.drives.replace(rewritten(await node.drive()));
    await node.cluster.settled();
    // Two gibibytes are taken that nobody was promised.
    const { status } = await node.drive();
    assert.equal(status.totalCapacity, totalCapacity - 2 * GIB);
    assert.equal(status.freeCapacity, status.totalCapacity - GIB);
  });
});

test('a drive that cannot be measured now is used all the same, and measured at the next look', async () => {
  await using node = await NodeTest.start();
  await node.create('pvc-1');
  await node.stage('pvc-1');
  const { totalCapacity } = (await node.drive()).status;
  node.os.fail({ operation: 'projects', code: 'ENOENT' });
  await node.drives.replace(rewritten(await node.drive()));
  await node.cluster.settled();
  assert.equal((await node.drive()).status.status, 'Ready');
  await node.cluster.advance(HEALTH_MS);
  assert.equal((await node.drive()).status.totalCapacity, totalCapacity);
});
