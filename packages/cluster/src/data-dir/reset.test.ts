import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { startCluster } from '../start-cluster.ts';
import { resetDataDir } from './reset.ts';

let folder = '';
let dataDir = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-reset-'));
  dataDir = join(folder, 'data');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a reset', () => {
  it('deletes the whole cluster, and takes it out of the kubeconfig', async () => {
    const config = join(folder, 'config');
    await writeFile(config, 'current-context: mine\n');
    const options = { dataDir, port: 0, mergeKubeconfig: config };
    const cluster = await startCluster(options);
    assert.ok((await readFile(config, 'utf8')).includes(cluster.server ?? '-'));
    await assert.rejects(resetDataDir(dataDir), { code: 'DATA_DIR_IN_USE' });
    await cluster.stop();
    const { deleted, left, takenOutOf } = await resetDataDir(dataDir);
    assert.deepEqual(deleted, ['kubeconfig', 'pki', 'state', 'state.mark']);
    assert.deepEqual([left, takenOutOf], [[], config]);
    assert.deepEqual(await readdir(folder), ['config']);
    assert.ok(!(await readFile(config, 'utf8')).includes('127.0.0.1'));
  });

  it('leaves files that are not of the cluster', async () => {
    await (await startCluster({ dataDir })).stop();
    await mkdir(join(dataDir, 'photos'));
    await writeFile(join(dataDir, 'state.txt'), '');
    await writeFile(join(dataDir, 'kubeconfig.new'), '');
    const { left } = await resetDataDir(dataDir);
    assert.deepEqual(left.toSorted(), ['photos', 'state.txt']);
    assert.deepEqual((await readdir(dataDir)).sort(), ['photos', 'state.txt']);
  });

  it('does nothing where there is no cluster, and not to what is there', async () => {
    assert.deepEqual((await resetDataDir(dataDir)).deleted, []);
    await mkdir(join(dataDir, 'photos'), { recursive: true });
    assert.deepEqual((await resetDataDir(dataDir)).deleted, []);
    assert.deepEqual(await readdir(dataDir), ['photos']);
  });
});
