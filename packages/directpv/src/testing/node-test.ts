// A node with disks that exist in memory, on an API server of this process.

import assert from 'node:assert/strict';
import type { Served } from '@windlass/apimachinery';
import { nextTurn } from '@windlass/base';
import { TestCluster, type TestManager } from '@windlass/cluster/testing';
import { type CsiDriver, directDriver } from '@windlass/csi';
import { addDirectPVController } from '../controller-service/add-directpv-controller.ts';
import { identityService } from '../controller-service/identity-service.ts';
import { addDirectPVNode, type DirectPVNodeOptions } from '../handlers/add-directpv-node.ts';
import { FakeOperatingSystem } from '../os/fake-operating-system.ts';
import type { OperatingSystem } from '../os/operating-system.ts';
import { resourceDefinitions } from '../resources/definitions.ts';
import { DirectPVDrive } from '../resources/drive.ts';
import { DirectPVInitRequest } from '../resources/init-request.ts';
import { LABELS } from '../resources/labels.ts';
import { DirectPVNode } from '../resources/node.ts';
import { DirectPVSnapshot } from '../resources/snapshot.ts';
import { DirectPVVolume } from '../resources/volume.ts';

export const GIB = 1024 ** 3;
export const NODE = 'node-1';
export const STAGING = '/var/lib/kubelet/plugins/kubernetes.io/csi/directpv-min-io/x/globalmount';
export const MOUNT = {
  mount: { fsType: 'xfs', mountFlags: [] },
  accessMode: { mode: 'SINGLE_NODE_WRITER' },
} as const;

export function targetOf(pod: string): string {
  return `/var/lib/kubelet/pods/${pod}/volumes/kubernetes.io~csi/pvc/mount`;
}

/** The process of a node: what a restart ends. */
export interface NodeProcess extends TestManager {
  readonly csi: CsiDriver;
  readonly isReady: () => boolean;
}

export class NodeTest implements AsyncDisposable {
  readonly cluster: TestCluster;
  readonly os: FakeOperatingSystem;
  readonly drives;
  readonly volumes;
  readonly snapshots;
  process: NodeProcess;

  private constructor(cluster: TestCluster, os: FakeOperatingSystem, process: NodeProcess) {
    this.cluster = cluster;
    this.os = os;
    this.process = process;
    this.drives = cluster.client.resource(DirectPVDrive);
    this.volumes = cluster.client.resource(DirectPVVolume);
    this.snapshots = cluster.client.resource(DirectPVSnapshot);
  }

  /** @param disks their names; each has 10 GiB and becomes a drive */
  static async start(disks: readonly string[] = ['sdb'], options: Partial<DirectPVNodeOptions> = {}) {
    const cluster = new TestCluster();
    await cluster.install(...resourceDefinitions);
    const os = new FakeOperatingSystem();
    for (const name of disks) os.plug(name);
    const test = new NodeTest(cluster, os, startProcess(cluster, { os, ...options }));
    await test.process.manager.start();
    await cluster.settled();
    if (disks.length > 0) await test.init(disks);
    return test;
  }

  get csi(): CsiDriver {
    return this.process.csi;
  }

  /** The node's process ends, and another one starts. */
  async restart(options: Partial<DirectPVNodeOptions> = {}): Promise<void> {
    // What has crashed in the middle of something is waited for as long as a stop waits.
    await this.inTime(this.process.manager.stop());
    this.process = startProcess(this.cluster, { os: this.os, ...options });
    await this.process.manager.start();
    await this.inTime(this.cluster.settled());
  }

  /** For what waits for a time to pass, a conflict to be over or a deadline: time goes on until it has ended. */
  async inTime(work: Promise<unknown>): Promise<void> {
    const progress = { isOver: false };
    const over = (): void => {
      progress.isOver = true;
    };
    work.then(over, over);
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    while (!progress.isOver) {
      await this.cluster.clock.advance(500);
      await nextTurn();
    }
    await work;
  }

  /** Asks for drives on these devices, as `init` does; returns what became of it. */
  async init(
    names: readonly string[],
    options: { readonly force?: boolean; readonly id?: string; readonly request?: string } = {},
  ): Promise<DirectPVInitRequest['status']> {
    const { force = false, request = `init-${names.join('-')}` } = options;
    const node = await this.cluster.client.resource(DirectPVNode).get(NODE);
    const devices = names.map((name) => {
      const id = options.id ?? node.status?.devices?.find((device) => device.name === name)?.id;
      assert.ok(id, `device ${name} is not shown`);
      return { name, id, force };
    });
    await this.cluster.client.resource(DirectPVInitRequest).create({
      metadata: { name: request, labels: { [LABELS.node]: NODE } },
      spec: { devices },
      status: { status: 'Pending' },
    });
    await this.cluster.settled();
    return (await this.cluster.client.resource(DirectPVInitRequest).get(request)).status;
  }

  /** The drive on a disk. */
  async drive(disk = 'sdb'): Promise<Served<DirectPVDrive>> {
    const fsuuid = this.os.disk(disk).contents?.fsuuid;
    assert.ok(fsuuid, `${disk} has no file system`);
    return this.drives.get(fsuuid);
  }

  async create(name: string, bytes = GIB, disk?: string): Promise<Served<DirectPVVolume>> {
    if (disk !== undefined)
      for await (const drive of this.drives.items())
        await this.drives.replace({
          ...drive,
          spec: { unschedulable: drive.metadata?.labels?.[LABELS.driveName] !== disk },
        });
    await this.cluster.settled();
    await this.csi.createVolume({
      name,
      capacityRange: { requiredBytes: bytes },
      volumeCapabilities: [MOUNT],
    });
    await this.cluster.settled();
    return this.volumes.get(name);
  }

  stage(volumeId: string, stagingTargetPath = `${STAGING}/${volumeId}`): Promise<unknown> {
    return this.csi.nodeStageVolume({ volumeId, stagingTargetPath, volumeCapability: MOUNT });
  }

  publish(volumeId: string, pod: string, more: object = {}): Promise<unknown> {
    return this.csi.nodePublishVolume({
      volumeId,
      stagingTargetPath: `${STAGING}/${volumeId}`,
      targetPath: targetOf(pod),
      volumeCapability: MOUNT,
      ...more,
    });
  }

  unpublish(volumeId: string, pod: string): Promise<unknown> {
    return this.csi.nodeUnpublishVolume({ volumeId, targetPath: targetOf(pod) });
  }

  unstage(volumeId: string): Promise<unknown> {
    return this.csi.nodeUnstageVolume({ volumeId, stagingTargetPath: `${STAGING}/${volumeId}` });
  }

  /** Deletes as the provisioner does, and lets the node finish. */
  async delete(volumeId: string): Promise<void> {
    await this.csi.deleteVolume({ volumeId });
    await this.cluster.settled();
  }

  /** For every drive: the sums agree with the volumes and snapshots, and each directory has its object. */
  async assertConsistent(): Promise<void> {
    const volumes: (DirectPVVolume | DirectPVSnapshot)[] = [];
    for await (const volume of this.volumes.items()) volumes.push(volume);
    for await (const snapshot of this.snapshots.items()) volumes.push(snapshot);
    for await (const drive of this.drives.items()) {
      const { totalCapacity, freeCapacity, allocatedCapacity, fsuuid } = drive.status;
      const own = volumes.filter(({ status }) => status.fsuuid === fsuuid);
      const sum = own.reduce((bytes, { status }) => bytes + status.totalCapacity, 0);
      assert.equal(allocatedCapacity, sum, `drive ${fsuuid} has allocated what its volumes have`);
      assert.equal(freeCapacity + allocatedCapacity, totalCapacity, `the sums of drive ${fsuuid}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cluster[Symbol.asyncDispose]();
  }
}

function startProcess(
  cluster: TestCluster,
  options: Partial<DirectPVNodeOptions> & { readonly os: OperatingSystem },
): NodeProcess {
  const made = cluster.manager();
  const { manager } = made;
  const controller = addDirectPVController(manager);
  const node = addDirectPVNode(manager, { nodeName: NODE, ...options });
  const isReady = (): boolean => node.isReady;
  const identity = identityService({ version: 'test', isReady });
  const { clock } = cluster;
  return { ...made, csi: directDriver({ identity, controller, node }, { clock }), isReady };
}
