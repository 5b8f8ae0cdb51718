// The snapshot controller and the snapshotter with the memory driver, on the embedded API server.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isNotFound, type Served } from '@windlass/apimachinery';
import { PersistentVolume, type PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import { createLogger, memoryWriter } from '@windlass/base';
import { eventsOf } from '@windlass/cluster/testing/objects';
import { GrpcError } from '@windlass/grpc';
import { directDriver } from '../protocol/direct-driver.ts';
import type { CsiServices } from '../protocol/services.ts';
import { contentSourceOf } from '../provisioner/data-source.ts';
import { addProvisioner } from '../provisioner/provisioner.ts';
import { driverFacts } from '../sidecar/driver-facts.ts';
import {
  claim,
  type DriverHooks,
  GIB,
  type StorageCluster,
  startStorage,
  withHooks,
} from '../testing/storage-cluster.ts';
import { snapshotDefinitions } from './definitions.ts';
import {
  BEING_CREATED,
  BOUND_FINALIZER,
  CLAIM_FINALIZER,
  CONTENT_FINALIZER,
  DEFAULT_CLASS,
} from './names.ts';
import { addSnapshotController } from './snapshot-controller.ts';
import { addSnapshotter } from './snapshotter.ts';
import {
  type DeletionPolicy,
  VolumeSnapshot,
  VolumeSnapshotClass,
  VolumeSnapshotContent,
} from './volume-snapshot.ts';

class World implements AsyncDisposable {
  readonly storage: StorageCluster;
  readonly hooks: DriverHooks = {};
  readonly log = memoryWriter();
  readonly snapshots;
  readonly contents;
  readonly classes;

  private constructor(storage: StorageCluster) {
    this.storage = storage;
    const { client } = storage.cluster;
    this.snapshots = client.resource(VolumeSnapshot).namespace('default');
    this.contents = client.resource(VolumeSnapshotContent);
    this.classes = client.resource(VolumeSnapshotClass);
  }

  /** The claim `data` with a volume of 1 GiB, and a default class. */
  static async start(policy: DeletionPolicy = 'Delete'): Promise<World> {
    const storage = await startStorage({ 'node-1': 10 * GIB }, { definitions: snapshotDefinitions });
    const world = new World(storage);
    const { cluster, driver } = storage;
    await world.classes.create({
      metadata: { name: 'fast-snapshots', annotations: { [DEFAULT_CLASS]: 'true' } },
      driver: driver.name,
      deletionPolicy: policy,
      parameters: { depth: 'deep', 'csi.storage.k8s.io/snapshotter-list-secret-name': 'unused' },
    });
    const services: CsiServices = withHooks(driver, world.hooks);
    const { manager } = cluster.manager({ logger: createLogger(world.log) });
    addProvisioner(manager, { driver: services, sourceDecides: true });
    addSnapshotController(manager, { driver: driver.name });
    addSnapshotter(manager, { driver: services });
    await manager.start();
    await world.claim('data');
    return world;
  }

  /** A claim, and what the binder makes of it. */
  async claim(name: string, more: Partial<PersistentVolumeClaim['spec']> = {}): Promise<void> {
    const { claims, driver, cluster } = this.storage;
    const wanted = claim(driver, name);
    await claims.create({ ...wanted, spec: { ...wanted.spec, ...more } });
    await cluster.settled();
    await this.bind(name);
  }

  async bind(name: string): Promise<void> {
    const { claims, volumes, cluster } = this.storage;
    const volume = (await volumes.list()).items.find(({ spec }) => spec?.claimRef?.name === name);
    if (volume === undefined) return;
    const made = await claims.get(name);
    const bound = await claims.replace({ ...made, spec: { ...made.spec, volumeName: volume.metadata.name } });
    await claims.status.replace({ ...bound, status: { phase: 'Bound', capacity: { storage: '1Gi' } } });
    await cluster.settled();
  }

  async take(name: string, spec: Partial<VolumeSnapshot['spec']> = {}): Promise<Served<VolumeSnapshot>> {
    await this.snapshots.create({
      metadata: { name },
      spec: { source: { persistentVolumeClaimName: 'data' }, ...spec },
    });
    await this.storage.cluster.settled();
    return this.snapshots.get(name);
  }

  async contentOf(name: string): Promise<Served<VolumeSnapshotContent>> {
    const { status } = await this.snapshots.get(name);
    return this.contents.get(status?.boundVolumeSnapshotContentName ?? '');
  }

  async later(ms: number): Promise<void> {
    await this.storage.cluster.clock.advance(ms);
    await this.storage.cluster.settled();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.storage[Symbol.asyncDispose]();
  }
}

it('a claim that is made before its snapshot waits for it, and nothing is told as an error', async () => {
  await using world = await World.start();
  const { cluster, volumes } = world.storage;
  const dataSource = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'late' };
  await world.claim('early', { dataSource });
  assert.equal((await volumes.list()).items.length, 1, 'that of the claim data');
  const said = (await eventsOf(cluster, 'early')).join(' ');
  assert.match(said, /late/);
  await world.take('late');
  await world.later(60_000);
  assert.equal((await volumes.list()).items.length, 2);
  assert.deepEqual(
    world.log.records.filter(({ level }) => level === 'error').map(({ message }) => message),
    [],
  );
});

describe('a VolumeSnapshot', () => {
  it('becomes ready, bound to a content that its driver has filled', async () => {
    await using world = await World.start();
    const { metadata, spec, status } = await world.take('one');
    assert.equal(spec.volumeSnapshotClassName, 'fast-snapshots');
    assert.deepEqual(status, {
      boundVolumeSnapshotContentName: `snapcontent-${metadata.uid}`,
      readyToUse: true,
      creationTime: '2026-01-02T03:04:05Z',
      restoreSize: '1Gi',
    });
    assert.ok(metadata.finalizers?.includes(BOUND_FINALIZER));
    const content = await world.contentOf('one');
    const [volume] = world.storage.driver.volumes.all();
    assert.deepEqual(content.metadata.finalizers, [CONTENT_FINALIZER]);
    assert.deepEqual(content.metadata.annotations ?? {}, {});
    assert.equal(content.spec.volumeSnapshotRef.uid, metadata.uid);
    assert.deepEqual(
      { ...content.spec, volumeSnapshotRef: undefined },
      {
        deletionPolicy: 'Delete',
        driver: world.storage.driver.name,
        source: { volumeHandle: volume?.id },
        sourceVolumeMode: 'Filesystem',
        volumeSnapshotClassName: 'fast-snapshots',
        volumeSnapshotRef: undefined,
      },
    );
    assert.deepEqual(content.status, {
      snapshotHandle: `id-snapshot-${metadata.uid}`,
      readyToUse: true,
      restoreSize: GIB,
      creationTime: Date.parse('2026-01-02T03:04:05Z') * 1e6,
    });
    const data = await world.storage.claims.get('data');
    assert.ok(!data.metadata.finalizers?.includes(CLAIM_FINALIZER));
    const events = (await eventsOf(world.storage.cluster, 'one')).map((event) => event.split(':')[0]);
    assert.deepEqual(events, ['CreatingSnapshot', 'SnapshotReady']);
  });

  it('keeps its claim while the driver is at it', async () => {
    await using world = await World.start();
    let isDown = true;
    world.hooks.before = (method) => {
      if (method === 'createSnapshot' && isDown) throw new GrpcError('UNAVAILABLE', 'not now');
    };
    const { status } = await world.take('one');
    assert.equal(status?.readyToUse, false);
    assert.equal(status.error?.message, 'not now');
    assert.ok((await world.storage.claims.get('data')).metadata.finalizers?.includes(CLAIM_FINALIZER));
    assert.equal((await world.contentOf('one')).metadata.annotations?.[BEING_CREATED], 'yes');
    isDown = false;
    await world.later(5_000);
    assert.equal((await world.snapshots.get('one')).status?.readyToUse, true);
    assert.equal((await world.snapshots.get('one')).status?.error, undefined);
    assert.ok(!(await world.storage.claims.get('data')).metadata.finalizers?.includes(CLAIM_FINALIZER));
    assert.equal((await world.contentOf('one')).metadata.annotations?.[BEING_CREATED], undefined);
  });

  it('is asked about until it is ready', async () => {
    await using world = await World.start();
    const { volumes } = world.storage.driver;
    volumes.isInstant = false;
    assert.equal((await world.take('one')).status?.readyToUse, false);
    for (const snapshot of volumes.snapshots.values()) snapshot.isReady = true;
    await world.later(5_000);
    assert.equal((await world.snapshots.get('one')).status?.readyToUse, true);
  });

  const missing: readonly (readonly [what: string, spec: VolumeSnapshot['spec'], message: RegExp])[] = [
    ['no such claim', { source: { persistentVolumeClaimName: 'none' } }, /claim none is not there/],
    [
      'no such class',
      { source: { persistentVolumeClaimName: 'data' }, volumeSnapshotClassName: 'none' },
      /snapshot class none is not there/,
    ],
    [
      'a class of another driver',
      { source: { persistentVolumeClaimName: 'data' }, volumeSnapshotClassName: 'other' },
      /snapshot class other is of driver other.csi, the volume of memory.csi.example/,
    ],
  ];
  for (const [what, spec, message] of missing)
    it(`says what is missing: ${what}`, async () => {
      await using world = await World.start();
      await world.classes.create({
        metadata: { name: 'other' },
        driver: 'other.csi',
        deletionPolicy: 'Delete',
      });
      const { status } = await world.take('one', spec);
      assert.match(status?.error?.message ?? '', message);
      assert.equal(status?.readyToUse, false);
    });

  it('says that several classes are the default, and goes on when one is', async () => {
    await using world = await World.start();
    const extra = { metadata: { name: 'a', annotations: { [DEFAULT_CLASS]: 'true' } } };
    const { name: driver } = world.storage.driver;
    await world.classes.create({ ...extra, driver, deletionPolicy: 'Delete' });
    assert.match(
      (await world.take('one')).status?.error?.message ?? '',
      /several default .*a, fast-snapshots/,
    );
    await world.classes.delete('a');
    await world.storage.cluster.settled();
    assert.equal((await world.snapshots.get('one')).status?.readyToUse, true);
  });

  it('of another driver is left alone', async () => {
    await using world = await World.start();
    const { cluster, claims } = world.storage;
    await cluster.client.resource(PersistentVolume).create({
      metadata: { name: 'foreign' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        csi: { driver: 'other.csi', volumeHandle: 'x' },
      },
    });
    const wanted = claim(world.storage.driver, 'foreign');
    const made = await claims.create({ ...wanted, spec: { ...wanted.spec, volumeName: 'foreign' } });
    await claims.status.replace({ ...made, status: { phase: 'Bound' } });
    const volume = await cluster.client.resource(PersistentVolume).get('foreign');
    const claimRef = { namespace: 'default', name: 'foreign', uid: made.metadata.uid };
    await cluster.client
      .resource(PersistentVolume)
      .replace({ ...volume, spec: { ...volume.spec, claimRef } });
    await cluster.settled();
    const { status, metadata } = await world.take('one', {
      source: { persistentVolumeClaimName: 'foreign' },
    });
    assert.deepEqual([status, metadata.finalizers], [undefined, undefined]);
  });
});

describe('the end of a VolumeSnapshot', () => {
  it('is the end of the snapshot, with the policy Delete', async () => {
    await using world = await World.start();
    await world.take('one');
    await world.snapshots.delete('one');
    await world.storage.cluster.settled();
    await assert.rejects(world.snapshots.get('one'), isNotFound);
    assert.deepEqual((await world.contents.list()).items, []);
    assert.equal(world.storage.driver.volumes.snapshots.size, 0);
  });

  it('is not the end of the snapshot, with the policy Retain, nor is the end of its content', async () => {
    await using world = await World.start('Retain');
    await world.take('one');
    const { metadata } = await world.contentOf('one');
    await world.snapshots.delete('one');
    await world.storage.cluster.settled();
    await assert.rejects(world.snapshots.get('one'), isNotFound);
    await world.contents.delete(metadata.name);
    await world.storage.cluster.settled();
    await assert.rejects(world.contents.get(metadata.name), isNotFound);
    assert.equal(world.storage.driver.volumes.snapshots.size, 1);
  });

  it('waits for a call that is open, so that nothing is left with the driver', async () => {
    await using world = await World.start();
    let isLost = true;
    world.hooks.after = (method) => {
      if (method === 'createSnapshot' && isLost) throw new GrpcError('DEADLINE_EXCEEDED', 'too late');
    };
    await world.take('one');
    assert.equal(world.storage.driver.volumes.snapshots.size, 1);
    await world.snapshots.delete('one');
    await world.later(2_000);
    assert.equal((await world.contents.list()).items.length, 1);
    isLost = false;
    await world.later(60_000);
    await assert.rejects(world.snapshots.get('one'), isNotFound);
    assert.equal(world.storage.driver.volumes.snapshots.size, 0);
    assert.deepEqual((await world.contents.list()).items, []);
  });

  it('waits for a claim that is made of it', async () => {
    await using world = await World.start();
    await world.take('one');
    let isDown = true;
    world.hooks.before = (method) => {
      if (method === 'createVolume' && isDown) throw new GrpcError('UNAVAILABLE', 'not now');
    };
    await world.claim('copy', {
      dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'one' },
    });
    await world.snapshots.delete('one');
    await world.storage.cluster.settled();
    assert.notEqual((await world.snapshots.get('one')).metadata.deletionTimestamp, undefined);
    assert.equal(world.storage.driver.volumes.snapshots.size, 1);
    isDown = false;
    // Provisioning never begins with a snapshot that goes; one that was begun goes on.
    await world.later(10_000);
    await world.bind('copy');
    await assert.rejects(world.snapshots.get('one'), isNotFound);
  });

  it('a content that is deleted by hand stays as long as its snapshot does', async () => {
    await using world = await World.start();
    await world.take('one');
    const { metadata } = await world.contentOf('one');
    await world.contents.delete(metadata.name);
    await world.later(60_000);
    assert.equal(world.storage.driver.volumes.snapshots.size, 1);
    await world.snapshots.delete('one');
    await world.storage.cluster.settled();
    await assert.rejects(world.contents.get(metadata.name), isNotFound);
    assert.equal(world.storage.driver.volumes.snapshots.size, 0);
  });
});

describe('a snapshot that is there already', () => {
  async function provide(world: World, snapshotHandle: string): Promise<void> {
    await world.contents.create({
      metadata: { name: 'given' },
      spec: {
        deletionPolicy: 'Retain',
        driver: world.storage.driver.name,
        source: { snapshotHandle },
        volumeSnapshotRef: { namespace: 'default', name: 'mine' },
      },
    });
    await world.storage.cluster.settled();
  }

  it('is bound, whichever of the two comes first', async () => {
    for (const isFirst of [true, false]) {
      await using world = await World.start();
      const [volume] = world.storage.driver.volumes.all();
      const { id } = world.storage.driver.volumes.snapshot('old', volume?.id ?? '');
      if (isFirst) await provide(world, id);
      await world.take('mine', { source: { volumeSnapshotContentName: 'given' } });
      if (!isFirst) await provide(world, id);
      const { status, metadata } = await world.snapshots.get('mine');
      assert.equal(status?.readyToUse, true);
      assert.equal(status.boundVolumeSnapshotContentName, 'given');
      assert.equal(status.restoreSize, '1Gi');
      const content = await world.contents.get('given');
      assert.equal(content.spec.volumeSnapshotRef.uid, metadata.uid);
      assert.deepEqual(content.metadata.finalizers, [CONTENT_FINALIZER]);
    }
  });

  it('that the driver does not know is told of', async () => {
    await using world = await World.start();
    await provide(world, 'nonsense');
    const { status } = await world.take('mine', { source: { volumeSnapshotContentName: 'given' } });
    assert.match(status?.error?.message ?? '', /driver memory.csi.example has no snapshot nonsense/);
  });

  it('that is for another snapshot is not bound', async () => {
    await using world = await World.start();
    await provide(world, 'x');
    const { status } = await world.take('yours', { source: { volumeSnapshotContentName: 'given' } });
    assert.match(status?.error?.message ?? '', /given is for snapshot default\/mine/);
  });
});

describe('a claim that is made of something', () => {
  const source = (name: string) => ({ apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name });

  it('of a snapshot, and of another claim', async () => {
    await using world = await World.start();
    await world.take('one');
    await world.claim('restored', { dataSource: source('one') });
    await world.claim('cloned', { dataSource: { kind: 'PersistentVolumeClaim', name: 'data' } });
    const [first, restored, cloned] = world.storage.driver.volumes.all();
    assert.match(restored?.source?.snapshot?.snapshotId ?? '', /^id-snapshot-/);
    assert.equal(cloned?.source?.volume?.volumeId, first?.id);
  });

  const wrong: readonly (readonly [what: string, spec: PersistentVolumeClaim['spec'], message: RegExp])[] = [
    ['a snapshot that is not there', { dataSource: source('none') }, /snapshot none is not there/],
    [
      'too small',
      { dataSource: source('one'), resources: { requests: { storage: '1Mi' } } },
      /asks for 1Mi, and snapshot one, which it is made of, needs 1Gi/,
    ],
    ['another mode', { dataSource: source('one'), volumeMode: 'Block' }, /of volume mode Filesystem/],
    [
      'a claim that is not there',
      { dataSource: { kind: 'PersistentVolumeClaim', name: 'none' } },
      /claim none, which is to be cloned, is not there/,
    ],
    [
      'something else',
      { dataSourceRef: { apiGroup: 'a.b', kind: 'Backup', name: 'x' } },
      /made of a Backup \(x\)/,
    ],
  ];
  it('waits for no pod, where its source decides where it is', async () => {
    await using world = await World.start();
    const { claims, driver, cluster, volumes } = world.storage;
    await world.take('one');
    const { spec = {} } = claim(driver, 'copy');
    // As its owner writes it: the binder says nothing of it while no pod wants it.
    await claims.create({ metadata: { name: 'copy' }, spec: { ...spec, dataSource: source('one') } });
    await claims.create({ metadata: { name: 'empty' }, spec });
    await cluster.settled();
    const made = (await volumes.list()).items.find((volume) => volume.spec?.claimRef?.name === 'copy');
    assert.notEqual(made?.spec?.nodeAffinity, undefined);
    assert.equal(driver.volumes.all().length, 2);
  });

  it('refuses: another namespace', async () => {
    await using world = await World.start();
    await world.claim('copy');
    const { claims, driver, cluster } = world.storage;
    const { metadata, spec } = await claims.get('copy');
    // This server drops the namespace, as others do where the feature is off.
    const dataSourceRef = { ...source('one'), namespace: 'other' };
    const facts = await driverFacts(directDriver(driver, { clock: cluster.clock }))();
    const { signal } = new AbortController();
    await assert.rejects(
      contentSourceOf(cluster.client, { metadata, spec: { ...spec, dataSourceRef } }, facts, signal),
      /source is in namespace other/,
    );
  });

  for (const [what, spec, message] of wrong)
    it(`refuses: ${what}`, async () => {
      await using world = await World.start();
      await world.take('one');
      await world.claim('copy', spec);
      const { cluster, driver } = world.storage;
      assert.equal(driver.volumes.all().length, 1);
      const events = await eventsOf(cluster, 'copy');
      assert.ok(
        events.some((event) => message.test(event)),
        events.join('\n'),
      );
    });
});
