import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import { Quantity } from '@windlass/apimachinery';
import type { EmptyDirVolumeSource, Pod } from '@windlass/apimachinery/api/core/v1';
import type { Clock } from '@windlass/base';
import type { PodMount } from '../actual-state.ts';
import { UncertainError, VolumeError } from '../errors.ts';
import type { NodeFiles } from '../files/node-files.ts';
import type { NodePaths } from '../node-paths.ts';
import { EMPTY_DIR_PLUGIN, HOST_PATH_PLUGIN, LOCAL_PLUGIN, type VolumeIdentity } from '../volume.ts';
import type { VolumeObjects } from '../volume-objects.ts';
import type { SetUpRequest, VolumePlugin } from '../volume-plugin.ts';
import { payloadOf } from './payload.ts';
import type { ServiceAccountTokens } from './service-account-tokens.ts';

export interface PodLocalPluginOptions {
  /** Undefined: what a pod needs must be there, but nothing is written. */
  readonly paths: NodePaths | undefined;
  readonly files: NodeFiles;
  readonly objects: VolumeObjects;
  readonly tokens: ServiceAccountTokens;
  readonly clock: Clock;
  /** Whether programs of their own users read and write what is here. */
  readonly hasReaders: boolean;
}

/**
 * Everything that needs no driver: emptyDir, configMap, secret, projected, downwardAPI, hostPath, image and
 * local persistent volumes. What a hostPath names is never looked at: containers of this node see nothing of
 * the machine that it runs on.
 */
export class PodLocalPlugin implements VolumePlugin {
  readonly #options: PodLocalPluginOptions;
  #writes = 0;

  constructor(options: PodLocalPluginOptions) {
    this.#options = options;
  }

  async mountDevice(): Promise<void> {}

  async unmountDevice(): Promise<void> {}

  async expand(): Promise<void> {}

  async stats(): Promise<undefined> {
    return undefined;
  }

  async setUp({ volume, pod, signal }: SetUpRequest): Promise<void> {
    const { paths, files, objects, tokens, clock } = this.#options;
    const uid = pod.metadata.uid;
    if (volume.kind === 'local') {
      if (paths === undefined) return;
      if (!(await files.exists(volume.path))) throw new VolumeError(`path "${volume.path}" does not exist`);
      await files.link(volume.path, paths.podVolume(uid, volume.plugin, volume.specName));
      return;
    }
    if (volume.kind !== 'pod-local') throw new VolumeError(`volume "${volume.name}" needs a driver`);
    const payload = await payloadOf(pod, volume.source, { objects, tokens }, signal);
    if (paths === undefined || volume.plugin === HOST_PATH_PLUGIN) return;
    const directory = paths.podVolume(uid, volume.plugin, volume.specName);
    try {
      if (payload === undefined) await this.#makeFolder(directory, volume.source.emptyDir);
      else await files.writePayload(directory, payload, `${clock.now()}_${++this.#writes}`);
      await this.#giveToGroup(directory, pod, payload !== undefined);
    } catch (error) {
      throw new UncertainError(`cannot write ${directory}: ${String(error)}`, error);
    }
  }

  async tearDown({ plugin }: VolumeIdentity, { uid, specName }: PodMount): Promise<void> {
    const { paths, files } = this.#options;
    if (paths === undefined || plugin === HOST_PATH_PLUGIN) return;
    const directory = paths.podVolume(uid, plugin, specName);
    // What a link of a persistent volume points to stays.
    if (plugin === LOCAL_PLUGIN) await files.removeFile(directory);
    else {
      if (plugin === EMPTY_DIR_PLUGIN) await files.unmountMemory?.(directory);
      await files.removeTree(directory);
    }
  }

  async #makeFolder(directory: string, source: DeepReadonly<EmptyDirVolumeSource> = {}): Promise<void> {
    const { files, hasReaders } = this.#options;
    const { medium, sizeLimit } = source;
    if (medium !== 'Memory' || !hasReaders || files.mountMemory === undefined)
      return files.makeFolder(directory, 0o777);
    await files.mountMemory(directory, {
      bytes: sizeLimit === undefined ? undefined : Quantity.parse(sizeLimit).value(),
    });
  }

  async #giveToGroup(directory: string, { spec }: Cached<Pod>, isReadOnly: boolean): Promise<void> {
    const { files, hasReaders } = this.#options;
    const group = spec?.securityContext?.fsGroup;
    if (group === undefined || !hasReaders) return;
    // What is written anew each time has new files; the pod's own files were given once.
    await files.giveToGroup(directory, { group, onRootMismatch: !isReadOnly, isReadOnly });
  }
}
