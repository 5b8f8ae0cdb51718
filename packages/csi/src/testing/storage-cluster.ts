// What tests of the storage sidecars share: nodes with a driver on them, classes, claims, and a driver that
// fails when it is told to.

import type { KubeObject, ResourceType } from '@windlass/apimachinery';
import { Node, PersistentVolume, PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import { CSINode, StorageClass } from '@windlass/apimachinery/api/storage/v1';
import type { KindQuery } from '@windlass/client';
import { startTestCluster, type TestCluster, type TestClusterOptions } from '@windlass/cluster/testing';
import type { ControllerService, CsiServices } from '../protocol/services.ts';
import { type MemoryDriver, memoryDriver } from './memory-driver.ts';
import { MemoryVolumes } from './memory-volumes.ts';

export const GIB: number = 2 ** 30;

/** A method of the driver's controller service. */
export type ControllerMethod =
  | 'createVolume'
  | 'deleteVolume'
  | 'controllerExpandVolume'
  | 'getCapacity'
  | 'createSnapshot'
  | 'deleteSnapshot';

export interface DriverHooks {
  /** Before the driver acts; what it throws, the caller gets, and nothing was done. */
  before?: (method: ControllerMethod, request: unknown) => void | Promise<void>;
  /** After the driver has acted; what it throws, the caller gets, although it was done. */
  after?: (method: ControllerMethod, request: unknown) => void | Promise<void>;
}

/** The same driver, with these in between. They may be changed at any time. */
export function withHooks(driver: MemoryDriver, hooks: DriverHooks): CsiServices {
  const wrap = <M extends ControllerMethod>(name: M): NonNullable<ControllerService[M]> => {
    const method = driver.controller[name] as (request: unknown, call: unknown) => Promise<unknown>;
    return (async (request: unknown, call: unknown) => {
      await hooks.before?.(name, request);
      const answer = await method(request, call);
      await hooks.after?.(name, request);
      return answer;
    }) as NonNullable<ControllerService[M]>;
  };
  return {
    ...driver,
    controller: {
      ...driver.controller,
      createVolume: wrap('createVolume'),
      deleteVolume: wrap('deleteVolume'),
      controllerExpandVolume: wrap('controllerExpandVolume'),
      getCapacity: wrap('getCapacity'),
      createSnapshot: wrap('createSnapshot'),
      deleteSnapshot: wrap('deleteSnapshot'),
    },
  };
}

export interface StorageCluster extends AsyncDisposable {
  readonly cluster: TestCluster;
  readonly driver: MemoryDriver;
  readonly claims: ReturnType<typeof namespaced<PersistentVolumeClaim>>;
  readonly volumes: ReturnType<typeof clusterWide<PersistentVolume>>;
}

const anyClient = <T extends KubeObject>({ client }: TestCluster, query: KindQuery) =>
  client.resource<T>(query);
const namespaced = <T extends KubeObject>(cluster: TestCluster, type: ResourceType<T>) =>
  anyClient<T>(cluster, type).namespace('default');
const clusterWide = <T extends KubeObject>(cluster: TestCluster, type: ResourceType<T>) =>
  anyClient<T>(cluster, type);

/** Each node has so many bytes, the driver, and its label; the class `fast` waits for the first consumer. */
export async function startStorage(
  nodes: Readonly<Record<string, number>> = { 'node-1': 10 * GIB, 'node-2': 10 * GIB },
  options: TestClusterOptions = {},
): Promise<StorageCluster> {
  const cluster = await startTestCluster(options);
  const driver = memoryDriver({ volumes: new MemoryVolumes(nodes) });
  for (const name of Object.keys(nodes)) await addNode(cluster, driver, name);
  await cluster.client.resource(StorageClass).create(storageClass(driver, 'fast'));
  await cluster.client.resource(StorageClass).create({
    ...storageClass(driver, 'now'),
    volumeBindingMode: 'Immediate',
  });
  return {
    cluster,
    driver,
    claims: namespaced(cluster, PersistentVolumeClaim),
    volumes: clusterWide(cluster, PersistentVolume),
    [Symbol.asyncDispose]: () => cluster.stop(),
  };
}

export async function addNode(cluster: TestCluster, driver: MemoryDriver, name: string): Promise<void> {
  await cluster.client.resource(Node).create({ metadata: { name, labels: { [driver.topologyKey]: name } } });
  await cluster.client.resource(CSINode).create({
    metadata: { name },
    spec: { drivers: [{ name: driver.name, nodeID: name, topologyKeys: [driver.topologyKey] }] },
  });
}

export const storageClass = (driver: MemoryDriver, name: string): StorageClass => ({
  metadata: { name },
  provisioner: driver.name,
  parameters: { 'csi.storage.k8s.io/fstype': 'xfs', tier: 'hot' },
  mountOptions: ['noatime'],
  volumeBindingMode: 'WaitForFirstConsumer',
  allowVolumeExpansion: true,
});

/** As the binder and the scheduler leave it. */
export const claim = (
  driver: MemoryDriver,
  name: string,
  { node = 'node-1', bytes = GIB, className = 'fast' } = {},
): PersistentVolumeClaim => ({
  metadata: {
    name,
    namespace: 'default',
    annotations: {
      'volume.kubernetes.io/storage-provisioner': driver.name,
      ...(node === '' ? {} : { 'volume.kubernetes.io/selected-node': node }),
    },
  },
  spec: {
    storageClassName: className,
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: String(bytes) } },
  },
});
