import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { silentLogger } from '@windlass/base';
import { machineFiles } from './files/machine-files.ts';
import { findVolumes } from './found-volumes.ts';
import { NodePaths } from './node-paths.ts';

it('finds what was left, and discards what says not what it is and is empty', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'found-'));
  t.after(() => rm(root, { recursive: true }));
  const paths = new NodePaths(root);
  const csi = join(paths.podVolumes('u1'), 'kubernetes.io~csi');
  const volume = async (name: string, data?: object): Promise<void> => {
    await mkdir(join(csi, name, 'mount'), { recursive: true });
    if (data !== undefined) await writeFile(join(csi, name, 'vol_data.json'), JSON.stringify(data));
  };
  await volume('pv-1', { driverName: 'd', volumeHandle: 'h1', volumeLifecycleMode: 'Persistent' });
  await volume('scratch', { driverName: 'd', volumeHandle: 'csi-x', volumeLifecycleMode: 'Ephemeral' });
  await volume('begun');
  await volume('strange');
  await writeFile(join(csi, 'strange', 'mount', 'precious'), 'data');
  await mkdir(join(paths.podVolumes('u2'), 'kubernetes.io~configmap', 'settings'), { recursive: true });
  await mkdir(join(paths.podVolumes('u2'), 'kubernetes.io~local-volume'), { recursive: true });
  await symlink('/tmp', join(paths.podVolumes('u2'), 'kubernetes.io~local-volume', 'pv-2'));
  await mkdir(paths.csiStaging('d', 'h1'), { recursive: true });
  await writeFile(
    join(paths.csiDevice('d', 'h1'), 'vol_data.json'),
    JSON.stringify({ driverName: 'd', volumeHandle: 'h1' }),
  );
  await mkdir(paths.csiStaging('d', 'begun'), { recursive: true });

  const { mounts, devices, pods } = await findVolumes(paths, machineFiles, silentLogger);
  assert.deepEqual(
    mounts.map(({ uid, specName, identity }) => `${uid} ${specName} ${identity.uniqueName}`),
    [
      'u1 pv-1 kubernetes.io/csi/d^h1',
      'u1 scratch kubernetes.io/csi/u1-scratch',
      'u2 settings kubernetes.io/configmap/u2-settings',
      'u2 pv-2 kubernetes.io/local-volume/pv-2',
    ],
  );
  assert.deepEqual(
    devices.map(({ uniqueName }) => uniqueName),
    ['kubernetes.io/csi/d^h1'],
  );
  assert.deepEqual(pods, ['u1', 'u2']);
  assert.ok(!existsSync(join(csi, 'begun')));
  assert.ok(!existsSync(paths.csiDevice('d', 'begun')));
  assert.ok(existsSync(join(csi, 'strange', 'mount', 'precious')), 'data are never removed');
});

it('takes what cannot be read now for nothing else', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'found-'));
  t.after(() => rm(root, { recursive: true }));
  const paths = new NodePaths(root);
  await mkdir(paths.csiStaging('d', 'h1'), { recursive: true });
  const data = join(paths.csiDevice('d', 'h1'), 'vol_data.json');
  await writeFile(data, JSON.stringify({ driverName: 'd', volumeHandle: 'h1' }));
  const files = { ...machineFiles, readText: () => Promise.reject(new Error('EIO')) };
  await assert.rejects(findVolumes(paths, files, silentLogger), /EIO/);
  const { devices } = await findVolumes(paths, machineFiles, silentLogger);
  assert.equal(devices.length, 1);
  // A folder is no file: there is none.
  await rm(data);
  await mkdir(data);
  assert.equal(await machineFiles.readText(data), undefined);
  assert.equal(await machineFiles.readText(join(root, 'none')), undefined);
});

it('finds nothing where there is nothing', async () => {
  const found = await findVolumes(new NodePaths('/nonexistent'), machineFiles, silentLogger);
  assert.deepEqual(found, { mounts: [], devices: [], pods: [] });
});
