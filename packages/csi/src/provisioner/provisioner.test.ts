import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Node, type PersistentVolume, Secret } from '@windlass/apimachinery/api/core/v1';
import { CSINode, StorageClass } from '@windlass/apimachinery/api/storage/v1';
import { createLogger, silentLogger } from '@windlass/base';
import type { TestManager } from '@windlass/cluster/testing';
import { eventsOf } from '@windlass/cluster/testing/objects';
import { GrpcError } from '@windlass/grpc';
import type { CsiServices } from '../protocol/services.ts';
import {
  claim,
  type DriverHooks,
  GIB,
  type StorageCluster,
  startStorage,
  storageClass,
  withHooks,
} from '../testing/storage-cluster.ts';
import type { ProvisionerOptions } from './options.ts';
import { addProvisioner } from './provisioner.ts';

const PENDING = 'windlass.dev/provisioning';
const SELECTED = 'volume.kubernetes.io/selected-node';

async function provision(
  { cluster }: StorageCluster,
  driver: CsiServices,
  options: Partial<ProvisionerOptions> = {},
): Promise<TestManager> {
  const made = cluster.manager({ logger: silentLogger });
  addProvisioner(made.manager, { driver, ...options });
  await made.manager.start();
  await cluster.settled();
  return made;
}

async function onlyVolume({ volumes }: StorageCluster): Promise<PersistentVolume> {
  const { items } = await volumes.list();
  assert.equal(items.length, 1);
  return items[0] ?? assert.fail();
}

/** As the binder does when the claim has gone. */
async function releaseVolume({ volumes }: StorageCluster, volume: PersistentVolume): Promise<void> {
  const live = await volumes.get(volume.metadata?.name ?? '');
  await volumes.status.replace({ ...live, status: { phase: 'Released' } });
}

describe('the provisioner', () => {
  it('makes a volume for a claim whose pod has its node', async () => {
    await using storage = await startStorage();
    const { cluster, driver, claims } = storage;
    await provision(storage, driver, { strictTopology: true, extraCreateMetadata: true });
    const { metadata } = await claims.create(claim(driver, 'data', { node: 'node-2' }));
    await cluster.settled();
    const volume = await onlyVolume(storage);
    const [made] = driver.volumes.all();
    assert.equal(made?.node, 'node-2');
    assert.deepEqual(made?.parameters, {
      tier: 'hot',
      'csi.storage.k8s.io/pvc/name': 'data',
      'csi.storage.k8s.io/pvc/namespace': 'default',
      'csi.storage.k8s.io/pv/name': `pvc-${metadata.uid}`,
    });
    assert.equal(volume.metadata?.name, `pvc-${metadata?.uid}`);
    assert.deepEqual(
      volume.metadata?.finalizers?.toSorted(),
      ['external-provisioner.volume.kubernetes.io/finalizer', 'kubernetes.io/pv-protection'].filter((name) =>
        volume.metadata?.finalizers?.includes(name),
      ),
    );
    const { claimRef, csi, nodeAffinity, ...spec } = volume.spec ?? {};
    assert.equal(claimRef?.uid, metadata.uid);
    assert.deepEqual(csi, {
      driver: driver.name,
      volumeHandle: `id-pvc-${metadata.uid}`,
      fsType: 'xfs',
      volumeAttributes: made?.parameters,
    });
    assert.deepEqual(nodeAffinity?.required?.nodeSelectorTerms, [
      { matchExpressions: [{ key: driver.topologyKey, operator: 'In', values: ['node-2'] }] },
    ]);
    assert.deepEqual(spec, {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
      mountOptions: ['noatime'],
      persistentVolumeReclaimPolicy: 'Delete',
      storageClassName: 'fast',
      volumeMode: 'Filesystem',
    });
    assert.equal(volume.metadata?.annotations?.['pv.kubernetes.io/provisioned-by'], driver.name);
    const after = await claims.get('data');
    assert.ok(!after.metadata?.finalizers?.includes(PENDING));
    const events = await eventsOf(cluster, 'data');
    assert.deepEqual(
      events.map((event) => event.split(':')[0]),
      ['Provisioning', 'ProvisioningSucceeded'],
    );
  });

  it('meets a conflict with the newest state, and calls it no error', async () => {
    await using storage = await startStorage();
    const { cluster, driver, claims } = storage;
    const errors: string[] = [];
    const logger = createLogger(({ message }) => void errors.push(message), 'error');
    const { manager, faults } = cluster.manager({ logger });
    addProvisioner(manager, { driver });
    await manager.start();
    faults.conflict();
    await claims.create(claim(driver, 'data'));
    await cluster.settled();
    await cluster.clock.advance(2_000);
    await cluster.settled();
    assert.equal(driver.volumes.made, 1);
    assert.deepEqual(errors, []);
  });

  it('leaves alone what is not its own, and what waits for a pod', async () => {
    await using storage = await startStorage();
    const { cluster, driver, claims } = storage;
    await provision(storage, driver);
    const foreign = claim(driver, 'foreign');
    foreign.metadata = {
      ...foreign.metadata,
      annotations: { 'volume.kubernetes.io/storage-provisioner': 'other.csi' },
    };
    await claims.create(foreign);
    await claims.create(claim(driver, 'waiting', { node: '' }));
    const bound = claim(driver, 'bound');
    await claims.create({ ...bound, spec: { ...bound.spec, volumeName: 'by-hand' } });
    await cluster.settled();
    assert.equal(driver.volumes.made, 0);
    const waiting = await claims.get('waiting');
    await claims.replace({
      ...waiting,
      metadata: {
        ...waiting.metadata,
        annotations: { ...waiting.metadata?.annotations, [SELECTED]: 'node-1' },
      },
    });
    await cluster.settled();
    assert.equal(driver.volumes.made, 1);
  });

  it('makes volumes at once where the class says so, spread over the nodes by the number in their names', async () => {
    await using storage = await startStorage({ 'node-1': 10 * GIB, 'node-2': 10 * GIB, 'node-3': 10 * GIB });
    const { cluster, driver, claims } = storage;
    await provision(storage, driver);
    for (const index of [0, 1, 2])
      await claims.create(claim(driver, `data-web-${index}`, { node: '', className: 'now' }));
    await cluster.settled();
    assert.deepEqual(
      new Set(driver.volumes.all().map(({ node }) => node)),
      new Set(['node-1', 'node-2', 'node-3']),
    );
  });

  it('has the scheduler choose anew where a node is full', async () => {
    await using storage = await startStorage({ 'node-1': GIB, 'node-2': 10 * GIB });
    const { cluster, driver, claims } = storage;
    await provision(storage, driver, { strictTopology: true });
    await claims.create(claim(driver, 'data', { bytes: 2 * GIB }));
    await cluster.settled();
    const { metadata } = await claims.get('data');
    assert.equal(metadata?.annotations?.[SELECTED], undefined);
    assert.ok(!metadata?.finalizers?.includes(PENDING));
    assert.match((await eventsOf(cluster, 'data')).at(-1) ?? '', /ProvisioningFailed.*no node has/);
  });

  it('has the scheduler choose anew where the node has gone', async () => {
    await using storage = await startStorage();
    const { cluster, driver, claims } = storage;
    await cluster.client.resource(Node).delete('node-1');
    await provision(storage, driver, { strictTopology: true });
    await claims.create(claim(driver, 'data'));
    await cluster.settled();
    assert.equal((await claims.get('data')).metadata?.annotations?.[SELECTED], undefined);
  });

  it('goes on at once when what a claim waits for has come', async () => {
    await using storage = await startStorage();
    const { cluster, driver, claims } = storage;
    await cluster.client.resource(CSINode).delete('node-1');
    await provision(storage, driver, { strictTopology: true });
    await claims.create(claim(driver, 'early'));
    await claims.create(claim(driver, 'classless', { node: 'node-2', className: 'later' }));
    await cluster.settled();
    assert.equal(driver.volumes.made, 0);
    assert.match(
      (await eventsOf(cluster, 'early')).at(-1) ?? '',
      /not registered on the selected node node-1/,
    );
    await cluster.client.resource(CSINode).create({
      metadata: { name: 'node-1' },
      spec: { drivers: [{ name: driver.name, nodeID: 'node-1', topologyKeys: [driver.topologyKey] }] },
    });
    await cluster.settled();
    assert.equal(driver.volumes.made, 1);
    await cluster.client.resource(StorageClass).create(storageClass(driver, 'later'));
    await cluster.settled();
    assert.equal(driver.volumes.made, 2);
  });

  it('tries again what failed, with the same request as long as the driver may be at it', async () => {
    await using storage = await startStorage();
    const { cluster, driver, claims } = storage;
    const requests: unknown[] = [];
    const hooks: DriverHooks = {
      before: (method, request) => {
        if (method === 'createVolume') requests.push(request);
        if (requests.length < 3) throw new GrpcError('DEADLINE_EXCEEDED', 'still at it');
      },
    };
    await provision(storage, withHooks(driver, hooks));
    await claims.create(claim(driver, 'data'));
    await cluster.settled();
    // A node that comes in between would be offered too, if the request were made anew.
    await cluster.client
      .resource(Node)
      .create({ metadata: { name: 'node-0', labels: { [driver.topologyKey]: 'node-0' } } });
    await cluster.advance(1000);
    await cluster.advance(2000);
    assert.equal(requests.length, 3);
    assert.deepEqual(requests[2], requests[0]);
    assert.equal(driver.volumes.made, 1);
  });

  it('waits long before it repeats a request that the driver calls wrong', async () => {
    await using storage = await startStorage();
    const { cluster, driver, claims } = storage;
    let calls = 0;
    const before = (): void => {
      calls++;
      throw new GrpcError('INVALID_ARGUMENT', 'no such tier');
    };
    await provision(storage, withHooks(driver, { before }));
    await claims.create(claim(driver, 'data'));
    await cluster.advance(60_000);
    assert.equal(calls, 1);
    await cluster.advance(240_000);
    assert.equal(calls, 2);
  });

  it('deletes a volume that is too small, and says so', async () => {
    await using storage = await startStorage();
    const { cluster, driver, claims } = storage;
    const short: CsiServices = {
      ...driver,
      controller: {
        ...driver.controller,
        createVolume: async (request, call) => {
          const answer = await driver.controller.createVolume?.(request, call);
          return { volume: { ...answer?.volume, capacityBytes: 1 } };
        },
      },
    };
    await provision(storage, short);
    await claims.create(claim(driver, 'data'));
    await cluster.settled();
    assert.deepEqual(driver.volumes.all(), []);
    assert.match((await eventsOf(cluster, 'data')).at(-1) ?? '', /has 1 of 1073741824 bytes/);
  });

  it('gives the storage of a claim back that goes while it is being made', async () => {
    await using storage = await startStorage();
    const { cluster, driver, claims, volumes } = storage;
    let isLost = true;
    const hooks: DriverHooks = {
      after: (method) => {
        if (method === 'createVolume' && isLost)
          throw new GrpcError('UNAVAILABLE', 'the connection was lost');
      },
    };
    await provision(storage, withHooks(driver, hooks));
    await claims.create(claim(driver, 'data'));
    await cluster.settled();
    assert.equal(driver.volumes.all().length, 1);
    await claims.delete('data');
    await cluster.settled();
    // As long as nobody knows, the claim stays.
    assert.ok((await claims.get('data')).metadata?.finalizers?.includes(PENDING));
    isLost = false;
    await cluster.advance(10_000);
    assert.deepEqual(driver.volumes.all(), []);
    assert.ok(!(await claims.get('data')).metadata?.finalizers?.includes(PENDING));
    assert.deepEqual((await volumes.list()).items, []);
  });

  it('gives storage back that an earlier call may have made, although a later one was refused', async () => {
    await using storage = await startStorage();
    const { cluster, driver, claims } = storage;
    let calls = 0;
    const hooks: DriverHooks = {
      before: (method) => {
        if (method === 'createVolume' && ++calls === 2) throw new GrpcError('INTERNAL', 'broken');
      },
      after: (method) => {
        if (method === 'createVolume' && calls === 1)
          throw new GrpcError('UNAVAILABLE', 'the answer was lost');
      },
    };
    await provision(storage, withHooks(driver, hooks));
    await claims.create(claim(driver, 'data'));
    await cluster.settled();
    assert.deepEqual([calls, driver.volumes.all().length], [1, 1]);
    await cluster.advance(1000);
    assert.equal(calls, 2);
    // The refusal says that the second call made nothing. It says nothing of the first one.
    await claims.delete('data');
    await cluster.settled();
    await cluster.advance(10_000);
    assert.deepEqual(driver.volumes.all(), []);
    assert.ok(!(await claims.get('data')).metadata?.finalizers?.includes(PENDING));
  });

  it('makes nothing for a claim that lost its finalizer without our noticing', async () => {
    await using storage = await startStorage();
    const { cluster, driver, claims } = storage;
    let calls = 0;
    const before = (): void => {
      calls++;
      throw new GrpcError('UNAVAILABLE', 'not now');
    };
    // The cache is behind: the finalizer goes right before the claim is read from the server.
    let isStale = false;
    const made = cluster.manager({
      logger: silentLogger,
      through: (transport) => ({
        request: async (ask) => {
          if (isStale && ask.method === 'GET' && ask.path.endsWith('/persistentvolumeclaims/data')) {
            isStale = false;
            await claims.patch('data', { metadata: { finalizers: null } }, { type: 'merge' });
          }
          return transport.request(ask);
        },
        watch: (ask) => transport.watch(ask),
        [Symbol.asyncDispose]: async () => {},
      }),
    });
    addProvisioner(made.manager, { driver: withHooks(driver, { before }) });
    await made.manager.start();
    await claims.create(claim(driver, 'data'));
    await cluster.settled();
    assert.equal(calls, 1);
    assert.ok((await claims.get('data')).metadata?.finalizers?.includes(PENDING));
    isStale = true;
    await cluster.advance(1000);
    // Whoever took the finalizer away gave the claim up: storage that is made now would belong to nobody.
    assert.equal(isStale, false);
    assert.equal(calls, 1);
  });

  it('lets a claim go at once when nothing was made for it', async () => {
    await using storage = await startStorage();
    const { cluster, driver, claims } = storage;
    const before = (): void => {
      throw new GrpcError('INTERNAL', 'broken');
    };
    await provision(storage, withHooks(driver, { before }));
    await claims.create(claim(driver, 'data'));
    await cluster.settled();
    await claims.delete('data');
    await cluster.settled();
    assert.ok(!(await claims.get('data')).metadata?.finalizers?.includes(PENDING));
  });

  it('hands secrets to the driver, and their names to those who need them later', async () => {
    await using storage = await startStorage();
    const { cluster, driver, claims } = storage;
    const seen: unknown[] = [];
    const hooks: DriverHooks = {
      before: (method, request) => void seen.push([method, (request as { secrets: unknown }).secrets]),
    };
    const classes = cluster.client.resource(StorageClass);
    await classes.create({
      ...storageClass(driver, 'secret'),
      parameters: {
        'csi.storage.k8s.io/provisioner-secret-name': '${pvc.namespace}-key',
        'csi.storage.k8s.io/provisioner-secret-namespace': 'default',
        'csi.storage.k8s.io/node-stage-secret-name': "${pvc.annotations['team']}",
        'csi.storage.k8s.io/node-stage-secret-namespace': 'kube-system',
      },
    });
    await cluster.client
      .resource(Secret)
      .namespace('default')
      .create({ metadata: { name: 'default-key' }, data: { user: Buffer.from('root').toString('base64') } });
    await provision(storage, withHooks(driver, hooks));
    const wanted = claim(driver, 'data', { className: 'secret' });
    wanted.metadata = { ...wanted.metadata, annotations: { ...wanted.metadata?.annotations, team: 'blue' } };
    await claims.create(wanted);
    await cluster.settled();
    const volume = await onlyVolume(storage);
    assert.deepEqual(volume.spec?.csi?.nodeStageSecretRef, { name: 'blue', namespace: 'kube-system' });
    await classes.delete('secret');
    await releaseVolume(storage, volume);
    await cluster.settled();
    assert.deepEqual(seen, [
      ['createVolume', { user: 'root' }],
      ['deleteVolume', { user: 'root' }],
    ]);
  });
});

describe('a released volume', () => {
  async function withVolume(policy: 'Delete' | 'Retain'): Promise<StorageCluster & { hooks: DriverHooks }> {
    const storage = await startStorage();
    const { cluster, driver, claims } = storage;
    const hooks: DriverHooks = {};
    await cluster.client
      .resource(StorageClass)
      .create({ ...storageClass(driver, policy.toLowerCase()), reclaimPolicy: policy });
    await provision(storage, withHooks(driver, hooks));
    await claims.create(claim(driver, 'data', { className: policy.toLowerCase() }));
    await cluster.settled();
    return { ...storage, hooks };
  }

  it('is deleted with its storage', async () => {
    await using storage = await withVolume('Delete');
    await releaseVolume(storage, await onlyVolume(storage));
    await storage.cluster.settled();
    assert.deepEqual(storage.driver.volumes.all(), []);
    const { items } = await storage.volumes.list();
    assert.ok(items.every(({ metadata }) => metadata?.finalizers?.join() === 'kubernetes.io/pv-protection'));
  });

  it('is deleted with its storage, also when it has no class and no record of its secrets', async () => {
    await using storage = await withVolume('Delete');
    const made = await onlyVolume(storage);
    await storage.volumes.patch(made.metadata?.name ?? '', {
      metadata: {
        annotations: {
          'volume.kubernetes.io/provisioner-deletion-secret-name': null,
          'volume.kubernetes.io/provisioner-deletion-secret-namespace': null,
        },
      },
      spec: { storageClassName: null },
    });
    await releaseVolume(storage, await onlyVolume(storage));
    await storage.cluster.settled();
    assert.deepEqual(storage.driver.volumes.all(), []);
  });

  it('stays where the class retains it', async () => {
    await using storage = await withVolume('Retain');
    await releaseVolume(storage, await onlyVolume(storage));
    await storage.cluster.advance(600_000);
    assert.equal(storage.driver.volumes.all().length, 1);
    assert.equal((await onlyVolume(storage)).metadata?.deletionTimestamp, undefined);
  });

  it('stays until the driver could delete it, and says why it could not', async () => {
    await using storage = await withVolume('Delete');
    const { cluster, driver, hooks } = storage;
    hooks.before = () => {
      throw new GrpcError('FAILED_PRECONDITION', 'the volume is in use');
    };
    const volume = await onlyVolume(storage);
    await releaseVolume(storage, volume);
    await cluster.settled();
    assert.match(
      (await eventsOf(cluster, volume.metadata?.name ?? '')).at(-1) ?? '',
      /VolumeFailedDelete.*in use/,
    );
    assert.equal(driver.volumes.all().length, 1);
    delete hooks.before;
    await cluster.advance(5000);
    assert.deepEqual(driver.volumes.all(), []);
  });

  it('keeps its storage when somebody deletes its object before the claim', async () => {
    await using storage = await withVolume('Delete');
    const { cluster, driver, volumes } = storage;
    const volume = await onlyVolume(storage);
    await volumes.delete(volume.metadata?.name ?? '');
    await cluster.settled();
    assert.equal(driver.volumes.all().length, 1);
    await releaseVolume(storage, await onlyVolume(storage));
    await cluster.settled();
    assert.deepEqual(driver.volumes.all(), []);
  });
});
