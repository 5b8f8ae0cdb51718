import { type FilterPlugin, type FilterState, rejects } from '../framework/plugin.ts';
import type { VolumeView } from '../framework/volume-view.ts';
import { claimsOf, type PodClaims, volumesFor } from '../volumes/pod-volumes.ts';

const NAME = 'VolumeBinding';

/** Other pods change nothing about it. */
class ClaimsState implements FilterState {
  readonly claims: PodClaims;
  readonly view: VolumeView;

  constructor(claims: PodClaims, view: VolumeView) {
    this.claims = claims;
    this.view = view;
  }

  clone(): this {
    return this;
  }

  change(): void {}
}

/** A pod goes where its volumes are, or where they can be had. */
export const volumeBinding: FilterPlugin = {
  name: NAME,
  events: [
    'ClaimChange',
    'VolumeChange',
    'StorageClassChange',
    'NodeAdd',
    'NodeLabel',
    'CsiNodeChange',
    'CsiDriverChange',
    'StorageCapacityChange',
  ],
  preFilter(pod, { volumes }) {
    if (pod.claims.length === 0) return { kind: 'skip' };
    const claims = claimsOf(pod, volumes);
    return typeof claims === 'string'
      ? { kind: 'reject', rejection: rejects(NAME, claims, true) }
      : { kind: 'state', state: new ClaimsState(claims, volumes) };
  },
  filter(_, node, state) {
    if (!(state instanceof ClaimsState)) return undefined;
    const found = volumesFor(state.claims, node, state.view);
    return 'bindings' in found ? undefined : { plugin: NAME, reasons: found, isUnresolvable: true };
  },
};
