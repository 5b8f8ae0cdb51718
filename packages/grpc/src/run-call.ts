import type { Logger } from '@windlass/base';
import { GrpcError, toGrpcError } from './errors.ts';
import type { Call, Handler } from './service.ts';

export interface RunOptions {
  readonly logger: Logger;
  /** Aborts by the deadline too. */
  readonly signal: AbortSignal;
  /** Told when the service itself has returned, which may be after the call has failed. */
  readonly onSettled?: () => void;
}

/**
 * Lets a service answer one call. It ends at once when its signal aborts, whether the service listens
 * to that or not; what the service does then is its own. Fails with a GrpcError only.
 */
export async function runCall(handler: Handler, request: unknown, options: RunOptions): Promise<unknown> {
  const { method, handle } = handler;
  if (handle === undefined) {
    options.onSettled?.();
    throw new GrpcError('UNIMPLEMENTED', `this driver does not have ${method.path}`);
  }
  const { signal } = options;
  const call: Call = { signal, method: method.path, logger: options.logger.with({ method: method.path }) };
  const ended = Promise.withResolvers<never>();
  const onAbort = (): void => ended.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  // Called in a promise, so that what it throws before its first await is a failure like any other.
  const answer = Promise.resolve().then(() => handle(request, call));
  if (options.onSettled !== undefined) answer.then(options.onSettled, options.onSettled);
  try {
    return await Promise.race([answer, ended.promise]);
  } catch (error) {
    throw asGrpcError(error, signal);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** A service that stops because it was told to may throw anything; the reason is what counts. */
function asGrpcError(error: unknown, signal: AbortSignal): GrpcError {
  if (error instanceof GrpcError || !signal.aborted) return toGrpcError(error);
  const reason = toGrpcError(signal.reason);
  return reason.code === 'INTERNAL' ? new GrpcError('CANCELLED', 'the call was cancelled', error) : reason;
}
