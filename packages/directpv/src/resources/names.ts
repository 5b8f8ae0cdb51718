import { validateDns1123Subdomain } from '@windlass/apimachinery';
import { shortened } from './shortened.ts';

/** What a finalizer's name and a label's value may have. */
const MAX_LENGTH = 63;

/** A directory with this ending is a volume's that is being removed. */
export const DELETED_SUFFIX = '.deleted';
/** A directory with this ending is a copy that is not complete. */
export const PARTIAL_SUFFIX = '.partial';
/** What every snapshot's id ends with, and no volume's: both are directories of one drive, and held by it alike. */
const SNAPSHOT_SUFFIX = '.snapshot';
const RESERVED_SUFFIXES = [DELETED_SUFFIX, PARTIAL_SUFFIX, SNAPSHOT_SUFFIX];

/**
 * The id of the volume that a caller of CSI asks for by name: the name of its object and of its directory, and
 * what its drive's finalizer ends with. It is the name itself where that serves, as the names of provisioners
 * (`pvc-<uuid>`) do. Others (longer than 63 characters, in upper case, with strange characters, with an ending
 * that directories of another kind have) become a text that is derived from them. Ids are ids of themselves.
 */
export function volumeIdOf(name: string): string {
  return RESERVED_SUFFIXES.some((suffix) => name.endsWith(suffix)) ? shortened(name) : finalizerPart(name);
}

/** As `volumeIdOf`, of a snapshot: its name with an ending of its own, or a text that is derived from both. */
export function snapshotIdOf(name: string): string {
  const id = `${name}${SNAPSHOT_SUFFIX}`;
  if (id.length <= MAX_LENGTH && validateDns1123Subdomain(id).length === 0) return id;
  return `${shortened(name, MAX_LENGTH - SNAPSHOT_SUFFIX.length)}${SNAPSHOT_SUFFIX}`;
}

/** Whether a snapshot could have this id. */
export function isSnapshotId(text: string): boolean {
  return text.endsWith(SNAPSHOT_SUFFIX) && isVolumeId(text);
}

/** What stands for a volume in its drive's finalizer: its id, whatever it was named by. */
export function finalizerPart(name: string): string {
  return name.length <= MAX_LENGTH && validateDns1123Subdomain(name).length === 0 ? name : shortened(name);
}

/** Whether a volume could have this id: others are not looked for. */
export function isVolumeId(text: string): boolean {
  return validateDns1123Subdomain(text).length === 0;
}
