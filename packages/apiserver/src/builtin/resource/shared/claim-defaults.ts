import type { DeviceClaim } from '@windlass/apimachinery/api/resource/v1';
import type { DraftOf } from '../../../resource/views.ts';

/** One device of each request, and tolerations that compare values. */
export function setDeviceClaimDefaults(claim: DraftOf<DeviceClaim> | undefined): void {
  for (const { exactly, firstAvailable } of claim?.requests ?? []) {
    const given = [...(exactly === undefined ? [] : [exactly]), ...(firstAvailable ?? [])];
    for (const request of given) {
      // The empty text and zero are what Go has for fields that were not given.
      request.allocationMode ||= 'ExactCount';
      if (request.allocationMode === 'ExactCount') request.count ||= 1;
      for (const toleration of request.tolerations ?? []) toleration.operator ||= 'Equal';
    }
  }
}
