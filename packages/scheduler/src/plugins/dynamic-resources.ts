import { devicesFor, resourceClaimsFor } from '../devices/pod-devices.ts';
import type { AllocatedDevices, DeviceView, ReadonlyResourceClaim } from '../framework/device-view.ts';
import { type FilterPlugin, type FilterState, rejects } from '../framework/plugin.ts';

const NAME = 'DynamicResources';

/** Other pods change nothing about it: their devices become free when they are gone. */
class DevicesState implements FilterState {
  readonly claims: readonly ReadonlyResourceClaim[];
  readonly view: DeviceView;
  readonly allocated: AllocatedDevices;

  constructor(claims: readonly ReadonlyResourceClaim[], view: DeviceView) {
    this.claims = claims;
    this.view = view;
    this.allocated = view.allocated();
  }

  clone(): this {
    return this;
  }

  change(): void {}
}

/** A pod goes where its devices are, or where they can be had. */
export const dynamicResources: FilterPlugin = {
  name: NAME,
  events: [
    'ResourceClaimChange',
    'ResourceSliceChange',
    'DeviceClassChange',
    'NodeAdd',
    'NodeLabel',
    // A pod whose binding has failed gives its devices back.
    'AssignedPodDelete',
    // The claims that are made for a pod are named in its status.
    'PodUpdate',
  ],
  preFilter(pod, { devices }) {
    if ((pod.pod.spec?.resourceClaims ?? []).length === 0) return { kind: 'skip' };
    const claims = resourceClaimsFor(pod, devices);
    if (typeof claims === 'string') return { kind: 'reject', rejection: rejects(NAME, claims, true) };
    return claims.length === 0
      ? { kind: 'skip' }
      : { kind: 'state', state: new DevicesState(claims, devices) };
  },
  filter(_, node, state) {
    if (!(state instanceof DevicesState)) return undefined;
    const found = devicesFor(state.claims, node, state.view, state.allocated);
    return typeof found === 'string' ? rejects(NAME, found, true) : undefined;
  },
};
