import type { MountEntry } from '@windlass/directpv';
import type { KernelState, LoopDevice } from './kernel-state.ts';

/** What the kernel keeps for one cluster, and what others have in its folders. */
export interface ReleasePlan {
  /** Mount points in the order in which they can go. */
  readonly unmount: readonly string[];
  readonly detach: readonly LoopDevice[];
  /** Mount points in the doomed folders that are not the cluster's. While they are there nothing may be deleted. */
  readonly foreign: readonly string[];
}

/** The files behind drives, below a folder with nodes: `node-1/drives/drive-2.img` */
const DRIVE = /^[^/]+\/drives\/drive-\d+\.img$/;
/** Where each node's driver has a small file system of its own: what volumes show when their drive is gone. */
const DRIVER_MOUNT = /^[^/]+\/directpv\/tmp$/;

/**
 * Decides what goes with folders that are to be deleted, of a cluster whose nodes are in the folders `nodes` in them.
 * Paths are without symbolic links. A device is the cluster's when its file is one of the cluster's drives; a mount is
 * when it shows such a device, or what a driver has mounted. Everything else belongs to others, whatever its path.
 */
export function planRelease(
  doomed: readonly string[],
  nodes: readonly string[],
  state: KernelState,
): ReleasePlan {
  const isIn = (pattern: RegExp, path: string): boolean =>
    nodes.some((home) => path.startsWith(`${home}/`) && pattern.test(path.slice(home.length + 1)));
  const devices = state.loopDevices.filter(({ file }) => isIn(DRIVE, file));
  const below = state.mounts.filter(({ mountPoint }) =>
    doomed.some((folder) => mountPoint === folder || mountPoint.startsWith(`${folder}/`)),
  );
  const own = new Set([
    ...devices.map(({ majorMinor }: LoopDevice) => majorMinor),
    ...below
      .filter(({ fsType, mountPoint }) => fsType === 'tmpfs' && isIn(DRIVER_MOUNT, mountPoint))
      .map(({ majorMinor }: MountEntry) => majorMinor),
  ]);
  const isOwn = ({ majorMinor, mountPoint }: MountEntry): boolean =>
    own.has(majorMinor) && nodes.some((home) => mountPoint.startsWith(`${home}/`));
  return {
    // The last first, so that nothing is mounted in what goes.
    unmount: below
      .filter(isOwn)
      .map(({ mountPoint }) => mountPoint)
      .toReversed(),
    detach: devices,
    foreign: below.filter((mount) => !isOwn(mount)).map(({ mountPoint }) => mountPoint),
  };
}
