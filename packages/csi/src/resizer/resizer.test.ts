import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import { MetricsRegistry, silentLogger } from '@windlass/base';
import { eventsOf } from '@windlass/cluster/testing/objects';
import { GrpcError } from '@windlass/grpc';
import type { CsiServices } from '../protocol/services.ts';
import {
  claim,
  type DriverHooks,
  GIB,
  type StorageCluster,
  startStorage,
  withHooks,
} from '../testing/storage-cluster.ts';
import { addResizer } from './resizer.ts';

interface Bound extends StorageCluster {
  readonly hooks: DriverHooks;
  readonly metrics: MetricsRegistry;
  grow(size: string): Promise<void>;
  get(): Promise<PersistentVolumeClaim>;
}

/** A claim of 1Gi that is bound to its volume, and a resizer. */
async function startBound(change: (driver: CsiServices) => CsiServices = (driver) => driver): Promise<Bound> {
  const storage = await startStorage();
  const { cluster, driver, claims, volumes } = storage;
  const hooks: DriverHooks = {};
  const made = driver.volumes.create('data', { requiredBytes: GIB, limitBytes: 0 }, ['node-1'], {});
  const wanted = claim(driver, 'data');
  const { metadata } = await claims.create({ ...wanted, spec: { ...wanted.spec, volumeName: 'pv-1' } });
  await volumes.create({
    metadata: { name: 'pv-1' },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'fast',
      csi: { driver: driver.name, volumeHandle: made.id, fsType: 'xfs' },
      claimRef: { namespace: 'default', name: 'data', uid: metadata.uid },
    },
  });
  const get = (): Promise<PersistentVolumeClaim> => claims.get('data');
  await claims.status.replace({ ...(await get()), status: { phase: 'Bound', capacity: { storage: '1Gi' } } });
  const metrics = new MetricsRegistry();
  const { manager } = cluster.manager({ logger: silentLogger, metrics });
  addResizer(manager, { driver: change(withHooks(driver, hooks)) });
  await manager.start();
  await cluster.settled();
  const grow = async (size: string): Promise<void> => {
    await claims.patch('data', { spec: { resources: { requests: { storage: size } } } });
    await cluster.settled();
  };
  return { ...storage, hooks, metrics, grow, get };
}

const conditionsOf = ({ status }: PersistentVolumeClaim): string[] =>
  (status?.conditions ?? []).map(({ type, status: is, message = '' }) => `${type}=${is} ${message}`.trim());

describe('the resizer', () => {
  it('grows the volume, its object, and leaves the file system to the node', async () => {
    await using bound = await startBound();
    const { cluster, driver, volumes, claims } = bound;
    await bound.grow('3Gi');
    assert.equal(driver.volumes.all()[0]?.bytes, 3 * GIB);
    const volume = await volumes.get('pv-1');
    assert.equal(volume.spec?.capacity?.['storage'], '3Gi');
    assert.equal(volume.metadata?.annotations?.['volume.alpha.kubernetes.io/pre-resize-capacity'], '1Gi');
    const { status } = await bound.get();
    assert.equal(status?.capacity?.['storage'], '1Gi');
    assert.deepEqual(status?.allocatedResources, { storage: '3Gi' });
    assert.deepEqual(status?.allocatedResourceStatuses, { storage: 'NodeResizePending' });
    assert.deepEqual(
      status?.conditions?.map(({ type }) => type),
      ['Resizing', 'FileSystemResizePending'],
    );
    assert.deepEqual(
      (await eventsOf(cluster, 'data')).map((event) => event.split(':')[0]),
      ['Resizing', 'FileSystemResizeRequired'],
    );
    // As the kubelet does when it has grown the file system.
    const done = await bound.get();
    await claims.status.replace({ ...done, status: { phase: 'Bound', capacity: { storage: '3Gi' } } });
    await cluster.settled();
    const after = await volumes.get('pv-1');
    assert.equal(after.metadata?.annotations?.['volume.alpha.kubernetes.io/pre-resize-capacity'], undefined);
  });

  it('measures its calls, which end at their time', async () => {
    await using bound = await startBound();
    const { cluster, hooks, metrics, claims } = bound;
    const called = Promise.withResolvers<void>();
    hooks.before = () => {
      called.resolve();
      return new Promise(() => {});
    };
    await claims.patch('data', { spec: { resources: { requests: { storage: '3Gi' } } } });
    await called.promise;
    await cluster.clock.advance(60_000);
    await cluster.settled();
    assert.match(
      metrics.expose(),
      /csi_sidecar_operations_seconds_count\{.*grpc_status_code="DeadlineExceeded".*\} 1\n/,
    );
  });

  it('is done when the node has no part in it', async () => {
    await using bound = await startBound((driver) => ({
      ...driver,
      controller: {
        controllerGetCapabilities: async () => ({ capabilities: [{ rpc: { type: 'EXPAND_VOLUME' } }] }),
        controllerExpandVolume: async () => ({ capacityBytes: 4 * GIB }),
      },
    }));
    await bound.grow('3Gi');
    const { status } = await bound.get();
    assert.equal(status?.capacity?.['storage'], '4Gi');
    assert.deepEqual(status?.conditions ?? [], []);
    assert.equal(status?.allocatedResourceStatuses, undefined);
    assert.match((await eventsOf(bound.cluster, 'data')).at(-1) ?? '', /VolumeResizeSuccessful/);
  });

  it('leaves all to the node where the driver grows nothing', async () => {
    await using bound = await startBound((driver) => ({
      ...driver,
      controller: { controllerGetCapabilities: async () => ({ capabilities: [] }) },
    }));
    await bound.grow('3Gi');
    assert.equal((await bound.volumes.get('pv-1')).spec?.capacity?.['storage'], '3Gi');
    assert.deepEqual((await bound.get()).status?.allocatedResourceStatuses, { storage: 'NodeResizePending' });
  });

  it('says that a size is impossible, waits long, and takes a smaller one at once', async () => {
    await using bound = await startBound();
    const { cluster, driver } = bound;
    let calls = 0;
    bound.hooks.before = () => void calls++;
    await bound.grow('100Gi');
    assert.deepEqual((await bound.get()).status?.allocatedResourceStatuses, {
      storage: 'ControllerResizeInfeasible',
    });
    assert.match(
      conditionsOf(await bound.get()).join(),
      /ControllerResizeError=True failed to expand pvc with .*no room/,
    );
    await cluster.advance(120_000);
    assert.equal(calls, 1);
    await cluster.advance(200_000);
    assert.equal(calls, 2);
    await bound.grow('2Gi');
    assert.equal(driver.volumes.all()[0]?.bytes, 2 * GIB);
    assert.deepEqual((await bound.get()).status?.allocatedResources, { storage: '2Gi' });
    assert.doesNotMatch(conditionsOf(await bound.get()).join(), /Error/);
  });

  it('ends what may be under way before it begins another size', async () => {
    await using bound = await startBound();
    const { cluster, driver } = bound;
    const sizes: unknown[] = [];
    bound.hooks.before = (_, request) => {
      sizes.push((request as { capacityRange: { requiredBytes: number } }).capacityRange.requiredBytes / GIB);
      if (sizes.length < 3) throw new GrpcError('DEADLINE_EXCEEDED', 'still at it');
    };
    await bound.grow('2Gi');
    await bound.grow('3Gi');
    await cluster.advance(10_000);
    assert.deepEqual(sizes.slice(0, 3), [2, 2, 2]);
    assert.equal(driver.volumes.all()[0]?.bytes, 2 * GIB);
    // The node's part of the first comes before the second.
    assert.deepEqual((await bound.get()).status?.allocatedResources, { storage: '2Gi' });
  });

  it('writes down what a crash kept it from writing', async () => {
    await using bound = await startBound();
    const { cluster, driver, claims } = bound;
    const [volume] = driver.volumes.all();
    // A predecessor marked the claim, had the driver grow the volume, and was gone.
    await claims.patch('data', { spec: { resources: { requests: { storage: '2Gi' } } } });
    driver.volumes.expand(volume ?? assert.fail(), 2 * GIB);
    await cluster.settled();
    assert.equal((await bound.volumes.get('pv-1')).spec?.capacity?.['storage'], '2Gi');
    assert.deepEqual((await bound.get()).status?.allocatedResourceStatuses, { storage: 'NodeResizePending' });
  });
});
