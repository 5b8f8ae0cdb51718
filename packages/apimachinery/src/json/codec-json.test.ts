import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { DecodeError } from '../errors.ts';
import { Quantity } from '../quantities/quantity.ts';
import { decodeJson, encodeJson, strictDecodingMessage } from './codec-json.ts';
import { findJsonProblem } from './json-syntax.ts';
import { jsonValue } from './json-testing.ts';

describe('decoding', () => {
  test('gives the value, of text or of bytes', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        const text = JSON.stringify(value);
        assert.deepEqual(decodeJson(text), { value, problems: [] });
        assert.deepEqual(decodeJson(new TextEncoder().encode(text)).value, value);
      }),
    );
  });

  test('the last of two fields counts, and the doubling is told', () => {
    const { value, problems } = decodeJson('{"a":1,"a":2}');
    assert.deepEqual(value, { a: 2 });
    assert.deepEqual(problems, ['duplicate field "a"']);
    assert.equal(
      strictDecodingMessage([...problems, 'unknown field "b"']),
      'strict decoding error: duplicate field "a", unknown field "b"',
    );
  });

  const broken: readonly (readonly [string, string, number, number])[] = [
    ['{"a":\n  x}', "invalid character 'x' looking for beginning of value", 2, 3],
    ['{"a":1', 'unexpected end of JSON input', 1, 7],
    ['', 'unexpected end of JSON input', 1, 1],
    ['{"a":1}}', "invalid character '}' after top-level value", 1, 8],
    ['\ufeff{}', "invalid character 'ï' looking for beginning of value", 1, 1],
    ["{'a':1}", "invalid character '\\'' looking for beginning of object key string", 1, 2],
    ['{"a",1}', "invalid character ',' after object key", 1, 5],
    ['{"a":1;}', "invalid character ';' after object key:value pair", 1, 7],
    ['[1 2]', "invalid character '2' after array element", 1, 4],
    ['[1,]', "invalid character ']' looking for beginning of value", 1, 4],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string", 1, 8],
    ['"a\nb"', "invalid character '\\n' in string literal", 1, 3],
    ['"\\x"', "invalid character 'x' in string escape code", 1, 3],
    ['"\\u00g0"', "invalid character 'g' in \\u hexadecimal character escape", 1, 6],
    ['-a', "invalid character 'a' in numeric literal", 1, 2],
    ['1.', "invalid character ' ' after decimal point in numeric literal", 1, 3],
    ['"a', 'unexpected end of JSON input', 1, 3],
    ['tru', "invalid character ' ' in literal true (expecting 'e')", 1, 4],
    ['1.e', "invalid character 'e' after decimal point in numeric literal", 1, 3],
    ['1e"', `invalid character '"' in exponent of numeric literal`, 1, 3],
    ['01', "invalid character '1' after top-level value", 1, 2],
    ['nuLl', "invalid character 'L' in literal null (expecting 'l')", 1, 3],
    ['falsy', "invalid character 'y' in literal false (expecting 'e')", 1, 5],
  ];
  for (const [text, problem, line, column] of broken)
    test(`${JSON.stringify(text)} is refused with Go's words and the place`, () => {
      assert.throws(
        () => decodeJson(text),
        (error) => {
          assert.ok(error instanceof DecodeError);
          assert.equal(error.problem, problem);
          assert.equal(error.message, `${problem} (line ${line}, column ${column})`);
          assert.deepEqual([error.line, error.column], [line, column]);
          assert.ok(error.cause instanceof SyntaxError);
          return true;
        },
      );
    });

  test('what JSON.parse refuses, is explained; what it takes, is not', () => {
    const tokens = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '1',
      '-',
      '.5',
      'e1',
      'true',
      'nul',
      '\\',
      '"',
      ' ',
      'é',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...tokens), { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        let accepted = true;
        try {
          JSON.parse(text);
        } catch {
          accepted = false;
        }
        assert.equal(findJsonProblem(text) === undefined, accepted, text);
      }),
      { numRuns: 2000 },
    );
  });

  test('has limits on length and depth', () => {
    assert.throws(() => decodeJson('"abc"', { maxBytes: 4 }), {
      code: 'DECODE_FAILED',
      message: 'the input has 5 bytes; the limit is 4',
    });
    assert.throws(() => decodeJson('"é"', { maxBytes: 3 }), /has 4 bytes/);
    assert.throws(
      () => decodeJson(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
      /nested more than 1000 deep/,
    );
  });

  test('a field named __proto__ is a field', () => {
    const { value } = decodeJson('{"__proto__":{"polluted":true}}');
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.equal('polluted' in {}, false);
  });

  test('a view on a part of a buffer is only that part', () => {
    const bytes = new TextEncoder().encode('xx{"a":1}xx');
    assert.deepEqual(decodeJson(bytes.subarray(2, 9)).value, { a: 1 });
  });
});

describe('encoding', () => {
  test('is JSON, in the order of the fields or of their names', () => {
    const value = { b: [{ d: 1, c: undefined, a: null }], a: 'x' };
    assert.equal(encodeJson(value), '{"b":[{"d":1,"a":null}],"a":"x"}');
    assert.equal(encodeJson(value, { stable: true }), '{"a":"x","b":[{"a":null,"d":1}]}');
    assert.equal(encodeJson({ a: 1 }, { pretty: true }), '{\n  "a": 1\n}');
    assert.equal(encodeJson(undefined), 'null');
  });

  test('stable texts are equal when the values are', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        const reversed: unknown = JSON.parse(JSON.stringify(value), (_key, item: unknown) =>
          typeof item === 'object' && item !== null && !Array.isArray(item)
            ? Object.fromEntries(Object.entries(item).reverse())
            : item,
        );
        assert.equal(encodeJson(reversed, { stable: true }), encodeJson(value, { stable: true }));
        assert.deepEqual(JSON.parse(encodeJson(value, { stable: true })), value);
      }),
    );
  });

  test('names are in the order of their bytes, as in Go', () => {
    assert.equal(encodeJson({ '\u{1f600}': 1, '\uffee': 2 }, { stable: true }), '{"\uffee":2,"\u{1f600}":1}');
  });

  test('what has a form of its own keeps it', () => {
    assert.equal(encodeJson({ cpu: Quantity.parse('0.5') }, { stable: true }), '{"cpu":"500m"}');
  });
});
