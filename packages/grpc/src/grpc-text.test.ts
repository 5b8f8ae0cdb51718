import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { GRPC_CODES, grpcCode, grpcCodeLabel, grpcNumber } from './codes.ts';
import { frame, MessageAssembler, MessageSplitter } from './framing.ts';
import { decodeStatusMessage, encodeStatusMessage } from './status-message.ts';
import { formatTimeout, parseTimeout } from './timeout.ts';

test('any message comes through a header', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (message) => {
      const header = encodeStatusMessage(message);
      assert.match(header, /^[\x20-\x7e]*$/);
      assert.equal(decodeStatusMessage(header), message);
    }),
  );
});

test('what is badly encoded is shown as it came, and an endless message is cut', () => {
  assert.equal(decodeStatusMessage('100% of %zz, 50%'), '100% of %zz, 50%');
  assert.ok(encodeStatusMessage('x'.repeat(10_000)).length < 5000);
});

for (const [text, ms] of [
  ['1H', 3_600_000],
  ['2M', 120_000],
  ['3S', 3000],
  ['4m', 4],
  ['500u', 0.5],
  ['1000000n', 1],
  ['99999999S', 99_999_999_000],
  ['123456789m', undefined],
  ['5x', undefined],
  ['-5m', undefined],
  ['', undefined],
] as const)
  test(`the grpc-timeout "${text}" is ${ms} ms`, () => assert.equal(parseTimeout(text), ms));

test('a timeout that is written is never shorter than it was, and has at most eight digits', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 5e12, noNaN: true }), (ms) => {
      const text = formatTimeout(ms);
      const back = parseTimeout(text) ?? -1;
      assert.ok(back >= ms && back <= Math.max(ms * 1.01, ms + 1), `${ms} ${text} ${back}`);
    }),
  );
});

test('codes and their numbers, and numbers that no code has', () => {
  assert.equal(grpcNumber('UNAVAILABLE'), 14);
  for (const code of GRPC_CODES) assert.equal(grpcCode(String(grpcNumber(code))), code);
  for (const status of ['17', '-1', 'x', '']) assert.equal(grpcCode(status), 'UNKNOWN');
  assert.deepEqual(
    ['OK', 'CANCELLED', 'OUT_OF_RANGE'].map((code) => grpcCodeLabel(code as 'OK')),
    ['OK', 'Canceled', 'OutOfRange'],
  );
});

test('a message is put together from chunks of any size', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 40 }), (message, size) => {
      const bytes = frame(message);
      const assembler = new MessageAssembler(300);
      for (let at = 0; at < bytes.length; at += size) assembler.add(bytes.subarray(at, at + size));
      assert.deepEqual(Buffer.from(assembler.finish() ?? []), Buffer.from(message));
    }),
  );
});

for (const [what, bytes, message] of [
  ['too long by its prefix alone', '00 00000065', /has 101 bytes; at most 100/],
  ['compressed', '01 00000001 61', /compressed/],
  ['two messages', '00 00000001 61 00', /more than one message/],
] as const)
  test(`${what} is refused while it comes`, () => {
    assert.throws(
      () => new MessageAssembler(100).add(Buffer.from(bytes.replaceAll(' ', ''), 'hex')),
      message,
    );
  });

test('a message that is cut off is refused at the end', () => {
  for (const bytes of ['00', '0000000002 61']) {
    const assembler = new MessageAssembler(100);
    assembler.add(Buffer.from(bytes.replaceAll(' ', ''), 'hex'));
    assert.throws(() => assembler.finish(), /cut off/);
  }
  assert.equal(new MessageAssembler(100).finish(), undefined);
});

test('messages of a stream come whole, however their bytes are cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 10 }),
      (messages, cuts) => {
        const splitter = new MessageSplitter(100);
        const bytes = Buffer.concat(messages.map(frame));
        const got: Buffer[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const end = at + (cuts[turn % cuts.length] ?? 1);
          for (const message of splitter.add(bytes.subarray(at, end))) got.push(Buffer.from(message));
          at = end;
        }
        assert.deepEqual(
          got,
          messages.map((message) => Buffer.from(message)),
        );
        assert.equal(splitter.isCut, false);
      },
    ),
  );
});

test('a stream with a message that is too long, compressed or cut off is refused', () => {
  assert.throws(() => [...new MessageSplitter(3).add(frame(Buffer.from('four')))], {
    code: 'RESOURCE_EXHAUSTED',
  });
  assert.throws(() => [...new MessageSplitter(9).add(Buffer.from([1, 0, 0, 0, 0]))], {
    code: 'UNIMPLEMENTED',
  });
  const cut = new MessageSplitter(9);
  assert.deepEqual([...cut.add(frame(Buffer.from('four')).subarray(0, 7))], []);
  assert.equal(cut.isCut, true);
});
