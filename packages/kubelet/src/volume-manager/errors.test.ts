import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type GrpcCode, GrpcError } from '@windlass/csi';
import { describeFailure, isFinal, VolumeError } from './errors.ts';

describe('a failure of a driver', () => {
  const rows: [GrpcCode, boolean][] = [
    ['INTERNAL', true],
    ['NOT_FOUND', true],
    ['INVALID_ARGUMENT', true],
    ['FAILED_PRECONDITION', true],
    ['DEADLINE_EXCEEDED', false],
    ['UNAVAILABLE', false],
    ['ABORTED', false],
    ['CANCELLED', false],
    ['RESOURCE_EXHAUSTED', false],
  ];
  for (const [code, expected] of rows)
    it(`${code} is ${expected ? 'a clear no' : 'no answer'}`, () =>
      assert.equal(isFinal(new GrpcError(code, 'x')), expected));

  it('before it was asked says nothing of the volume', () =>
    assert.equal(isFinal(new VolumeError('no driver')), false));

  it('is told in the words of gRPC', () => {
    assert.equal(
      describeFailure(new GrpcError('INVALID_ARGUMENT', 'no')),
      'rpc error: code = InvalidArgument desc = no',
    );
    assert.equal(describeFailure(new GrpcError('CANCELLED', 'x')), 'rpc error: code = Canceled desc = x');
    assert.equal(describeFailure(new VolumeError('no driver')), 'no driver');
  });
});
