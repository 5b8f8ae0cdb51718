// Whatever happens to a device that holds a drive: it says why it is lost, is not offered, is not formatted, and comes
// back with its data.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Event } from '@windlass/apimachinery/api/events/v1';
import { initConfigOf } from '../admin/discover.ts';
import { repairDrives } from '../admin/repair.ts';
import type { FakeDisk } from '../os/fake-disk.ts';
import { LABELS } from '../resources/labels.ts';
import { DirectPVNode } from '../resources/node.ts';
import { GIB, NODE, NodeTest, STAGING } from '../testing/node-test.ts';

const foreign = (fsType: string, fsuuid = '') => ({ fsType, fsuuid, label: '' });
const OTHER = '99999999-2222-3333-4444-555555555555';

async function deviceOf(node: NodeTest, name = 'sdb') {
  await node.cluster.client.resource(DirectPVNode).patch(NODE, { spec: { refresh: true } });
  await node.cluster.settled();
  const { status } = await node.cluster.client.resource(DirectPVNode).get(NODE);
  return status?.devices?.find((device) => device.name === name);
}

async function damaged(damage: (disk: FakeDisk) => void, identity = {}) {
  const node = await NodeTest.start([]);
  node.os.plug('sdb', { identity });
  await node.cluster.settled();
  await node.init(['sdb']);
  const { fsuuid } = (await node.drive()).status;
  await node.create('pvc-1');
  await node.stage('pvc-1');
  node.os.write(`${STAGING}/pvc-1/file`, 4000);
  await node.unstage('pvc-1');
  // The machine is switched off, and on again.
  await node.process.manager.stop();
  node.os.reboot();
  damage(node.os.disk('sdb'));
  await node.restart();
  return { node, fsuuid };
}

interface Damage {
  readonly what: string;
  readonly damage: (disk: FakeDisk) => void;
  readonly identity?: Readonly<Record<string, string>>;
  readonly status?: string;
  /** Why the drive is lost. */
  readonly says: RegExp;
  readonly isMended?: false;
}

const SERIAL = { serial: 'S1' };
const rows: readonly Damage[] = [
  {
    what: 'its first superblock is zeroed',
    damage: (disk) => disk.loseSuperblock(),
    says: /first superblock .* is damaged: run "kubectl directpv repair/,
  },
  {
    what: 'another superblock stands in its place',
    damage: (disk) => disk.loseSuperblock(foreign('xfs', OTHER)),
    says: /first superblock .* is damaged/,
  },
  {
    what: 'swap is made on it',
    damage: (disk) => disk.loseSuperblock(foreign('swap')),
    says: /swap was written over its beginning: remove that with wipefs/,
    isMended: false,
  },
  {
    what: 'ext4 is made on it, and nothing is left of it but its serial number',
    damage: (disk) => {
      disk.wipe();
      disk.contents = foreign('ext4');
    },
    identity: SERIAL,
    says: /ext4 was written over/,
    isMended: false,
  },
  {
    what: 'nothing is left of it but its serial number',
    damage: (disk) => disk.wipe(),
    identity: SERIAL,
    says: /is the one that the drive was on, but nothing of its file system was found/,
    isMended: false,
  },
  {
    what: 'it was given another UUID',
    damage: (disk) => {
      if (disk.contents !== undefined)
        disk.contents = { ...disk.contents, fsuuid: OTHER, madeAs: disk.contents.fsuuid };
    },
    says: /was given UUID 99999999.*xfs_admin -U/,
    isMended: false,
  },
  {
    what: 'it cannot be read',
    damage: (disk) => {
      disk.contents = undefined;
      disk.problem = 'EIO: i/o error';
    },
    status: 'Error',
    says: /I\/O error: EIO/,
    isMended: false,
  },
  {
    what: 'it is smaller than before',
    damage: (disk) => {
      disk.size = 5 * GIB;
    },
    status: 'Error',
    says: /device sdb has 5368709120 bytes, but its file system has 10737418240/,
    isMended: false,
  },
  {
    what: 'its file is of another drive',
    damage: (disk) => {
      const folder = disk.root.children.get('.directpv');
      assert.ok(folder?.type === 'directory');
      folder.children.set('meta.info', { type: 'file', bytes: 8, text: `FSUUID=${OTHER}\n` });
    },
    status: 'Error',
    says: /meta\.info says 99999999/,
    isMended: false,
  },
];

for (const { what, damage, identity, says, status = 'Lost', isMended = true } of rows)
  describe(`a drive with data, and ${what}`, () => {
    test('says why it cannot be used, on the object and by an event', async () => {
      const { node, fsuuid } = await damaged(damage, identity);
      await using _node = node;
      const drive = await node.drives.get(fsuuid);
      assert.equal(drive.status.status, status);
      assert.match(drive.status.conditions?.map(({ message }) => message).join() ?? '', says);
      await node.cluster.advance(1000);
      const notes: string[] = [];
      for await (const { note = '', regarding } of node.cluster.client.resource(Event).items())
        if (regarding?.name === fsuuid) notes.push(note);
      assert.match(notes.join('\n'), says);
    });

    test('is neither offered nor formatted, whatever the file says', async () => {
      const { node, fsuuid } = await damaged(damage, identity);
      await using _node = node;
      const device = await deviceOf(node);
      assert.match(device?.deniedReason ?? '', status === 'Lost' ? new RegExp(fsuuid) : /./);
      for (const force of [false, true]) {
        const { results } = await node.init(['sdb'], { force, request: `hand-edited-${force}` });
        assert.match(results?.[0]?.error ?? '', /not permitted/);
      }
      assert.equal(node.os.calls.filter((call) => call.startsWith('format')).length, 1);
    });

    test(isMended ? 'is repaired with its data' : 'is not made worse by a repair', async () => {
      const { node, fsuuid } = await damaged(damage, identity);
      await using _node = node;
      await repairDrives(node.cluster.client, [await node.drives.get(fsuuid)]);
      await node.cluster.settled();
      const drive = await node.drives.get(fsuuid);
      assert.equal(drive.status.status, isMended ? 'Ready' : 'Error');
      if (!isMended) return;
      assert.deepEqual(drive.status.conditions ?? [], []);
      await node.stage('pvc-1');
      const file = await node.os.list(`/var/lib/directpv/mnt/${fsuuid}/pvc-1`);
      assert.deepEqual(file, ['file']);
    });
  });

test('what was free when it was discovered and is a drive when its turn comes is refused', async () => {
  const { node } = await damaged((disk) => disk.loseSuperblock());
  await using _node = node;
  const spare = node.os.plug('sdc');
  await node.cluster.settled();
  assert.equal((await deviceOf(node, 'sdc'))?.deniedReason, undefined);
  // Between the look at all devices and the one before formatting, this disk turns out to be the drive's.
  const gate = node.os.hold('examine');
  const ordered = node.init(['sdc'], { request: 'late' });
  await gate.entered;
  spare.traces = node.os.disk('sdb').traces;
  gate.open();
  await ordered;
  assert.equal(spare.contents, undefined);
  assert.ok(!node.os.calls.some((call) => call.startsWith('format sdc')));
});

test('a new disk in the place of a drive that is gone may be had, when something tells them apart', async () => {
  const { node } = await damaged(() => {}, SERIAL);
  await using _node = node;
  node.os.unplug('sdb');
  await node.cluster.settled();
  node.os.plug('sdc', { identity: { serial: 'S2' } });
  await node.cluster.settled();
  const { results } = await node.init(['sdc']);
  assert.deepEqual(results, [{ name: 'sdc' }]);
});

test('a drive of another node is not formatted here', async () => {
  const { node, fsuuid } = await damaged(() => {});
  await using _node = node;
  const drive = await node.drives.get(fsuuid);
  const labels = { ...drive.metadata?.labels, [LABELS.node]: 'node-2' };
  await node.process.manager.stop();
  await node.drives.replace({ ...drive, metadata: { ...drive.metadata, labels } });
  node.os.reboot();
  await node.restart();
  assert.equal((await deviceOf(node))?.deniedReason, `Used by DirectPV as drive ${fsuuid} of node node-2`);
  const { results } = await node.init(['sdb'], { force: true, request: 'carried' });
  assert.match(results?.[0]?.error ?? '', /not permitted; Used by DirectPV as drive/);
});

test('a file of a drive that was zeroed is written again', async () => {
  const { node, fsuuid } = await damaged((disk) => {
    const folder = disk.root.children.get('.directpv');
    assert.ok(folder?.type === 'directory');
    folder.children.set('meta.info', { type: 'file', bytes: 8, text: '\0\0\0\0\0\0\0\0' });
  });
  await using _node = node;
  assert.equal((await node.drive()).status.status, 'Ready');
  const text = await node.os.readFile(`/var/lib/directpv/mnt/${fsuuid}/.directpv/meta.info`);
  assert.match(text ?? '', new RegExp(`FSUUID=${fsuuid}`));
});

test('discover writes nothing of such a device into the file for init', async () => {
  const { node } = await damaged((disk) => disk.loseSuperblock());
  await using _node = node;
  const device = await deviceOf(node);
  assert.ok(device);
  const isAvailable = (device.deniedReason ?? '') === '';
  assert.deepEqual(initConfigOf([{ ...device, node: NODE, isAvailable }]).nodes, []);
});
