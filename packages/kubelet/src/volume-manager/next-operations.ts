import type { ActualVolume } from './actual-state.ts';
import type { DesiredMount } from './desired-state.ts';
import { grownTo } from './expansion.ts';
import { hasDevice } from './volume.ts';

/** The steps between what is and what shall be, for one volume. */
export type VolumeOperation =
  | { readonly do: 'unmount'; readonly uid: string }
  /** For the node; `uid` is the first pod that waits for it. */
  | { readonly do: 'attach' | 'mountDevice'; readonly uid: string }
  | { readonly do: 'mount'; readonly uid: string }
  /** It has grown; once is enough for all pods. */
  | { readonly do: 'expand'; readonly uid: string }
  | { readonly do: 'unmountDevice' };

export interface VolumeFacts {
  readonly desired: ReadonlyMap<string, DesiredMount>;
  readonly actual: ActualVolume | undefined;
  /** Of a pod that was here before this process and of which nobody has said yet whether it stays. */
  readonly isUndecided: (uid: string) => boolean;
}

/**
 * What may be done for a volume now, the most urgent first; only one of them at a time. A volume is unmounted
 * from pods that go before it is mounted to those that come, and its device goes when no pod has it or wants it.
 */
export function nextOperations({ desired, actual, isUndecided }: VolumeFacts): VolumeOperation[] {
  const operations: VolumeOperation[] = [];
  let isHeld = false;
  for (const { uid } of actual?.pods.values() ?? []) {
    if (desired.has(uid)) continue;
    if (isUndecided(uid)) isHeld = true;
    else operations.push({ do: 'unmount', uid });
  }
  const [first] = desired.values();
  if (first === undefined) {
    // Pods that are still to be unmounted, or that may stay, keep the device.
    if (actual !== undefined && actual.device !== 'none' && !isHeld && actual.pods.size === 0)
      operations.push({ do: 'unmountDevice' });
    return operations;
  }
  const { volume, uid } = first;
  if (volume.kind === 'csi' && volume.isAttachable && actual?.isAttached !== true)
    return [...operations, { do: 'attach', uid }];
  if (hasDevice(volume) && actual?.device !== 'mounted') return [...operations, { do: 'mountDevice', uid }];
  for (const wanted of desired.values()) {
    const mount = actual?.pods.get(wanted.uid);
    if (mount === undefined || mount.state === 'uncertain' || mount.needsRemount)
      operations.push({ do: 'mount', uid: wanted.uid });
  }
  const grown = [...desired.values()].find(
    (wanted) => grownTo(wanted.volume) !== undefined && actual?.pods.get(wanted.uid)?.state === 'mounted',
  );
  if (grown !== undefined) operations.push({ do: 'expand', uid: grown.uid });
  return operations;
}
