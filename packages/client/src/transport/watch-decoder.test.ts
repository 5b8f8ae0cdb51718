import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawWatchEvent } from '@windlass/apimachinery';
import * as fc from 'fast-check';
import { ManagedFieldsSharing } from './managed-fields-sharing.ts';
import { WatchDecoder } from './watch-decoder.ts';

const event = (name: string, type = 'ADDED'): string =>
  JSON.stringify({ type, object: { metadata: { name } } });

function decodeAll(decoder: WatchDecoder, ...chunks: (string | Buffer)[]): RawWatchEvent[] {
  return decoder.decode(chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)));
}

const codeOf = (decoder: WatchDecoder): string | undefined => decoder.error?.code;

test('lines cut into chunks anywhere, also within a character, give the same events', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ name: fc.string({ unit: 'grapheme', maxLength: 20 }), crlf: fc.boolean() }), {
        maxLength: 8,
      }),
      fc.array(fc.nat({ max: 400 }), { maxLength: 20 }),
      fc.boolean(),
      (items, cuts, lastNewline) => {
        const text = items.map(({ name, crlf }) => event(name) + (crlf ? '\r\n' : '\n')).join('');
        const bytes = Buffer.from(lastNewline ? text : text.trimEnd());
        const at = [...new Set(cuts.filter((cut) => cut < bytes.length))].sort((a, b) => a - b);
        const decoder = new WatchDecoder(new ManagedFieldsSharing());
        const events: RawWatchEvent[] = [];
        let start = 0;
        for (const cut of [...at, bytes.length]) {
          events.push(...decoder.decode([bytes.subarray(start, cut)]));
          start = cut;
        }
        events.push(...decoder.end());
        assert.equal(decoder.error, undefined);
        assert.deepEqual(
          events,
          items.map(({ name }) => JSON.parse(event(name))),
        );
      },
    ),
  );
});

test('events come out as soon as their line is complete, several chunks at once too', () => {
  const decoder = new WatchDecoder(new ManagedFieldsSharing());
  assert.equal(decodeAll(decoder, event('a').slice(0, 10)).length, 0);
  assert.equal(decodeAll(decoder, event('a').slice(10)).length, 0);
  assert.equal(
    decodeAll(decoder, `\n${event('b')}\n${event('c').slice(0, 3)}`, `${event('c').slice(3)}\n`).length,
    3,
  );
});

test('empty lines are skipped', () => {
  const decoder = new WatchDecoder(new ManagedFieldsSharing());
  assert.equal(decodeAll(decoder, `\n\r\n${event('a')}\r\n\n\n${event('b')}\n\n`).length, 2);
  assert.deepEqual(decoder.end(), []);
  assert.equal(decoder.error, undefined);
});

test('garbage ends the stream with an error that quotes nothing, after the events before it', () => {
  for (const [line, problem] of [
    ['<html>s3cret</html>', /is not JSON \(19 characters\)/],
    ['{"type":"ADDED","object":{"a":1}}{"type":"ADDED","object":{}}', /is not JSON/],
    ['"s3cret"', /is no JSON object/],
    ['null', /is no JSON object/],
    ['{"type":"CHANGED","object":{}}', /no known event type/],
    ['{"type":"ADDED"}', /has no object/],
    ['{"type":"ADDED","object":"s3cret"}', /has no object/],
  ] as const) {
    const decoder = new WatchDecoder(new ManagedFieldsSharing());
    const events = decodeAll(decoder, `${event('a')}\n${line}\n${event('b')}\n`);
    assert.equal(events.length, 1, line);
    assert.equal(codeOf(decoder), 'WATCH_GARBAGE');
    assert.match(decoder.error?.message ?? '', problem);
    assert.ok(!decoder.error?.message.includes('s3cret'));
    assert.deepEqual(decodeAll(decoder, `${event('c')}\n`), [], 'nothing after the error');
  }
});

test('a stream that ends within a line is truncated', () => {
  const decoder = new WatchDecoder(new ManagedFieldsSharing());
  decodeAll(decoder, `${event('a')}\n{"type":"ADD`);
  assert.deepEqual(decoder.end(), []);
  assert.equal(codeOf(decoder), 'WATCH_TRUNCATED');
});

test('a line longer than the limit is refused, however small the chunks', () => {
  const limit = 100;
  const exact = new WatchDecoder(new ManagedFieldsSharing(), limit);
  assert.equal(decodeAll(exact, `${event('x'.repeat(limit - event('').length))}\n`).length, 1);
  assert.equal(exact.error, undefined);
  const decoder = new WatchDecoder(new ManagedFieldsSharing(), limit);
  for (let index = 0; index < limit; index++) decodeAll(decoder, 'x');
  assert.equal(codeOf(decoder), undefined);
  decodeAll(decoder, 'x');
  assert.equal(codeOf(decoder), 'WATCH_LINE_TOO_LONG');
});

test('a line of 100 MB in small chunks takes time in proportion to its length', { timeout: 10_000 }, () => {
  const decoder = new WatchDecoder(new ManagedFieldsSharing());
  const chunk = Buffer.alloc(64 * 1024, 'x');
  decodeAll(decoder, '{"type":"ADDED","object":{"a":"');
  for (let index = 0; index < 1000; index++) decoder.decode([chunk]);
  const [large] = decodeAll(decoder, '"}}\n');
  assert.ok(large !== undefined);
  const { a } = large.object as { a: string };
  assert.equal(a.length, 1000 * chunk.length);
});

const MANAGED = `"managedFields":[{"manager":"m","fieldsType":"FieldsV1","fieldsV1":{"f:data":{}}}]`;
const managed = (name: string): string =>
  `{"type":"ADDED","object":{"metadata":{"name":"${name}",${MANAGED}}}}\n`;

function setOf(raw: RawWatchEvent | undefined): unknown {
  const object = raw?.object as { metadata: { managedFields: { fieldsV1: unknown }[] } } | undefined;
  return object?.metadata.managedFields[0]?.fieldsV1;
}

test('after objects without managed fields the next ones are not looked for, those after them are', () => {
  const decoder = new WatchDecoder(new ManagedFieldsSharing());
  const [, b] = decodeAll(decoder, managed('a') + managed('b'));
  // A bookmark never has any, so it says nothing.
  decodeAll(decoder, '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"7"}}}\n');
  const [c] = decodeAll(decoder, managed('c'));
  assert.equal(setOf(c), setOf(b));
  const [, d, e] = decodeAll(decoder, `${event('plain')}\n`, managed('d'), managed('e'));
  assert.deepEqual(d, JSON.parse(managed('d')));
  assert.notEqual(setOf(d), setOf(b), 'nobody has looked for it');
  assert.equal(setOf(e), setOf(b));
});

test('events with equal managed fields share them, and a bad line is still found', () => {
  const decoder = new WatchDecoder(new ManagedFieldsSharing());
  const [a, b, c] = decodeAll(decoder, managed('a') + managed('b'), managed('c'));
  for (const [event, name] of [
    [a, 'a'],
    [b, 'b'],
    [c, 'c'],
  ] as const) {
    assert.deepEqual(event, JSON.parse(managed(name)));
  }
  assert.equal(setOf(b), setOf(c));
  assert.equal(decodeAll(decoder, `${managed('d')}garbage\n${managed('e')}`).length, 1);
  assert.equal(codeOf(decoder), 'WATCH_GARBAGE');
});
