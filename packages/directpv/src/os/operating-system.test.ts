// What every operating system keeps to, as far as it can be shown without root. The kernel lane shows the rest.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, test } from 'node:test';
import type { BlockDevice } from './block-device.ts';
import { directoryOperatingSystem } from './directory-operating-system.ts';
import { isNoEntry } from './errors.ts';
import { FakeOperatingSystem } from './fake-operating-system.ts';
import { mountAt } from './mount-entry.ts';
import type { OperatingSystem } from './operating-system.ts';

const MIB = 1024 ** 2;
const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

async function temporary(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'windlass-os-'));
  cleanUps.push(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

const SYSTEMS: Record<string, (base: string) => OperatingSystem> = {
  fake: () => {
    const os = new FakeOperatingSystem();
    os.plug('a', { size: 600 * MIB });
    os.plug('b', { size: 600 * MIB });
    return os;
  },
  directory: (base) =>
    directoryOperatingSystem({
      root: join(base, 'drives'),
      drives: [
        { name: 'a', size: 600 * MIB },
        { name: 'b', size: 600 * MIB },
      ],
    }),
};

async function deviceNamed(os: OperatingSystem, name: string): Promise<BlockDevice> {
  const device = (await os.devices()).find((one) => one.name === name);
  assert.ok(device, `there is no device ${name}`);
  return device;
}

async function prepared(os: OperatingSystem, base: string, name = 'a'): Promise<string> {
  const mountPath = join(base, 'mnt', `u-${name}`);
  await os.format(await deviceNamed(os, name), { fsuuid: `u-${name}`, label: 'DIRECTPV', force: false });
  await os.mount(await deviceNamed(os, name), mountPath);
  return mountPath;
}

for (const [name, make] of Object.entries(SYSTEMS))
  describe(name, () => {
    test('devices come in order, and show what was made on them', async () => {
      const base = await temporary();
      const os = make(base);
      assert.deepEqual(
        (await os.devices()).map((device) => [device.name, device.size, device.contents]),
        [
          ['a', 600 * MIB, undefined],
          ['b', 600 * MIB, undefined],
        ],
      );
      const mountPath = await prepared(os, base);
      const device = await deviceNamed(os, 'a');
      assert.equal(device.contents?.fsuuid, 'u-a');
      assert.equal(device.contents.label, 'DIRECTPV');
      assert.deepEqual(device.mountPoints, [mountPath]);
    });

    test('a device that is mounted, or holds something, is not formatted by accident', async () => {
      const base = await temporary();
      const os = make(base);
      const mountPath = await prepared(os, base);
      const again = { fsuuid: 'other', label: 'DIRECTPV', force: true };
      await assert.rejects(os.format(await deviceNamed(os, 'a'), again), { code: 'EBUSY' });
      await os.unmount(mountPath);
      const gently = { ...again, force: false };
      await assert.rejects(os.format(await deviceNamed(os, 'a'), gently), { code: 'EEXIST' });
      assert.equal((await deviceNamed(os, 'a')).contents?.fsuuid, 'u-a');
      await os.format(await deviceNamed(os, 'a'), again);
      assert.equal((await deviceNamed(os, 'a')).contents?.fsuuid, 'other');
    });

    test('a bind mount is known by its device and its root, also when it is made twice', async () => {
      const base = await temporary();
      const os = make(base);
      const mountPath = await prepared(os, base);
      await os.link('.', `${mountPath}/.FSUUID.u-a`);
      await os.makeDirectory(`${mountPath}/.FSUUID.u-a/v1`);
      const target = join(base, 'target');
      await os.makeDirectory(target, { recursive: true });
      await os.bindMount(`${mountPath}/.FSUUID.u-a/v1`, target);
      const { majorMinor } = await deviceNamed(os, 'a');
      const at = await os.realPath(target);
      const shown = mountAt(await os.mounts(), at);
      assert.deepEqual([shown?.majorMinor, shown?.root, shown?.readOnly], [majorMinor, '/v1', false]);
      await os.bindMount(`${mountPath}/v1`, target, { readOnly: true, options: ['noexec'] });
      assert.equal(mountAt(await os.mounts(), at)?.readOnly, true);
      await os.unmount(at);
      assert.equal(mountAt(await os.mounts(), at)?.readOnly, false);
      await os.unmount(at);
      assert.equal(mountAt(await os.mounts(), at), undefined);
      assert.equal(await os.entryType(target), 'directory');
      await os.unmount(at);
      await os.removeDirectory(target);
      assert.equal(await os.entryType(target), undefined);
      await os.removeDirectory(target);
    });

    test('mounting what is mounted changes nothing', async () => {
      const base = await temporary();
      const os = make(base);
      const mountPath = await prepared(os, base);
      await os.mount(await deviceNamed(os, 'a'), mountPath);
      assert.equal((await os.mounts()).length, 1);
    });

    test('suspended volumes show an empty file system of their own', async () => {
      const base = await temporary();
      const os = make(base);
      const empty = join(base, 'tmp');
      await os.mountEmpty(empty);
      await os.mountEmpty(empty);
      const target = join(base, 'target');
      await os.makeDirectory(target, { recursive: true });
      await os.bindMount(empty, target, { readOnly: true });
      const mounts = await os.mounts();
      const [one, other] = [
        mountAt(mounts, await os.realPath(empty)),
        mountAt(mounts, await os.realPath(target)),
      ];
      assert.equal(other?.fsType, 'tmpfs');
      assert.deepEqual([other?.majorMinor, other?.root], [one?.majorMinor, one?.root]);
      assert.deepEqual(await os.list(target), []);
      assert.equal(mounts.length, 2);
    });

    test('files: what is there already, and what is not there, is no error where the contract says so', async () => {
      const base = await temporary();
      const os = make(base);
      const mountPath = await prepared(os, base);
      await os.makeDirectory(`${mountPath}/v1`);
      await os.makeDirectory(`${mountPath}/v1`);
      await assert.rejects(os.makeDirectory(`${mountPath}/no/v1`), isNoEntry);
      await os.writeFile(`${mountPath}/v1/file`, 'text');
      await assert.rejects(os.removeDirectory(`${mountPath}/v1`), { code: 'ENOTEMPTY' });
      await os.rename(`${mountPath}/v1`, `${mountPath}/v1.deleted`);
      await assert.rejects(os.rename(`${mountPath}/v1`, `${mountPath}/v2`), isNoEntry);
      await os.removeTree(`${mountPath}/v1.deleted`);
      await os.removeTree(`${mountPath}/v1.deleted`);
      assert.deepEqual(await os.list(mountPath), []);
    });

    test('a directory with a mount in it is not removed', async () => {
      const base = await temporary();
      const os = make(base);
      const mountPath = await prepared(os, base);
      await os.makeDirectory(`${mountPath}/v1`);
      const pods = await os.realPath(join(base, 'pods'));
      await os.makeDirectory(`${pods}/p1`, { recursive: true });
      await os.bindMount(`${mountPath}/v1`, `${pods}/p1`);
      await assert.rejects(os.removeTree(pods), { code: 'EBUSY' });
    });

    test('a copy has all that the original has, and nothing else', async () => {
      const base = await temporary();
      const os = make(base);
      const [from, to] = [await prepared(os, base, 'a'), await prepared(os, base, 'b')];
      await os.makeDirectory(`${from}/v1`);
      await os.makeDirectory(`${from}/v1/below`);
      await os.writeFile(`${from}/v1/below/file`, 'text');
      await os.makeDirectory(`${to}/v1`);
      await os.writeFile(`${to}/v1/left-over`, 'of a copy that was broken off');
      await os.copyTree(`${from}/v1`, `${to}/v1`);
      assert.deepEqual(await os.list(`${to}/v1`), ['below']);
      assert.deepEqual(await os.list(`${to}/v1/below`), ['file']);
    });

    test('use is measured', async () => {
      const base = await temporary();
      const os = make(base);
      const mountPath = await prepared(os, base);
      await os.makeDirectory(`${mountPath}/v1`);
      const project = { mountPath, path: `${mountPath}/v1`, projectId: 5 };
      const before = await os.usage(project);
      await os.writeFile(`${mountPath}/v1/file`, 'x'.repeat(8192));
      const after = await os.usage(project);
      assert.equal(after.usedInodes - before.usedInodes, 1);
      assert.ok(after.usedBytes - before.usedBytes >= 8192);
      await assert.rejects(os.usage({ ...project, path: `${mountPath}/none` }), isNoEntry);
    });
  });

test('directory: drives, data and mounts are there again after a restart', async () => {
  const base = await temporary();
  const before = SYSTEMS['directory']?.(base);
  assert.ok(before);
  const mountPath = await prepared(before, base);
  await before.makeDirectory(`${mountPath}/v1`);
  await before.makeDirectory(join(base, 'target'));
  await before.bindMount(`${mountPath}/v1`, join(base, 'target'));
  const after = SYSTEMS['directory']?.(base);
  assert.ok(after);
  assert.deepEqual(await after.mounts(), await before.mounts());
  assert.deepEqual(await after.devices(), await before.devices());
  await writeFile(join(base, 'target', 'file'), 'through the link');
  assert.deepEqual(await readdir(join(mountPath, 'v1')), ['file']);
});

test('directory: a mount whose link somebody removed is no mount', async () => {
  const base = await temporary();
  const os = SYSTEMS['directory']?.(base);
  assert.ok(os);
  const mountPath = await prepared(os, base);
  await os.makeDirectory(`${mountPath}/v1`);
  await os.makeDirectory(join(base, 'target'));
  await os.bindMount(`${mountPath}/v1`, join(base, 'target'));
  await rm(join(base, 'target'));
  assert.deepEqual(
    (await os.mounts()).map((mount) => mount.mountPoint),
    [mountPath],
  );
});

test('directory: a drive that cannot be read fails nothing but itself', async () => {
  const base = await temporary();
  const os = SYSTEMS['directory']?.(base);
  assert.ok(os);
  await os.devices();
  await writeFile(join(base, 'drives', 'devices', 'a', 'drive.json'), '{');
  const [bad, good] = await os.devices();
  assert.match(bad?.problem ?? '', /JSON/);
  assert.equal(good?.problem, undefined);
  assert.equal(good?.name, 'b');
});

test('directory: a drive that appears is told of', async () => {
  const base = await temporary();
  const root = join(base, 'drives');
  const os = directoryOperatingSystem({ root });
  const stop = new AbortController();
  const changes = os.deviceChanges({ signal: stop.signal })[Symbol.asyncIterator]();
  await directoryOperatingSystem({ root, drives: [{ name: 'c', size: MIB }] }).devices();
  assert.equal((await changes.next()).value?.name, 'c');
  stop.abort();
});

test('drives that are directories have no statistics: all of them are zero', async () => {
  const root = await temporary();
  const os = directoryOperatingSystem({ root, drives: [{ name: 'a', size: 600 * MIB }] });
  await os.devices();
  const statistics = await os.deviceStatistics('a');
  assert.deepEqual(Object.values(statistics), new Array(7).fill(0));
});
