import { createHash } from 'node:crypto';
import {
  type Cached,
  compareQuantities,
  type DeepReadonly,
  type OwnerReference,
  Quantity,
} from '@windlass/apimachinery';
import type { CSIStorageCapacity } from '@windlass/apimachinery/api/storage/v1';
import type { GetCapacityResponse } from '../generated/csi.ts';
import { makeTerm, segmentsOf, type Term } from '../sidecar/topology.ts';

export const DRIVER_LABEL = 'csi.storage.k8s.io/drivername';
export const MANAGED_BY_LABEL = 'csi.storage.k8s.io/managed-by';

/** One topology segment, as a key. */
export const segmentKey = (term: Term): string => JSON.stringify(term);

/** The segment of an object; undefined for a topology that we do not write. */
export function segmentOfObject({ nodeTopology }: Cached<CSIStorageCapacity>): string | undefined {
  if (nodeTopology === undefined || (nodeTopology.matchExpressions?.length ?? 0) > 0) return undefined;
  return segmentKey(makeTerm(nodeTopology.matchLabels ?? {}));
}

export interface CapacityIdentity {
  readonly driver: string;
  readonly managedBy: string;
  readonly namespace: string;
  readonly owner: OwnerReference | undefined;
}

/**
 * What the scheduler is told about one class in one segment. The name follows from what it is about, so that
 * two who write it, or one who forgot, cannot make two.
 */
export function capacityObject(
  { driver, managedBy, namespace, owner }: CapacityIdentity,
  storageClassName: string,
  term: Term,
  answer: GetCapacityResponse,
): CSIStorageCapacity & { metadata: { name: string } } {
  const hash = createHash('sha256').update(JSON.stringify([driver, managedBy, storageClassName, term]));
  const maximum = answer.maximumVolumeSize;
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIStorageCapacity',
    metadata: {
      name: `csisc-${hash.digest('hex').slice(0, 20)}`,
      namespace,
      labels: { [DRIVER_LABEL]: driver, [MANAGED_BY_LABEL]: managedBy },
      ...(owner === undefined ? {} : { ownerReferences: [owner] }),
    },
    storageClassName,
    nodeTopology: { matchLabels: segmentsOf(term) },
    capacity: Quantity.of(answer.availableCapacity, 'BinarySI').toString(),
    ...(maximum === undefined ? {} : { maximumVolumeSize: Quantity.of(maximum, 'BinarySI').toString() }),
  };
}

/** Whether the object says what it should. */
export function saysTheSame(
  a: DeepReadonly<CSIStorageCapacity>,
  b: DeepReadonly<CSIStorageCapacity>,
): boolean {
  const owners = (object: typeof a): string =>
    JSON.stringify((object.metadata?.ownerReferences ?? []).map(({ uid }) => uid));
  return (
    same(a.capacity, b.capacity) && same(a.maximumVolumeSize, b.maximumVolumeSize) && owners(a) === owners(b)
  );
}

const same = (a: string | undefined, b: string | undefined): boolean =>
  a === undefined || b === undefined ? a === b : compareQuantities(a, b) === 0;
