// A volume's whole life, and a drive's, under the accounts that are installed, on whatever API server.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { isNotFound, type Transport } from '@windlass/apimachinery';
import { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '@windlass/apimachinery/api/core/v1';
import type { PolicyRule } from '@windlass/apimachinery/api/rbac/v1';
import { CSINode, CSIStorageCapacity, StorageClass } from '@windlass/apimachinery/api/storage/v1';
import { silentLogger } from '@windlass/base';
import { isPresent, until } from '@windlass/base/testing/until';
import type { Client } from '@windlass/client';
import { AccessRecorder, policyRules } from '@windlass/codegen';
import { CsiClient, VolumeSnapshot } from '@windlass/csi';
import { Manager } from '@windlass/runtime';
import { discoverDevices, initConfigOf } from '../admin/discover.ts';
import { findDrives } from '../admin/drive-query.ts';
import { initDrives } from '../admin/init.ts';
import { type InstallObject, installObjects } from '../admin/install/install-objects.ts';
import { removeDrives } from '../admin/remove.ts';
import { addDriverController } from '../driver/driver-controller.ts';
import { addDriverNode } from '../driver/driver-node.ts';
import { directoryOperatingSystem } from '../os/directory-operating-system.ts';
import { DRIVER_NAME } from '../resources/constants.ts';
import { DirectPVDrive } from '../resources/drive.ts';
import { TOPOLOGY_KEYS } from '../resources/labels.ts';
import { DirectPVVolume } from '../resources/volume.ts';

/** Of the control plane: they bind claims, and keep what is in use. */
export const VOLUME_CONTROLLERS = [
  'persistentvolume-binder-controller',
  'persistentvolumeclaim-protection-controller',
  'persistentvolume-protection-controller',
];
export const CONTROLLER = 'directpv-min-io-controller';
export const NODE = 'directpv-min-io-node';

/** What an account asked for, and what it was refused. */
export class Watched {
  readonly forbidden: string[] = [];
  readonly recorder = new AccessRecorder();
  through = (inner: Transport): Transport =>
    this.recorder.through({
      request: async (request) => {
        const answer = await inner.request(request);
        if (answer.status === 403) this.forbidden.push(`${request.method} ${request.path}`);
        return answer;
      },
      watch: async (request) => {
        const answer = await inner.watch(request);
        if (answer.status === 403) this.forbidden.push(`watch ${request.path}`);
        return answer;
      },
      [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
    });

  /** `group/resource verb` of everything that was asked for. */
  used(): Set<string> {
    return permissions(policyRules(this.recorder.accesses));
  }
}

const rulesOf = (objects: readonly InstallObject[]): PolicyRule[] =>
  objects
    .filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role')
    .flatMap((role) => (role as unknown as { rules: PolicyRule[] }).rules);

function permissions(rules: readonly PolicyRule[]): Set<string> {
  return new Set(
    rules.flatMap(({ apiGroups = [], resources = [], verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) => verbs.map((verb) => `${group}/${resource} ${verb}`)),
      ),
    ),
  );
}

/** What an account may. */
export const granted = (name: string): Set<string> =>
  permissions(rulesOf(installObjects().filter(({ metadata }) => metadata?.name === name)));

export interface LifeOptions {
  /** An administrator's. */
  readonly client: Client;
  /** For sockets, drives and mounts. */
  readonly directory: string;
  /** The ways to the server, each as its account. */
  readonly controller: Transport;
  readonly node: Transport;
}

/** The driver is installed and claims are bound; a volume and a drive come, are used, and go. */
export async function live({ client, directory, controller, node }: LifeOptions): Promise<void> {
  await client.resource(Node).create({ metadata: { name: 'n1' } });
  await using leader = new Manager({
    transport: controller,
    leaderElection: { name: 'directpv-controller', namespace: 'directpv' },
    healthAddress: '127.0.0.1:0',
    logger: silentLogger,
  });
  await addDriverController(leader, {
    version: 'test',
    socketPath: join(directory, 'c.sock'),
    namespace: 'directpv',
  });
  await using agent = new Manager({
    transport: node,
    healthAddress: '127.0.0.1:0',
    logger: silentLogger,
  });
  const socketPath = join(directory, 'n.sock');
  await addDriverNode(agent, {
    version: 'test',
    nodeName: 'n1',
    socketPath,
    root: join(directory, 'root'),
    os: directoryOperatingSystem({
      root: join(directory, 'disks'),
      drives: [{ name: 'sdb', size: 2 ** 30 }],
    }),
  });
  await Promise.all([leader.start(), agent.start()]);
  for (const manager of [leader, agent]) {
    const answer = await fetch(`http://127.0.0.1:${manager.ports.health}/readyz`);
    assert.equal(answer.status, 200, await answer.text());
  }

  await using driver = new CsiClient({ socketPath });
  const { accessibleTopology } = await driver.nodeGetInfo({});
  await client.resource(CSINode).create({
    metadata: { name: 'n1' },
    spec: { drivers: [{ name: DRIVER_NAME, nodeID: 'n1', topologyKeys: [...TOPOLOGY_KEYS] }] },
  });
  const labels = accessibleTopology?.segments ?? {};
  await client.resource(Node).patch('n1', { metadata: { labels } }, { type: 'merge' });

  const { devices } = await discoverDevices(client);
  assert.deepEqual(
    (await initDrives(client, initConfigOf(devices))).map(({ error }) => error),
    [undefined],
  );
  const claims = client.resource(PersistentVolumeClaim).namespace('default');
  await claims.create({
    metadata: {
      name: 'data',
      // As the scheduler does it.
      annotations: { 'volume.kubernetes.io/selected-node': 'n1' },
    },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'directpv-min-io',
      resources: { requests: { storage: '128Mi' } },
    },
  });
  const volumes = client.resource(PersistentVolume);
  const made = await until(
    'a volume is made',
    async () => (await volumes.list()).items.find(({ spec }) => spec?.csi?.driver === DRIVER_NAME),
    isPresent,
  );
  const name = made.metadata?.name ?? '';
  const volumeId = made.spec?.csi?.volumeHandle ?? '';

  await client
    .resource(Pod)
    .namespace('default')
    .create({ metadata: { name: 'web' }, spec: { containers: [{ name: 'web', image: 'web' }] } });
  const volumeCapability = { mount: { fsType: 'xfs' }, accessMode: { mode: 'SINGLE_NODE_WRITER' as const } };
  const stagingTargetPath = join(directory, 'staged');
  const targetPath = join(directory, 'published');
  await driver.nodeStageVolume({ volumeId, stagingTargetPath, volumeCapability });
  await driver.nodePublishVolume({
    volumeId,
    stagingTargetPath,
    targetPath,
    volumeCapability,
    volumeContext: { 'csi.storage.k8s.io/pod.name': 'web', 'csi.storage.k8s.io/pod.namespace': 'default' },
  });

  await until(
    'the claim is bound',
    () => claims.get('data'),
    ({ status }) => status?.phase === 'Bound',
  );
  await snapshots(client);
  await claims.patch('data', { spec: { resources: { requests: { storage: '256Mi' } } } }, { type: 'merge' });
  await until(
    'the volume has grown',
    () => volumes.get(name),
    ({ spec }) => spec?.capacity?.['storage'] === '256Mi',
  );
  await until(
    'the claim has a condition',
    () => claims.get('data'),
    ({ status }) => (status?.conditions ?? []).length > 0,
  );

  await driver.nodeUnpublishVolume({ volumeId, targetPath });
  await driver.nodeUnstageVolume({ volumeId, stagingTargetPath });
  await claims.delete('data');
  await gone(() => volumes.get(name));
  await gone(() => client.resource(DirectPVVolume).get(volumeId));

  const { items } = await findDrives(client, {});
  await removeDrives(client, items);
  await gone(() => client.resource(DirectPVDrive).get(items[0]?.metadata?.name ?? ''));

  const capacities = client.resource(CSIStorageCapacity).namespace('directpv');
  const [told] = (await capacities.list()).items;
  assert.notEqual(told, undefined);
  await client.resource(StorageClass).delete('directpv-min-io');
  await gone(() => capacities.get(told?.metadata?.name ?? ''));
}

/** A snapshot of the claim is taken, a volume is made of it, and both go. */
async function snapshots(client: Client): Promise<void> {
  const all = client.resource(VolumeSnapshot).namespace('default');
  const claims = client.resource(PersistentVolumeClaim).namespace('default');
  await all.create({ metadata: { name: 'one' }, spec: { source: { persistentVolumeClaimName: 'data' } } });
  await until(
    'the snapshot is ready',
    () => all.get('one'),
    ({ status }) => status?.readyToUse === true,
  );
  const { spec } = await claims.get('data');
  await claims.create({
    // No pod waits for it: where it is, its source decides.
    metadata: { name: 'copy' },
    spec: {
      ...spec,
      volumeName: '',
      dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'one' },
    },
  });
  const bound = await until(
    'the copy is bound',
    () => claims.get('copy'),
    ({ status }) => status?.phase === 'Bound',
  );
  const copy = bound.spec?.volumeName ?? '';
  await claims.delete('copy');
  await gone(() => client.resource(DirectPVVolume).get(copy));
  await all.delete('one');
  await gone(() => all.get('one'));
}

async function gone(get: () => Promise<unknown>): Promise<void> {
  await until('it is gone', () => get().catch((error: unknown) => isNotFound(error) || String(error)));
}
