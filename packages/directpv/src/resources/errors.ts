import { WindlassError } from '@windlass/base';

/** A label's key or value is not what it may be. */
export class InvalidLabelError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'INVALID_LABEL' });
  }
}
