import { join } from 'node:path';
import type { Logger } from '@windlass/base';
import { readVolumeData, VOLUME_DATA, type VolumeData } from './csi/volume-data.ts';
import { type NodeFiles, removeFolderIfEmpty } from './files/node-files.ts';
import { type NodePaths, pluginOfFolder } from './node-paths.ts';
import {
  CSI_PLUGIN,
  csiName,
  LOCAL_PLUGIN,
  type PluginName,
  persistentName,
  podLocalName,
  type VolumeIdentity,
} from './volume.ts';

export interface FoundMount {
  readonly identity: VolumeIdentity;
  readonly uid: string;
  readonly specName: string;
}

export interface FoundVolumes {
  readonly mounts: readonly FoundMount[];
  /** Staged for the node, or nearly. */
  readonly devices: readonly VolumeIdentity[];
  /** Pods of which there is a folder. */
  readonly pods: readonly string[];
}

/**
 * What a process before this one has left in the node's folder. Each mount stands beside what says whose it
 * is, so that everything that may be mounted is found; whether it is, only mounting or unmounting it tells.
 */
export async function findVolumes(paths: NodePaths, files: NodeFiles, logger: Logger): Promise<FoundVolumes> {
  const mounts: FoundMount[] = [];
  const devices: VolumeIdentity[] = [];
  const pods = await files.foldersIn(paths.pods);
  for (const uid of pods)
    for (const folder of await files.foldersIn(paths.podVolumes(uid))) {
      const plugin = pluginOfFolder(folder);
      if (plugin === undefined) continue;
      for (const specName of await files.foldersIn(join(paths.podVolumes(uid), folder))) {
        const identity = await mountIdentity(paths, files, uid, plugin, specName);
        if (identity !== undefined) mounts.push({ identity, uid, specName });
        else await discard(files, paths.podVolume(uid, plugin, specName), 'mount', logger);
      }
    }
  for (const driver of await files.foldersIn(paths.csiVolumes))
    for (const hash of await files.foldersIn(join(paths.csiVolumes, driver))) {
      const device = join(paths.csiVolumes, driver, hash);
      const data = await readVolumeData(files, device);
      if (data !== undefined) devices.push(csiIdentity(data));
      else await discard(files, device, 'globalmount', logger);
    }
  return { mounts, devices, pods };
}

async function mountIdentity(
  paths: NodePaths,
  files: NodeFiles,
  uid: string,
  plugin: PluginName,
  specName: string,
): Promise<VolumeIdentity | undefined> {
  if (plugin === LOCAL_PLUGIN) return { plugin, uniqueName: persistentName(plugin, specName) };
  if (plugin !== CSI_PLUGIN) return { plugin, uniqueName: podLocalName(plugin, uid, specName) };
  const data = await readVolumeData(files, paths.podVolume(uid, plugin, specName));
  if (data === undefined) return undefined;
  const identity = csiIdentity(data);
  return identity.csi?.isInline === true
    ? { ...identity, uniqueName: podLocalName(plugin, uid, specName) }
    : identity;
}

function csiIdentity({ driverName, volumeHandle, volumeLifecycleMode }: VolumeData): VolumeIdentity {
  return {
    plugin: CSI_PLUGIN,
    uniqueName: csiName(driverName, volumeHandle),
    csi: { driver: driverName, handle: volumeHandle, isInline: volumeLifecycleMode === 'Ephemeral' },
  };
}

/** The driver was not called yet, or has said that it is done: there is nothing but empty folders. */
async function discard(files: NodeFiles, directory: string, inner: string, logger: Logger): Promise<void> {
  await files.removeFile(join(directory, `${VOLUME_DATA}.new`));
  if (
    (await removeFolderIfEmpty(files, join(directory, inner))) &&
    (await removeFolderIfEmpty(files, directory))
  )
    return;
  logger.warn('a folder of a volume says not what it is and is not empty; it is left alone', { directory });
}
