import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { warningHeaders } from './warnings.ts';

/** The warnings that a client reads from the header. */
function read(warnings: Iterable<string>): string[] {
  const { warning = '' } = warningHeaders(warnings);
  const text = Buffer.from(warning, 'latin1').toString('utf8');
  const items = text.matchAll(/299 - "((?:[^"\\]|\\.)*)"(?:, |$)/gsu);
  return [...items].map(([, item = '']) => item.replace(/\\(.)/gu, '$1'));
}

const runes = (texts: readonly string[]): number => Array.from(texts.join('')).length;
const unknown = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `unknown field "spec.field${index}"`);

describe('the Warning header', () => {
  it('is absent when there is nothing to say', () => {
    assert.deepEqual(warningHeaders([]), {});
    assert.deepEqual(warningHeaders(['']), {});
  });

  it('quotes quotes and backslashes', () => {
    assert.deepEqual(warningHeaders(['unknown field "a\\b"']), {
      warning: '299 - "unknown field \\"a\\\\b\\""',
    });
  });

  it('tells each once, in order', () => {
    assert.equal(warningHeaders(['b', 'a', 'b', 'a']).warning, '299 - "b", 299 - "a"');
  });

  it('is UTF-8, byte by byte', () => {
    assert.equal(warningHeaders(['é']).warning, '299 - "Ã©"');
    assert.deepEqual(read(['日本', '😀']), ['日本', '😀']);
    assert.deepEqual(read(['lone \ud800']), ['lone \ufffd']);
  });

  it('leaves out what has a control character', () => {
    assert.deepEqual(read(['one', 'two\nlines', 'del\u007f', 'c1\u0085', 'three']), ['one', 'three']);
    assert.deepEqual(warningHeaders(['\u0000']), {});
  });

  it('holds 4,096 characters as they are', () => {
    const warnings = ['a'.repeat(4000), 'b'.repeat(96)];
    assert.deepEqual(read(warnings), warnings);
  });

  it('cuts each to 256 characters from there on, those before too', () => {
    const warnings = ['a'.repeat(4000), '😀'.repeat(300), 'c'.repeat(97), 'd'];
    assert.deepEqual(read(warnings), ['a'.repeat(256), '😀'.repeat(256), 'c'.repeat(97), 'd']);
  });

  it('leaves out what comes after the one that fills it', () => {
    const shown = read(unknown(100_000));
    const last = shown.at(-1) ?? '';
    assert.deepEqual(shown, unknown(shown.length));
    assert.ok(runes(shown) >= 4096 && runes(shown.slice(0, -1)) < 4096, last);
    const { warning = '' } = warningHeaders(unknown(100_000));
    assert.ok(warning.length < 8192, `${warning.length} bytes`);
  });

  it('stays below what Node reads, whatever the warnings are', () => {
    const long = Array.from({ length: 100_000 }, (_, index) => `${index}${'x'.repeat(300)}`);
    assert.equal(read(long).length, 16);
    assert.ok((warningHeaders(long).warning ?? '').length < 8192);
  });
});
