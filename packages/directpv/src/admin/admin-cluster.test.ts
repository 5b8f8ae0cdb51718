// Administration with nodes that answer: drives that are directories, the driver's own processes, and what an
// operator does to them over the years.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { isNotFound, type Served } from '@windlass/apimachinery';
import { Node } from '@windlass/apimachinery/api/core/v1';
import { CSINode, StorageClass } from '@windlass/apimachinery/api/storage/v1';
import { silentLogger } from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import { type Client, createClient } from '@windlass/client';
import { type RunningCluster, startCluster } from '@windlass/cluster';
import { CsiClient, VolumeSnapshotClass } from '@windlass/csi';
import { Manager } from '@windlass/runtime';
import { addDriverController } from '../driver/driver-controller.ts';
import { addDriverNode } from '../driver/driver-node.ts';
import { ensureStorage } from '../driver/ensure-storage.ts';
import { directoryOperatingSystem } from '../os/directory-operating-system.ts';
import { DRIVER_NAME } from '../resources/constants.ts';
import { DirectPVDrive } from '../resources/drive.ts';
import { DirectPVInitRequest } from '../resources/init-request.ts';
import { TOPOLOGY_KEYS } from '../resources/labels.ts';
import { DirectPVVolume } from '../resources/volume.ts';
import { cleanVolumes } from './clean.ts';
import { cordonDrives, uncordonDrives } from './cordon.ts';
import { discoverDevices, initConfigOf } from './discover.ts';
import { findDrives } from './drive-query.ts';
import { nodeInfos } from './info.ts';
import { initDrives } from './init.ts';
import { labelDrives, parseLabelChanges } from './label.ts';
import { moveVolumes } from './move.ts';
import { removeDrives } from './remove.ts';
import { repairDrives } from './repair.ts';
import { resumeVolumes, suspendVolumes } from './suspend.ts';
import { findVolumes } from './volume-query.ts';

const MI = 2 ** 20;
const capability = { mount: { fsType: 'xfs' }, accessMode: { mode: 'SINGLE_NODE_WRITER' as const } };

let directory: string;
let cluster: RunningCluster;
let client: Client;
let manager: Manager;
let controller: CsiClient;
let node: CsiClient;
const at = (path: string): string => join(directory, path);

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'wdm-'));
  cluster = await startCluster();
  const transport = cluster.transport();
  client = createClient({ transport });
  manager = new Manager({ transport, logger: silentLogger });
  await ensureStorage(client, manager.clock);
  await addDriverController(manager, { version: 'test', socketPath: at('c.sock'), namespace: 'default' });
  for (const [name, drives] of [
    ['n1', ['sdb', 'sdc']],
    ['n2', ['sdb']],
  ] as const) {
    await client.resource(Node).create({ metadata: { name } });
    await client.resource(CSINode).create({
      metadata: { name },
      spec: { drivers: [{ name: DRIVER_NAME, nodeID: name, topologyKeys: [...TOPOLOGY_KEYS] }] },
    });
    const os = directoryOperatingSystem({
      root: at(`${name}-disks`),
      drives: drives.map((drive) => ({ name: drive, size: 1024 * MI })),
    });
    const socketPath = at(`${name}.sock`);
    await addDriverNode(manager, { version: 'test', nodeName: name, socketPath, os, root: at(name) });
  }
  await manager.start();
  controller = new CsiClient({ socketPath: at('c.sock') });
  node = new CsiClient({ socketPath: at('n1.sock') });
});

after(async () => {
  await controller.close();
  await node.close();
  await manager.stop();
  await cluster.stop();
  await rm(directory, { recursive: true, force: true });
});

const drives = async (...names: readonly string[]): Promise<readonly Served<DirectPVDrive>[]> =>
  (await findDrives(client, { nodes: ['n1'], drives: names })).items;
const one = async (name: string): Promise<Served<DirectPVDrive>> => {
  const [drive] = await drives(name);
  assert.ok(drive !== undefined, `drive ${name} is there`);
  return drive;
};
const idOf = ({ metadata }: Served<DirectPVDrive | DirectPVVolume>): string => metadata.name;

describe('drives over the years', () => {
  it('have a class that is the default one, and a class of snapshots', async () => {
    const { metadata } = await client.resource(StorageClass).get('directpv-min-io');
    assert.equal(metadata.annotations?.['storageclass.kubernetes.io/is-default-class'], 'true');
    const { driver, deletionPolicy } = await client.resource(VolumeSnapshotClass).get('directpv-min-io');
    assert.deepEqual([driver, deletionPolicy], [DRIVER_NAME, 'Delete']);
    // A cluster that has its own keeps it.
    const classes = client.resource(VolumeSnapshotClass);
    await classes.patch('directpv-min-io', { deletionPolicy: 'Retain' }, { type: 'merge' });
    await ensureStorage(client, manager.clock);
    assert.equal((await classes.get('directpv-min-io')).deletionPolicy, 'Retain');
  });

  it('are discovered and initialised, all but those that a person leaves out', async () => {
    const { devices, silent } = await discoverDevices(client, { nodes: ['n{1...2}'] });
    assert.deepEqual(silent, []);
    assert.deepEqual(
      devices.map(({ node: name, name: drive, isAvailable }) => [name, drive, isAvailable]),
      [
        ['n1', 'sdb', true],
        ['n1', 'sdc', true],
        ['n2', 'sdb', true],
      ],
    );
    const config = initConfigOf(devices);
    const chosen = {
      ...config,
      nodes: config.nodes.map((some) => ({
        ...some,
        drives: some.drives.map((drive) => ({ ...drive, select: some.name === 'n1' ? 'yes' : 'no' })),
      })),
    };
    assert.deepEqual(
      (await initDrives(client, chosen)).map(({ node: name, drive, error }) => [name, drive, error]),
      [
        ['n1', 'sdb', undefined],
        ['n1', 'sdc', undefined],
      ],
    );
    assert.deepEqual((await client.resource(DirectPVInitRequest).list()).items, []);
    assert.deepEqual(
      (await nodeInfos(client)).map(({ node: name, drives: count }) => [name, count]),
      [
        ['n1', 2],
        ['n2', 0],
      ],
    );
  });

  it('are not initialised twice, nor after they have changed', async () => {
    const { devices } = await discoverDevices(client, { nodes: ['n1'] });
    assert.deepEqual(
      devices.map(({ isAvailable }) => isAvailable),
      [false, false],
    );
    const before = (await drives()).map(idOf);
    const forced = devices.map((device) => ({ ...device, isAvailable: true }));
    for (const { error } of await initDrives(client, initConfigOf(forced)))
      assert.match(error ?? '', /not permitted|Used by DirectPV|Mounted/);
    const stale = forced.map((device) => ({ ...device, id: `${device.majorMinor}$somethingelse` }));
    for (const { error } of await initDrives(client, initConfigOf(stale)))
      assert.match(error ?? '', /changed/);
    assert.deepEqual((await drives()).map(idOf), before);
  });

  it('are not initialised later, when somebody has given up waiting', async () => {
    await client.resource(CSINode).create({
      metadata: { name: 'away' },
      spec: { drivers: [{ name: DRIVER_NAME, nodeID: 'away', topologyKeys: [...TOPOLOGY_KEYS] }] },
    });
    const config = initConfigOf([
      { node: 'away', name: 'sdb', id: '8:16$x', majorMinor: '8:16', size: 1024 * MI, isAvailable: true },
    ]);
    const requests = client.resource(DirectPVInitRequest);
    const stop = new AbortController();
    const waiting = initDrives(client, config, { signal: stop.signal });
    waiting.catch(() => {});
    for await (const { type } of requests.watch()) if (type === 'ADDED') break;
    stop.abort();
    await assert.rejects(waiting, { code: 'CANCELLED' });
    assert.deepEqual((await requests.list()).items, []);
    const [late] = await initDrives(client, config, { timeoutMs: 20 });
    assert.match(late?.error ?? '', /did not answer in time; nothing more will be done/);
    assert.deepEqual((await requests.list()).items, []);
    await client.resource(CSINode).delete('away');
  });

  it('get volumes while they are not cordoned', async () => {
    await cordonDrives(client, await drives('sdc'));
    await controller.createVolume({
      name: 'pvc-1',
      capacityRange: { requiredBytes: 256 * MI, limitBytes: 0 },
      volumeCapabilities: [capability],
      parameters: {},
    });
    const { items } = await findVolumes(client, {});
    assert.deepEqual(items.map(idOf), ['pvc-1']);
    assert.equal(items[0]?.status.fsuuid, idOf(await one('sdb')), 'a drive is written by compare-and-swap');
    await node.nodeStageVolume({
      volumeId: 'pvc-1',
      stagingTargetPath: at('stage'),
      volumeCapability: capability,
    });
    await node.nodePublishVolume({
      volumeId: 'pvc-1',
      stagingTargetPath: at('stage'),
      targetPath: at('pod'),
      volumeCapability: capability,
    });
    await writeFile(at('pod/letter'), 'dear reader');
  });

  it('are moved with their data, once no pod uses them', async () => {
    const [volume] = (await findVolumes(client, {})).items;
    assert.ok(volume !== undefined);
    const [source, destination] = (await drives()).toSorted((a) =>
      idOf(a) === volume.status.fsuuid ? -1 : 1,
    );
    assert.ok(source !== undefined && destination !== undefined);
    await cordonDrives(client, [source, destination]);
    const [from, to] = [idOf(source), idOf(destination)];
    await assert.rejects(moveVolumes(client, from, to), { code: 'REFUSED', message: /is used by pod/ });
    await node.nodeUnpublishVolume({ volumeId: 'pvc-1', targetPath: at('pod') });
    await node.nodeUnstageVolume({ volumeId: 'pvc-1', stagingTargetPath: at('stage') });

    await moveVolumes(client, from, to);
    const statusOf = async (id: string) => (await client.resource(DirectPVDrive).get(id)).status;
    await until('the move', async () => (await statusOf(to)).status === 'Ready');
    await until('the release', async () => (await statusOf(from)).allocatedCapacity === 0);
    const after = await Promise.all([from, to].map(statusOf));
    assert.deepEqual(
      after.map(({ allocatedCapacity }) => allocatedCapacity),
      [0, 256 * MI],
    );
    for (const { freeCapacity, allocatedCapacity, totalCapacity } of after)
      assert.equal(freeCapacity + allocatedCapacity, totalCapacity);
    assert.equal((await client.resource(DirectPVVolume).get('pvc-1')).status.fsuuid, to);

    await uncordonDrives(client, await drives());
    await node.nodeStageVolume({
      volumeId: 'pvc-1',
      stagingTargetPath: at('stage'),
      volumeCapability: capability,
    });
    await node.nodePublishVolume({
      volumeId: 'pvc-1',
      stagingTargetPath: at('stage'),
      targetPath: at('pod'),
      volumeCapability: capability,
    });
    assert.equal(await readFile(at('pod/letter'), 'utf8'), 'dear reader');
    const left = await readdir(at(`n1/mnt/${from}`));
    assert.deepEqual(
      left.filter((name) => name.startsWith('pvc-')),
      [],
      'nothing is left on the old drive',
    );
  });

  it('hide the data of suspended volumes, and show it again', async () => {
    const { items } = await findVolumes(client, { ids: ['pvc-1'] });
    await node.nodeUnpublishVolume({ volumeId: 'pvc-1', targetPath: at('pod') });
    await node.nodeUnstageVolume({ volumeId: 'pvc-1', stagingTargetPath: at('stage') });
    const show = async (): Promise<string[]> => {
      const volumeId = 'pvc-1';
      const [stagingTargetPath, targetPath] = [at('stage'), at('pod')];
      await node.nodeStageVolume({ volumeId, stagingTargetPath, volumeCapability: capability });
      await node.nodePublishVolume({ volumeId, stagingTargetPath, targetPath, volumeCapability: capability });
      const names = await readdir(targetPath);
      await node.nodeUnpublishVolume({ volumeId, targetPath });
      await node.nodeUnstageVolume({ volumeId, stagingTargetPath });
      return names;
    };
    await suspendVolumes(client, items);
    assert.deepEqual(await show(), []);
    await resumeVolumes(client, (await findVolumes(client, { ids: ['pvc-1'] })).items);
    assert.deepEqual(await show(), ['letter']);
  });

  it('are repaired', async () => {
    const drive = await one('sdb');
    const [outcome] = await repairDrives(client, [drive], { checkOnly: true });
    assert.equal(outcome?.result, 'changed');
    await until('the repair', async () => (await one('sdb')).status.status === 'Ready');
    assert.equal((await one('sdb')).metadata?.annotations?.['directpv.min.io/repair'], undefined);
  });

  it('keep labels that are theirs to have', async () => {
    await labelDrives(
      client,
      await drives('sdb'),
      parseLabelChanges(['access-tier=warm', 'rank=1'], 'drives'),
    );
    const { items } = await findDrives(client, { labels: ['access-tier=Warm', 'rank=1'] });
    assert.equal(items.length, 1);
  });

  it('are given back when nothing is on them any more', async () => {
    const [held] = await removeDrives(
      client,
      (await drives()).filter(({ status }) => status.allocatedCapacity > 0),
    );
    assert.equal(held?.result, 'refused');
    const dry = await cleanVolumes(client, (await findVolumes(client, {})).items, { dryRun: true });
    assert.deepEqual(
      dry.map(({ result }) => result),
      ['changed'],
    );
    await cleanVolumes(client, (await findVolumes(client, {})).items);
    await until('the end of the volume', async () => (await findVolumes(client, {})).items.length === 0);
    for (const { status } of await drives()) assert.equal(status.freeCapacity, status.totalCapacity);
    const outcomes = await removeDrives(client, await drives());
    assert.deepEqual(
      outcomes.map(({ result }) => result),
      ['changed', 'changed'],
    );
    await until('the end of the drives', async () => (await drives()).length === 0);
    for (const { object } of outcomes)
      await assert.rejects(client.resource(DirectPVDrive).get(idOf(object)), isNotFound);
    const { devices } = await discoverDevices(client, { nodes: ['n1'] });
    assert.deepEqual(
      devices.map(({ isAvailable, fsType }) => [isAvailable, fsType]),
      [
        [true, 'xfs'],
        [true, 'xfs'],
      ],
    );
  });
});
