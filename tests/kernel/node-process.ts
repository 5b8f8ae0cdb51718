// A node with real drives, and an API server in this process.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Served } from '@windlass/apimachinery';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { ApiServer, createMemoryStore } from '@windlass/apiserver';
import { realClock, systemRandom, toError } from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import { type Client, createClient } from '@windlass/client';
import { type CsiDriver, directDriver } from '@windlass/csi';
import {
  addDirectPVController,
  addDirectPVNode,
  DirectPVDrive,
  DirectPVInitRequest,
  DirectPVNode,
  DirectPVVolume,
  identityService,
  LABELS,
  moveVolumes,
  type OperatingSystem,
  resourceDefinitions,
} from '@windlass/directpv';
import { Manager } from '@windlass/runtime';

export const NODE = 'node-1';
export const MIB = 1024 ** 2;
const CAPABILITY = { mount: { fsType: 'xfs' }, accessMode: { mode: 'SINGLE_NODE_WRITER' } } as const;

export interface NodeProcessOptions {
  /** Everything that the node and its kubelet have is below. */
  readonly folder: string;
  /** Asked at each start of the process. */
  readonly os: () => OperatingSystem;
  /** How often drives are looked at, in milliseconds. */
  readonly healthCheckMs: number;
}

export class NodeProcess implements AsyncDisposable {
  readonly client: Client;
  readonly drives;
  readonly volumes;
  readonly #options: NodeProcessOptions;
  readonly #server: ApiServer;
  #manager: Manager | undefined = undefined;
  #csi: CsiDriver | undefined = undefined;

  private constructor(options: NodeProcessOptions, server: ApiServer) {
    this.#options = options;
    this.#server = server;
    this.client = createClient({ transport: server.transport(), fieldManager: 'test' });
    this.drives = this.client.resource(DirectPVDrive);
    this.volumes = this.client.resource(DirectPVVolume);
  }

  static async start(options: NodeProcessOptions): Promise<NodeProcess> {
    const store = createMemoryStore({ clock: realClock });
    const node = new NodeProcess(options, new ApiServer({ store, clock: realClock, random: systemRandom }));
    for (const definition of resourceDefinitions)
      await node.client.resource(CustomResourceDefinition).create(definition);
    await until('the custom resources are served', async () => {
      await node.drives.list();
      return true;
    });
    await node.startProcess();
    return node;
  }

  get csi(): CsiDriver {
    assert.ok(this.#csi, 'the process runs');
    return this.#csi;
  }

  get root(): string {
    return join(this.#options.folder, 'directpv');
  }

  /** As another process would: nothing of the last one is known. */
  async startProcess(): Promise<void> {
    const os = this.#options.os();
    const manager = new Manager({ transport: this.#server.transport() });
    const controller = addDirectPVController(manager);
    const node = addDirectPVNode(manager, {
      nodeName: NODE,
      os,
      root: this.root,
      healthCheckMs: this.#options.healthCheckMs,
      metricsMs: 0,
    });
    const identity = identityService({ version: 'test', isReady: () => node.isReady });
    this.#csi = directDriver({ identity, controller, node });
    this.#manager = manager;
    await manager.start();
    await until('the node is ready', async () => node.isReady && controller.isReady);
  }

  async stopProcess(): Promise<void> {
    await this.#manager?.stop();
    this.#manager = undefined;
    this.#csi = undefined;
  }

  async restart(): Promise<void> {
    await this.stopProcess();
    await this.startProcess();
  }

  async devices(): Promise<NonNullable<NonNullable<DirectPVNode['status']>['devices']>> {
    const node = await this.client.resource(DirectPVNode).get(NODE);
    return node.status?.devices ?? [];
  }

  /** Makes drives of these devices; returns what became of each. */
  async init(names: readonly string[], force = false): Promise<Map<string, string | undefined>> {
    const found = await this.devices();
    const requests = this.client.resource(DirectPVInitRequest);
    const { metadata } = await requests.create({
      metadata: { generateName: 'init-', labels: { [LABELS.node]: NODE } },
      spec: {
        devices: names.map((name) => ({
          name,
          id: found.find((device) => device.name === name)?.id ?? '',
          force,
        })),
      },
      status: { status: 'Pending' },
    });
    const name = metadata.name;
    await until(
      'the request is answered',
      async () => (await requests.get(name)).status.status !== 'Pending',
    );
    const { results } = (await requests.get(name)).status;
    return new Map((results ?? []).map((result) => [result.name, result.error]));
  }

  async driveOn(device: string): Promise<Served<DirectPVDrive>> {
    for await (const drive of this.drives.items())
      if (drive.metadata?.labels?.[LABELS.driveName] === device) return drive;
    throw new Error(`there is no drive on ${device}`);
  }

  async untilDrive(name: string, what: string, holds: (drive: DirectPVDrive) => boolean): Promise<void> {
    let last: unknown;
    const look = async (): Promise<boolean> => {
      const drive = await this.drives.get(name);
      last = drive.status;
      return holds(drive);
    };
    await until(what, look).catch((error: unknown) => {
      throw new Error(`${toError(error).message}; its status: ${JSON.stringify(last)}`);
    });
  }

  async create(name: string, bytes: number): Promise<void> {
    await this.csi.createVolume({
      name,
      capacityRange: { requiredBytes: bytes },
      volumeCapabilities: [CAPABILITY],
    });
  }

  /** As `create`, once the controller has seen that this drive is the only one that takes volumes. */
  async untilCreated(name: string, bytes: number, fsuuid: string): Promise<void> {
    await until('one drive alone takes volumes', async () => {
      const takers: string[] = [];
      for await (const { spec, status } of this.drives.items())
        if (spec?.unschedulable !== true) takers.push(status.fsuuid);
      return takers.length === 1 && takers[0] === fsuuid;
    });
    await until('the controller knows', async () => {
      const { availableCapacity } = await this.csi.getCapacity({});
      return availableCapacity === (await this.drives.get(fsuuid)).status.freeCapacity;
    });
    await this.create(name, bytes);
    assert.equal((await this.volumes.get(name)).status.fsuuid, fsuuid);
  }

  async untilNoVolumes(): Promise<void> {
    await until('the volumes are gone', async () => (await this.volumes.list()).items.length === 0);
  }

  /** Both drives take no new volumes meanwhile. */
  async move(from: string, to: string): Promise<void> {
    for (const fsuuid of [from, to]) await this.drives.patch(fsuuid, { spec: { unschedulable: true } });
    await moveVolumes(this.client, from, to);
    await this.untilDrive(to, 'the move is over', ({ status }) => status.status === 'Ready');
    await this.untilDrive(from, 'the source is empty', ({ status, metadata }) => {
      return status.allocatedCapacity === 0 && metadata?.finalizers?.length === 1;
    });
  }

  staging(volume: string): string {
    return join(this.#options.folder, 'kubelet', 'staging', volume);
  }

  target(pod: string): string {
    return join(this.#options.folder, 'kubelet', 'pods', pod, 'volumes', 'mount');
  }

  async stage(volumeId: string): Promise<void> {
    const stagingTargetPath = this.staging(volumeId);
    await this.csi.nodeStageVolume({ volumeId, stagingTargetPath, volumeCapability: CAPABILITY });
  }

  async publish(volumeId: string, pod: string, readonly = false): Promise<string> {
    const [stagingTargetPath, targetPath] = [this.staging(volumeId), this.target(pod)];
    const volumeCapability = CAPABILITY;
    await this.csi.nodePublishVolume({ volumeId, stagingTargetPath, targetPath, volumeCapability, readonly });
    return targetPath;
  }

  async unpublish(volumeId: string, pod: string): Promise<void> {
    await this.csi.nodeUnpublishVolume({ volumeId, targetPath: this.target(pod) });
  }

  async unstage(volumeId: string): Promise<void> {
    await this.csi.nodeUnstageVolume({ volumeId, stagingTargetPath: this.staging(volumeId) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopProcess();
  }
}
