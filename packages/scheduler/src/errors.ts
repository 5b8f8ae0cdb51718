import { WindlassError } from '@windlass/base';

/** The volumes of a pod could not be had on the node that was chosen for it. It is tried again. */
export class VolumeBindingError extends WindlassError {
  constructor(message: string, cause?: unknown) {
    super(`binding volumes: ${message}`, { code: 'VOLUME_BINDING', ...(cause !== undefined && { cause }) });
  }
}

/** The devices of a pod could not be had on the node that was chosen for it. It is tried again. */
export class DeviceBindingError extends WindlassError {
  constructor(message: string) {
    super(`binding devices: ${message}`, { code: 'DEVICE_BINDING' });
  }
}
