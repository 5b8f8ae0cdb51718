// What a killed `windlass up` leaves in the kernel, and that `windlass reset` and the next start take away just that.
import assert from 'node:assert/strict';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { until } from '@windlass/base/testing/until';
import { run } from '../real/harness/needs.ts';
import { ClusterProcess } from '../soak/processes.ts';
import { LoopMachine, loopsIn, mountsOf } from './machine.ts';

const PROGRAM = new URL('../../packages/cli/src/windlass.ts', import.meta.url).pathname;
const DRIVES = ['--drive-backend', 'loop', '--nodes', '1', '--drives', '1', '--drive-size', '512Mi'];
const FOREIGN_BYTES = 64 * 2 ** 20;

let machine: LoopMachine;
let dataDir: string;
let cluster: ClusterProcess;

beforeEach(async () => {
  machine = await LoopMachine.make();
  dataDir = join(machine.folder, 'data');
  await mkdir(dataDir);
});
afterEach(async () => {
  await cluster.stop('SIGKILL');
  await machine[Symbol.asyncDispose]();
});

const mountPoints = async (folder: string): Promise<string[]> =>
  (await mountsOf(`${folder}/`)).map(({ mountPoint }) => mountPoint);

async function startWithDrives(flags: readonly string[] = []): Promise<void> {
  cluster = new ClusterProcess(dataDir, [...DRIVES, ...flags]);
  await cluster.start();
  await until('a drive is mounted', async () =>
    (await mountPoints(dataDir)).some((path) => path.includes('/directpv/mnt/')),
  );
}

/** Resolves with what it says. */
async function windlass(...args: string[]): Promise<{ readonly code: number; readonly said: string }> {
  const env = { ...process.env, XDG_STATE_HOME: join(machine.folder, 'state') };
  const { stdout, stderr, code } = await run(process.execPath, [PROGRAM, ...args], { env }).then(
    (output) => ({ ...output, code: 0 }),
    // What execFile rejects with has the outputs too.
    (error: { stdout: string; stderr: string; code: number }) => error,
  );
  return { code, said: stdout + stderr };
}

test('a reset after kill -9 deletes the cluster, and nothing that is not its own', async () => {
  // A disk of somebody else, mounted beside and within the data directory.
  const foreign = await machine.plug('foreign', FOREIGN_BYTES);
  await run('mkfs.ext4', ['-q', `/dev/${foreign}`]);
  const beside = join(machine.folder, 'data-of-others');
  await mkdir(beside);
  await run('mount', [`/dev/${foreign}`, beside]);
  await startWithDrives();
  await cluster.stop('SIGKILL');
  const within = join(dataDir, 'nodes/node-1/theirs');
  await mkdir(within);
  await run('mount', [`/dev/${foreign}`, within]);

  // What it is for: by hand it does not go.
  await assert.rejects(rm(join(dataDir, 'nodes/node-1/directpv'), { recursive: true }), { code: 'EBUSY' });
  const before = await mountPoints(dataDir);
  const refused = await windlass('reset', '--data-dir', dataDir, '--yes');
  assert.equal(refused.code, 1);
  assert.match(refused.said, /nodes\/node-1\/theirs is a mount that does not belong to the cluster/);
  assert.deepEqual(await mountPoints(dataDir), before, 'nothing was unmounted');
  assert.ok((await readdir(dataDir)).includes('state'), 'nothing was deleted');

  await run('umount', [within]);
  const { code, said } = await windlass('reset', '--data-dir', dataDir, '--yes');
  assert.deepEqual([code, /released \d+ mounts and 1 loop device/.test(said)], [0, true], said);
  assert.deepEqual(await mountPoints(dataDir), []);
  assert.deepEqual(await loopsIn(dataDir), []);
  // The test's own log is there; the cluster made everything else.
  assert.deepEqual(await readdir(dataDir), ['log']);
  assert.deepEqual(await mountPoints(machine.folder), [beside], 'what is mounted beside it stays');
  assert.deepEqual(await loopsIn(machine.folder), [foreign]);
});

for (const signal of ['SIGTERM', 'SIGKILL'] as const)
  test(`a cluster in memory leaves nothing after ${signal}${signal === 'SIGKILL' ? ' and another start' : ''}`, async () => {
    await startWithDrives(['--in-memory']);
    assert.ok((await loopsIn(dataDir)).length > 0);
    await cluster.stop(signal);
    if (signal === 'SIGKILL') {
      assert.ok((await mountPoints(dataDir)).length > 0);
      const next = new ClusterProcess(dataDir, ['--in-memory', '--drives', '0']);
      await next.start();
      assert.deepEqual(await loopsIn(dataDir), []);
      await next.stop('SIGTERM');
    }
    assert.deepEqual([await mountPoints(dataDir), await loopsIn(dataDir)], [[], []]);
    assert.deepEqual(await readdir(dataDir), ['log']);
  });
