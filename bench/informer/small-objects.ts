// Objects that are little more than a name, for what is measured in memory.
import type { KubeObject } from '@windlass/apimachinery';

export const OBJECTS_PER_NODE = 10;
/** What growth is measured from. */
export const SMALL = 10_000;
/** As far apart as to come to everything in time, and to no neighbour of the last. */
export const STRIDE = 7919;

export function smallObject(index: number, version: number): KubeObject {
  return {
    apiVersion: 'directpv.min.io/v1beta1',
    kind: 'DirectPVVolume',
    metadata: {
      name: `volume-${index}`,
      uid: `uid-${index}`,
      resourceVersion: String(version),
      labels: { node: `node-${Math.floor(index / OBJECTS_PER_NODE)}` },
    },
  };
}

/** New states of `total` out of `count` objects. */
export function changedObjects(count: number, total: number): KubeObject[] {
  return Array.from({ length: total }, (_, index) =>
    smallObject((index * STRIDE) % count, count + index + 1),
  );
}
