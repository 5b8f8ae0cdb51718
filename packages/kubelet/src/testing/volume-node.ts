// A node with a folder of its own, a driver that tests can steer, and claims that are bound.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isNotFound } from '@windlass/apimachinery';
import {
  ConfigMap,
  PersistentVolume,
  PersistentVolumeClaim,
  type PersistentVolumeSpec,
  Pod,
  type PodSpec,
} from '@windlass/apimachinery/api/core/v1';
import { Event } from '@windlass/apimachinery/api/events/v1';
import { CSIDriver, type CSIDriverSpec } from '@windlass/apimachinery/api/storage/v1';
import { nextTurn, silentLogger } from '@windlass/base';
import { startTestCluster, type TestCluster } from '@windlass/cluster/testing';
import { addKubelet, type Kubelet } from '../kubelet.ts';
import { machineFiles } from '../volume-manager/files/machine-files.ts';
import type { NodeFiles } from '../volume-manager/files/node-files.ts';
import { DRIVER, FakeDriver } from './fake-driver.ts';

export interface VolumeNode extends AsyncDisposable {
  readonly cluster: TestCluster;
  readonly root: string;
  readonly driver: FakeDriver;
  readonly kubelet: Kubelet;
  readonly manager: ReturnType<TestCluster['manager']>['manager'];
  /** Ends the agent, in whatever it is doing, and starts another one, which knows nothing. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
}

export interface VolumeNodeOptions {
  /** @default true */
  readonly hasRoot?: boolean;
  /** Whether the driver is there from the start. @default true */
  readonly hasDriver?: boolean;
  readonly driver?: Partial<CSIDriverSpec>;
  readonly seed?: number;
  /** The file system of the folder. @default the machine's */
  readonly files?: NodeFiles;
  /** Nodes beside `node-1`, with folders and drivers of their own. @default none */
  readonly others?: readonly string[];
}

export async function startVolumeNode(options: VolumeNodeOptions = {}): Promise<VolumeNode> {
  const { hasRoot = true, hasDriver = true, seed = 1 } = options;
  const cluster = await startTestCluster({ seed });
  const root = await mkdtemp(join(tmpdir(), 'wl-'));
  const driver = new FakeDriver();
  await cluster.client.resource(CSIDriver).create({
    metadata: { name: DRIVER },
    spec: { attachRequired: false, podInfoOnMount: true, ...options.driver },
  });
  let current = cluster.manager({ logger: silentLogger });
  let kubelet: Kubelet | undefined;
  const folder = (name: string): string => (name === 'node-1' ? root : join(root, 'others', name));
  const start = async (): Promise<void> => {
    const names = ['node-1', ...(options.others ?? [])];
    kubelet = addKubelet(current.manager, {
      nodes: names.map((name) => ({ name, ...(hasRoot && { root: folder(name) }) })),
      ...(options.files !== undefined && { files: () => options.files ?? machineFiles }),
    });
    if (hasDriver) kubelet.registerDriver('node-1', DRIVER, driver);
    await current.manager.start();
    await cluster.settled();
  };
  await start();
  return {
    cluster,
    root,
    driver,
    get kubelet() {
      if (kubelet === undefined) throw new Error('not started');
      return kubelet;
    },
    get manager() {
      return current.manager;
    },
    restart: async (meanwhile) => {
      const stopped = current.manager.stop().then(() => true);
      while (!(await Promise.race([stopped, nextTurn().then(() => false)]))) await cluster.clock.advance(100);
      await meanwhile?.();
      current = cluster.manager({ logger: silentLogger });
      await start();
    },
    [Symbol.asyncDispose]: async () => {
      await cluster.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

export const pods = ({ cluster }: VolumeNode) => cluster.client.resource(Pod).namespace('default');

/** A claim `NAME` that is bound to a volume `pv-NAME` with the handle `NAME`. */
export async function claim(
  { cluster }: VolumeNode,
  name: string,
  spec: Partial<PersistentVolumeSpec> = {},
  capacity = '1Gi',
): Promise<void> {
  const { accessModes = ['ReadWriteOnce'] } = spec;
  const claims = cluster.client.resource(PersistentVolumeClaim).namespace('default');
  const { metadata } = await claims.create({
    metadata: { name },
    spec: {
      accessModes,
      resources: { requests: { storage: capacity } },
      volumeName: `pv-${name}`,
      storageClassName: '',
    },
  });
  await claims.status.patch(name, {
    status: { phase: 'Bound', accessModes, capacity: { storage: capacity } },
  });
  await cluster.client.resource(PersistentVolume).create({
    metadata: { name: `pv-${name}` },
    spec: {
      accessModes,
      capacity: { storage: capacity },
      claimRef: { kind: 'PersistentVolumeClaim', namespace: 'default', name, uid: metadata.uid },
      ...(spec.local === undefined && {
        csi: { driver: DRIVER, volumeHandle: name, volumeAttributes: { size: 'small' } },
      }),
      ...spec,
    },
  });
}

export async function configMap(
  { cluster }: VolumeNode,
  name: string,
  data: Record<string, string>,
): Promise<void> {
  await cluster.client.resource(ConfigMap).namespace('default').create({ metadata: { name }, data });
}

/** A pod that mounts these claims, or these volumes. */
export async function run(
  node: VolumeNode,
  name: string,
  volumes: readonly (string | NonNullable<PodSpec['volumes']>[number])[],
  spec: Partial<PodSpec> = {},
  annotations: Record<string, string> = {},
): Promise<string> {
  const all = volumes.map((volume) =>
    typeof volume === 'string' ? { name: volume, persistentVolumeClaim: { claimName: volume } } : volume,
  );
  const { metadata } = await pods(node).create({
    metadata: {
      name,
      annotations: Object.fromEntries(
        Object.entries(annotations).map(([key, value]) => [`simulation.windlass.dev/${key}`, value]),
      ),
    },
    spec: {
      nodeName: 'node-1',
      automountServiceAccountToken: false,
      containers: [
        {
          name: 'main',
          image: 'nginx',
          volumeMounts: all.map((volume) => ({ name: volume.name, mountPath: `/${volume.name}` })),
        },
      ],
      volumes: all,
      ...spec,
    },
  });
  await node.cluster.settled();
  return metadata.uid;
}

export const phase = async (node: VolumeNode, name: string): Promise<string | undefined> =>
  (await pods(node).get(name)).status?.phase;

export async function isGone(node: VolumeNode, name: string): Promise<boolean> {
  try {
    await pods(node).get(name);
    return false;
  } catch (error) {
    if (isNotFound(error)) return true;
    throw error;
  }
}

/** The notes of events for this reason. */
export async function events({ cluster }: VolumeNode, reason: string): Promise<string[]> {
  const { items } = await cluster.client.resource(Event).namespace('default').list();
  return items.filter((event) => event.reason === reason).map(({ note }) => note ?? '');
}
