import { WindlassError } from '@windlass/base';

/** A claim, a class or a volume cannot be worked with as it is. The message says what to change. */
export class SidecarError extends WindlassError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'CSI_SIDECAR', cause });
  }
}
