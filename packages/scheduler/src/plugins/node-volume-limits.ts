import { storageClassOf } from '@windlass/apimachinery';
import type { NodeInfo } from '../cache/node-info.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import { type FilterPlugin, type FilterState, rejects } from '../framework/plugin.ts';
import type { VolumeView } from '../framework/volume-view.ts';

const NAME = 'NodeVolumeLimits';

/** Drivers by what their volumes are called; a volume that several pods use counts once. */
type DriverVolumes = Map<string, string>;

/** The volumes of CSI drivers that a pod needs, those too that have yet to be made. */
function volumesOf({ claims, namespace }: PodInfo, view: VolumeView): DriverVolumes {
  const found: DriverVolumes = new Map();
  for (const { claim: name } of claims) {
    const key = `${namespace}/${name}`;
    const claim = view.claim(key);
    if (claim === undefined) continue;
    const csi = view.volume(claim.spec?.volumeName ?? '');
    if (csi?.spec?.csi !== undefined) {
      found.set(`${csi.spec.csi.driver}/${csi.spec.csi.volumeHandle}`, csi.spec.csi.driver);
    } else if (csi === undefined) {
      const { provisioner } = view.storageClass(storageClassOf(claim)) ?? {};
      if (provisioner !== undefined) found.set(`${provisioner}/claim ${key}`, provisioner);
    }
  }
  return found;
}

function attachedTo(node: NodeInfo, view: VolumeView): DriverVolumes {
  const attached: DriverVolumes = new Map();
  for (const other of node.podsWithClaims())
    for (const [volume, driver] of volumesOf(other, view)) attached.set(volume, driver);
  // Those of pods that are gone are attached until somebody detaches them.
  for (const { spec } of view.attachments(node.name)) {
    const csi = view.volume(spec.source.persistentVolumeName ?? '')?.spec?.csi;
    if (csi !== undefined) attached.set(`${csi.driver}/${csi.volumeHandle}`, csi.driver);
  }
  return attached;
}

class LimitsState implements FilterState {
  readonly volumes: DriverVolumes;
  readonly view: VolumeView;

  constructor(volumes: DriverVolumes, view: VolumeView) {
    this.volumes = volumes;
    this.view = view;
  }

  clone(): this {
    return this;
  }

  /** What is on the node is looked at each time. */
  change(): void {}
}

/** A node takes no more volumes of a driver than the driver says that it can. */
export const nodeVolumeLimits: FilterPlugin = {
  name: NAME,
  events: ['NodeAdd', 'CsiNodeChange', 'AssignedPodDelete', 'ClaimChange', 'VolumeAttachmentDelete'],
  preFilter(pod, { volumes: view }) {
    const volumes = pod.claims.length === 0 ? undefined : volumesOf(pod, view);
    if (volumes === undefined || volumes.size === 0) return { kind: 'skip' };
    return { kind: 'state', state: new LimitsState(volumes, view) };
  },
  filter(_, node, state) {
    if (!(state instanceof LimitsState)) return undefined;
    const limits = new Map<string, number>();
    for (const { name, allocatable } of state.view.csiNode(node.name)?.spec.drivers ?? [])
      if (allocatable?.count !== undefined) limits.set(name, allocatable.count);
    if (!state.volumes.values().some((driver) => limits.has(driver))) return undefined;
    const attached = attachedTo(node, state.view);
    const counts = new Map<string, number>();
    const count = (driver: string): number => {
      const next = (counts.get(driver) ?? 0) + 1;
      counts.set(driver, next);
      return next;
    };
    for (const driver of attached.values()) count(driver);
    for (const [volume, driver] of state.volumes)
      if (!attached.has(volume) && count(driver) > (limits.get(driver) ?? Number.POSITIVE_INFINITY))
        return rejects(NAME, 'node(s) exceed max volume count');
    return undefined;
  },
};
