import { WindlassError } from '@windlass/base';
import { TransportError, type TransportErrorCode } from '../errors.ts';

const CODES: Readonly<Record<string, TransportErrorCode>> = {
  ECONNREFUSED: 'CONNECTION_REFUSED',
  ENOTFOUND: 'CONNECTION_REFUSED',
  EAI_AGAIN: 'CONNECTION_REFUSED',
  EHOSTUNREACH: 'CONNECTION_REFUSED',
  ENETUNREACH: 'CONNECTION_REFUSED',
  UND_ERR_PRX_CONN: 'CONNECTION_REFUSED',
  ETIMEDOUT: 'CONNECT_TIMEOUT',
  UND_ERR_CONNECT_TIMEOUT: 'CONNECT_TIMEOUT',
  UND_ERR_PRX_TLS: 'TLS_FAILED',
  UND_ERR_HEADERS_TIMEOUT: 'RESPONSE_TIMEOUT',
  UND_ERR_BODY_TIMEOUT: 'RESPONSE_TIMEOUT',
  UND_ERR_DESTROYED: 'TRANSPORT_CLOSED',
  UND_ERR_CLOSED: 'TRANSPORT_CLOSED',
  UND_ERR_HEADERS_OVERFLOW: 'BAD_RESPONSE',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'BAD_RESPONSE',
};

/** What OpenSSL and Node call a certificate they refuse. */
const TLS_CODE =
  /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_CA|ERR_OSSL_)/;

/**
 * Whatever the HTTP library failed with, as one of ours.
 * @param what the request, for the message
 * @param sent whether any of it may have reached the server
 */
export function toTransportError(error: Error, what: string, sent: boolean): WindlassError {
  if (error instanceof WindlassError) return error;
  const code = errorCode(error);
  const kind =
    CODES[code] ??
    (TLS_CODE.test(code) ? 'TLS_FAILED' : code.startsWith('HPE_') ? 'BAD_RESPONSE' : 'CONNECTION_LOST');
  return new TransportError(`${what} failed: ${explain(error, code)}`, { code: kind, sent, cause: error });
}

/** A host with several addresses fails with all their errors in one. */
function errorCode(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError) {
    const first: unknown = error.errors[0];
    if (first instanceof Error) return errorCode(first);
  }
  return '';
}

function explain(error: Error, code: string): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  const message = first instanceof Error && error.message === '' ? first.message : error.message;
  return code === '' || message.includes(code) ? message : `${message} (${code})`;
}
