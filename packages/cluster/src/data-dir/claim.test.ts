import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FakeClock } from '@windlass/base';
import { DataDirClaim } from './claim.ts';
import { readRecord, writeRecord } from './cluster-record.ts';
import { findCluster } from './find-cluster.ts';
import { identityOf } from './process-identity.ts';

const clock = new FakeClock({ start: Date.UTC(2026, 10, 18, 12) });
const KEPT = { inMemory: false, clock };
const IN_MEMORY = { inMemory: true, clock };
let folder = '';
let dataDir = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-claim-'));
  dataDir = join(folder, 'data');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Of a process that has ended. */
async function endedProcess() {
  const child = spawn(process.execPath, ['-e', '']);
  const identity = await identityOf(child.pid ?? 0);
  await once(child, 'exit');
  return identity;
}

describe('a data directory', () => {
  it('has one cluster at a time, and keeps what is known of it when that has stopped', async () => {
    const claim = await DataDirClaim.take(dataDir, { ...KEPT, name: 'dev' });
    await assert.rejects(DataDirClaim.take(dataDir, KEPT), {
      code: 'DATA_DIR_IN_USE',
      pid: process.pid,
    });
    await claim.update({ server: 'https://127.0.0.1:1', isReady: true });
    const { pid, record } = (await findCluster(dataDir)) ?? {};
    assert.deepEqual(
      [pid, record?.name, record?.isReady, record?.startedAt],
      [process.pid, 'dev', true, '2026-11-18T12:00:00.000Z'],
    );
    await claim.release();
    assert.deepEqual(await findCluster(dataDir), {
      dataDir,
      record: { name: 'dev', server: 'https://127.0.0.1:1' },
      pid: undefined,
    });
    await (await DataDirClaim.take(dataDir, KEPT)).release();
  });

  it('is free when the process that had it was killed, for one of several that come at once', async () => {
    await mkdir(dataDir);
    for (let round = 0; round < 5; round++) {
      await writeRecord(dataDir, { process: await endedProcess(), isReady: true });
      const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => DataDirClaim.take(dataDir, KEPT)));
      const taken = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
      assert.equal(taken.length, 1);
      assert.deepEqual((await readdir(dataDir)).sort(), ['cluster.json', 'cluster.lock']);
      await taken[0]?.release();
    }
  });

  it('has no address of the console of a process that was killed', async () => {
    await mkdir(dataDir);
    await writeRecord(dataDir, { process: await endedProcess(), isReady: true });
    await writeFile(join(dataDir, 'console.url'), 'http://127.0.0.1:1/?token=old\n');
    const claim = await DataDirClaim.take(dataDir, KEPT);
    assert.deepEqual((await readdir(dataDir)).sort(), ['cluster.json', 'cluster.lock']);
    await claim.release();
  });

  it('with a record that makes no sense is free', async () => {
    await mkdir(dataDir);
    for (const text of ['', 'null', '[]', '{"process":{"pid":"x"}}', '{"process":1}']) {
      await writeFile(join(dataDir, 'cluster.json'), text);
      await (await DataDirClaim.take(dataDir, KEPT)).release();
      assert.deepEqual(await readRecord(dataDir), {}, text);
    }
  });
});

describe('a cluster in memory', () => {
  const makeAll = async (): Promise<void> => {
    for (const name of ['pki', 'in-memory/nodes']) await mkdir(join(dataDir, name), { recursive: true });
    for (const name of ['kubeconfig', 'windlass.log']) await writeFile(join(dataDir, name), '');
  };

  it('leaves nothing, not even the directory that it made', async () => {
    const claim = await DataDirClaim.take(dataDir, IN_MEMORY);
    await makeAll();
    await claim.release();
    assert.deepEqual(await readdir(folder), []);
  });

  it('leaves what was there before it, and what others have put there', async () => {
    await mkdir(join(dataDir, 'pki'), { recursive: true });
    await writeFile(join(dataDir, 'notes'), '');
    const claim = await DataDirClaim.take(dataDir, IN_MEMORY);
    await makeAll();
    await claim.release();
    assert.deepEqual((await readdir(dataDir)).sort(), ['notes', 'pki']);
  });

  it('that was killed has its things removed at the next start', async () => {
    const claim = await DataDirClaim.take(dataDir, IN_MEMORY);
    const { record } = claim;
    await claim.release();
    await makeAll();
    await writeRecord(dataDir, { ...record, process: await endedProcess() });
    const next = await DataDirClaim.take(dataDir, IN_MEMORY);
    assert.deepEqual((await readdir(dataDir)).sort(), ['cluster.json', 'cluster.lock']);
    await next.release();
    assert.deepEqual(await readdir(folder), []);
  });

  it('goes from beside a cluster that keeps its objects, which stays as it was', async () => {
    await (await DataDirClaim.take(dataDir, { ...KEPT, name: 'dev' })).release();
    for (const name of ['pki', 'nodes', 'state']) await mkdir(join(dataDir, name));
    const claim = await DataDirClaim.take(dataDir, { ...IN_MEMORY, name: 'dev' });
    await makeAll();
    await claim.release();
    assert.deepEqual((await readdir(dataDir)).sort(), [
      'cluster.json',
      'cluster.lock',
      'nodes',
      'pki',
      'state',
    ]);
    assert.deepEqual(await readRecord(dataDir), { name: 'dev' });
  });
});
