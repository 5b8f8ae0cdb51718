import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { StreamProtocolError } from '../errors.ts';
import { closePayload, encodeFrame, FrameDecoder, type FramePiece, OPCODE } from './frames.ts';
import { acceptOf, isWebSocketRequest, subprotocolsOf } from './handshake.ts';

const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 });

function decode(bytes: Uint8Array, pieces: readonly number[], isMasked: boolean): FramePiece[] {
  const decoder = new FrameDecoder({ isMasked });
  const found: FramePiece[] = [];
  let at = 0;
  for (let turn = 0; at < bytes.byteLength; turn++) {
    const size = pieces[turn % pieces.length] ?? 1;
    found.push(...decoder.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return found;
}

/** Whole messages, and control frames between them. */
function messages(pieces: readonly FramePiece[]): string[] {
  const found: string[] = [];
  let text = '';
  for (const piece of pieces) {
    if (piece.type === 'close') found.push(`close ${piece.code}`);
    else if (!('isStart' in piece)) found.push(`${piece.type} ${Buffer.from(piece.bytes).toString('hex')}`);
    else {
      if (piece.isStart) text = `${piece.type} `;
      text += Buffer.from(piece.bytes).toString('hex');
      if (piece.isEnd) found.push(text);
    }
  }
  return found;
}

describe('WebSocket frames', () => {
  it('come out as they went in, masked or not, in pieces of any size', () => {
    const sent = fc.array(fc.tuple(fc.constantFrom('text', 'binary'), fc.uint8Array({ maxLength: 70_000 })), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(
        sent,
        fc.boolean(),
        fc.uint8Array({ minLength: 4, maxLength: 4 }),
        (list, isMasked, mask) => {
          const bytes = Buffer.concat(
            list.flatMap(([type, payload]) =>
              encodeFrame(
                type === 'text' ? OPCODE.text : OPCODE.binary,
                payload,
                isMasked ? mask : undefined,
              ),
            ),
          );
          assert.deepEqual(
            messages(decode(bytes, [1000, 17, 40_000], isMasked)),
            list.map(([type, payload]) => `${type} ${Buffer.from(payload).toString('hex')}`),
          );
        },
      ),
      { numRuns: 50 },
    );
  });

  it('of any bytes are read or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), sizes, fc.boolean(), (bytes, pieces, isMasked) => {
        try {
          decode(bytes, pieces, isMasked);
        } catch (error) {
          assert.ok(error instanceof StreamProtocolError, String(error));
        }
      }),
    );
  });

  it('of one message may have pings between them', () => {
    const bytes = Buffer.from('0101618900800162', 'hex');
    assert.deepEqual(messages(decode(bytes, [3], false)), ['ping ', 'text 6162']);
  });

  it('close with a code', () => {
    const bytes = Buffer.concat(encodeFrame(OPCODE.close, closePayload(1000, 'bye')));
    assert.deepEqual(messages(decode(bytes, [2], false)), ['close 1000']);
  });

  for (const [what, hex, isMasked] of [
    ['no mask where one is needed', '8100', true],
    ['a mask where none may be', '818000000000', false],
    ['an extension', 'c100', false],
    ['an unknown opcode', '8300', false],
    ['an unknown control opcode', '8b00', false],
    ['a control frame in parts', '0900', false],
    ['a long control frame', '897e0100', false],
    ['a continuation of nothing', '8000', false],
    ['a message within a message', '0101618100', false],
    ['half of a close code', '880101', false],
    ['an impossible size', '827fffffffffffffffff', false],
  ] as const)
    it(`refuses ${what}`, () => {
      assert.throws(() => decode(Buffer.from(hex, 'hex'), [100], isMasked), StreamProtocolError);
    });
});

describe('a WebSocket handshake', () => {
  it('answers as RFC 6455 shows', () => {
    assert.equal(acceptOf('dGhlIHNhbXBsZSBub25jZQ=='), 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
  });

  it('is asked for by two headers', () => {
    const headers = { connection: 'keep-alive, Upgrade', upgrade: 'WebSocket' };
    assert.equal(isWebSocketRequest(headers), true);
    assert.equal(isWebSocketRequest({ ...headers, connection: 'keep-alive' }), false);
    assert.equal(isWebSocketRequest({ ...headers, upgrade: 'SPDY/3.1' }), false);
  });

  it('offers subprotocols in the order of the client', () => {
    assert.deepEqual(subprotocolsOf({ 'sec-websocket-protocol': ' b , a' }), ['b', 'a']);
  });
});
