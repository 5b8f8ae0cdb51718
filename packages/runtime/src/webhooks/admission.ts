import {
  createJsonPatch,
  type DeepReadonly,
  deepCopy,
  type JsonPatchOperation,
  type KubeObject,
  newInvalid,
  type Status,
  StatusError,
} from '@windlass/apimachinery';
import { toError } from '@windlass/base';
import { DeniedError, type Finding, RefusedError, toldOf } from './findings.ts';

interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** What a webhook is asked about, whatever its kind: the request of an AdmissionReview, admission.k8s.io/v1. */
export interface AdmissionContext {
  readonly uid: string;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly userInfo: {
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  readonly dryRun?: boolean;
  readonly options?: unknown;
}

/** What somebody wants to do to an object. */
export interface AdmissionRequest<T = KubeObject> extends AdmissionContext {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  /** Null for a DELETE. */
  readonly object: DeepReadonly<T> | null;
  /** Null for a CREATE. */
  readonly oldObject: DeepReadonly<T> | null;
}

export interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: Pick<Status, 'message' | 'reason' | 'code' | 'details'>;
  readonly patchType?: 'JSONPatch';
  /** Base64. */
  readonly patch?: string;
  readonly warnings?: readonly string[];
}

/** Returns, perhaps with warnings for the user, or throws a DeniedError, a RefusedError or a StatusError. */
export type Validate<T> = (
  request: AdmissionRequest<T>,
  signal: AbortSignal,
  // oxlint-disable-next-line typescript/no-invalid-void-type
) => readonly string[] | void | PromiseLike<readonly string[] | void>;

/** Changes the object, which is a copy, or returns another. Not asked about a DELETE, which has no object. */
export type Mutate<T> = (
  object: T,
  request: AdmissionRequest<T>,
  signal: AbortSignal,
  // oxlint-disable-next-line typescript/no-invalid-void-type
) => T | void | PromiseLike<T | void>;

export type Admit = (
  request: AdmissionRequest<KubeObject>,
  signal: AbortSignal,
) => Promise<AdmissionResponse>;

export function validating<T extends KubeObject>(validate: Validate<T>): Admit {
  return async (request, signal) => {
    // The webhook's configuration says which kind is sent here.
    const warnings = await validate(request as AdmissionRequest<T>, signal);
    return allowed(request, warnings ?? []);
  };
}

/** What a validator found, as an answer: one refusal is enough. */
export function judged(request: AdmissionRequest, findings: readonly Finding[]): AdmissionResponse {
  const warnings = findings.flatMap((finding) => ('warning' in finding ? [finding.warning] : []));
  const denied = findings.find((finding) => finding instanceof DeniedError);
  const refused = findings.filter((finding) => finding instanceof RefusedError);
  const error = denied ?? (refused.length > 0 ? invalid(request, refused) : undefined);
  if (error === undefined) return allowed(request, warnings);
  return { ...refusal(request, error), ...(warnings.length > 0 && { warnings }) };
}

export function mutating<T extends KubeObject>(mutate: Mutate<T>): Admit {
  return async (request, signal) => {
    if (request.object === null || request.operation === 'DELETE') return allowed(request, []);
    // The webhook's configuration says which kind is sent here.
    const typed = request as AdmissionRequest<T>;
    // As above; deepCopy cannot say that a copy of a T is one.
    const copy = deepCopy(request.object) as T;
    const changed = (await mutate(copy, typed, signal)) ?? copy;
    const patch: JsonPatchOperation[] = createJsonPatch(request.object, changed);
    if (patch.length === 0) return allowed(request, []);
    return {
      ...allowed(request, []),
      patchType: 'JSONPatch',
      patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
    };
  };
}

/** A refusal is an answer; any other error means that the webhook itself is in trouble. */
export function refusal(request: AdmissionRequest, thrown: unknown): AdmissionResponse {
  const { uid } = request;
  const error = toError(thrown);
  if (error instanceof RefusedError) return refusal(request, invalid(request, [error]));
  if (error instanceof DeniedError)
    return { uid, allowed: false, status: { message: error.message, reason: 'Forbidden', code: 403 } };
  if (error instanceof StatusError) {
    const { message, reason, statusCode, details } = error;
    const more = details === undefined ? {} : { details };
    return { uid, allowed: false, status: { message, reason, code: statusCode, ...more } };
  }
  return {
    uid,
    allowed: false,
    status: {
      message: `the webhook failed: ${toldOf(error)}; the log of the operator says more`,
      reason: 'InternalError',
      code: 500,
    },
  };
}

function allowed({ uid }: AdmissionRequest, warnings: readonly string[]): AdmissionResponse {
  return { uid, allowed: true, ...(warnings.length > 0 && { warnings }) };
}

function invalid(request: AdmissionRequest, refused: readonly RefusedError[]): StatusError {
  const name = request.name ?? request.object?.metadata?.name ?? '';
  return newInvalid(
    request.kind,
    name,
    refused.map(({ error }) => error),
  );
}
