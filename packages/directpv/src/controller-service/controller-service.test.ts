// The CSI controller of DirectPV on the embedded API server: what it answers, what it writes, what it repairs.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isConditionTrue, isNotFound, type Served } from '@windlass/apimachinery';
import { Node, PersistentVolume } from '@windlass/apimachinery/api/core/v1';
import { createLogger, memoryWriter, onAbort } from '@windlass/base';
import { startTestCluster, type TestCluster, type TestManager } from '@windlass/cluster/testing';
import { type CreateVolumeRequest, type CsiDriver, directDriver, type MessageInit } from '@windlass/csi';
import type { RunnableContext } from '@windlass/runtime';
import { release, reserve } from '../accounting/capacity.ts';
import { ANNOTATIONS } from '../resources/annotations.ts';
import { resourceDefinitions } from '../resources/definitions.ts';
import { DirectPVDrive } from '../resources/drive.ts';
import { FINALIZERS, volumesOfDrive } from '../resources/finalizers.ts';
import { LABELS } from '../resources/labels.ts';
import { readReservations } from '../resources/reservations.ts';
import { DirectPVVolume } from '../resources/volume.ts';
import { type BuildDriveOptions, buildDrive, buildVolume } from '../testing/builders.ts';
import {
  addDirectPVController,
  type DirectPVControllerOptions,
  type DirectPVControllerService,
} from './add-directpv-controller.ts';
import { identityService } from './identity-service.ts';

const GiB = 2 ** 30;
const CLAIM = 'b2d4b5a0-1c3f-4f58-b7ad-d2a6ea4ea4b1';
const mount = { mount: { fsType: 'xfs' }, accessMode: { mode: 'SINGLE_NODE_WRITER' as const } };

interface Replica extends TestManager {
  readonly csi: CsiDriver;
  readonly service: DirectPVControllerService;
}

async function startReplica(cluster: TestCluster, options: DirectPVControllerOptions = {}): Promise<Replica> {
  const made = cluster.manager({ logger: createLogger(memoryWriter()) });
  const service = addDirectPVController(made.manager, options);
  await made.manager.start();
  const identity = identityService({ version: 'test', isReady: () => service.isReady });
  const csi = directDriver({ identity, controller: service }, { clock: cluster.clock });
  return { ...made, service, csi };
}

/** A cluster with these drives, and one replica of the controller. */
async function start(...drives: readonly BuildDriveOptions[]): Promise<Replica & { cluster: TestCluster }> {
  const cluster = await startTestCluster({ definitions: resourceDefinitions });
  for (const drive of drives) await cluster.client.resource(DirectPVDrive).create(buildDrive(drive));
  return { cluster, ...(await startReplica(cluster)) };
}

function request(
  name: string,
  more: MessageInit<CreateVolumeRequest> = {},
): MessageInit<CreateVolumeRequest> {
  return { name, volumeCapabilities: [mount], capacityRange: { requiredBytes: GiB }, ...more };
}

async function driveOf(cluster: TestCluster, name: string): Promise<Served<DirectPVDrive>> {
  return cluster.client.resource(DirectPVDrive).get(name);
}

async function volumeOf(cluster: TestCluster, name: string): Promise<Served<DirectPVVolume>> {
  return cluster.client.resource(DirectPVVolume).get(name);
}

function sums({ status }: DirectPVDrive): readonly number[] {
  return [status.totalCapacity, status.allocatedCapacity, status.freeCapacity].map((bytes) => bytes / GiB);
}

describe('CreateVolume', () => {
  it('reserves on the drive, then makes the volume', async () => {
    const { cluster, csi } = await start({ fsuuid: 'd1', node: 'n1' });
    await using _ = cluster;
    const parameters = { [LABELS.volumeClaimId]: CLAIM, 'other.io/x': 'y' };
    const { volume } = await csi.createVolume(request('pvc-1', { parameters }));
    assert.equal(volume?.volumeId, 'pvc-1');
    assert.equal(volume.capacityBytes, GiB);
    assert.deepEqual(volume.volumeContext, parameters);
    assert.equal(volume.accessibleTopology[0]?.segments[LABELS.node], 'n1');
    assert.equal(Object.keys(volume.accessibleTopology[0]?.segments ?? {}).length, 5);

    const drive = await driveOf(cluster, 'd1');
    assert.deepEqual(sums(drive), [10, 1, 9]);
    assert.deepEqual(volumesOfDrive(drive), ['pvc-1']);
    assert.equal(drive.metadata?.labels?.[`${LABELS.volumeClaimId}-${CLAIM}`], 'true');
    const { metadata, status } = await volumeOf(cluster, 'pvc-1');
    assert.deepEqual(metadata?.finalizers, [FINALIZERS.pvProtection, FINALIZERS.purgeProtection]);
    assert.equal(metadata.labels?.[LABELS.drive], 'd1');
    assert.equal(metadata.labels[LABELS.claimId], CLAIM);
    assert.deepEqual(
      { ...status },
      {
        dataPath: '',
        stagingTargetPath: '',
        targetPath: '',
        fsuuid: 'd1',
        totalCapacity: GiB,
        availableCapacity: GiB,
        usedCapacity: 0,
        status: 'Pending',
      },
    );
  });

  it('weakness 4: is the same when it is asked again, and leaves the volume alone', async () => {
    const { cluster, csi } = await start({ fsuuid: 'd1' }, { fsuuid: 'd2' });
    await using _ = cluster;
    const first = await csi.createVolume(request('pvc-1'));
    const volumes = cluster.client.resource(DirectPVVolume);
    const volume = await volumes.get('pvc-1');
    await volumes.replace({
      ...volume,
      status: { ...volume.status, status: 'Ready', stagingTargetPath: '/staged' },
    });
    await cluster.settled();
    assert.deepEqual(await csi.createVolume(request('pvc-1')), first);
    assert.equal((await volumes.get('pvc-1')).status.stagingTargetPath, '/staged');
    for (const capacityRange of [{ requiredBytes: 2 * GiB }, { requiredBytes: GiB / 2, limitBytes: GiB / 2 }])
      await assert.rejects(csi.createVolume(request('pvc-1', { capacityRange })), { code: 'ALREADY_EXISTS' });
  });

  it('weakness 6: takes any of several places, and heeds limits, labels and tiers', async () => {
    const { cluster, csi } = await start(
      { fsuuid: 'd1', node: 'n1', labels: { 'directpv.min.io/team': 'a' } },
      { fsuuid: 'd2', node: 'n2', totalCapacity: 20 * GiB, labels: { [LABELS.accessTier]: 'Hot' } },
    );
    await using _ = cluster;
    const driveFor = async (name: string, more: MessageInit<CreateVolumeRequest>): Promise<string> => {
      const { volume } = await csi.createVolume(request(name, more));
      return (await volumeOf(cluster, volume?.volumeId ?? '')).status.fsuuid;
    };
    const place = (node: string) => ({ segments: { [LABELS.node]: node } });
    assert.equal(
      await driveFor('a', { accessibilityRequirements: { requisite: [place('n0'), place('n1')] } }),
      'd1',
    );
    assert.equal(
      await driveFor('b', {
        accessibilityRequirements: { requisite: [place('n1'), place('n2')], preferred: [place('n1')] },
      }),
      'd1',
    );
    assert.equal(await driveFor('c', { parameters: { [LABELS.accessTier]: 'hot' } }), 'd2');
    assert.equal(await driveFor('d', { parameters: { 'directpv.min.io/team': 'a' } }), 'd1');
    await assert.rejects(
      csi.createVolume(request('e', { accessibilityRequirements: { requisite: [place('n3')] } })),
      { code: 'RESOURCE_EXHAUSTED', message: /requested node\(s\): n3; requested size: 1073741824 bytes/ },
    );
    await assert.rejects(csi.createVolume(request('f', { capacityRange: { requiredBytes: 100 * GiB } })), {
      code: 'OUT_OF_RANGE',
    });
    const limited = await csi.createVolume(request('g', { capacityRange: { limitBytes: 2 * GiB } }));
    assert.equal(limited.volume?.capacityBytes, 2 * GiB);
    const { volume } = await csi.createVolume(request('h', { capacityRange: undefined }));
    assert.equal(volume?.capacityBytes, (20 - 1 - 2) * GiB);
  });

  it('weakness 9: takes names of any length and kind', async () => {
    const { cluster, csi } = await start({ fsuuid: 'd1' });
    await using _ = cluster;
    const names = ['x'.repeat(128), `${'x'.repeat(127)}y`, 'Sanity-Controller_Create 1', 'a.deleted'];
    const ids = new Set<string>();
    for (const name of names) {
      const { volume } = await csi.createVolume(request(name));
      const again = await csi.createVolume(request(name));
      assert.equal(again.volume?.volumeId, volume?.volumeId);
      ids.add(volume?.volumeId ?? '');
    }
    assert.equal(ids.size, names.length);
    assert.deepEqual(new Set(volumesOfDrive(await driveOf(cluster, 'd1'))), ids);
  });

  const wrong: readonly (readonly [what: string, request: MessageInit<CreateVolumeRequest>])[] = [
    ['no name', request('')],
    ['weakness 33: no capabilities', request('a', { volumeCapabilities: [] })],
    [
      'several nodes',
      request('a', { volumeCapabilities: [{ ...mount, accessMode: { mode: 'MULTI_NODE_MULTI_WRITER' } }] }),
    ],
    ['raw block', request('a', { volumeCapabilities: [{ block: {}, accessMode: mount.accessMode }] })],
    ['no access type', request('a', { volumeCapabilities: [{ accessMode: mount.accessMode }] })],
    ['another file system', request('a', { volumeCapabilities: [{ ...mount, mount: { fsType: 'ext4' } }] })],
    ['an unknown tier', request('a', { parameters: { [LABELS.accessTier]: 'tepid' } })],
    ['a claim id that is none', request('a', { parameters: { [LABELS.volumeClaimId]: '1' } })],
    ['a source without a name', request('a', { volumeContentSource: { volume: { volumeId: '' } } })],
    ['a negative size', request('a', { capacityRange: { requiredBytes: -1 } })],
  ];
  it('refuses what cannot be', async () => {
    const { cluster, csi } = await start({ fsuuid: 'd1' });
    await using _ = cluster;
    for (const [what, bad] of wrong)
      await assert.rejects(csi.createVolume(bad), { code: 'INVALID_ARGUMENT' }, what);
    await assert.rejects(
      csi.createVolume(request('a', { capacityRange: { requiredBytes: 2, limitBytes: 1 } })),
      { code: 'OUT_OF_RANGE' },
    );
  });

  it('weakness 3: tries again by itself when others write first', async () => {
    const { cluster, csi, faults } = await start({ fsuuid: 'd1' });
    await using _ = cluster;
    for (let conflict = 0; conflict < 3; conflict++) faults.conflict();
    const created = csi.createVolume(request('pvc-1'));
    await advanceUntil(cluster, created);
    assert.deepEqual(sums(await driveOf(cluster, 'd1')), [10, 1, 9]);
  });

  it('takes bytes once when an answer is lost', async () => {
    const { cluster, csi, faults } = await start({ fsuuid: 'd1' });
    await using _ = cluster;
    faults.fail({ method: 'PUT', answer: 'lost', afterwards: true });
    await advanceUntil(cluster, csi.createVolume(request('pvc-1')));
    assert.deepEqual(sums(await driveOf(cluster, 'd1')), [10, 1, 9]);
    faults.fail({ method: 'POST', path: /directpvvolumes/, answer: 'lost', afterwards: true });
    await assert.rejects(csi.createVolume(request('pvc-2')), { code: 'UNAVAILABLE' });
    await csi.createVolume(request('pvc-2'));
    assert.deepEqual(sums(await driveOf(cluster, 'd1')), [10, 2, 8]);
  });

  it('gives its bytes back at once when another replica has made the volume on another drive', async () => {
    await using cluster = await startTestCluster({ definitions: resourceDefinitions });
    const names = ['d1', 'd2'];
    for (const fsuuid of names) await cluster.client.resource(DirectPVDrive).create(buildDrive({ fsuuid }));
    let ours = '';
    const { manager } = cluster.manager({
      through: (transport) => ({
        request: async (ask) => {
          const [kind, name = ''] = ask.path.split('/').slice(4);
          if (ask.method === 'PUT' && kind === 'directpvdrives') ours ||= name;
          if (ask.method === 'POST' && kind === 'directpvvolumes') {
            const other = names.find((each) => each !== ours) ?? '';
            const faster = buildVolume({ name: 'pvc-1', fsuuid: other });
            await cluster.client.resource(DirectPVVolume).create(faster);
          }
          return transport.request(ask);
        },
        watch: (ask) => transport.watch(ask),
        [Symbol.asyncDispose]: async () => {},
      }),
    });
    const service = addDirectPVController(manager);
    await manager.start();
    const identity = identityService({ version: '1', isReady: () => true });
    const csi = directDriver({ identity, controller: service }, { clock: cluster.clock });
    await csi.createVolume(request('pvc-1'));
    assert.ok(names.includes(ours));
    // The loop that repairs drives would find the bytes too, but only minutes later.
    assert.deepEqual(sums(await driveOf(cluster, ours)), [10, 0, 10]);
    assert.notEqual((await volumeOf(cluster, 'pvc-1')).status.fsuuid, ours);
  });

  it('writes waiting changes of one drive together', async () => {
    const { cluster, csi, manager } = await start({ fsuuid: 'd1' });
    await using _ = cluster;
    await Promise.all(Array.from({ length: 10 }, (__, at) => csi.createVolume(request(`pvc-${at}`))));
    assert.deepEqual(sums(await driveOf(cluster, 'd1')), [10, 10, 0]);
    const [, writes = '0'] = /^directpv_drive_writes_total (\d+)$/m.exec(manager.metrics.expose()) ?? [];
    assert.ok(Number(writes) <= 3, `${writes} writes for ten volumes`);
  });
});

/** Moves the clock while something waits for it. */
async function advanceUntil<T>(cluster: TestCluster, work: Promise<T>): Promise<T> {
  const isDone = work.then(
    () => true,
    () => true,
  );
  const step = (): Promise<boolean> => cluster.advance(100).then(() => false);
  for (let turn = 0; turn < 200; turn++) if (await Promise.race([isDone, step()])) break;
  return work;
}

describe('ControllerExpandVolume', () => {
  it('weakness 5: takes the difference once, however often it is asked', async () => {
    const { cluster, csi } = await start({ fsuuid: 'd1' });
    await using _ = cluster;
    await csi.createVolume(request('pvc-1'));
    const expand = (gib: number) =>
      csi.controllerExpandVolume({ volumeId: 'pvc-1', capacityRange: { requiredBytes: gib * GiB } });
    for (const gib of [2, 2, 3, 2]) assert.equal((await expand(gib)).nodeExpansionRequired, true);
    assert.deepEqual(sums(await driveOf(cluster, 'd1')), [10, 3, 7]);
    assert.equal((await volumeOf(cluster, 'pvc-1')).status.totalCapacity, 3 * GiB);
    await assert.rejects(expand(11), { code: 'OUT_OF_RANGE' });
    await assert.rejects(
      csi.controllerExpandVolume({ volumeId: 'none', capacityRange: { requiredBytes: 1 } }),
      { code: 'NOT_FOUND' },
    );
    await assert.rejects(csi.controllerExpandVolume({ volumeId: 'pvc-1' }), { code: 'INVALID_ARGUMENT' });
    await assert.rejects(csi.controllerExpandVolume({ volumeId: '' }), { code: 'INVALID_ARGUMENT' });
  });

  it('is finished by the loop when the controller dies between its two writes', async () => {
    const { cluster, csi, faults } = await start({ fsuuid: 'd1' });
    await using _ = cluster;
    await csi.createVolume(request('pvc-1'));
    await cluster.settled();
    faults.crashAfterWrites(1);
    const half = csi.controllerExpandVolume({ volumeId: 'pvc-1', capacityRange: { requiredBytes: 4 * GiB } });
    await assert.rejects(half);
    assert.equal((await volumeOf(cluster, 'pvc-1')).status.totalCapacity, GiB);
    await startReplica(cluster);
    await cluster.advance(340_000);
    assert.equal((await volumeOf(cluster, 'pvc-1')).status.totalCapacity, 4 * GiB);
    const drive = await driveOf(cluster, 'd1');
    assert.deepEqual(sums(drive), [10, 4, 6]);
    assert.equal(readReservations(drive).size, 0);
  });
});

describe('DeleteVolume', () => {
  it('lets the volume go, and is the same when it is asked again', async () => {
    const { cluster, csi } = await start({ fsuuid: 'd1' });
    await using _ = cluster;
    await csi.createVolume(request('pvc-1'));
    for (let time = 0; time < 2; time++) await csi.deleteVolume({ volumeId: 'pvc-1' });
    const { metadata } = await volumeOf(cluster, 'pvc-1');
    assert.deepEqual(metadata?.finalizers, [FINALIZERS.purgeProtection]);
    assert.ok(metadata.deletionTimestamp);
    await assert.rejects(csi.createVolume(request('pvc-1')), { code: 'ABORTED' });
    await assert.rejects(csi.controllerGetVolume({ volumeId: 'pvc-1' }), { code: 'NOT_FOUND' });
    await csi.deleteVolume({ volumeId: 'none' });
    await csi.deleteVolume({ volumeId: 'No/Name' });
    await assert.rejects(csi.deleteVolume({ volumeId: '' }), { code: 'INVALID_ARGUMENT' });
  });

  it('refuses while the volume is used', async () => {
    const { cluster, csi } = await start({ fsuuid: 'd1', volumes: { v: GiB } });
    await using _ = cluster;
    await cluster.client
      .resource(DirectPVVolume)
      .create(buildVolume({ name: 'v', fsuuid: 'd1', stagingTargetPath: '/staged' }));
    await assert.rejects(csi.deleteVolume({ volumeId: 'v' }), {
      code: 'FAILED_PRECONDITION',
      message: /in use at \/staged/,
    });
  });
});

describe('what is asked about volumes', () => {
  it('weakness 33: ValidateVolumeCapabilities', async () => {
    const { cluster, csi } = await start({ fsuuid: 'd1' });
    await using _ = cluster;
    await csi.createVolume(request('pvc-1'));
    const ask = (volumeId: string, volumeCapabilities: readonly object[]) =>
      csi.validateVolumeCapabilities({ volumeId, volumeCapabilities });
    assert.deepEqual((await ask('pvc-1', [mount])).confirmed?.volumeCapabilities.length, 1);
    const refused = await ask('pvc-1', [{ ...mount, accessMode: { mode: 'MULTI_NODE_READER_ONLY' } }]);
    assert.equal(refused.confirmed, undefined);
    assert.match(refused.message, /unsupported access mode MULTI_NODE_READER_ONLY/);
    await assert.rejects(ask('', [mount]), { code: 'INVALID_ARGUMENT' });
    await assert.rejects(ask('pvc-1', []), { code: 'INVALID_ARGUMENT' });
    await assert.rejects(ask('none', [mount]), { code: 'NOT_FOUND' });
  });

  it('ListVolumes, page by page, while volumes come and go', async () => {
    const { cluster, csi } = await start({ fsuuid: 'd1' });
    await using _ = cluster;
    for (const name of ['z', 'y', 'x']) {
      await csi.createVolume(request(name));
      await cluster.advance(1);
    }
    const first = await csi.listVolumes({ maxEntries: 2 });
    assert.deepEqual(
      first.entries.map(({ volume }) => volume?.volumeId),
      ['z', 'y'],
    );
    for (const volumeId of ['z', 'y']) await csi.deleteVolume({ volumeId });
    await csi.createVolume(request('a'));
    const second = await csi.listVolumes({ startingToken: first.nextToken });
    assert.deepEqual(
      second.entries.map(({ volume }) => volume?.volumeId),
      ['x', 'a'],
    );
    assert.equal(second.nextToken, '');
    assert.equal(second.entries[0]?.status?.volumeCondition?.abnormal, false);
    await assert.rejects(csi.listVolumes({ startingToken: 'nonsense' }), { code: 'ABORTED' });
    await assert.rejects(csi.listVolumes({ maxEntries: -1 }), { code: 'INVALID_ARGUMENT' });
  });

  it('GetCapacity, by place and parameters', async () => {
    const { cluster, csi } = await start(
      { fsuuid: 'd1', node: 'n1' },
      { fsuuid: 'd2', node: 'n1', totalCapacity: 5 * GiB },
      { fsuuid: 'd3', node: 'n2', labels: { [LABELS.accessTier]: 'Hot' } },
      { fsuuid: 'd4', node: 'n2', unschedulable: true },
    );
    await using _ = cluster;
    const all = await csi.getCapacity({});
    assert.deepEqual([all.availableCapacity / GiB, (all.maximumVolumeSize ?? 0) / GiB], [25, 10]);
    const there = await csi.getCapacity({ accessibleTopology: { segments: { [LABELS.node]: 'n1' } } });
    assert.deepEqual([there.availableCapacity / GiB, (there.maximumVolumeSize ?? 0) / GiB], [15, 10]);
    const hot = await csi.getCapacity({ parameters: { [LABELS.accessTier]: 'Hot' } });
    assert.equal(hot.availableCapacity / GiB, 10);
  });

  it('ControllerGetVolume, with its condition', async () => {
    const { cluster, csi } = await start({ fsuuid: 'd1' });
    await using _ = cluster;
    await csi.createVolume(request('pvc-1'));
    assert.equal(
      (await csi.controllerGetVolume({ volumeId: 'pvc-1' })).status?.volumeCondition?.abnormal,
      false,
    );
    const drives = cluster.client.resource(DirectPVDrive);
    const drive = await drives.get('d1');
    await drives.replace({ ...drive, status: { ...drive.status, status: 'Lost' } });
    await cluster.settled();
    const { status } = await csi.controllerGetVolume({ volumeId: 'pvc-1' });
    assert.deepEqual(status?.volumeCondition, { abnormal: true, message: 'its drive d1 is lost' });
  });
});

describe('what a crash leaves', () => {
  it('weakness 2: a reservation without a volume is used by the next try', async () => {
    const { cluster, csi, faults } = await start({ fsuuid: 'd1' }, { fsuuid: 'd2' });
    await using _ = cluster;
    faults.crashAfterWrites(1);
    await assert.rejects(csi.createVolume(request('pvc-1')));
    const next = await startReplica(cluster);
    await next.csi.createVolume(request('pvc-1'));
    const allocated = await Promise.all(['d1', 'd2'].map((name) => driveOf(cluster, name)));
    assert.equal(
      allocated.reduce((sum, { status }) => sum + status.allocatedCapacity, 0),
      GiB,
    );
  });

  it('weakness 2: a reservation that nobody uses is given back, in time', async () => {
    const { cluster, csi, faults } = await start({ fsuuid: 'd1' });
    await using _ = cluster;
    faults.crashAfterWrites(1);
    const parameters = { [LABELS.volumeClaimId]: CLAIM };
    await assert.rejects(csi.createVolume(request('pvc-1', { parameters })));
    await startReplica(cluster);
    await cluster.advance(299_000);
    assert.deepEqual(sums(await driveOf(cluster, 'd1')), [10, 1, 9]);
    await cluster.advance(40_000);
    const drive = await driveOf(cluster, 'd1');
    assert.deepEqual(sums(drive), [10, 0, 10]);
    assert.deepEqual(volumesOfDrive(drive), []);
  });

  it('a volume that no drive holds is held again, and sums are put right', async () => {
    const { cluster } = await start({ fsuuid: 'd1', volumes: { gone: 2 * GiB } });
    await using _ = cluster;
    await cluster.client.resource(DirectPVVolume).create(buildVolume({ name: 'v', fsuuid: 'd1' }));
    await cluster.advance(340_000);
    const drive = await driveOf(cluster, 'd1');
    assert.deepEqual(volumesOfDrive(drive), ['v']);
    assert.deepEqual(sums(drive), [10, 1, 9]);
  });

  it('a released volume that is still there is not held again', async () => {
    const { cluster, csi } = await start({ fsuuid: 'd1' });
    await using _ = cluster;
    await csi.createVolume(request('pvc-1'));
    await csi.deleteVolume({ volumeId: 'pvc-1' });
    const drives = cluster.client.resource(DirectPVDrive);
    const drive = await drives.get('d1');
    await drives.replace(release(drive, { volume: 'pvc-1', bytes: GiB }) as DirectPVDrive);
    await cluster.advance(340_000);
    assert.deepEqual(sums(await driveOf(cluster, 'd1')), [10, 0, 10]);
    assert.deepEqual(volumesOfDrive(await driveOf(cluster, 'd1')), []);
  });

  it('weakness 8: what a move has left on its source is left to the node', async () => {
    const { cluster } = await start(
      { fsuuid: 'd1', volumes: { v: GiB } },
      { fsuuid: 'd2', volumes: { v: GiB } },
    );
    await using _ = cluster;
    // The volume is on its new drive; the old one still has the data.
    await cluster.client.resource(DirectPVVolume).create(buildVolume({ name: 'v', fsuuid: 'd2' }));
    await cluster.advance(400_000);
    for (const name of ['d1', 'd2']) {
      const drive = await driveOf(cluster, name);
      assert.deepEqual(volumesOfDrive(drive), ['v']);
      assert.deepEqual(sums(drive), [10, 1, 9]);
    }
  });

  it('a reservation for a volume that came to be elsewhere is given back', async () => {
    const { cluster } = await start({ fsuuid: 'd1' }, { fsuuid: 'd2', volumes: { v: GiB } });
    await using _ = cluster;
    await cluster.client.resource(DirectPVVolume).create(buildVolume({ name: 'v', fsuuid: 'd2' }));
    const drives = cluster.client.resource(DirectPVDrive);
    const tried = reserve(await drives.get('d1'), { volume: 'v', bytes: GiB, at: '2026-01-01T00:00:00Z' });
    await drives.replace(tried as DirectPVDrive);
    await cluster.advance(400_000);
    assert.deepEqual(sums(await driveOf(cluster, 'd1')), [10, 0, 10]);
    assert.deepEqual(sums(await driveOf(cluster, 'd2')), [10, 1, 9]);
  });

  it('weakness 7: a drive that DirectPV wrote is adopted', async () => {
    const { cluster } = await start({ fsuuid: 'd1', overhead: GiB });
    await using _ = cluster;
    await cluster.settled();
    const drive = await driveOf(cluster, 'd1');
    assert.deepEqual(sums(drive), [9, 0, 9]);
    assert.equal(drive.metadata?.annotations?.[ANNOTATIONS.accounting], 'usable-bytes');
  });
});

describe('weakness 12: a volume that is deleted by hand', () => {
  it('goes when no persistent volume uses it', async () => {
    const { cluster, csi } = await start({ fsuuid: 'd1' });
    await using _ = cluster;
    await csi.createVolume(request('pvc-1'));
    const persistent = cluster.client.resource(PersistentVolume);
    await persistent.create({
      metadata: { name: 'pv-1' },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        csi: { driver: 'directpv-min-io', volumeHandle: 'pvc-1' },
      },
    });
    const volumes = cluster.client.resource(DirectPVVolume);
    await volumes.delete('pvc-1');
    await cluster.advance(120_000);
    assert.equal((await volumes.get('pvc-1')).metadata?.finalizers?.length, 2);
    await persistent.delete('pv-1');
    const found = await persistent.get('pv-1').catch(() => undefined);
    if (found !== undefined)
      await persistent.replace({ ...found, metadata: { ...found.metadata, finalizers: [] } });
    await cluster.advance(61_000);
    assert.deepEqual((await volumes.get('pvc-1')).metadata?.finalizers, [FINALIZERS.purgeProtection]);
  });
});

describe('weakness 13: a node that is gone', () => {
  async function startWithNodes() {
    const started = await start({ fsuuid: 'd1', node: 'n1' }, { fsuuid: 'd2', node: 'n2' });
    for (const name of ['n1', 'n2'])
      await started.cluster.client.resource(Node).create({ metadata: { name } });
    const segments = { [LABELS.node]: 'n1' };
    await started.csi.createVolume(
      request('pvc-1', { accessibilityRequirements: { requisite: [{ segments }] } }),
    );
    await started.cluster.settled();
    return started;
  }

  it('loses its drives and volumes; what nobody wants goes', async () => {
    const { cluster, csi } = await startWithNodes();
    await using _ = cluster;
    const volumes = cluster.client.resource(DirectPVVolume);
    const staged = await volumes.get('pvc-1');
    await volumes.replace({ ...staged, status: { ...staged.status, stagingTargetPath: '/staged' } });
    await cluster.client.resource(Node).delete('n1');
    await cluster.advance(240_000);
    assert.equal((await driveOf(cluster, 'd1')).status.status, 'Ready');
    await cluster.advance(120_000);
    assert.equal((await driveOf(cluster, 'd1')).status.status, 'Lost');
    assert.equal((await driveOf(cluster, 'd2')).status.status, 'Ready');
    assert.ok(isConditionTrue((await volumes.get('pvc-1')).status.conditions, 'Lost'));

    await csi.deleteVolume({ volumeId: 'pvc-1' });
    await cluster.advance(60_000);
    await assert.rejects(volumes.get('pvc-1'), isNotFound);
    assert.deepEqual(sums(await driveOf(cluster, 'd1')), [10, 0, 10]);
    await cluster.advance(25 * 3_600_000);
    await assert.rejects(driveOf(cluster, 'd1'), isNotFound);
    await driveOf(cluster, 'd2');
  });

  it('finds its volumes again when it comes back', async () => {
    const { cluster } = await startWithNodes();
    await using _ = cluster;
    const nodes = cluster.client.resource(Node);
    await nodes.delete('n1');
    await cluster.advance(360_000);
    await nodes.create({ metadata: { name: 'n1' } });
    await cluster.advance(60_000);
    const { metadata, status } = await volumeOf(cluster, 'pvc-1');
    assert.equal(isConditionTrue(status.conditions, 'Lost'), false);
    assert.equal(metadata?.annotations?.[ANNOTATIONS.nodeLostSince], undefined);
    assert.equal(
      (await driveOf(cluster, 'd1')).metadata?.annotations?.[ANNOTATIONS.nodeLostSince],
      undefined,
    );
  });

  it('is not taken for gone when no node is to be seen at all', async () => {
    const { cluster } = await startWithNodes();
    await using _ = cluster;
    for (const name of ['n1', 'n2']) await cluster.client.resource(Node).delete(name);
    await cluster.advance(600_000);
    assert.equal((await driveOf(cluster, 'd1')).status.status, 'Ready');
  });
});

describe('the service', () => {
  it('weakness 28: is ready when it knows the drives, not before', async () => {
    await using cluster = await startTestCluster({ definitions: resourceDefinitions });
    const { manager } = cluster.manager();
    const service = addDirectPVController(manager);
    const identity = identityService({ version: '1', isReady: () => service.isReady });
    const csi = directDriver({ identity, controller: service }, { clock: cluster.clock });
    assert.equal((await csi.probe({})).ready, false);
    await assert.rejects(csi.createVolume(request('a')), { code: 'UNAVAILABLE' });
    await manager.start();
    assert.equal((await csi.probe({})).ready, true);
    assert.deepEqual((await csi.getPluginInfo({})).name, 'directpv-min-io');
    const { capabilities } = await csi.controllerGetCapabilities({});
    assert.ok(capabilities.some(({ rpc }) => rpc?.type === 'GET_CAPACITY'));
  });

  it('answers controllers until they have stopped', async () => {
    await using cluster = await startTestCluster({ definitions: resourceDefinitions });
    const { manager } = cluster.manager();
    const service = addDirectPVController(manager);
    const identity = identityService({ version: '1', isReady: () => service.isReady });
    const csi = directDriver({ identity, controller: service }, { clock: cluster.clock });
    const answers: unknown[] = [];
    const run = async ({ signal, ready }: RunnableContext): Promise<void> => {
      ready();
      await new Promise<void>((resolve) => void onAbort(signal, resolve));
      // A run that was under way when the stop came.
      for (let call = 0; call < 3; call++)
        answers.push(
          await csi.getCapacity({}).then(
            () => 'told',
            (error: unknown) => error,
          ),
        );
    };
    for (const group of ['always', 'leader'] as const) await manager.add({ name: group, run }, group);
    await manager.start();
    await manager.stop();
    assert.deepEqual(
      answers,
      Array.from({ length: 6 }, () => 'told'),
    );
    assert.equal(service.isReady, false);
  });

  it('weakness 1: asks the server for nothing but its two writes', async () => {
    await using cluster = await startTestCluster({ definitions: resourceDefinitions });
    for (const fsuuid of ['d1', 'd2', 'd3'])
      await cluster.client.resource(DirectPVDrive).create(buildDrive({ fsuuid }));
    const asked: string[] = [];
    const { manager } = cluster.manager({
      through: (transport) => ({
        request: (ask) => {
          asked.push(`${ask.method} ${ask.path.split('/').at(4) ?? ''}`);
          return transport.request(ask);
        },
        watch: (ask) => transport.watch(ask),
        [Symbol.asyncDispose]: async () => {},
      }),
    });
    const service = addDirectPVController(manager);
    await manager.start();
    const identity = identityService({ version: '1', isReady: () => true });
    const csi = directDriver({ identity, controller: service }, { clock: cluster.clock });
    await cluster.settled();
    asked.length = 0;
    await csi.createVolume(request('pvc-1'));
    assert.deepEqual(asked.slice(0, 2), ['PUT directpvdrives', 'POST directpvvolumes']);
    // The event that tells of it.
    assert.ok(asked.slice(2).every((ask) => ask === 'POST namespaces') && asked.length <= 3, String(asked));
  });
});
