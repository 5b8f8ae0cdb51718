import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { goMapJson } from './go-json.ts';
import { parseJsonValue } from './json-object.ts';

describe('JSON as Go writes it', () => {
  const rows: [what: string, text: string, map: string][] = [
    ['keys', '{"b":1,"a":2,"$patch":3}', '{"$patch":3,"a":2,"b":1}'],
    ['keys that are numbers', '{"a":1,"9":2,"10":3}', '{"10":3,"9":2,"a":1}'],
    ['what HTML knows', '{"<":"a>b&c"}', '{"\\u003c":"a\\u003eb\\u0026c"}'],
    ['separators of lines', '"\u2028\u2029"', '"\\u2028\\u2029"'],
    ['control characters', '"\\b\\f\\n\\u0001\\u007f"', '"\\b\\f\\n\\u0001\u007f"'],
    ['numbers', '[1,1.5,1e21,1e-7,-0.5]', '[1,1.5,1e+21,1e-7,-0.5]'],
    ['keys beyond 16 bits', '{"\u{1f600}":1,"\uffee":2}', '{"\uffee":2,"\u{1f600}":1}'],
    ['a key of the prototype', '{"z":[{}],"__proto__":null}', '{"__proto__":null,"z":[{}]}'],
  ];
  for (const [what, text, map] of rows)
    it(what, () => {
      assert.equal(goMapJson(parseJsonValue(text)), map);
    });

  it('leaves out what is undefined', () => assert.equal(goMapJson({ b: undefined, a: 1 }), '{"a":1}'));
});
