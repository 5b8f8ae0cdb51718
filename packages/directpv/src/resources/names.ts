import { validateDns1123Subdomain } from '@windlass/apimachinery';
import { shortened } from './shortened.ts';

/** What a finalizer's name and a label's value may have. */
const MAX_LENGTH = 63;

/** A directory with this ending is a volume's that is being removed. */
export const DELETED_SUFFIX = '.deleted';

/**
 * The id of the volume that a caller of CSI asks for by name: the name of its object and of its directory, and
 * what its drive's finalizer ends with. It is the name itself where that serves, as the names of provisioners
 * (`pvc-<uuid>`) do. Others (longer than 63 characters, in upper case, with strange characters, with the ending
 * of removed directories) become a text that is derived from them. Ids are ids of themselves.
 */
export function volumeIdOf(name: string): string {
  return name.endsWith(DELETED_SUFFIX) ? shortened(name) : finalizerPart(name);
}

/** What stands for a volume in its drive's finalizer: its id, whatever it was named by. */
export function finalizerPart(name: string): string {
  return name.length <= MAX_LENGTH && validateDns1123Subdomain(name).length === 0 ? name : shortened(name);
}

/** Whether a volume could have this id: others are not looked for. */
export function isVolumeId(text: string): boolean {
  return validateDns1123Subdomain(text).length === 0;
}
