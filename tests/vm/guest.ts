// Runs inside the virtual machine, whose kernel has XFS quotas: our node on real disks, held to its limits.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { until } from '@windlass/base/testing/until';
import { linuxOperatingSystem, mountAt, type OperatingSystem, systemCode } from '@windlass/directpv';
import { MIB, NodeProcess } from '../kernel/node-process.ts';

const [FIRST, SECOND] = ['vda', 'vdb'];
const SIZE = 16 * MIB;
const CHUNK = MIB;

let os: OperatingSystem;
let node: NodeProcess;

before(async () => {
  mkdirSync('/work');
  os = linuxOperatingSystem({ quota: 'required' });
  node = await NodeProcess.start({ folder: '/work', os: () => os, healthCheckMs: 60_000 });
});

after(async () => {
  await node?.stopProcess();
});

/** Writes until it is stopped; returns how much went in, and why no more. */
async function fill(path: string, most: number): Promise<{ readonly bytes: number; readonly code: string }> {
  const file = await open(path, 'a');
  const chunk = Buffer.alloc(CHUNK, 7);
  let bytes = 0;
  try {
    while (bytes < most) {
      const { bytesWritten } = await file.write(chunk);
      bytes += bytesWritten;
      await file.datasync();
    }
    return { bytes, code: 'OK' };
  } catch (error) {
    return { bytes, code: systemCode(error) ?? String(error) };
  } finally {
    await file.close();
  }
}

const QUOTA_PROGRAM = 'xfs_quota';

/** What the kernel's books say, past all code of ours. */
function quotaOf(mountPath: string): string {
  return execFileSync(QUOTA_PROGRAM, ['-x', '-c', 'report -p -n -N -b', mountPath], { encoding: 'utf8' });
}

test('the kernel keeps quotas, and says so', async () => {
  await until('the disks are shown', async () => (await node.devices()).length === 2);
  const results = await node.init([FIRST, SECOND]);
  assert.deepEqual([...results.values()], [undefined, undefined]);
  const { fsuuid } = (await node.driveOn(FIRST)).status;
  const mountPath = join(node.root, 'mnt', fsuuid);
  assert.deepEqual(await os.quotaSupport(mountPath), { enforced: true });
  assert.ok(mountAt(await os.mounts(), mountPath)?.superOptions.includes('prjquota'));
  assert.deepEqual((await node.driveOn(FIRST)).status.conditions ?? [], []);
});

test('a writer is stopped at the size of its volume', async () => {
  await node.create('pvc-1', SIZE);
  await node.stage('pvc-1');
  const target = await node.publish('pvc-1', 'pod-1');
  const { bytes, code } = await fill(join(target, 'data'), 2 * SIZE);
  assert.match(code, /^(EDQUOT|ENOSPC)$/);
  assert.ok(bytes > SIZE - 2 * CHUNK && bytes <= SIZE, `${bytes} of ${SIZE} bytes were written`);
});

test('stats agree with the kernel', async () => {
  const { fsuuid } = (await node.volumes.get('pvc-1')).status;
  const mountPath = join(node.root, 'mnt', fsuuid);
  const projectId = (await os.projects(mountPath)).get('pvc-1');
  assert.ok(projectId);
  const line = quotaOf(mountPath)
    .split('\n')
    .find((one) => one.startsWith(`#${projectId} `));
  const [, usedKiB, , limitKiB] = (line ?? '').split(/\s+/).map(Number);
  assert.equal(limitKiB, SIZE / 1024);
  const volumePath = node.target('pod-1');
  const { usage } = await node.csi.nodeGetVolumeStats({ volumeId: 'pvc-1', volumePath });
  assert.equal(usage[0]?.used, (usedKiB ?? 0) * 1024);
  assert.equal(usage[0]?.total, SIZE);
  assert.equal(usage[1]?.used, 2);
  // What a pod sees with `df` is its volume, not the drive.
  const seen = await os.statFileSystem(volumePath);
  assert.equal(seen.totalBytes, SIZE);
  assert.equal(seen.freeBytes, SIZE - (usage[0]?.used ?? 0));
});

test('another volume of the drive is not held to it', async () => {
  const { fsuuid } = (await node.volumes.get('pvc-1')).status;
  for await (const drive of node.drives.items())
    if (drive.status.fsuuid !== fsuuid)
      await node.drives.patch(drive.status.fsuuid, { spec: { unschedulable: true } });
  await node.untilCreated('pvc-2', SIZE, fsuuid);
  await node.stage('pvc-2');
  const target = await node.publish('pvc-2', 'pod-2');
  assert.equal((await fill(join(target, 'data'), SIZE / 2)).code, 'OK');
  const projects = await os.projects(join(node.root, 'mnt', fsuuid));
  assert.notEqual(projects.get('pvc-1'), projects.get('pvc-2'));
});

test('expanded, the writer goes on, to the new size', async () => {
  const capacityRange = { requiredBytes: 2 * SIZE };
  const volumePath = node.target('pod-1');
  await node.csi.controllerExpandVolume({ volumeId: 'pvc-1', capacityRange });
  assert.notEqual((await fill(join(volumePath, 'data'), CHUNK)).code, 'OK');
  await node.csi.nodeExpandVolume({ volumeId: 'pvc-1', volumePath, capacityRange });
  const { bytes, code } = await fill(join(volumePath, 'data'), 2 * SIZE);
  assert.match(code, /^(EDQUOT|ENOSPC)$/);
  assert.ok(bytes > SIZE - 2 * CHUNK && bytes <= SIZE + CHUNK, `${bytes} bytes more were written`);
});

test('what volumes may have is what the books say, whoever writes the size of the device', async () => {
  const { fsuuid } = (await node.volumes.get('pvc-1')).status;
  const { totalCapacity, allocatedCapacity } = (await node.drives.get(fsuuid)).status;
  const raw = 700 * MIB;
  await node.drives.patch(fsuuid, { status: { totalCapacity: raw, freeCapacity: raw - allocatedCapacity } });
  await node.untilDrive(fsuuid, 'the drive is measured', ({ status }) => {
    const lost = totalCapacity - status.totalCapacity;
    return lost >= 0 && lost < 20 * MIB && status.freeCapacity === status.totalCapacity - allocatedCapacity;
  });
});

test('a restart of the process changes no limit', async () => {
  const { fsuuid } = (await node.volumes.get('pvc-1')).status;
  const mountPath = join(node.root, 'mnt', fsuuid);
  const before = quotaOf(mountPath);
  await node.restart();
  await node.stage('pvc-1');
  assert.equal(quotaOf(mountPath), before);
});

test('moved, a volume has its data and its limit on the new drive', async () => {
  for (const [volume, pod] of [
    ['pvc-1', 'pod-1'],
    ['pvc-2', 'pod-2'],
  ] as const)
    await node.unpublish(volume, pod);
  const { fsuuid: from } = (await node.volumes.get('pvc-1')).status;
  const to = [FIRST, SECOND]
    .map((device) => node.driveOn(device))
    .map(async (drive) => (await drive).status.fsuuid);
  const other = (await Promise.all(to)).find((fsuuid) => fsuuid !== from);
  assert.ok(other);
  await node.move(from, other);
  assert.equal((await node.volumes.get('pvc-1')).status.fsuuid, other);
  const target = await node.publish('pvc-1', 'pod-1');
  const { code } = await fill(join(target, 'data'), SIZE);
  assert.match(code, /^(EDQUOT|ENOSPC)$/);
  const { usage } = await node.csi.nodeGetVolumeStats({ volumeId: 'pvc-1', volumePath: target });
  assert.ok((usage[0]?.used ?? 0) > 2 * SIZE - 3 * CHUNK, `${usage[0]?.used} bytes are counted`);
  await node.unpublish('pvc-1', 'pod-1');
});

test('deleted, neither data nor a limit is left', async () => {
  const { fsuuid } = (await node.volumes.get('pvc-1')).status;
  for (const volume of ['pvc-1', 'pvc-2']) {
    await node.unstage(volume);
    await node.csi.deleteVolume({ volumeId: volume });
  }
  await node.untilNoVolumes();
  const mountPath = join(node.root, 'mnt', fsuuid);
  assert.deepEqual(
    (await readdir(mountPath)).filter((name) => name.startsWith('pvc')),
    [],
  );
  const limits = quotaOf(mountPath)
    .split('\n')
    .filter((line) => /^#[1-9]/.test(line))
    .map((line) => line.trim().split(/\s+/)[3]);
  assert.deepEqual(
    limits.filter((limit) => limit !== '0' && limit !== undefined),
    [],
  );
});
