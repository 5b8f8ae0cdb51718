// One function for every way in which Kubernetes' API refuses, with its status codes and its messages to
// the letter: clients of every language match on them.

import { goQuote } from '../text/go-text.ts';
import { type FieldError, fieldErrorBody } from './field-error.ts';
import {
  formatGroupKind,
  formatGroupResource,
  type GroupKind,
  type GroupResource,
} from './group-resource.ts';
import type { Status, StatusCause, StatusDetails, StatusReason } from './status.ts';
import { StatusError } from './status-error.ts';

/** Fields in the order in which servers write them; empty ones are left out, as they do. */
export function failureStatus(
  code: number,
  reason: StatusReason,
  message: string,
  details?: StatusDetails,
): Status {
  const status: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message };
  if (reason !== '') status.reason = reason;
  if (details !== undefined) status.details = withoutEmpty(details);
  status.code = code;
  return status;
}

function withoutEmpty(details: StatusDetails): StatusDetails {
  const kept: StatusDetails = {};
  if (details.name) kept.name = details.name;
  if (details.group) kept.group = details.group;
  if (details.kind) kept.kind = details.kind;
  if (details.uid) kept.uid = details.uid;
  if (details.causes !== undefined && details.causes.length > 0) kept.causes = details.causes;
  if (details.retryAfterSeconds) kept.retryAfterSeconds = details.retryAfterSeconds;
  return kept;
}

function failure(code: number, reason: StatusReason, message: string, details?: StatusDetails): StatusError {
  return new StatusError(failureStatus(code, reason, message, details));
}

function about({ group, resource }: GroupResource, name = ''): StatusDetails {
  return { name, group, kind: resource };
}

/** 404: there is no such object. */
export function newNotFound(resource: GroupResource, name: string): StatusError {
  const message = `${formatGroupResource(resource)} ${goQuote(name)} not found`;
  return failure(404, 'NotFound', message, about(resource, name));
}

/** 409: an object of that name is there already. */
export function newAlreadyExists(resource: GroupResource, name: string): StatusError {
  const message = `${formatGroupResource(resource)} ${goQuote(name)} already exists`;
  return failure(409, 'AlreadyExists', message, about(resource, name));
}

/** Every name that was generated is taken. */
export function newGenerateNameConflict(
  resource: GroupResource,
  name: string,
  retryAfterSeconds: number,
): StatusError {
  const message = `${formatGroupResource(resource)} ${goQuote(name)} already exists, the server was not able to generate a unique name for the object`;
  return failure(409, 'AlreadyExists', message, { ...about(resource, name), retryAfterSeconds });
}

/** What a write of an old version is refused with. */
export const OPTIMISTIC_LOCK_MESSAGE =
  'the object has been modified; please apply your changes to the latest version and try again';

/** 409: the object has changed since it was read. */
export function newConflict(
  resource: GroupResource,
  name: string,
  problem: string = OPTIMISTIC_LOCK_MESSAGE,
): StatusError {
  const message = `Operation cannot be fulfilled on ${formatGroupResource(resource)} ${goQuote(name)}: ${problem}`;
  return failure(409, 'Conflict', message, about(resource, name));
}

/** Other managers own fields that an apply would change. */
export function newApplyConflict(causes: StatusCause[], message: string): StatusError {
  return failure(409, 'Conflict', message, { causes });
}

/** Characters of all that an answer says is wrong. */
const MAX_ERROR_TEXT = 1024 * 1024;

/** 422: fields of the object are wrong; each error becomes a cause. */
export function newInvalid(kind: GroupKind, name: string, errors: readonly FieldError[]): StatusError {
  const { bodies, more } = boundedBodies(errors);
  const causes = bodies.map(({ error, body }) => ({
    reason: error.type,
    message: body,
    field: error.field,
  }));
  const texts = new Set(bodies.map(({ error, body }) => `${error.field}: ${body}`));
  if (more > 0) texts.add(`and ${more} more`);
  const reasons = texts.size > 1 ? `[${[...texts].join(', ')}]` : [...texts].join('');
  const message = `${formatGroupKind(kind)} ${goQuote(name)} is invalid${reasons === '' ? '' : `: ${reasons}`}`;
  return failure(422, 'Invalid', message, { name, group: kind.group, kind: kind.kind, causes });
}

/**
 * The errors as texts, up to the size of a body. Each may print a value as large as the object: where a list is
 * wrong in every item, and each error shows the list, all of them would be the square of it.
 */
function boundedBodies(errors: readonly FieldError[]): {
  readonly bodies: readonly { readonly error: FieldError; readonly body: string }[];
  readonly more: number;
} {
  const bodies: { error: FieldError; body: string }[] = [];
  let length = 0;
  for (const error of errors) {
    if (length > MAX_ERROR_TEXT) break;
    const body = fieldErrorBody(error);
    length += error.field.length + body.length;
    bodies.push({ error, body });
  }
  return { bodies, more: errors.length - bodies.length };
}

/** 400: the request makes no sense. */
export function newBadRequest(message: string): StatusError {
  return failure(400, 'BadRequest', message);
}

/** 401: the server does not know who asks. */
export function newUnauthorized(message = 'not authorized'): StatusError {
  return failure(401, 'Unauthorized', message === '' ? 'not authorized' : message);
}

/** With no resource the message speaks of the request as a whole. */
export function newForbidden(
  resource: GroupResource | undefined,
  name: string,
  problem: string,
): StatusError {
  if (resource === undefined || (resource.group === '' && resource.resource === ''))
    return failure(403, 'Forbidden', `forbidden: ${problem}`, { name });
  const subject = formatGroupResource(resource) + (name === '' ? '' : ` ${goQuote(name)}`);
  return failure(403, 'Forbidden', `${subject} is forbidden: ${problem}`, about(resource, name));
}

/** 405: the resource cannot do that. */
export function newMethodNotSupported(resource: GroupResource, action: string): StatusError {
  const message = `${action} is not supported on resources of kind ${goQuote(formatGroupResource(resource))}`;
  return failure(405, 'MethodNotAllowed', message, about(resource));
}

/** 406: the server has none of the media types that the client accepts. */
export function newNotAcceptable(mediaTypes: readonly string[]): StatusError {
  const message = `only the following media types are accepted: ${mediaTypes.join(', ')}`;
  return failure(406, 'NotAcceptable', message);
}

/** 415: the server does not read the media type of the body. */
export function newUnsupportedMediaType(mediaTypes: readonly string[]): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${mediaTypes.join(', ')}`;
  return failure(415, 'UnsupportedMediaType', message);
}

/** Old servers' word for `newResourceExpired`. */
export function newGone(message: string): StatusError {
  return failure(410, 'Gone', message);
}

/** The resource version or the continue token is older than what the server remembers. */
export function newResourceExpired(message: string): StatusError {
  return failure(410, 'Expired', message);
}

/** 413: the body is larger than the server takes. */
export function newRequestEntityTooLarge(message: string): StatusError {
  return failure(413, 'RequestEntityTooLarge', `Request entity too large: ${message}`);
}

/** 429: the client is to come back after so many seconds. */
export function newTooManyRequests(message: string, retryAfterSeconds: number): StatusError {
  return failure(429, 'TooManyRequests', message, { retryAfterSeconds });
}

/** 500: the server failed; the error is the cause. */
export function newInternalError(error: Error): StatusError {
  const details = { causes: [{ message: error.message }] };
  const status = failureStatus(500, 'InternalError', `Internal error occurred: ${error.message}`, details);
  return new StatusError(status, error);
}

/** The operation did not happen; trying again is safe. */
export function newServerTimeout(
  resource: GroupResource,
  operation: string,
  retryAfterSeconds: number,
): StatusError {
  const message = `The ${operation} operation against ${formatGroupResource(resource)} could not be completed at this time, please try again.`;
  return failure(500, 'ServerTimeout', message, { ...about(resource, operation), retryAfterSeconds });
}

/** 503: the server cannot answer now. */
export function newServiceUnavailable(message: string): StatusError {
  return failure(503, 'ServiceUnavailable', message);
}

/** The operation may still be going on. */
export function newTimeout(message: string, retryAfterSeconds: number): StatusError {
  return failure(504, 'Timeout', `Timeout: ${message}`, { retryAfterSeconds });
}

/** The message of a cause that says that a resource version is still to come. */
export const TOO_LARGE_RESOURCE_VERSION_MESSAGE = 'Too large resource version';

/** The asked-for version is newer than the newest that the server has. */
export function newTooLargeResourceVersion(
  asked: string | number,
  current: string | number,
  retryAfterSeconds: number,
): StatusError {
  const message = `Timeout: ${TOO_LARGE_RESOURCE_VERSION_MESSAGE}: ${asked}, current: ${current}`;
  const cause = { reason: 'ResourceVersionTooLarge', message: TOO_LARGE_RESOURCE_VERSION_MESSAGE };
  return failure(504, 'Timeout', message, { causes: [cause], retryAfterSeconds });
}
