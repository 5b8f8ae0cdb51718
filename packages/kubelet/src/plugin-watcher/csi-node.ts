import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import type { Node } from '@windlass/apimachinery/api/core/v1';
import type { CSINode, CSINodeDriver } from '@windlass/apimachinery/api/storage/v1';
import type { DriverNodeInfo } from '../volume-manager/csi/node-driver.ts';
import { VolumeError } from '../volume-manager/errors.ts';

const NODE_ID = 'csi.volume.kubernetes.io/nodeid';

/** The CSINode of a node without drivers; it goes when the node does. */
export function newCsiNode({ metadata }: Cached<Node>): CSINode {
  const { name, uid } = metadata;
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name, ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }] },
    spec: { drivers: [] },
  };
}

/** @throws VolumeError for an answer that says nothing */
export function csiNodeDriver(name: string, info: DriverNodeInfo): CSINodeDriver {
  const { nodeId, maxVolumesPerNode, accessibleTopology } = info;
  if (nodeId === '')
    throw new VolumeError(`driver ${name} gave this node no id; NodeGetInfo must return one`);
  return {
    name,
    nodeID: nodeId,
    topologyKeys: Object.keys(accessibleTopology?.segments ?? {}).sort(),
    ...(maxVolumesPerNode > 0 && { allocatable: { count: maxVolumesPerNode } }),
  };
}

/** The drivers with this one in its place, or without it. */
export function changedDrivers(
  drivers: readonly DeepReadonly<CSINodeDriver>[],
  name: string,
  driver: CSINodeDriver | undefined,
): DeepReadonly<CSINodeDriver>[] {
  const others = drivers.filter((each) => each.name !== name);
  return driver === undefined ? others : [...others, driver];
}

/**
 * What the driver adds to the node's labels and annotations, as a merge patch.
 * @throws VolumeError when a label says already that the node is somewhere else
 */
export function nodePatch(
  { metadata }: Cached<Node>,
  name: string,
  info: DriverNodeInfo | undefined,
): object | undefined {
  const labels: Record<string, string> = {};
  for (const [key, value] of Object.entries(info?.accessibleTopology?.segments ?? {})) {
    const known = metadata?.labels?.[key];
    if (known === value) continue;
    if (known !== undefined)
      throw new VolumeError(
        `detected topology value collision: driver reported "${key}":"${value}" but existing label is "${key}":"${known}"`,
      );
    labels[key] = value;
  }
  const before = idsIn(metadata?.annotations?.[NODE_ID]);
  const { [name]: known, ...others } = before;
  const hasNewId = known !== info?.nodeId;
  const ids = info === undefined ? others : { ...others, [name]: info.nodeId };
  const text = Object.keys(ids).length === 0 ? null : JSON.stringify(ids);
  if (Object.keys(labels).length === 0 && !hasNewId) return undefined;
  return {
    metadata: {
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(hasNewId && { annotations: { [NODE_ID]: text } }),
    },
  };
}

function idsIn(text: string | undefined): Record<string, string> {
  if (text === undefined) return {};
  try {
    const ids: unknown = JSON.parse(text);
    // Only node agents write it; whoever else did is overruled.
    return typeof ids === 'object' && ids !== null ? (ids as Record<string, string>) : {};
  } catch {
    return {};
  }
}
