import { failureStatus, StatusError } from '@windlass/apimachinery';
import { WindlassError } from '@windlass/base';
import { GrpcError } from '@windlass/grpc';

const RETRY_AFTER_SECONDS = 1;

/** etcd does not answer: a read has no answer, and of a write nothing is there. */
export class StorageUnavailableError extends StatusError {
  constructor(doing: string, cause: unknown) {
    super(
      failureStatus(503, 'ServiceUnavailable', `${doing}: etcd does not answer; nothing was written`, {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      }),
      cause,
    );
  }
}

/** A write was sent to etcd, and nobody knows whether it is there. */
export class WriteOutcomeUnknownError extends StatusError {
  constructor(key: string, cause: unknown) {
    super(
      failureStatus(
        504,
        'Timeout',
        `Timeout: etcd has not answered the write of "${key}", which may be there or not; read it before you write again`,
        { retryAfterSeconds: RETRY_AFTER_SECONDS },
      ),
      cause,
    );
  }
}

/** etcd cannot be used as the store, and why. */
export class EtcdUnusableError extends WindlassError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'ETCD_UNUSABLE', cause });
  }
}

/** Codes of calls that may go well at another time or at another member. */
const TRANSIENT: ReadonlySet<string> = new Set([
  'UNAVAILABLE',
  'DEADLINE_EXCEEDED',
  'CANCELLED',
  'INTERNAL',
  'UNKNOWN',
  'ABORTED',
]);
const TOO_MANY_REQUESTS = 'too many requests';

/** Whether the call may go well if it is made again. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof GrpcError)) return false;
  return TRANSIENT.has(error.code) || error.message.includes(TOO_MANY_REQUESTS);
}

const UNCONNECTED: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** HTTP/2 says that a call was cancelled, and that this is because there was no connection. */
const MAX_CAUSES = 4;

/** Whether the call never reached anybody: there was no connection. */
export function wasNotSent(error: unknown): boolean {
  let cause: unknown = error instanceof GrpcError ? error.cause : undefined;
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth++) {
    if ('code' in cause && UNCONNECTED.has(cause.code)) return true;
    ({ cause } = cause);
  }
  return false;
}

/** etcd has forgotten the revision. */
export function isCompacted(error: unknown): boolean {
  return error instanceof GrpcError && error.message.includes('revision has been compacted');
}
