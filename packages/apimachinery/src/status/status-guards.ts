// What went wrong, asked of any error: a StatusError itself, one that wraps it, or something else
// altogether (then the answer is no).

import type { CauseType, StatusCause, StatusReason } from './status.ts';
import { TOO_LARGE_RESOURCE_VERSION_MESSAGE } from './status-constructors.ts';
import { statusErrorIn } from './status-error.ts';

/** With one of these the reason decides; with any other, the HTTP status does. */
const KNOWN_REASONS: ReadonlySet<string> = new Set<Exclude<StatusReason, ''>>([
  'Unauthorized',
  'Forbidden',
  'NotFound',
  'AlreadyExists',
  'Conflict',
  'Gone',
  'Invalid',
  'ServerTimeout',
  'StoreReadError',
  'Timeout',
  'TooManyRequests',
  'BadRequest',
  'MethodNotAllowed',
  'NotAcceptable',
  'RequestEntityTooLarge',
  'UnsupportedMediaType',
  'InternalError',
  'Expired',
  'ServiceUnavailable',
]);

function is(error: unknown, reason: StatusReason, code: number): boolean {
  const refusal = statusErrorIn(error);
  if (refusal === undefined) return false;
  if (refusal.reason === reason) return true;
  return refusal.statusCode === code && !KNOWN_REASONS.has(refusal.reason);
}

/** The reason of the API server's refusal; empty when there is none. */
export function reasonForError(error: unknown): StatusReason | (string & {}) {
  return statusErrorIn(error)?.reason ?? '';
}

/** Whether an API server says that there is no such object. */
export function isNotFound(error: unknown): boolean {
  return is(error, 'NotFound', 404);
}

/** By its reason alone: the status 409 means a conflict unless the server says otherwise. */
export function isAlreadyExists(error: unknown): boolean {
  return reasonForError(error) === 'AlreadyExists';
}

/** Whether an API server says that the object has changed since it was read. */
export function isConflict(error: unknown): boolean {
  return is(error, 'Conflict', 409);
}

/** Servers say it in no field, but all in these words, whatever they put before them. */
const OTHER_UID = 'Precondition failed: UID in precondition';

/**
 * Whether an API server says that the object of this name is another one than the uid of the request asks for. Any other
 * conflict is one that may not be there the next time.
 */
export function isUidConflict(error: unknown): boolean {
  return isConflict(error) && statusErrorIn(error)?.message.includes(OTHER_UID) === true;
}

/** Whether an API server says that fields of the object are wrong. */
export function isInvalid(error: unknown): boolean {
  return is(error, 'Invalid', 422);
}

/** Old servers' word for an expired resource version. Most callers want `isExpired`. */
export function isGone(error: unknown): boolean {
  return is(error, 'Gone', 410);
}

/** By its reason alone. Most callers want `isExpired`. */
export function isResourceExpired(error: unknown): boolean {
  return reasonForError(error) === 'Expired';
}

/** The resource version or continue token is too old, whatever the server calls it: list anew. */
export function isExpired(error: unknown): boolean {
  return isResourceExpired(error) || isGone(error);
}

/** Whether an API server says that the request makes no sense. */
export function isBadRequest(error: unknown): boolean {
  return is(error, 'BadRequest', 400);
}

/** Whether an API server says that it does not know who asks. */
export function isUnauthorized(error: unknown): boolean {
  return is(error, 'Unauthorized', 401);
}

/** Whether an API server says that the user may not do that. */
export function isForbidden(error: unknown): boolean {
  return is(error, 'Forbidden', 403);
}

/** Whether an API server says that the resource cannot do that. */
export function isMethodNotSupported(error: unknown): boolean {
  return is(error, 'MethodNotAllowed', 405);
}

/** Whether an API server says that it has none of the media types that are accepted. */
export function isNotAcceptable(error: unknown): boolean {
  return is(error, 'NotAcceptable', 406);
}

/** Whether an API server says that it does not read the media type of the body. */
export function isUnsupportedMediaType(error: unknown): boolean {
  return is(error, 'UnsupportedMediaType', 415);
}

/** Whether an API server says that it cannot answer now. */
export function isServiceUnavailable(error: unknown): boolean {
  return is(error, 'ServiceUnavailable', 503);
}

/** The operation may still be going on. */
export function isTimeout(error: unknown): boolean {
  return is(error, 'Timeout', 504);
}

/** The operation did not happen and may be tried again. No HTTP status says so, only the reason. */
export function isServerTimeout(error: unknown): boolean {
  return reasonForError(error) === 'ServerTimeout';
}

/** Whether an API server says that it failed. */
export function isInternalError(error: unknown): boolean {
  return is(error, 'InternalError', 500);
}

/** The status alone is enough here: proxies answer with it too. */
export function isTooManyRequests(error: unknown): boolean {
  const refusal = statusErrorIn(error);
  return refusal?.reason === 'TooManyRequests' || refusal?.statusCode === 429;
}

/** The status alone is enough here: proxies answer with it too. */
export function isRequestEntityTooLarge(error: unknown): boolean {
  const refusal = statusErrorIn(error);
  return refusal?.reason === 'RequestEntityTooLarge' || refusal?.statusCode === 413;
}

/** The cause of that type, if the refusal has one. */
export function statusCause(error: unknown, type: CauseType | (string & {})): StatusCause | undefined {
  return statusErrorIn(error)?.causes.find((cause) => cause.reason === type);
}

/** Whether an API server names a cause of that type. */
export function hasStatusCause(error: unknown, type: CauseType | (string & {})): boolean {
  return statusCause(error, type) !== undefined;
}

/** What answered was no API server, or not in its language: a proxy, most likely. */
export function isUnexpectedServerResponse(error: unknown): boolean {
  return hasStatusCause(error, 'UnexpectedServerResponse');
}

/**
 * The asked-for resource version is newer than any that the server has. New servers say so with a
 * cause, those of 1.17 with a cause's message, older ones only in the message.
 */
export function isTooLargeResourceVersion(error: unknown): boolean {
  if (hasStatusCause(error, 'ResourceVersionTooLarge')) return true;
  const refusal = statusErrorIn(error);
  if (refusal?.details === undefined || !isTimeout(refusal)) return false;
  if (refusal.causes.some((cause) => cause.message === TOO_LARGE_RESOURCE_VERSION_MESSAGE)) return true;
  return refusal.message.includes(TOO_LARGE_RESOURCE_VERSION_MESSAGE);
}

/**
 * The seconds that the server asks us to wait, or undefined when it asks for no wait. It does not say
 * whether trying again is right.
 */
export function suggestedDelaySeconds(error: unknown): number | undefined {
  const refusal = statusErrorIn(error);
  if (refusal?.details === undefined) return undefined;
  if (refusal.reason === 'ServerTimeout' || refusal.retryAfterSeconds > 0) return refusal.retryAfterSeconds;
  return undefined;
}
