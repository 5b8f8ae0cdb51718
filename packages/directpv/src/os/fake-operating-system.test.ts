import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemCode } from './errors.ts';
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
