import { DEADLINE_EXCEEDED, isCancelled, WindlassError } from '@windlass/base';
import type { GrpcCode } from './codes.ts';

/** A call failed, and with which of gRPC's codes. A service throws it; its client gets an equal one. */
export class GrpcError extends WindlassError {
  declare readonly code: GrpcCode;

  constructor(code: GrpcCode, message: string, cause?: unknown) {
    super(message, { code, kind: code === 'CANCELLED' ? 'cancelled' : 'expected', cause });
  }
}

/** Whatever a service threw, as the error that its caller is to see. */
export function toGrpcError(thrown: unknown): GrpcError {
  if (thrown instanceof GrpcError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (isCancelled(thrown)) return new GrpcError('CANCELLED', message, thrown);
  if (thrown instanceof WindlassError && thrown.code === DEADLINE_EXCEEDED)
    return new GrpcError('DEADLINE_EXCEEDED', message, thrown);
  return new GrpcError('INTERNAL', message, thrown);
}

/** A server cannot begin: its socket's path cannot be used. */
export class SocketError extends WindlassError {
  constructor(code: 'SOCKET_IN_USE' | 'SOCKET_PATH_INVALID', message: string, cause?: unknown) {
    super(message, { code, cause });
  }
}
