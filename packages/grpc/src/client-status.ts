// What became of a call, from what the other side said and how the stream ended.
import { type ClientHttp2Session, constants, type Http2Session, type IncomingHttpHeaders } from 'node:http2';
import { type GrpcCode, grpcCode } from './codes.ts';
import { GrpcError } from './errors.ts';
import { decodeStatusMessage } from './status-message.ts';

/** The status that the server sent, in its trailers or, without a message, in its headers. */
export function receivedStatus(
  headers: IncomingHttpHeaders | undefined,
  trailers: IncomingHttpHeaders | undefined,
): GrpcError | 'OK' | undefined {
  const last = trailers?.['grpc-status'] === undefined ? headers : trailers;
  const status = last?.['grpc-status'];
  if (typeof status === 'string') {
    const code = grpcCode(status);
    if (code === 'OK') return code;
    const message = last?.['grpc-message'];
    return new GrpcError(code, typeof message === 'string' ? decodeStatusMessage(message) : '');
  }
  const http = Number(headers?.[constants.HTTP2_HEADER_STATUS] ?? 200);
  if (http === 200) return undefined;
  return new GrpcError(HTTP_CODES[http] ?? 'UNKNOWN', `the server answered with HTTP status ${http}`);
}

/** As gRPC maps what did not come from a gRPC server. */
const HTTP_CODES: Readonly<Record<number, GrpcCode>> = {
  400: 'INTERNAL',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'UNIMPLEMENTED',
  429: 'UNAVAILABLE',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'UNAVAILABLE',
};

/** As gRPC maps what the other side said by ending the stream. */
const RESET_CODES: Readonly<Record<number, GrpcCode>> = {
  [constants.NGHTTP2_NO_ERROR]: 'INTERNAL',
  [constants.NGHTTP2_PROTOCOL_ERROR]: 'INTERNAL',
  [constants.NGHTTP2_INTERNAL_ERROR]: 'INTERNAL',
  [constants.NGHTTP2_FLOW_CONTROL_ERROR]: 'INTERNAL',
  [constants.NGHTTP2_FRAME_SIZE_ERROR]: 'INTERNAL',
  [constants.NGHTTP2_CANCEL]: 'CANCELLED',
  [constants.NGHTTP2_COMPRESSION_ERROR]: 'INTERNAL',
  [constants.NGHTTP2_ENHANCE_YOUR_CALM]: 'RESOURCE_EXHAUSTED',
  [constants.NGHTTP2_INADEQUATE_SECURITY]: 'PERMISSION_DENIED',
};

/** The failure of a stream that ended without a status. */
export function endedEarly(
  rstCode: number | undefined,
  session: Http2Session | ClientHttp2Session | undefined,
  error: Error | undefined,
): GrpcError {
  const why = error === undefined ? '' : `: ${error.message}`;
  // A lost connection takes its streams along and marks them as cancelled, which nobody did.
  if (session === undefined || session.destroyed)
    return new GrpcError('UNAVAILABLE', `the connection was lost${why}`, error);
  const code = RESET_CODES[rstCode ?? constants.NGHTTP2_NO_ERROR] ?? 'UNAVAILABLE';
  return new GrpcError(code, `the server ended the call without a status${why}`, error);
}
