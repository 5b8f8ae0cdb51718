// Snapshots on real XFS, of a volume that a pod writes to all the time: they show one moment, in bounded time.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  rmdir,
  stat,
  statfs,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { until } from '@windlass/base/testing/until';
import { DirectPVSnapshot, LABELS, linuxOperatingSystem } from '@windlass/directpv';
import { run } from '../real/harness/needs.ts';
import { LoopMachine } from './machine.ts';
import { MIB, NodeProcess } from './node-process.ts';

const GIB = 1024 * MIB;
const POD = '0f1e2d3c-4b5a-4697-8877-665544332211';
const WRITER = new URL('./log-writer.ts', import.meta.url).pathname;
const PAUSER = new URL('./pod-pauser.ts', import.meta.url).pathname;
/** Files of the volume besides those of the writer: 1 GiB. */
const [LARGE, SMALL] = [64, 2_000];

let machine: LoopMachine;
let node: NodeProcess;
let writer: ChildProcess | undefined;
/** A control group as the kubelet makes it for the pod; undefined where this machine lets nobody make one. */
let group: string | undefined;
let target = '';
let fsuuid = '';

before(async () => {
  machine = await LoopMachine.make();
  await machine.plug('a', 6 * GIB);
  node = await NodeProcess.start({
    folder: machine.folder,
    healthCheckMs: 500,
    os: () =>
      linuxOperatingSystem({
        quota: 'preferred',
        loopDevices: machine.names,
        includes: () => false,
        pollMs: 200,
      }),
  });
  await until('the device is shown', async () => (await node.devices()).length === 1);
  await node.init([machine.name('a')]);
  ({ fsuuid } = (await node.driveOn(machine.name('a'))).status);
  await until(
    'the controller knows the drive',
    async () => (await node.csi.getCapacity({})).availableCapacity > 0,
  );
  await node.create('pvc-1', 1.5 * GIB);
  await node.stage('pvc-1');
  target = await node.publish('pvc-1', POD);
  await fill(target);
  await run('sync', ['-f', target]);
  group = await makeGroup();
});

afterEach(stopWriter);

after(async () => {
  await node?.stopProcess();
  await machine?.[Symbol.asyncDispose]();
  if (group !== undefined) {
    await until('the group is empty', () =>
      rmdir(group ?? '').then(
        () => true,
        () => false,
      ),
    );
    await rmdir(join(group, '..')).catch(() => {});
  }
});

async function fill(folder: string): Promise<void> {
  const block = Buffer.alloc(16 * MIB, 7);
  for (let index = 0; index < LARGE; index++) await writeFile(join(folder, `large-${index}`), block);
  await mkdir(join(folder, 'small'));
  for (let index = 0; index < SMALL; index++) await writeFile(join(folder, 'small', `${index}`), `${index}`);
}

const filesIn = (folder: string): Promise<string[]> => readdir(folder).catch((): string[] => []);

async function makeGroup(): Promise<string | undefined> {
  for (const root of ['/sys/fs/cgroup', '/sys/fs/cgroup/unified', '/sys/fs/cgroup/freezer']) {
    const path = join(root, 'kubepods', `pod${POD}`);
    // Where the groups of version 1 are, the folder above them is no group.
    const above = await filesIn(root);
    if (!above.includes('cgroup.procs')) continue;
    await mkdir(path, { recursive: true }).catch(() => {});
    const files = await filesIn(path);
    if (files.includes('cgroup.freeze') || files.includes('freezer.state')) return path;
  }
  return undefined;
}

/** Numbered records, one after the other into the next of several files. */
async function startWriter(): Promise<void> {
  await stopWriter();
  await mkdir(join(target, 'log'), { recursive: true });
  writer = spawn(process.execPath, [WRITER, join(target, 'log')], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (group !== undefined) await writeFile(join(group, 'cgroup.procs'), String(writer.pid));
  assert.ok(writer.stdout);
  await once(writer.stdout, 'data');
}

async function stopWriter(): Promise<void> {
  if (writer === undefined || writer.exitCode !== null) return;
  const ended = once(writer, 'exit');
  writer.kill('SIGKILL');
  await ended;
  writer = undefined;
}

/** The number of the last record; every record before it must be there, whole. */
async function check(folder: string): Promise<number> {
  const { stdout } = await run(process.execPath, [WRITER, '--check', folder]);
  return Number(stdout);
}

const freeBytes = async (): Promise<number> => {
  const { bavail, bsize } = await statfs(join(node.root, 'mnt', fsuuid));
  return bavail * bsize;
};

async function isFrozen(): Promise<boolean> {
  const text = await readFile(join(group ?? '', 'cgroup.events'), 'utf8').catch(() =>
    readFile(join(group ?? '', 'freezer.state'), 'utf8'),
  );
  return /^(frozen 1|FROZEN)$/m.test(text);
}

test('a snapshot of 1 GiB that a pod writes to shows one moment, and the restored volume passes the check', {
  timeout: 240_000,
}, async (t) => {
  if (group === undefined) return t.skip('no control group can be made on this machine');
  await startWriter();
  const before = await freeBytes();
  const start = performance.now();
  const { snapshot } = await node.csi.createSnapshot({ name: 'one', sourceVolumeId: 'pvc-1' });
  const tookMs = performance.now() - start;
  assert.equal(snapshot?.readyToUse, true);
  assert.equal(await isFrozen(), false);
  const { status } = await node.client.resource(DirectPVSnapshot).get('one.snapshot');
  assert.ok((status.pausedMs ?? 0) > 0, 'the writer never rests, so it was paused');
  t.diagnostic(`taken in ${Math.round(tookMs)} ms, the pod paused for ${status.pausedMs} ms`);
  assert.ok(tookMs < 30_000, `${tookMs} ms`);
  assert.ok((status.pausedMs ?? 0) < 10_000);
  const taken = before - (await freeBytes());
  assert.ok(taken < 300 * MIB, `a snapshot of 1 GiB takes ${taken} bytes, those of the writer among them`);

  const inSnapshot = await check(join(node.root, 'mnt', fsuuid, 'one.snapshot', 'log'));
  assert.ok(inSnapshot > 0);
  const { size } = await stat(join(target, 'log', 'log-0'));
  await until('the pod writes on', async () => (await stat(join(target, 'log', 'log-0'))).size > size);
  await stopWriter();
  assert.equal(await check(join(node.root, 'mnt', fsuuid, 'one.snapshot', 'log')), inSnapshot);

  const restoring = performance.now();
  const { volume } = await node.csi.createVolume({
    name: 'pvc-2',
    capacityRange: { requiredBytes: 1.5 * GIB },
    volumeCapabilities: [{ mount: { fsType: 'xfs' }, accessMode: { mode: 'SINGLE_NODE_WRITER' } }],
    volumeContentSource: { snapshot: { snapshotId: 'one.snapshot' } },
  });
  t.diagnostic(`restored in ${Math.round(performance.now() - restoring)} ms`);
  assert.equal(volume?.accessibleTopology[0]?.segments[LABELS.node], 'node-1');
  await node.stage('pvc-2');
  assert.equal(await check(join(node.staging('pvc-2'), 'log')), inSnapshot);
  assert.equal((await readdir(join(node.staging('pvc-2'), 'small'))).length, SMALL);
  assert.deepEqual(await readFile(join(node.staging('pvc-2'), 'large-3')), Buffer.alloc(16 * MIB, 7));
  await writeFile(join(node.staging('pvc-2'), 'large-3'), 'other');
  assert.equal(
    (await stat(join(target, 'large-3'))).size,
    16 * MIB,
    'what is written to one is not in the other',
  );
});

test('a clone of a volume at rest disturbs nobody', { timeout: 120_000 }, async (t) => {
  const last = await check(join(target, 'log')).catch(() => 0);
  const start = performance.now();
  await node.csi.createVolume({
    name: 'pvc-3',
    capacityRange: { requiredBytes: 1.5 * GIB },
    volumeCapabilities: [{ mount: { fsType: 'xfs' }, accessMode: { mode: 'SINGLE_NODE_WRITER' } }],
    volumeContentSource: { volume: { volumeId: 'pvc-1' } },
  });
  t.diagnostic(`cloned in ${Math.round(performance.now() - start)} ms`);
  if (last > 0) assert.equal(await check(join(node.root, 'mnt', fsuuid, 'pvc-3', 'log')), last);
  assert.deepEqual(
    await readdir(join(node.root, 'mnt', fsuuid)).then((names) =>
      names.filter((name) => name.includes('partial')),
    ),
    [],
  );
});

test('what is deleted gives back its bytes, in the books and on the disk', { timeout: 120_000 }, async () => {
  await node.unstage('pvc-2').catch(() => {});
  for (const volumeId of ['pvc-2', 'pvc-3']) await node.csi.deleteVolume({ volumeId });
  await node.csi.deleteSnapshot({ snapshotId: 'one.snapshot' });
  await node.untilDrive(fsuuid, 'all is given back', ({ status }) => status.allocatedCapacity === 1.5 * GIB);
  const snapshots = await node.client.resource(DirectPVSnapshot).list();
  assert.deepEqual(snapshots.items, []);
  const names = await readdir(join(node.root, 'mnt', fsuuid));
  assert.deepEqual(
    names.filter((name) => name.includes('snapshot')),
    [],
  );
});

test('a copy has all that the original has: links, modes, owners, times, holes', async () => {
  const os = linuxOperatingSystem();
  const [from, to] = ['from', 'to'].map((name) => join(node.root, 'mnt', fsuuid, name));
  assert.ok(from && to);
  await mkdir(join(from, 'sub'), { recursive: true });
  await writeFile(join(from, 'a'), 'text');
  // In this order: a new owner takes the special bits away.
  await run('chown', ['1234:5678', join(from, 'a')]);
  await chmod(join(from, 'a'), 0o4750);
  await link(join(from, 'a'), join(from, 'sub', 'b'));
  await symlink('nowhere', join(from, 'c'));
  await using sparse = await open(join(from, 'holes'), 'w');
  await sparse.write('end', 8 * MIB);
  await run('mkfifo', [join(from, 'pipe')]);
  await utimes(join(from, 'sub'), 1_000_000_000, 1_000_000_000);
  await chmod(from, 0o2770);
  await mkdir(to);
  await os.cloneTree(from, to);
  const [one, other] = [await stat(join(to, 'a')), await stat(join(to, 'sub', 'b'))];
  assert.equal(one.ino, other.ino);
  assert.deepEqual([one.mode & 0o7777, one.uid, one.gid], [0o4750, 1234, 5678]);
  assert.equal(await readlink(join(to, 'c')), 'nowhere');
  const holes = await stat(join(to, 'holes'));
  assert.ok(holes.blocks * 512 < MIB && holes.size > 8 * MIB);
  assert.ok((await lstat(join(to, 'pipe'))).isFIFO());
  assert.equal((await stat(join(to, 'sub'))).mtimeMs, 1e12);
  assert.equal((await stat(to)).mode & 0o7777, 0o2770);
});

test('every change of a tree is seen, also one by way of memory', async () => {
  const os = linuxOperatingSystem();
  const folder = join(node.root, 'mnt', fsuuid, 'watched');
  await mkdir(folder);
  await writeFile(join(folder, 'a'), 'text');
  const rest = async (): Promise<ReadonlyMap<string, string>> => {
    let [one, two] = [await os.treeState(folder), await os.treeState(folder)];
    await until('nothing is new', async () => {
      [one, two] = [two, await os.treeState(folder)];
      return JSON.stringify([...one]) === JSON.stringify([...two]);
    });
    return two;
  };
  const changes: readonly (readonly [what: string, change: () => Promise<unknown>])[] = [
    ['data', () => writeFile(join(folder, 'a'), 'Text')],
    ['a mode', () => chmod(join(folder, 'a'), 0o600)],
    ['a new name', () => link(join(folder, 'a'), join(folder, 'b'))],
    ['times that are set back', () => utimes(join(folder, 'a'), 1, 1)],
    ['a new folder', () => mkdir(join(folder, 'sub'))],
    ['memory', () => run('xfs_io', ['-c', 'mmap -rw 0 4', '-c', 'mwrite 0 4', join(folder, 'a')])],
  ];
  for (const [what, change] of changes) {
    const before = await rest();
    await change();
    const after = await os.treeState(folder);
    assert.notDeepEqual([...after], [...before], what);
  }
});

test('pods go on when whoever paused them is killed, and when the time is over', {
  timeout: 60_000,
}, async (t) => {
  if (group === undefined) return t.skip('no control group can be made on this machine');
  await startWriter();
  const pauser = spawn(process.execPath, [PAUSER, POD, '60000'], { stdio: ['ignore', 'pipe', 'inherit'] });
  assert.ok(pauser.stdout);
  const [said] = (await once(pauser.stdout, 'data')) as [Buffer];
  assert.equal(String(said).trim(), 'paused');
  assert.equal(await isFrozen(), true);
  const ended = once(pauser, 'exit');
  pauser.kill('SIGKILL');
  await ended;
  await until('the pod goes on', async () => !(await isFrozen()));

  const os = linuxOperatingSystem();
  const pause = await os.pausePods([POD, 'ffffffff-4b5a-4697-8877-665544332211'], { maxMs: 300 });
  assert.deepEqual(pause.missing, ['ffffffff-4b5a-4697-8877-665544332211']);
  assert.equal(await isFrozen(), true);
  await until('the pod goes on by itself', async () => !(await isFrozen()));
  await pause.resume();

  const again = await os.pausePods([POD], { maxMs: 60_000 });
  await os.resumePods([POD]);
  await until('the next process lets it go on', async () => !(await isFrozen()));
  await again.resume();
  await stopWriter();
});
