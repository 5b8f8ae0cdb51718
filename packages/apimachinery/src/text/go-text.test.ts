import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goFloat, goJson, goNumber, goQuote } from './go-text.ts';

test('%q', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['', '""'],
    ['plain ~', '"plain ~"'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    ['\u0007\b\f\n\r\t\v', '"\\a\\b\\f\\n\\r\\t\\v"'],
    ['\u0001\u001f\u007f', '"\\x01\\x1f\\x7f"'],
    ['é😀', '"é😀"'],
    ['\u00a0\u2028\u0085', '"\\u00a0\\u2028\\u0085"'],
    ['\u{10ffff}', '"\\U0010ffff"'],
    ['\ud800', '"\ufffd"'],
  ];
  for (const [text, quoted] of rows) assert.equal(goQuote(text), quoted);
});

test('%v of numbers', () => {
  const rows: readonly (readonly [number, string])[] = [
    [0, '0'],
    [-0, '0'],
    [1_000_000, '1000000'],
    [1.5, '1.5'],
    [1234567.5, '1.2345675e+06'],
    [123456.5, '123456.5'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [1e21, '1e+21'],
    [1e100, '1e+100'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, '+Inf'],
    [Number.NEGATIVE_INFINITY, '-Inf'],
  ];
  for (const [value, text] of rows) assert.equal(goNumber(value), text);
  assert.equal(goFloat(1_000_000), '1e+06');
});

test('encoding/json', () => {
  assert.equal(
    goJson({ a: '<b>&\u2028', n: 1e21, x: undefined }),
    '{"a":"\\u003cb\\u003e\\u0026\\u2028","n":1e+21}',
  );
  assert.equal(goJson(undefined), 'null');
});
