import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseWideJson, wideJson } from '@windlass/apimachinery';
import * as fc from 'fast-check';
import { type CutJson, cutJson, parseInParts } from './json-parts.ts';

async function inParts(json: string, partBytes: number, isWide = false): Promise<unknown> {
  const bytes = Buffer.from(json);
  const cut = cutJson(bytes, partBytes);
  return cut === undefined ? JSON.parse(json) : parseInParts(bytes, cut, isWide);
}

/** The longest text that is parsed at once. */
function longest({ parts }: CutJson): number {
  return Math.max(
    0,
    ...parts.map((part) => ('inside' in part ? longest(part.inside) : part.end - part.start)),
  );
}

describe('JSON in parts', () => {
  test('is what JSON.parse makes of it, whatever it is and however small the parts are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.integer({ min: 1, max: 60 }), async (json, partBytes) => {
        // Without white space, as the other thread writes it.
        const value: unknown = JSON.parse(json);
        const text = JSON.stringify(value);
        const found = await inParts(text, partBytes);
        assert.deepEqual(found, value);
        assert.equal(JSON.stringify(found), text, 'in the same order');
      }),
      { numRuns: 500 },
    );
  });

  for (const text of [
    '{"__proto__":{"a":[1,2,3,4,5,6,7,8]},"b":1}',
    '{"a\\"]":"}{,:\\\\","b":["]",",",{"c":":"}]}',
    '[[[[[[[[[["x"]]]]]]]]]]',
    '{"ü":"äöü€😀","b":["😀😀😀😀😀😀","y"]}',
    '[]',
    '{"a":{},"b":[],"c":[{},{},{},{},{},{},{}]}',
  ])
    test(`for example ${text}`, async () => {
      for (const partBytes of [1, 4, 9, 20]) {
        const found = await inParts(text, partBytes);
        assert.equal(JSON.stringify(found), text);
        assert.equal(Object.getPrototypeOf(found), Array.isArray(found) ? Array.prototype : Object.prototype);
      }
    });

  test('keeps whole numbers of 64 bits where they are asked for', async () => {
    const text = '{"spec":{"a":9223372036854775807,"b":[1,9007199254740993,2]}}';
    const found = await inParts(text, 8, true);
    assert.deepEqual(found, parseWideJson(text));
    assert.equal(wideJson(found), text);
  });

  test('is cut so that no part is long, but for a single text', () => {
    const fields = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`key-${at}`, `value-${at}`]));
    const text = JSON.stringify({
      metadata: { name: 'a' },
      data: fields,
      deep: [[[fields]]],
      list: [fields, fields],
    });
    const cut = cutJson(Buffer.from(text), 1000);
    assert.ok(cut !== undefined);
    assert.ok(longest(cut) < 1100, `${longest(cut)} bytes`);
  });

  test('that is small is not cut', () => assert.equal(cutJson(Buffer.from('{"a":[1,2,3]}')), undefined));
});
