import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BlockDevice } from './block-device.ts';
import { systemCode } from './errors.ts';
import type { FakeOperation } from './fake-calls.ts';
import { FakeOperatingSystem } from './fake-operating-system.ts';
import { mountAt } from './mount-entry.ts';

const ROOT = '/var/lib/directpv/mnt/u1';

async function machine(): Promise<FakeOperatingSystem> {
  const os = new FakeOperatingSystem();
  os.plug('sdb');
  const [device] = await os.devices();
  assert.ok(device);
  await os.format(device, { fsuuid: 'u1', label: 'DIRECTPV', force: false });
  await os.mount(device, ROOT);
  await os.link('.', `${ROOT}/.FSUUID.u1`);
  return os;
}

function withCode(code: string): (error: unknown) => boolean {
  return (error) => systemCode(error) === code;
}

test('a volume reached through the sentinel is the same directory, and its bind mount names it', async () => {
  const os = await machine();
  await os.makeDirectory(`${ROOT}/.FSUUID.u1/pvc-1`);
  await os.makeDirectory('/stage', { recursive: true });
  await os.bindMount(`${ROOT}/.FSUUID.u1/pvc-1`, '/stage');
  os.write('/stage/file', 10);
  assert.deepEqual(await os.list(`${ROOT}/pvc-1`), ['file']);
  const mount = mountAt(await os.mounts(), '/stage');
  assert.equal(mount?.root, '/pvc-1');
  assert.equal(mount?.majorMinor, os.disk('sdb').majorMinor);
});

test('nothing can be made below the sentinel of a drive that is not mounted', async () => {
  const os = await machine();
  await os.unmount(ROOT);
  await assert.rejects(os.makeDirectory(`${ROOT}/.FSUUID.u1/pvc-1`), withCode('ENOENT'));
});

test('a limit stops a writer, and a read-only bind mount does, too', async () => {
  const os = await machine();
  await os.makeDirectory(`${ROOT}/pvc-1`);
  await os.setQuota({ mountPath: ROOT, path: `${ROOT}/pvc-1`, projectId: 7 }, 100);
  os.write(`${ROOT}/pvc-1/a`, 60);
  assert.throws(() => os.write(`${ROOT}/pvc-1/b`, 41), withCode('EDQUOT'));
  os.write(`${ROOT}/pvc-1/a`, 100);
  await os.makeDirectory('/ro', { recursive: true });
  await os.bindMount(`${ROOT}/pvc-1`, '/ro', { readOnly: true });
  assert.throws(() => os.write('/ro/a', 1), withCode('EROFS'));
  const usage = await os.usage({ mountPath: ROOT, path: `${ROOT}/pvc-1`, projectId: 7 });
  assert.deepEqual(usage, { usedBytes: 100, usedInodes: 2, limitBytes: 100 });
});

test('what is mounted from an unplugged disk answers EIO; the disk comes back with its data', async () => {
  const os = await machine();
  await os.makeDirectory(`${ROOT}/pvc-1`);
  os.unplug('sdb');
  await assert.rejects(os.entryType(`${ROOT}/pvc-1`), withCode('EIO'));
  assert.deepEqual(await os.devices(), []);
  os.plug('sdb');
  await os.unmount(ROOT);
  const [device] = await os.devices();
  assert.ok(device);
  await os.mount(device, ROOT);
  assert.equal(await os.entryType(`${ROOT}/pvc-1`), 'directory');
});

test('every operation is noted and can be made to fail', async () => {
  const [target, other] = [{ mountPath: ROOT, path: `${ROOT}/pvc-1`, projectId: 7 }, `${ROOT}/pvc-2`];
  const calls: Readonly<
    Record<
      Exclude<FakeOperation, 'deviceChanges' | 'realPath'>,
      (os: FakeOperatingSystem, device: BlockDevice) => Promise<unknown>
    >
  > = {
    devices: (os) => os.devices(),
    examine: (os) => os.examine('sdb'),
    deviceStatistics: (os) => os.deviceStatistics('sdb'),
    format: (os, device) => os.format(device, { fsuuid: 'u1', label: 'DIRECTPV', force: true }),
    repair: (os, device) => os.repair(device),
    grow: (os) => os.grow(ROOT),
    mounts: (os) => os.mounts(),
    mount: (os, device) => os.mount(device, ROOT),
    mountEmpty: (os) => os.mountEmpty(ROOT),
    bindMount: (os) => os.bindMount(target.path, other),
    unmount: (os) => os.unmount(ROOT),
    quotaSupport: (os) => os.quotaSupport(ROOT),
    limitations: (os) => os.limitations(ROOT),
    projects: (os) => os.projects(ROOT),
    setQuota: (os) => os.setQuota(target, 1),
    clearQuota: (os) => os.clearQuota(target),
    usage: (os) => os.usage(target),
    statFileSystem: (os) => os.statFileSystem(ROOT),
    entryType: (os) => os.entryType(target.path),
    list: (os) => os.list(ROOT),
    makeDirectory: (os) => os.makeDirectory(other),
    removeDirectory: (os) => os.removeDirectory(target.path),
    link: (os) => os.link('.', other),
    readFile: (os) => os.readFile(other),
    writeFile: (os) => os.writeFile(other, ''),
    rename: (os) => os.rename(target.path, other),
    removeTree: (os) => os.removeTree(target.path),
    copyTree: (os) => os.copyTree(target.path, other),
    cloneTree: (os) => os.cloneTree(target.path, other),
    treeState: (os) => os.treeState(target.path),
    flush: (os) => os.flush(target.path),
    pausePods: (os) => os.pausePods(['p']),
    resumePods: (os) => os.resumePods(['p']),
  };
  for (const [name, call] of Object.entries(calls)) {
    const os = await machine();
    const [device] = await os.devices();
    assert.ok(device);
    await os.makeDirectory(target.path);
    const before = os.calls.length;
    os.fail({ operation: name as FakeOperation, code: 'EINJECTED' }); // The keys above are these names.
    await assert.rejects(call(os, device), withCode('EINJECTED'), name);
    assert.equal(os.calls[before]?.split(' ')[0], name);
  }
});

test('a bind mount has the options that it was made with', async () => {
  const os = await machine();
  await os.makeDirectory(`${ROOT}/pvc-1`);
  for (const [target, options, expected] of [
    ['/a', { options: ['noexec', 'nosuid'] }, ['rw', 'noexec', 'nosuid']],
    ['/b', { readOnly: true, options: ['noexec'] }, ['ro', 'noexec']],
    ['/c', {}, ['rw']],
  ] as const) {
    await os.makeDirectory(target, { recursive: true });
    await os.bindMount(`${ROOT}/pvc-1`, target, options);
    assert.deepEqual(mountAt(await os.mounts(), target)?.options, expected);
  }
});

test('a repair makes the first superblock again from the others', () => {
  const disk = new FakeOperatingSystem().plug('sdb');
  disk.format('u1', 'DIRECTPV');
  const before = disk.contents;
  disk.loseSuperblock();
  assert.deepEqual([disk.contents, disk.traces], [undefined, [before]]);
  disk.mend();
  assert.deepEqual([disk.contents, disk.traces], [before, []]);
});

test('failures come as often as asked, and only for what they match', async () => {
  const os = await machine();
  os.fail({ operation: 'makeDirectory', code: 'EIO', matching: 'pvc-2', times: 2 });
  await os.makeDirectory(`${ROOT}/pvc-1`);
  await assert.rejects(os.makeDirectory(`${ROOT}/pvc-2`), withCode('EIO'));
  await assert.rejects(os.makeDirectory(`${ROOT}/pvc-2`), withCode('EIO'));
  await os.makeDirectory(`${ROOT}/pvc-2`);
});

test('changes that come while nobody reads are told together, the last of each device', async () => {
  const os = new FakeOperatingSystem();
  const stop = new AbortController();
  const changes = os.deviceChanges({ signal: stop.signal })[Symbol.asyncIterator]();
  os.plug('sdb');
  os.plug('sdc');
  os.unplug('sdb');
  assert.deepEqual((await changes.next()).value, { action: 'add', name: 'sdc' });
  assert.deepEqual((await changes.next()).value, { action: 'remove', name: 'sdb' });
  stop.abort();
  assert.equal((await changes.next()).done, true);
});
