import type * as wire from '../generated/api/meta/v1.ts';
import type { FieldErrorType } from './field-error.ts';

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

/** One reason of a failure, with the field that it is about. */
export interface StatusCause extends wire.StatusCause {
  reason?: CauseType | (string & {});
}

/** What a failure is about: the object, the causes, and when to try again. */
export interface StatusDetails extends wire.StatusDetails {
  causes?: StatusCause[];
}

/** What an API server answers when there is no object to answer with: always for failures. */
export interface Status extends Omit<wire.Status, 'apiVersion'> {
  apiVersion?: string;
  status?: 'Success' | 'Failure';
  reason?: StatusReason | (string & {});
  details?: StatusDetails;
}

/** True for a Status as it comes over the wire, whatever it says. */
export function isStatus(value: unknown): value is Status {
  if (typeof value !== 'object' || value === null) return false;
  if (!('kind' in value && 'apiVersion' in value)) return false;
  const { kind, apiVersion } = value;
  return kind === 'Status' && (apiVersion === 'v1' || apiVersion === 'meta.k8s.io/v1');
}
