import { formatTime } from '@windlass/apimachinery';
import type { ResourceSlice } from '@windlass/apimachinery/api/resource/v1';
import type { DraftOf } from '../../../resource/views.ts';

/** What Kubernetes 1.36 does not serve by default: attributes that are lists, and devices that stand for cpu and memory. */
export function dropAlphaFields({ spec }: DraftOf<ResourceSlice>): void {
  for (const device of spec?.devices ?? []) {
    delete device.nodeAllocatableResourceMappings;
    for (const attribute of Object.values(device.attributes ?? {}))
      for (const field of ['bools', 'ints', 'strings', 'versions'] as const) delete attribute[field];
  }
}

/** A taint that does not say since when it is there is new. */
export function setTaintTimes({ spec }: DraftOf<ResourceSlice>, now: number): void {
  for (const { taints } of spec?.devices ?? [])
    for (const taint of taints ?? []) if ((taint.timeAdded ?? '') === '') taint.timeAdded = formatTime(now);
}
