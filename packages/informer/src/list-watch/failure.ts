import {
  isBadRequest,
  isExpired,
  isForbidden,
  isInvalid,
  isNotAcceptable,
  isNotFound,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isUnauthorized,
  statusErrorIn,
} from '@windlass/apimachinery';
import { toError, WindlassError } from '@windlass/base';

/** What went wrong with a list or a watch, as far as it decides what to do next. */
export type FailureKind =
  /** 410: the version is too old to resume from. */
  | 'expired'
  /** The server is behind the version asked for. */
  | 'version-too-large'
  /** 429: come back later. */
  | 'throttled'
  /** The request is not understood: no streaming list here, or a version that is none. */
  | 'unsupported'
  /** The kind is not served, any more or yet. */
  | 'not-found'
  /** 401, 403. */
  | 'denied'
  /** Any other answer with an error. */
  | 'server'
  /** No answer, or a stream that broke or held garbage. */
  | 'transport';

/** A list or watch that failed, and what that means for the reflector. */
export interface Failure {
  readonly kind: FailureKind;
  readonly error: Error;
  /** How long the server asks to wait; 0 when it does not. */
  readonly retryAfterMs: number;
}

export function classifyFailure(thrown: unknown): Failure {
  const error = toError(thrown);
  const retryAfterMs = (statusErrorIn(error)?.retryAfterSeconds ?? 0) * 1000;
  return { kind: kindOf(error), error, retryAfterMs };
}

function kindOf(error: Error): FailureKind {
  // Discovery has been asked anew and knows no such kind. By code: it may come from another copy.
  if (error instanceof WindlassError && error.code === 'NO_MATCH') return 'not-found';
  if (statusErrorIn(error) === undefined) return 'transport';
  if (isExpired(error)) return 'expired';
  if (isTooLargeResourceVersion(error)) return 'version-too-large';
  if (isTooManyRequests(error)) return 'throttled';
  if (isInvalid(error) || isBadRequest(error) || isNotAcceptable(error)) return 'unsupported';
  if (isNotFound(error)) return 'not-found';
  if (isForbidden(error) || isUnauthorized(error)) return 'denied';
  return 'server';
}
