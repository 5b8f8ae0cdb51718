import type { ActualVolume } from './actual-state.ts';
import type { Wish } from './desired-state.ts';
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
  readonly wishes: ReadonlyMap<string, Wish>;
  readonly actual: ActualVolume | undefined;
  /** Of a pod that was here before this process and of which nobody has said yet whether it stays. */
  readonly isUndecided: (uid: string) => boolean;
}

/**
 * What may be done for a volume now, the most urgent first; only one of them at a time. A volume is unmounted
 * from pods that go before it is mounted to those that come, and its device goes when no pod has it or wants it.
 */
export function nextOperations({ wishes, actual, isUndecided }: VolumeFacts): VolumeOperation[] {
  const operations: VolumeOperation[] = [];
  let isHeld = false;
  for (const { uid } of actual?.pods.values() ?? []) {
    if (wishes.has(uid)) continue;
    if (isUndecided(uid)) isHeld = true;
    else operations.push({ do: 'unmount', uid });
  }
  const [first] = wishes.values();
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
  for (const wish of wishes.values()) {
    const mount = actual?.pods.get(wish.uid);
    if (mount === undefined || mount.state === 'uncertain' || mount.needsRemount)
      operations.push({ do: 'mount', uid: wish.uid });
  }
  const grown = [...wishes.values()].find(
    (wish) => grownTo(wish.volume) !== undefined && actual?.pods.get(wish.uid)?.state === 'mounted',
  );
  if (grown !== undefined) operations.push({ do: 'expand', uid: grown.uid });
  return operations;
}
