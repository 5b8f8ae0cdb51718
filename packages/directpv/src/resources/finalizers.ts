import type { DeepReadonly, KubeObject } from '@windlass/apimachinery';
import { GROUP } from './constants.ts';
import { finalizerPart } from './names.ts';

/** The finalizers of DirectPV's objects. */
export const FINALIZERS = {
  /** On every drive. */
  dataProtection: `${GROUP}/data-protection`,
  /** On a volume while a persistent volume may use it. */
  pvProtection: `${GROUP}/pv-protection`,
  /** On a volume until its data is gone and its drive has its bytes back. */
  purgeProtection: `${GROUP}/purge-protection`,
} as const;

const VOLUME_PREFIX = `${GROUP}.volume/`;

/** On a drive: it holds this volume. The name of a finalizer ends after 63 characters; a longer name is shortened. */
export function volumeFinalizer(volumeName: string): string {
  return `${VOLUME_PREFIX}${finalizerPart(volumeName)}`;
}

/** The ids of the volumes that a drive holds, in the order in which they came. */
export function volumesOfDrive(drive: DeepReadonly<KubeObject>): string[] {
  return (drive.metadata?.finalizers ?? [])
    .filter((finalizer) => finalizer.startsWith(VOLUME_PREFIX))
    .map((finalizer) => finalizer.slice(VOLUME_PREFIX.length));
}

/** Whether the drive has the finalizer of that volume. */
export function holdsVolume(drive: DeepReadonly<KubeObject>, volumeName: string): boolean {
  return drive.metadata?.finalizers?.includes(volumeFinalizer(volumeName)) ?? false;
}
