import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { jsonValue } from '../../json/json-testing.ts';
import type { JsonValue } from '../../object.ts';
import { canonicalJson, compareJson } from './canonical-json.ts';
import {
  comparePathElements,
  fieldElement,
  formatPath,
  indexElement,
  keyElement,
  parsePathElement,
  pathOf,
  sortPathElements,
  valueElement,
} from './path-element.ts';

describe('parsePathElement', () => {
  const rows: [text: string, canonical: string | undefined][] = [
    ['f:spec', 'f:spec'],
    ['f:', 'f:'],
    ['f: spaces ', 'f: spaces '],
    ['i:0', 'i:0'],
    ['i:007', 'i:7'],
    ['v:null', 'v:null'],
    ['v: 3', 'v:3'],
    ['v:1.0', 'v:1'],
    ['v:"x"', 'v:"x"'],
    ['v:"\\u0061"', 'v:"a"'],
    ['v:{"b":1, "a":[true]}', 'v:{"a":[true],"b":1}'],
    ['k:{"name":"web"}', 'k:{"name":"web"}'],
    ['k:{ "protocol":"udp","port":443}', 'k:{"port":443,"protocol":"udp"}'],
    ['k:{"name":"app-🚀"}', 'k:{"name":"app-🚀"}'],
    ['r:from a later release', undefined],
  ];
  for (const [text, canonical] of rows) it(text, () => assert.equal(parsePathElement(text), canonical));

  for (const text of ['', 'f', 'no-colon', 'i:', 'i:x', 'i:1.5', 'v:', 'v:x', 'k:x', 'k:1', 'k:{"name":x}'])
    it(`refuses "${text}"`, () => {
      assert.throws(() => parsePathElement(text), { code: 'FIELDS_V1_MALFORMED' });
    });
});

it('escapes strings as the server writes them', () => {
  assert.equal(
    valueElement('<a>&"\\\n\t\b\u0001\u2028é🚀'),
    'v:"\\u003ca\\u003e\\u0026\\"\\\\\\n\\t\\u0008\\u0001\\u2028é🚀"',
  );
  assert.equal(valueElement('\ud800'), 'v:"\ufffd"');
});

describe('canonical JSON', () => {
  it('parses to the same value, and equal values have one form', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        const text = canonicalJson(value);
        const parsed = JSON.parse(text) as JsonValue;
        assert.deepEqual(parsed, value);
        assert.equal(canonicalJson(parsed), text);
      }),
    );
  });

  it('has a total order', () => {
    fc.assert(
      fc.property(jsonValue, jsonValue, jsonValue, (a, b, c) => {
        assert.equal(Math.sign(compareJson(a, b)), -Math.sign(compareJson(b, a)) + 0);
        assert.equal(compareJson(a, b) === 0, canonicalJson(a) === canonicalJson(b));
        if (compareJson(a, b) <= 0 && compareJson(b, c) <= 0) assert.ok(compareJson(a, c) <= 0);
      }),
    );
  });

  it('orders by type, then by content', () => {
    const sorted: JsonValue[] = [
      -1,
      2,
      10,
      '',
      'B',
      'a',
      'ab',
      false,
      true,
      [],
      [1],
      [1, 0],
      {},
      { a: 1 },
      { a: 1, b: 0 },
      { b: 0 },
      null,
    ];
    assert.deepEqual(sorted.toReversed().sort(compareJson), sorted);
  });
});

describe('comparePathElements', () => {
  it('puts fields before keys, values and indices', () => {
    const sorted = ['f:a', 'f:b', 'k:{"name":"a"}', 'v:1', 'v:"a"', 'i:2', 'i:10'];
    assert.deepEqual(sortPathElements(sorted.toReversed()), sorted);
    assert.deepEqual(sortPathElements([...sorted]), sorted);
  });

  it('orders strings by their bytes in UTF-8', () => {
    assert.ok(comparePathElements('f:\uffff', 'f:🚀') < 0);
    assert.ok(comparePathElements('v:"\uffff"', 'v:"🚀"') < 0);
  });

  it('agrees with the order of the values, also where it need not parse them', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '"', '\\', ' ', '!', '<', 'é', '\uffff', '🚀'),
      maxLength: 4,
    });
    const keys = fc.record(
      { name: text, port: fc.constantFrom<JsonValue>(1, 2, 10, '1') },
      { requiredKeys: [], noNullPrototype: true },
    );
    fc.assert(
      fc.property(keys, keys, (left, right) => {
        const order = comparePathElements(keyElement(left), keyElement(right));
        assert.equal(Math.sign(order), Math.sign(compareJson(left, right)));
      }),
      { numRuns: 1000 },
    );
    fc.assert(
      fc.property(text, text, (left, right) => {
        const order = comparePathElements(valueElement(left), valueElement(right));
        assert.equal(Math.sign(order), Math.sign(compareJson(left, right)));
      }),
    );
  });
});

it('formatPath names a place as messages do', () => {
  const path = [
    ...pathOf('spec', 'ports'),
    keyElement({ protocol: 'TCP', containerPort: 80 }),
    fieldElement('list'),
    valueElement('a"b'),
    indexElement(3),
    valueElement(1.5),
    valueElement(true),
    keyElement({ name: null }),
  ];
  assert.equal(
    formatPath(path),
    '.spec.ports[containerPort=80,protocol="TCP"].list[="a\\"b"][3][=1.5][=true][name=null]',
  );
});
