import { describe } from '@windlass/base';
import { InvalidResultError } from './errors.ts';

/**
 * What a reconcile may ask for. Of several things the first of these counts: an error that was thrown,
 * `requeueAfterMs`, `requeue`, nothing.
 */
export interface ReconcileResult {
  /** Run again after this many milliseconds; failures so far no longer count. 0 is the same as not given. */
  readonly requeueAfterMs?: number;
  /** Run again with the back-off of a failure, though it is none. */
  readonly requeue?: boolean;
  /** The priority of that next run. @default that of this run */
  readonly priority?: number;
}

// Functions that end without a return give void.
/** What a reconcile function may return. Nothing means that all is done. */
// oxlint-disable-next-line typescript/no-invalid-void-type
export type ReconcileOutcome = ReconcileResult | undefined | void;

export const NO_RESULT: ReconcileResult = Object.freeze({});

const FIELDS: ReadonlySet<string> = new Set(['requeueAfterMs', 'requeue', 'priority']);

/** Whoever asks for a time by another name would wait for ever. */
function unknownFields(fields: readonly string[]): string {
  const names = fields.slice(0, 3).join(', ');
  const isTime = fields.some((field) => /^requeue_?after/i.test(field));
  return `an object with ${names}${isTime ? ', which is called requeueAfterMs here and is a number of milliseconds' : ''}`;
}

/** What came back, checked: reconcilers may be written without types. */
export function checkedResult(outcome: unknown): ReconcileResult {
  if (outcome === undefined || outcome === null) return NO_RESULT;
  if (typeof outcome !== 'object' || Array.isArray(outcome)) throw new InvalidResultError(describe(outcome));
  const unknown = Object.keys(outcome).filter((field) => !FIELDS.has(field));
  if (unknown.length > 0) throw new InvalidResultError(unknownFields(unknown));
  // Each field is looked at before it is used.
  const { requeueAfterMs, requeue, priority } = outcome as ReconcileResult;
  if (requeueAfterMs !== undefined && !(Number.isFinite(requeueAfterMs) && requeueAfterMs >= 0))
    throw new InvalidResultError(`a requeueAfterMs of ${describe(requeueAfterMs)}`);
  if (requeue !== undefined && typeof requeue !== 'boolean')
    throw new InvalidResultError(`a requeue of ${describe(requeue)}`);
  if (priority !== undefined && !Number.isFinite(priority))
    throw new InvalidResultError(`a priority of ${describe(priority)}`);
  return outcome;
}

export function isPromiseLike<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
