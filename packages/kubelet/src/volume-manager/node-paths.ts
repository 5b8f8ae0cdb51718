import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { CSI_PLUGIN, type PluginName } from './volume.ts';

/** Where things are in a node's folder. Drivers, backups and people rely on these paths. */
export class NodePaths {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  /** Drivers put the sockets here on which they introduce themselves. */
  get registry(): string {
    return join(this.root, 'plugins_registry');
  }

  get pods(): string {
    return join(this.root, 'pods');
  }

  pod(uid: string): string {
    return join(this.pods, uid);
  }

  podVolumes(uid: string): string {
    return join(this.pod(uid), 'volumes');
  }

  podVolume(uid: string, plugin: PluginName, specName: string): string {
    return join(this.podVolumes(uid), plugin.replace('/', '~'), specName);
  }

  /** Where a driver publishes a volume for a pod. */
  csiTarget(uid: string, specName: string): string {
    return join(this.podVolume(uid, CSI_PLUGIN, specName), 'mount');
  }

  get csiVolumes(): string {
    return join(this.root, 'plugins', 'kubernetes.io', 'csi');
  }

  /** The handle may be long and hold any character, so that its hash stands for it. */
  csiDevice(driver: string, handle: string): string {
    return join(this.csiVolumes, driver, createHash('sha256').update(handle).digest('hex'));
  }

  /** Where a driver stages a volume for the node. */
  csiStaging(driver: string, handle: string): string {
    return join(this.csiDevice(driver, handle), 'globalmount');
  }
}

/** The plugin whose volumes are in a folder of this name; undefined: it is none of ours. */
export function pluginOfFolder(folder: string): PluginName | undefined {
  return folder.startsWith('kubernetes.io~') ? `kubernetes.io/${folder.slice(14)}` : undefined;
}
