import { dirname, join } from 'node:path';
import type { Cached } from '@windlass/apimachinery';
import { formatTime } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { CSIDriver } from '@windlass/apimachinery/api/storage/v1';
import type { Logger } from '@windlass/base';
import type { PodMount } from '../actual-state.ts';
import { describeFailure, isFinal, UncertainError, VolumeError } from '../errors.ts';
import { type FsGroup, type NodeFiles, removeFolderIfEmpty } from '../files/node-files.ts';
import type { NodePaths } from '../node-paths.ts';
import type { ServiceAccountTokens } from '../pod-local/service-account-tokens.ts';
import {
  CSI_PLUGIN,
  type CsiVolume,
  type InlineCsiVolume,
  type VolumeIdentity,
  type WantedVolume,
} from '../volume.ts';
import type { VolumeObjects } from '../volume-objects.ts';
import {
  type ExpandVolumeRequest,
  isGoneWhenRefused,
  type MountBefore,
  type SetUpRequest,
  type VolumePlugin,
} from '../volume-plugin.ts';
import { attachmentName, capabilityOf, givesToGroup, podInfo } from './csi-request.ts';
import type { DriverRegistry, RegisteredDriver } from './driver-registry.ts';
import type { VolumeStats } from './node-driver.ts';
import { removeVolumeData, type VolumeData, writeVolumeData } from './volume-data.ts';

export interface CsiPluginOptions {
  readonly nodeName: string;
  /** Undefined: the node has no folder, and so no drivers. */
  readonly paths: NodePaths | undefined;
  readonly files: NodeFiles;
  readonly drivers: DriverRegistry;
  readonly objects: VolumeObjects;
  readonly tokens: ServiceAccountTokens;
  readonly logger: Logger;
}

const TOKENS = 'csi.storage.k8s.io/serviceAccount.tokens';

type SecretReference = { readonly name?: string; readonly namespace?: string } | undefined;

/** Volumes of CSI drivers: staged once for the node, published once for each pod. */
export class CsiPlugin implements VolumePlugin {
  readonly #options: CsiPluginOptions;

  constructor(options: CsiPluginOptions) {
    this.#options = options;
  }

  async mountDevice({ volume, pod, before, signal }: SetUpRequest): Promise<void> {
    const csi = requireCsi(volume);
    const driver = await this.#driver(volume, 'attacher.MountDevice', signal);
    if (csi.kind !== 'csi' || !driver.abilities.stages) return;
    const { nodeStageSecretRef, volumeAttributes = {}, volumeHandle } = csi.source;
    const request = {
      volumeId: volumeHandle,
      publishContext: await this.#publishContext(csi, signal),
      stagingTargetPath: this.#paths.csiStaging(csi.csi.driver, volumeHandle),
      volumeCapability: capabilityOf(csi, pod, driver.abilities),
      secrets: await this.#secrets(nodeStageSecretRef, signal),
      volumeContext: { ...volumeAttributes },
    };
    const device = this.#paths.csiDevice(csi.csi.driver, volumeHandle);
    await this.#makeFolders(request.stagingTargetPath, device, {
      driverName: csi.csi.driver,
      volumeHandle,
    });
    try {
      await driver.node.nodeStageVolume(request, { signal });
    } catch (error) {
      await afterRefusal(error, before, () => this.#cleanDevice(volume));
    }
  }

  async unmountDevice(volume: VolumeIdentity, signal: AbortSignal): Promise<void> {
    const { driver: name, handle } = identityOf(volume);
    const { node, abilities } = await this.#driver(volume, 'attacher.UnmountDevice', signal);
    if (abilities.stages)
      await node.nodeUnstageVolume(
        { volumeId: handle, stagingTargetPath: this.#paths.csiStaging(name, handle) },
        { signal },
      );
    await this.#cleanDevice(volume);
  }

  async setUp(request: SetUpRequest): Promise<void> {
    const { pod, before, signal } = request;
    const volume = requireCsi(request.volume);
    const driver = await this.#driver(volume, 'mounter.SetUpAt', signal);
    const about = await this.#options.objects.driver(volume.csi.driver, signal);
    requireLifecycle(volume, about);
    const { source, specName } = volume;
    const { handle } = volume.csi;
    const { uid, namespace } = pod.metadata;
    const secretRef =
      volume.kind === 'csi'
        ? volume.source.nodePublishSecretRef
        : withNamespace(volume.source.nodePublishSecretRef, namespace);
    const isStaged = volume.kind === 'csi' && driver.abilities.stages;
    const publish = {
      volumeId: handle,
      publishContext: volume.kind === 'csi' ? await this.#publishContext(volume, signal) : {},
      stagingTargetPath: isStaged ? this.#paths.csiStaging(volume.csi.driver, handle) : '',
      targetPath: this.#paths.csiTarget(uid, specName),
      volumeCapability: capabilityOf(volume, pod, driver.abilities),
      readonly: volume.isReadOnly,
      secrets: await this.#secrets(secretRef, signal),
      volumeContext: {
        ...source.volumeAttributes,
        ...podInfo(pod, volume, about),
        ...(await this.#tokens(pod, about, signal)),
      },
    };
    const directory = dirname(publish.targetPath);
    await this.#makeFolders(directory, directory, {
      driverName: volume.csi.driver,
      volumeHandle: handle,
      specVolID: specName,
      nodeName: this.#options.nodeName,
      attachmentID: attachmentName(handle, volume.csi.driver, this.#options.nodeName),
      volumeLifecycleMode: volume.kind === 'inline' ? 'Ephemeral' : 'Persistent',
    });
    try {
      await driver.node.nodePublishVolume(publish, { signal });
    } catch (error) {
      await afterRefusal(error, before, () => this.#cleanMount(directory));
    }
    const { fsGroup, fsGroupChangePolicy } = pod.spec?.securityContext ?? {};
    if (fsGroup === undefined || driver.abilities.mountsForGroup || !givesToGroup(volume, about)) return;
    // A second time only for what may have been missed the first time.
    if (before.state === 'mounted') return;
    const onRootMismatch = fsGroupChangePolicy === 'OnRootMismatch';
    await this.#giveToGroup(publish.targetPath, { group: fsGroup, onRootMismatch });
  }

  async stats(
    volume: VolumeIdentity,
    { uid, specName }: PodMount,
    signal: AbortSignal,
  ): Promise<VolumeStats | undefined> {
    const { driver, handle } = identityOf(volume);
    const { node, abilities } = await this.#driver(volume, 'metrics', signal);
    if (!abilities.hasStats) return undefined;
    const stagingTargetPath = abilities.stages ? this.#paths.csiStaging(driver, handle) : '';
    const volumePath = this.#paths.csiTarget(uid, specName);
    return node.nodeGetVolumeStats({ volumeId: handle, volumePath, stagingTargetPath }, { signal });
  }

  async expand({ volume: wanted, pod, bytes, signal }: ExpandVolumeRequest): Promise<void> {
    const volume = requireCsi(wanted);
    const { node, abilities } = await this.#driver(volume, 'Expander.NodeExpand', signal);
    // The file system has grown with the volume, then.
    if (volume.kind !== 'csi' || !abilities.expands) return;
    const { driver, handle } = volume.csi;
    await node.nodeExpandVolume(
      {
        volumeId: handle,
        volumePath: this.#paths.csiTarget(pod.metadata.uid, volume.specName),
        stagingTargetPath: abilities.stages ? this.#paths.csiStaging(driver, handle) : '',
        capacityRange: { requiredBytes: bytes, limitBytes: 0 },
        volumeCapability: capabilityOf(volume, pod, abilities),
        secrets: await this.#secrets(volume.source.nodeExpandSecretRef, signal),
      },
      { signal },
    );
  }

  async tearDown(volume: VolumeIdentity, { uid, specName }: PodMount, signal: AbortSignal): Promise<void> {
    const { handle } = identityOf(volume);
    const { node } = await this.#driver(volume, 'unmounter.TearDownAt', signal);
    const targetPath = this.#paths.csiTarget(uid, specName);
    await node.nodeUnpublishVolume({ volumeId: handle, targetPath }, { signal });
    await this.#files.removeFolder(targetPath);
    await this.#cleanMount(dirname(targetPath));
  }

  get #files(): NodeFiles {
    return this.#options.files;
  }

  /** Who may not do so (the node may run without the rights) is told in the log; the pod starts all the same. */
  async #giveToGroup(path: string, wanted: FsGroup): Promise<void> {
    try {
      await this.#files.giveToGroup(path, wanted);
    } catch (error) {
      const { group } = wanted;
      this.#options.logger.warn('the files of a volume could not be given to the group of its pod', {
        path,
        group,
        error,
      });
    }
  }

  get #paths(): NodePaths {
    const { paths } = this.#options;
    if (paths === undefined)
      throw new VolumeError('this node has no folder for volumes of CSI drivers; give it a root');
    return paths;
  }

  async #driver(volume: VolumeIdentity, who: string, signal: AbortSignal): Promise<RegisteredDriver> {
    try {
      return await this.#options.drivers.get(identityOf(volume).driver, signal);
    } catch (error) {
      if (!(error instanceof VolumeError)) throw error;
      throw new VolumeError(
        `${CSI_PLUGIN}: ${who} failed to create newCsiDriverClient: ${error.message}`,
        error,
      );
    }
  }

  async #publishContext(volume: CsiVolume, signal: AbortSignal): Promise<Record<string, string>> {
    if (!volume.isAttachable) return {};
    const name = attachmentName(volume.csi.handle, volume.csi.driver, this.#options.nodeName);
    const attachment = await this.#options.objects.attachment(name, signal);
    if (attachment === undefined)
      throw new VolumeError(`volumeattachments.storage.k8s.io "${name}" not found`);
    return { ...attachment.status?.attachmentMetadata };
  }

  async #secrets(reference: SecretReference, signal: AbortSignal): Promise<Record<string, string>> {
    if (reference?.name === undefined || reference.namespace === undefined) return {};
    const secret = await this.#options.objects.secret(reference.namespace, reference.name, signal);
    if (secret === undefined)
      throw new VolumeError(
        `failed to find the secret ${reference.name} in the namespace ${reference.namespace}: secrets "${reference.name}" not found`,
      );
    return Object.fromEntries(
      Object.entries(secret.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
    );
  }

  /** Tokens of the pod's account for those whom the driver speaks to. */
  async #tokens(
    pod: Cached<Pod>,
    driver: Cached<CSIDriver> | undefined,
    signal: AbortSignal,
  ): Promise<Record<string, string>> {
    const tokens: Record<string, { readonly token: string; readonly expirationTimestamp: string }> = {};
    for (const { audience, expirationSeconds } of driver?.spec.tokenRequests ?? []) {
      const wanted = {
        ...(audience !== '' && { audience }),
        ...(expirationSeconds !== undefined && { expirationSeconds }),
      };
      const { token, expiresAt } = await this.#options.tokens.token(pod, wanted, signal);
      tokens[audience] = { token, expirationTimestamp: formatTime(expiresAt) };
    }
    return Object.keys(tokens).length === 0 ? {} : { [TOKENS]: JSON.stringify(tokens) };
  }

  /** What is made in part is for whoever takes the volume down: the caller does not know that there is nothing. */
  async #makeFolders(folder: string, beside: string, data: VolumeData): Promise<void> {
    try {
      await this.#files.makeFolder(folder, 0o750);
      await writeVolumeData(this.#files, beside, data);
    } catch (error) {
      throw new UncertainError(`cannot write ${beside}: ${describeFailure(error)}`, error);
    }
  }

  /** The data last: as long as they are there, somebody comes to take the rest down. */
  async #cleanDevice(volume: VolumeIdentity): Promise<void> {
    const { driver, handle } = identityOf(volume);
    const device = this.#paths.csiDevice(driver, handle);
    await this.#files.removeFolder(this.#paths.csiStaging(driver, handle));
    await removeVolumeData(this.#files, device);
    await removeFolderIfEmpty(this.#files, device);
  }

  async #cleanMount(directory: string): Promise<void> {
    const target = join(directory, 'mount');
    if (await this.#files.exists(target)) await this.#files.removeFolder(target);
    await removeVolumeData(this.#files, directory);
    await this.#files.removeFolder(directory);
  }
}

/** What is thrown when a driver was called and has failed. */
async function afterRefusal(error: unknown, before: MountBefore, clean: () => Promise<void>): Promise<never> {
  if (!isFinal(error)) throw new UncertainError(describeFailure(error), error);
  if (isGoneWhenRefused(before)) {
    try {
      await clean();
    } catch (left) {
      throw new UncertainError(
        `${describeFailure(error)}; and what it left stays: ${describeFailure(left)}`,
        error,
      );
    }
  }
  throw error;
}

function identityOf({ uniqueName, csi }: VolumeIdentity): NonNullable<VolumeIdentity['csi']> {
  if (csi === undefined) throw new VolumeError(`volume "${uniqueName}" is not one of a CSI driver`);
  return csi;
}

function requireCsi(volume: WantedVolume): CsiVolume | InlineCsiVolume {
  if (volume.kind === 'csi' || volume.kind === 'inline') return volume;
  throw new VolumeError(`volume "${volume.name}" is not one of a CSI driver`);
}

function withNamespace(
  reference: { readonly name?: string } | undefined,
  namespace: string,
): SecretReference {
  return reference?.name === undefined ? undefined : { name: reference.name, namespace };
}

/** A driver that was not made for volumes in pods would treat one as if it had been provisioned. */
function requireLifecycle(volume: CsiVolume | InlineCsiVolume, driver: Cached<CSIDriver> | undefined): void {
  const modes = driver?.spec.volumeLifecycleModes ?? ['Persistent'];
  const mode = volume.kind === 'inline' ? 'Ephemeral' : 'Persistent';
  if (modes.includes(mode)) return;
  throw new VolumeError(
    `volume mode "${mode}" not supported by driver ${volume.csi.driver} (only supports [${modes.map((each) => `"${each}"`).join(' ')}])`,
  );
}
