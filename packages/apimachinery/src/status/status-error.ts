import { toError, WindlassError } from '@windlass/base';
import type { Status, StatusCause, StatusDetails, StatusReason } from './status.ts';

/**
 * An API server's refusal, on either side of the wire: the server throws it and answers with its
 * `status`, the client makes it of that answer. Its message is the status' message.
 */
export class StatusError extends WindlassError {
  /** As it is on the wire. */
  readonly status: Readonly<Status>;

  constructor(status: Readonly<Status>, cause?: unknown) {
    super(status.message ?? '', { code: codeOf(status.reason), cause });
    this.status = status;
  }

  /** Empty when the server gave none. */
  get reason(): StatusReason | (string & {}) {
    return this.status.reason ?? '';
  }

  /** The HTTP status; 0 when the server gave none. */
  get statusCode(): number {
    return this.status.code ?? 0;
  }

  get details(): Readonly<StatusDetails> | undefined {
    return this.status.details;
  }

  get causes(): readonly StatusCause[] {
    return this.status.details?.causes ?? [];
  }

  /** How long the server asks us to wait; 0 when it does not. */
  get retryAfterSeconds(): number {
    return this.status.details?.retryAfterSeconds ?? 0;
  }
}

/** `NotFound` is `STATUS_NOT_FOUND`, so that errors of every kind are told apart by `code` alone. */
function codeOf(reason: string | undefined): string {
  if (reason === undefined || reason === '') return 'STATUS_UNKNOWN';
  return `STATUS_${reason.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()}`;
}

/** What a chain of causes may at most be followed; longer ones are loops or accidents. */
const MAX_CAUSES = 32;

/** The API server's refusal that an error is or was caused by. */
export function statusErrorIn(error: unknown): StatusError | undefined {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth++) {
    if (current instanceof StatusError) return current;
    current = current.cause;
  }
  return undefined;
}

/** What a server answers to a request whose handler threw: always a whole Status with a code. */
export function toStatus(error: unknown): Status {
  const refusal = statusErrorIn(error);
  const given: Readonly<Status> = refusal?.status ?? { message: toError(error).message };
  const status: Status = { kind: 'Status', apiVersion: 'v1', metadata: given.metadata ?? {} };
  status.status = given.status ?? 'Failure';
  status.message = given.message ?? '';
  if (given.reason !== undefined) status.reason = given.reason;
  if (given.details !== undefined) status.details = given.details;
  status.code = given.code || (status.status === 'Success' ? 200 : 500);
  return status;
}
