import { newServiceUnavailable, StatusError, toStatus } from '@windlass/apimachinery';
import type { Logger } from '@windlass/base';
import type { ServerRequest, ServerResponse } from '../exchange/exchange.ts';
import { FlowRefusedError } from '../flowcontrol/errors.ts';
import { StoreClosedError } from '../storage/errors.ts';

/** The Status that Kubernetes gives for what went wrong. What is no fault of the client is logged. */
export function failureResponse(given: unknown, request: ServerRequest, logger: Logger): ServerResponse {
  // It is no fault of anybody that the server stops.
  const thrown =
    given instanceof StoreClosedError ? newServiceUnavailable('the server is being stopped') : given;
  if (!(thrown instanceof StatusError) && request.signal?.aborted !== true) {
    const { method, path } = request;
    logger.error('a request failed', { method, path, error: thrown });
  }
  const status = toStatus(thrown);
  const headers = retryHeaders(status.details?.retryAfterSeconds);
  // It comes before anybody looks at what the request is about, and so is no Status, as upstream.
  if (thrown instanceof FlowRefusedError)
    return {
      type: 'bytes',
      status: thrown.statusCode,
      contentType: 'text/plain; charset=utf-8',
      body: `${thrown.message}\n`,
      headers,
    };
  return { type: 'object', status: status.code ?? 500, object: status, headers };
}

export function retryHeaders(seconds: number | undefined): Record<string, string> {
  return seconds !== undefined && seconds > 0 ? { 'retry-after': String(seconds) } : {};
}
