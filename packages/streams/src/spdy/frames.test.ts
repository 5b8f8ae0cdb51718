import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { StreamProtocolError } from '../errors.ts';
import { encodeSpdyFrame, SpdyDecoder, type SpdyFrame } from './frames.ts';

type Known = Exclude<SpdyFrame, { type: 'other' }>;

const ids = fc.integer({ min: 1, max: 0x7fffffff });
const blocks = fc.uint8Array({ maxLength: 300 });
const frames: fc.Arbitrary<Known> = fc.oneof(
  fc.record({ type: fc.constant('data' as const), streamId: ids, isFin: fc.boolean(), bytes: blocks }),
  fc.record({
    type: fc.constant('syn-stream' as const),
    streamId: ids,
    associatedId: fc.integer({ min: 0, max: 100 }),
    priority: fc.integer({ min: 0, max: 7 }),
    isFin: fc.boolean(),
    isUnidirectional: fc.boolean(),
    block: blocks,
  }),
  fc.record({
    type: fc.constantFrom('syn-reply' as const, 'headers' as const),
    streamId: ids,
    isFin: fc.boolean(),
    block: blocks,
  }),
  fc.record({ type: fc.constant('rst-stream' as const), streamId: ids, status: fc.nat(20) }),
  fc.record({ type: fc.constant('ping' as const), id: fc.nat(0xffffffff) }),
  fc.record({ type: fc.constant('goaway' as const), lastStreamId: ids, status: fc.nat(2) }),
  fc.record({ type: fc.constant('window-update' as const), streamId: ids, delta: ids }),
);

/** Decodes bytes in pieces of these sizes, and puts the pieces of one data frame together again. */
function decode(bytes: Uint8Array, sizes: readonly number[]): SpdyFrame[] {
  const decoder = new SpdyDecoder();
  const found: SpdyFrame[] = [];
  let at = 0;
  for (let turn = 0; at < bytes.byteLength; turn++) {
    const size = Math.max(1, sizes[turn % Math.max(1, sizes.length)] ?? 1);
    for (const frame of decoder.push(bytes.subarray(at, at + size))) found.push(frame);
    at += size;
  }
  return found;
}

function plain(frame: SpdyFrame): object {
  return Object.fromEntries(
    Object.entries(frame).map(([key, value]) => [
      key,
      value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
    ]),
  );
}

/** All data of each stream, and everything else in its order. */
function summary(list: readonly SpdyFrame[]): object {
  const data = new Map<number, string>();
  const others: object[] = [];
  for (const frame of list) {
    if (frame.type !== 'data') others.push(plain(frame));
    else
      data.set(
        frame.streamId,
        `${data.get(frame.streamId) ?? ''}${Buffer.from(frame.bytes).toString('hex')}${frame.isFin ? '.' : ''}`,
      );
  }
  return { data: [...data], others };
}

describe('SPDY frames', () => {
  it('come out as they went in, whatever the pieces are in which they arrive', () => {
    fc.assert(
      fc.property(
        fc.array(frames, { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 40 })),
        (list, sizes) => {
          const bytes = Buffer.concat(list.flatMap(encodeSpdyFrame));
          assert.deepEqual(summary(decode(bytes, sizes)), summary(list));
        },
      ),
    );
  });

  it('are those of the specification', () => {
    const [ping] = [Buffer.concat(encodeSpdyFrame({ type: 'ping', id: 1 })).toString('hex')];
    assert.equal(ping, '800300060000000400000001');
    const data = encodeSpdyFrame({ type: 'data', streamId: 3, isFin: true, bytes: Buffer.from('hi') });
    assert.equal(Buffer.concat(data).toString('hex'), `0000000301000002${Buffer.from('hi').toString('hex')}`);
  });

  it('of any bytes are read or refused, and never anything else', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.array(fc.integer({ min: 1, max: 40 })),
        (bytes, sizes) => {
          try {
            decode(bytes, sizes);
          } catch (error) {
            assert.ok(error instanceof StreamProtocolError, String(error));
          }
        },
      ),
    );
  });

  for (const [what, hex, message] of [
    ['another version', '800200060000000400000001', /SPDY\/2/],
    ['a control frame that is too large', '8003000100ffffff', /at most 65536/],
    ['a frame that is cut off', '800300060000000100', /cut off/],
    ['data of no stream', '0000000000000001', /stream 0/],
  ] as const)
    it(`refuses ${what}`, () => {
      assert.throws(() => decode(Buffer.from(hex, 'hex'), [100]), message);
    });

  it('gives data on before its frame is whole', () => {
    const decoder = new SpdyDecoder();
    const [header = Buffer.alloc(0)] = encodeSpdyFrame({
      type: 'data',
      streamId: 1,
      isFin: true,
      bytes: Buffer.alloc(1000),
    });
    assert.deepEqual([...decoder.push(header)], []);
    const [piece] = [...decoder.push(Buffer.alloc(10))];
    assert.deepEqual(piece, { type: 'data', streamId: 1, isFin: false, bytes: Buffer.alloc(10) });
  });
});
