import { toError, WindlassError } from '@windlass/base';

/** A claim cannot be understood, or not now. Another node would not help. */
export class AllocationError extends WindlassError {
  constructor(message: string, cause?: unknown) {
    super(cause === undefined ? message : `${message}: ${toError(cause).message}`, {
      code: 'DEVICE_ALLOCATION',
      ...(cause !== undefined && { cause }),
    });
  }
}
