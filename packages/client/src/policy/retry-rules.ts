import { TransportError } from '../errors.ts';

/** Whether to send a request again after an answer or a failure. Pure: time and counting are elsewhere. */
export type RetryVerdict =
  | { readonly retry: false }
  /** The server said when. */
  | { readonly retry: true; readonly reason: string; readonly afterMs: number }
  /** Nobody said when: wait longer each time. */
  | { readonly retry: true; readonly reason: string; readonly afterMs?: undefined };

const NO: RetryVerdict = { retry: false };

/**
 * 429 and 503 with a Retry-After mean that the server did nothing, so they are safe for every method.
 * Other 5xx may come after the deed: only a read is repeated then. Without a Retry-After nothing is
 * repeated: an eviction that a disruption budget forbids is a 429 too, and the caller must hear of it.
 */
export function afterResponse(
  method: string,
  status: number,
  retryAfterMs: number | undefined,
): RetryVerdict {
  if (retryAfterMs === undefined) return NO;
  const repeatable = status === 429 || status === 503 || (status >= 500 && method === 'GET');
  return repeatable ? { retry: true, reason: String(status), afterMs: retryAfterMs } : NO;
}

/** What was never sent can always be sent; what may have been acted on, only if it is a read. */
export function afterError(method: string, error: unknown): RetryVerdict {
  if (!(error instanceof TransportError)) return NO;
  switch (error.code) {
    case 'CONNECTION_REFUSED':
    case 'CONNECT_TIMEOUT':
    case 'CONNECTION_LOST':
      return !error.sent || method === 'GET' ? { retry: true, reason: error.code } : NO;
    // A certificate does not get better by asking again, and a silent server has been waited for.
    case 'TLS_FAILED':
    case 'RESPONSE_TIMEOUT':
    case 'TRANSPORT_CLOSED':
    case 'BAD_RESPONSE':
      return NO;
    default:
      return error.code satisfies never;
  }
}
