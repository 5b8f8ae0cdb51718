import type { Logger } from '@windlass/base';
import type { ActualState } from './actual-state.ts';
import { type NodeFiles, removeFolderIfEmpty } from './files/node-files.ts';
import { findVolumes } from './found-volumes.ts';
import type { NodePaths } from './node-paths.ts';

/**
 * Fills the actual state with what a process before this one has left. All of it is uncertain.
 * @returns the uids of pods of which something is left
 */
export async function reconstruct(
  paths: NodePaths,
  files: NodeFiles,
  actual: ActualState,
  logger: Logger,
): Promise<ReadonlySet<string>> {
  const { mounts, devices, pods } = await findVolumes(paths, files, logger);
  for (const identity of devices) {
    const volume = actual.volume(identity);
    volume.device = 'uncertain';
    volume.isDeviceReconstructed = true;
  }
  const uids = new Set<string>();
  for (const { identity, uid, specName } of mounts) {
    uids.add(uid);
    const mount = { uid, specName, state: 'uncertain', isReconstructed: true, needsRemount: false } as const;
    actual.setMount(actual.volume(identity), { ...mount });
  }
  for (const uid of pods) if (!uids.has(uid) && !(await removePodFolder(paths, files, uid))) uids.add(uid);
  return uids;
}

/**
 * As far as it is empty.
 * @returns whether it is gone
 */
export async function removePodFolder(paths: NodePaths, files: NodeFiles, uid: string): Promise<boolean> {
  const volumes = paths.podVolumes(uid);
  for (const plugin of await files.foldersIn(volumes))
    await removeFolderIfEmpty(files, `${volumes}/${plugin}`);
  return (await removeFolderIfEmpty(files, volumes)) && removeFolderIfEmpty(files, paths.pod(uid));
}
