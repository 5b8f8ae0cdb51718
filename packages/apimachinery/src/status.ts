import type { FieldErrorType } from './field-error.ts';
import type { ListMeta } from './object.ts';

/** Why a request failed, for programs. Servers may answer with others; those are kept as they are. */
export type StatusReason =
  | ''
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Gone'
  | 'Invalid'
  | 'ServerTimeout'
  | 'StoreReadError'
  | 'Timeout'
  | 'TooManyRequests'
  | 'BadRequest'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'RequestEntityTooLarge'
  | 'UnsupportedMediaType'
  | 'InternalError'
  | 'Expired'
  | 'ServiceUnavailable';

/** What exactly is wrong, in machine-readable form. */
export type CauseType =
  | FieldErrorType
  | 'FieldManagerConflict'
  | 'UnexpectedServerResponse'
  | 'ResourceVersionTooLarge'
  | 'NamespaceTerminating'
  | 'DisruptionBudget';

export interface StatusCause {
  reason?: CauseType | (string & {});
  message?: string;
  /** The path of the field, as validation names it. */
  field?: string;
}

export interface StatusDetails {
  name?: string;
  group?: string;
  /** The plural of the resource, or the kind when the status is about an invalid object. */
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

/** What an API server answers when there is no object to answer with: always for failures. */
export interface Status {
  kind?: 'Status';
  apiVersion?: string;
  metadata?: ListMeta;
  status?: 'Success' | 'Failure';
  message?: string;
  reason?: StatusReason | (string & {});
  details?: StatusDetails;
  code?: number;
}

/** True for a Status as it comes over the wire, whatever it says. */
export function isStatus(value: unknown): value is Status {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, apiVersion } = value as { kind?: unknown; apiVersion?: unknown };
  return kind === 'Status' && (apiVersion === 'v1' || apiVersion === 'meta.k8s.io/v1');
}
