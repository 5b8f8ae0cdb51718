// What became of a call, by the tables of gRPC: "HTTP to gRPC Status Code Mapping", and the errors of HTTP/2 in "gRPC
// over HTTP2".
import assert from 'node:assert/strict';
import { constants } from 'node:http2';
import { describe, it } from 'node:test';
import { endedEarly, receivedStatus } from './client-status.ts';
import { GrpcError } from './errors.ts';

describe('the status', () => {
  const codeOf = (...[headers, trailers]: Parameters<typeof receivedStatus>): string | undefined => {
    const status = receivedStatus(headers, trailers);
    return status instanceof GrpcError ? status.code : status;
  };

  it('is in the trailers, or in the headers when there is no message', () => {
    assert.equal(codeOf({ ':status': '200' }, { 'grpc-status': '0' }), 'OK');
    assert.equal(codeOf({ ':status': '200', 'grpc-status': '5' }, undefined), 'NOT_FOUND');
    assert.equal(codeOf({ ':status': '200', 'grpc-status': '5' }, { 'grpc-status': '0' }), 'OK');
    assert.equal(codeOf({ ':status': '200' }, {}), undefined);
    assert.equal(codeOf(undefined, undefined), undefined);
  });

  it('has the message that came with it', () => {
    const status = receivedStatus({ 'grpc-status': '3', 'grpc-message': '50%25 of it' }, undefined);
    assert.ok(status instanceof GrpcError);
    assert.deepEqual([status.code, status.message], ['INVALID_ARGUMENT', '50% of it']);
    const bare = receivedStatus({ 'grpc-status': '3' }, undefined);
    assert.equal(bare instanceof GrpcError && bare.message, '');
  });

  for (const [http, code] of [
    [400, 'INTERNAL'],
    [401, 'UNAUTHENTICATED'],
    [403, 'PERMISSION_DENIED'],
    [404, 'UNIMPLEMENTED'],
    [429, 'UNAVAILABLE'],
    [502, 'UNAVAILABLE'],
    [503, 'UNAVAILABLE'],
    [504, 'UNAVAILABLE'],
    [500, 'UNKNOWN'],
    [418, 'UNKNOWN'],
  ] as const)
    it(`of an answer with HTTP ${http} and no status is ${code}`, () => {
      assert.equal(codeOf({ ':status': String(http) }, undefined), code);
    });
});

describe('a stream that ended without a status', () => {
  // Only what the code looks at of a session.
  const session = (destroyed: boolean) => ({ destroyed }) as Parameters<typeof endedEarly>[1];
  const { NGHTTP2_NO_ERROR, NGHTTP2_PROTOCOL_ERROR, NGHTTP2_INTERNAL_ERROR, NGHTTP2_FLOW_CONTROL_ERROR } =
    constants;
  const { NGHTTP2_FRAME_SIZE_ERROR, NGHTTP2_REFUSED_STREAM, NGHTTP2_CANCEL, NGHTTP2_COMPRESSION_ERROR } =
    constants;
  const { NGHTTP2_ENHANCE_YOUR_CALM, NGHTTP2_INADEQUATE_SECURITY } = constants;
  for (const [reset, code] of [
    [NGHTTP2_NO_ERROR, 'INTERNAL'],
    [NGHTTP2_PROTOCOL_ERROR, 'INTERNAL'],
    [NGHTTP2_INTERNAL_ERROR, 'INTERNAL'],
    [NGHTTP2_FLOW_CONTROL_ERROR, 'INTERNAL'],
    [NGHTTP2_FRAME_SIZE_ERROR, 'INTERNAL'],
    [NGHTTP2_REFUSED_STREAM, 'UNAVAILABLE'],
    [NGHTTP2_CANCEL, 'CANCELLED'],
    [NGHTTP2_COMPRESSION_ERROR, 'INTERNAL'],
    [NGHTTP2_ENHANCE_YOUR_CALM, 'RESOURCE_EXHAUSTED'],
    [NGHTTP2_INADEQUATE_SECURITY, 'PERMISSION_DENIED'],
    [undefined, 'INTERNAL'],
  ] as const)
    it(`with HTTP/2 error ${reset} failed with ${code}`, () => {
      assert.equal(endedEarly(reset, session(false), undefined).code, code);
    });

  it('is unavailable when its connection was lost, although the stream says that it was cancelled', () => {
    for (const lost of [undefined, session(true)]) {
      const error = endedEarly(NGHTTP2_CANCEL, lost, new Error('reset'));
      assert.deepEqual([error.code, error.message], ['UNAVAILABLE', 'the connection was lost: reset']);
    }
  });
});
