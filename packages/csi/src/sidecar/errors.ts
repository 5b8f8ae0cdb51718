import { WindlassError } from '@windlass/base';

/** A claim, a class or a volume cannot be worked with as it is. The message says what to change. */
export class SidecarError extends WindlassError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'CSI_SIDECAR', cause });
  }
}

/** What is asked for waits for something that others do. Nothing has failed, and it is looked at again. */
export class NotYetError extends SidecarError {}
