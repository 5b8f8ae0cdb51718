import { WindlassError } from '@windlass/base';

/** The volumes of a pod could not be had on the node that was chosen for it. It is tried again. */
export class VolumeBindingError extends WindlassError {
  constructor(message: string, cause?: unknown) {
    super(`binding volumes: ${message}`, { code: 'VOLUME_BINDING', ...(cause !== undefined && { cause }) });
  }
}
