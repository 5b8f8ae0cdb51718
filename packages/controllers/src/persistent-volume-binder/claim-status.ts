import { deepEqual, Quantity } from '@windlass/apimachinery';
import type { PersistentVolumeClaimStatus } from '@windlass/apimachinery/api/core/v1';
import { annotationsOf } from '../shared/meta.ts';
import type { ReadonlyClaim, ReadonlyVolume } from './decide-claim.ts';

/** On a volume whose file system has yet to grow: the size that pods see until then. */
const PRE_RESIZE_CAPACITY = 'volume.alpha.kubernetes.io/pre-resize-capacity';

/**
 * The status of a claim in a phase, with its volume when it is bound. Undefined when it has that already. The
 * size is written when the phase changes and never after: then it is the resizer's.
 */
export function claimStatus(
  claim: ReadonlyClaim,
  phase: 'Pending' | 'Bound' | 'Lost',
  volume?: ReadonlyVolume,
): PersistentVolumeClaimStatus | undefined {
  const {
    accessModes: _,
    capacity,
    currentVolumeAttributesClassName: attributes,
    ...rest
  } = claim.status ?? {};
  const isNew = rest.phase !== phase;
  const next = { ...rest, phase } as PersistentVolumeClaimStatus; // read-only parts are copied as they are
  if (volume !== undefined) {
    next.accessModes = [...(volume.spec?.accessModes ?? [])];
    const grown = isNew ? capacityOf(volume, capacity) : capacity;
    if (grown !== undefined) next.capacity = { ...grown };
    const current =
      rest.phase === 'Pending' && phase === 'Bound' ? volume.spec?.volumeAttributesClassName : attributes;
    if (current !== undefined) next.currentVolumeAttributesClassName = current;
  }
  return deepEqual(next, claim.status ?? {}) ? undefined : next;
}

type Capacity = Readonly<Record<string, string>>;

function capacityOf(volume: ReadonlyVolume, before: Capacity | undefined): Capacity | undefined {
  const size = volume.spec?.capacity;
  const preResize = annotationsOf(volume)[PRE_RESIZE_CAPACITY];
  if (preResize !== undefined) {
    const storage = isQuantity(preResize) ? preResize : size?.['storage'];
    return { ...before, ...(storage !== undefined && { storage }) };
  }
  const has = before?.['storage'];
  const wants = size?.['storage'];
  const isSame = has !== undefined && wants !== undefined && Quantity.from(has).equals(Quantity.from(wants));
  return isSame ? before : size;
}

function isQuantity(text: string): boolean {
  try {
    Quantity.parse(text);
    return true;
  } catch {
    return false;
  }
}
