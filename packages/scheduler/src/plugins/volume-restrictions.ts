import type { DeepReadonly } from '@windlass/apimachinery';
import type { Volume } from '@windlass/apimachinery/api/core/v1';
import type { NodeInfo } from '../cache/node-info.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import { type FilterPlugin, type FilterState, rejects } from '../framework/plugin.ts';

const NAME = 'VolumeRestrictions';
type ReadonlyVolume = DeepReadonly<Volume>;

/** Disks that one node may have once, unless all only read. */
function isSameDisk(a: ReadonlyVolume, b: ReadonlyVolume): boolean {
  const bothRead = (one: { readonly readOnly?: boolean }, other: { readonly readOnly?: boolean }): boolean =>
    one.readOnly === true && other.readOnly === true;
  if (a.gcePersistentDisk !== undefined && b.gcePersistentDisk !== undefined)
    return (
      a.gcePersistentDisk.pdName === b.gcePersistentDisk.pdName &&
      !bothRead(a.gcePersistentDisk, b.gcePersistentDisk)
    );
  if (a.awsElasticBlockStore !== undefined && b.awsElasticBlockStore !== undefined)
    return a.awsElasticBlockStore.volumeID === b.awsElasticBlockStore.volumeID;
  if (a.iscsi !== undefined && b.iscsi !== undefined)
    return a.iscsi.iqn === b.iscsi.iqn && !bothRead(a.iscsi, b.iscsi);
  if (a.rbd === undefined || b.rbd === undefined || bothRead(a.rbd, b.rbd)) return false;
  const { monitors, pool = 'rbd', image } = b.rbd;
  return (
    a.rbd.monitors.some((monitor) => monitors.includes(monitor)) &&
    (a.rbd.pool ?? 'rbd') === pool &&
    a.rbd.image === image
  );
}

const isDisk = ({ gcePersistentDisk, awsElasticBlockStore, iscsi, rbd }: ReadonlyVolume): boolean =>
  (gcePersistentDisk ?? awsElasticBlockStore ?? iscsi ?? rbd) !== undefined;

/** How often others use claims that only one pod at a time may use. */
class RestrictionsState implements FilterState {
  readonly #namespace: string;
  readonly #exclusive: ReadonlySet<string>;
  readonly disks: readonly ReadonlyVolume[];
  conflicts = 0;

  constructor(namespace: string, exclusive: ReadonlySet<string>, disks: readonly ReadonlyVolume[]) {
    this.#namespace = namespace;
    this.#exclusive = exclusive;
    this.disks = disks;
  }

  clone(): RestrictionsState {
    const copy = new RestrictionsState(this.#namespace, this.#exclusive, this.disks);
    copy.conflicts = this.conflicts;
    return copy;
  }

  change(other: PodInfo, _: NodeInfo, by: 1 | -1): void {
    if (other.namespace !== this.#namespace) return;
    for (const { claim, isEphemeral } of other.claims)
      if (!isEphemeral && this.#exclusive.has(claim)) this.conflicts += by;
  }
}

export const volumeRestrictions: FilterPlugin = {
  name: NAME,
  events: ['NodeAdd', 'AssignedPodDelete', 'ClaimChange'],
  preFilter(pod, view) {
    const disks = (pod.pod.spec?.volumes ?? []).filter(isDisk);
    const exclusive = new Set<string>();
    for (const { claim, isEphemeral } of pod.claims) {
      const modes = view.volumes.claim(`${pod.namespace}/${claim}`)?.spec?.accessModes;
      if (!isEphemeral && modes?.includes('ReadWriteOncePod') === true) exclusive.add(claim);
    }
    if (disks.length === 0 && exclusive.size === 0) return { kind: 'skip' };
    const state = new RestrictionsState(pod.namespace, exclusive, disks);
    if (exclusive.size > 0)
      for (const node of view.nodes())
        for (const other of node.podsWithClaims()) state.change(other, node, 1);
    return { kind: 'state', state };
  },
  filter(_, node, state) {
    if (!(state instanceof RestrictionsState)) return undefined;
    for (const disk of state.disks)
      for (const { pod } of node.pods())
        if ((pod.spec?.volumes ?? []).some((other) => isSameDisk(disk, other)))
          return rejects(NAME, 'node(s) had no available disk');
    if (state.conflicts === 0) return undefined;
    return rejects(
      NAME,
      'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
    );
  },
};
