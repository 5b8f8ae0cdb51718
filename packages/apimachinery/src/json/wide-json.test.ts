import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareJson } from '../apply/fields/canonical-json.ts';
import { deepCopy } from './deep-copy.ts';
import { deepEqual } from './deep-equal.ts';
import { goMapJson } from './go-json.ts';
import { parseWideJson, wideJson } from './wide-json.ts';

describe('whole numbers in JSON', () => {
  const rows: [text: string, value: unknown, again?: string][] = [
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['3546343826724305832', 3546343826724305832n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9223372036854775808', 9223372036854775808, '9223372036854776000'],
    ['9007199254740993.0', 9007199254740992, '9007199254740992'],
    ['1e17', 1e17, '100000000000000000'],
    ['"9007199254740993"', '9007199254740993'],
    ['0.1234567890123456789', Number('0.1234567890123456789'), '0.12345678901234568'],
  ];
  for (const [text, value, again = text] of rows)
    it(`${text} is ${typeof value}, and ${again} again`, () => {
      const document = `{"a":[${text},1],"__proto__":{"b":${text}}}`;
      const parsed = parseWideJson(document);
      assert.deepEqual((parsed as { a: unknown[] }).a, [value, 1]);
      assert.equal(wideJson(parsed), document.replaceAll(text, again));
      assert.equal(goMapJson(parsed), `{"__proto__":{"b":${again}},"a":[${again},1]}`);
    });

  it('are copied, compared and ordered as they are', () => {
    const value = parseWideJson('{"a":[9007199254740993]}');
    assert.ok(deepEqual(deepCopy(value), value));
    assert.ok(!deepEqual(value, parseWideJson('{"a":[9007199254740992]}')));
    assert.ok(compareJson(9007199254740993n, 9007199254740994n) < 0);
    assert.ok(compareJson(9007199254740993n, 5) > 0);
    assert.equal(compareJson(7, 7), 0);
  });

  it('stay what they are in texts, and are no keys', () => {
    const text = '{"wide:9007199254740993":["\\"9007199254740993",9007199254740993,1e-1234567890123456]}';
    assert.deepEqual(parseWideJson(text), {
      'wide:9007199254740993': ['"9007199254740993', 9007199254740993n, 0],
    });
    for (const wrong of [
      '{9007199254740993:1}',
      '{9007199254740993 :1}',
      '[09007199254740993]',
      '[+9007199254740993]',
    ])
      assert.throws(() => parseWideJson(wrong), SyntaxError, wrong);
  });

  it('are written with an indent, and what is wrong is told', () => {
    assert.equal(wideJson({ a: 9007199254740993n }, 2), '{\n  "a": 9007199254740993\n}');
    const circle: { self?: object } = {};
    circle.self = circle;
    assert.throws(() => wideJson(circle), TypeError);
    assert.throws(() => parseWideJson('{"a":9007199254740993'), SyntaxError);
  });
});
