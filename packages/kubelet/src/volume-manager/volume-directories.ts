import type { NodePaths } from './node-paths.ts';
import { HOST_PATH_PLUGIN, type WantedVolume } from './volume.ts';

/**
 * Where the volumes of a pod are on the machine, by the name that the pod gives them.
 * @param showsMachine whether containers may see folders of the machine that the pod names
 */
export function volumeDirectories(
  volumes: readonly WantedVolume[],
  uid: string,
  paths: NodePaths,
  showsMachine: boolean,
): Map<string, string> {
  const directories = new Map<string, string>();
  for (const volume of volumes) {
    const { name, plugin, specName, kind } = volume;
    if (kind === 'csi' || kind === 'inline') directories.set(name, paths.csiTarget(uid, specName));
    else if (plugin !== HOST_PATH_PLUGIN) directories.set(name, paths.podVolume(uid, plugin, specName));
    else if (showsMachine && kind === 'pod-local' && volume.source.hostPath !== undefined)
      directories.set(name, volume.source.hostPath.path);
  }
  return directories;
}
