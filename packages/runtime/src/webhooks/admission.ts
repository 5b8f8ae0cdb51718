import {
  createJsonPatch,
  type DeepReadonly,
  deepCopy,
  type JsonPatchOperation,
  type KubeObject,
  type Status,
  StatusError,
} from '@windlass/apimachinery';
import { toError, WindlassError } from '@windlass/base';

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

/** What a webhook is asked about: the request of an AdmissionReview, admission.k8s.io/v1. */
export interface AdmissionRequest<T = KubeObject> {
  readonly uid: string;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly userInfo: {
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
  };
  /** Null for a DELETE. */
  readonly object: DeepReadonly<T> | null;
  /** Null for a CREATE. */
  readonly oldObject: DeepReadonly<T> | null;
  readonly dryRun?: boolean;
  readonly options?: unknown;
}

export interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: Pick<Status, 'message' | 'reason' | 'code'>;
  readonly patchType?: 'JSONPatch';
  /** Base64. */
  readonly patch?: string;
  readonly warnings?: readonly string[];
}

/** The object is refused; the message is what the user sees. */
export class DeniedError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'DENIED' });
  }
}

/** Returns, perhaps with warnings for the user, or throws a DeniedError or a StatusError. */
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
    return {
      uid: request.uid,
      allowed: true,
      ...(warnings !== undefined && warnings.length > 0 && { warnings }),
    };
  };
}

export function mutating<T extends KubeObject>(mutate: Mutate<T>): Admit {
  return async (request, signal) => {
    const allowed = { uid: request.uid, allowed: true };
    if (request.object === null || request.operation === 'DELETE') return allowed;
    // The webhook's configuration says which kind is sent here.
    const typed = request as AdmissionRequest<T>;
    // As above; deepCopy cannot say that a copy of a T is one.
    const copy = deepCopy(request.object) as T;
    const changed = (await mutate(copy, typed, signal)) ?? copy;
    const patch: JsonPatchOperation[] = createJsonPatch(request.object, changed);
    if (patch.length === 0) return allowed;
    return {
      ...allowed,
      patchType: 'JSONPatch',
      patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
    };
  };
}

/** A refusal is an answer; any other error means that the webhook itself is in trouble. */
export function refusal(uid: string, thrown: unknown): AdmissionResponse {
  const error = toError(thrown);
  if (error instanceof DeniedError)
    return { uid, allowed: false, status: { message: error.message, reason: 'Forbidden', code: 403 } };
  if (error instanceof StatusError) {
    const { message, reason, statusCode } = error;
    return { uid, allowed: false, status: { message, reason, code: statusCode } };
  }
  return {
    uid,
    allowed: false,
    status: { message: `the webhook failed: ${error.message}`, reason: 'InternalError', code: 500 },
  };
}
