import { WindlassError } from '@windlass/base';

/** The peer does not keep to the protocol. The connection cannot go on. */
export class StreamProtocolError extends WindlassError {
  /** What a WebSocket peer is told: 1002 for a wrong frame, 1009 for one that is too big. */
  readonly closeCode: number;

  constructor(message: string, closeCode = 1002) {
    super(message, { code: 'STREAM_PROTOCOL' });
    this.closeCode = closeCode;
  }
}

/** The connection ended while something was still to be sent on it. */
export class StreamClosedError extends WindlassError {
  constructor(message = 'the connection is closed', cause?: unknown) {
    super(message, { code: 'STREAM_CLOSED', cause });
  }
}
