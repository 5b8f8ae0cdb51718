// What a reconciler threw, in the words of whoever has to mend it.
import { isCancelled, toError, WindlassError } from '@windlass/base';
import { CacheMutationError } from './errors.ts';

const READ_ONLY = /read only property|not extensible|Cannot delete property|Cannot redefine property/;

/** The error to report: our own deadline where it follows from that, a change of the cache where it is one. */
export function explain(run: { readonly abortReason: Error | undefined }, thrown: unknown): Error {
  const error = toError(thrown);
  if (error instanceof TypeError && READ_ONLY.test(error.message)) return new CacheMutationError(error);
  // What follows from our own deadline is that deadline.
  if (isCancelled(error) && run.abortReason !== undefined) return run.abortReason;
  return error;
}

/** What would be a panic in Go: nobody threw it on purpose. */
export function isProgrammingError(error: Error): boolean {
  if (error instanceof WindlassError) return error.kind === 'bug';
  return [TypeError, RangeError, ReferenceError, SyntaxError].some((type) => error instanceof type);
}
