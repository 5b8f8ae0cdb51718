import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawWatchEvent } from '../transport.ts';
import { ProtobufDecodeError } from './errors.ts';
import { encodeWatchFrame, ProtobufWatchDecoder } from './watch-frames.ts';

const configMap = (name: string): object => ({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name } });
const events: RawWatchEvent[] = [
  { type: 'ADDED', object: configMap('a') },
  { type: 'MODIFIED', object: configMap('b'.repeat(300)) },
  {
    type: 'BOOKMARK',
    object: { kind: 'Pod', apiVersion: 'v1', metadata: {}, spec: { containers: null }, status: {} },
  },
  { type: 'ERROR', object: { kind: 'Status', apiVersion: 'v1', metadata: {}, reason: 'Expired', code: 410 } },
];
const stream = Buffer.concat(
  events.map((event) => encodeWatchFrame({ type: event.type, object: event.object as object })),
);

test('a frame, byte for byte', () => {
  const frame = Buffer.from(
    encodeWatchFrame({ type: 'ADDED', object: { apiVersion: 'v1', kind: 'DeleteOptions' } }),
  );
  const object = Buffer.concat([
    Buffer.from('k8s\0\x0a\x13\x0a\x02v1\x12\x0dDeleteOptions\x12\x00\x1a\x00\x22\x00'),
  ]);
  const raw = Buffer.concat([Buffer.from([0x0a, object.length]), object]);
  const event = Buffer.concat([Buffer.from('\x0a\x05ADDED\x12'), Buffer.from([raw.length]), raw]);
  assert.deepEqual(frame, Buffer.concat([Buffer.from([0, 0, 0, event.length]), event]));
});

test('events come out whole, wherever the stream is cut', () => {
  for (const size of [1, 2, 3, 5, 64, stream.length]) {
    const decoder = new ProtobufWatchDecoder();
    const seen: RawWatchEvent[] = [];
    for (let at = 0; at < stream.length; at += size)
      seen.push(...decoder.push(stream.subarray(at, at + size)));
    assert.deepEqual(seen, events, `in chunks of ${size}`);
    assert.equal(decoder.atBoundary, true);
  }
});

test('an event that is not all there waits', () => {
  const decoder = new ProtobufWatchDecoder();
  assert.deepEqual(decoder.push(stream.subarray(0, stream.length - 1)), events.slice(0, -1));
  assert.equal(decoder.atBoundary, false);
  assert.deepEqual(decoder.push(stream.subarray(-1)), events.slice(-1));
});

test('a frame that is too long, or is no event, is refused', () => {
  const limited = new ProtobufWatchDecoder({ maxFrameBytes: 100 });
  assert.throws(() => limited.push(stream), /a frame of \d+ bytes exceeds 100/);
  const frames: [number[], RegExp][] = [
    [[0, 0, 0, 2, 0x0a, 0x00], /the event type "" is unknown/],
    [[0, 0, 0, 7, 0x0a, 0x05, ...Buffer.from('ADDED')], /an event has no object/],
    [[0, 0, 0, 2, 0x0a, 0x09], /a length of 9 exceeds/],
  ];
  for (const [frame, expected] of frames)
    assert.throws(
      () => new ProtobufWatchDecoder().push(Uint8Array.from(frame)),
      (error) => error instanceof ProtobufDecodeError && expected.test(error.message),
    );
});
