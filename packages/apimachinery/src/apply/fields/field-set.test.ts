import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { FieldSet } from './field-set.ts';
import { FieldSetBuilder } from './field-set-builder.ts';
import { formatFieldsV1, parseFieldsV1 } from './fields-v1.ts';
import { type ElementPath, pathOf } from './path-element.ts';

const element = fc.constantFrom('f:a', 'f:b', 'f:c', 'k:{"name":"x"}', 'k:{"name":"y"}', 'v:1', 'i:0');
const path: fc.Arbitrary<ElementPath> = fc.array(element, { minLength: 1, maxLength: 4 });
const paths = fc.array(path, { maxLength: 12 });

/** The same set as plain texts, for the operations to be checked against. */
const texts = (list: readonly ElementPath[]): string[] =>
  [...new Set(list.map((item) => item.join('\n')))].sort();
const textsOf = (set: FieldSet): string[] => texts([...set.paths()]);
const isBelow = (text: string, other: string): boolean => text.startsWith(`${other}\n`);

describe('FieldSet', () => {
  it('has what was put into it', () => {
    fc.assert(
      fc.property(paths, path, (list, other) => {
        const set = FieldSet.of(...list);
        assert.deepEqual(textsOf(set), texts(list));
        assert.equal(set.size, texts(list).length);
        assert.equal(set.isEmpty, list.length === 0);
        for (const item of list) assert.ok(set.has(item));
        assert.equal(set.has(other), texts(list).includes(other.join('\n')));
      }),
    );
  });

  it('is built by a builder from paths in any order', () => {
    fc.assert(
      fc.property(paths, (list) => {
        const builder = new FieldSetBuilder();
        for (const item of list) builder.insert(item);
        assert.ok(builder.build().equals(FieldSet.of(...list)));
      }),
    );
  });

  it('unites, intersects and subtracts as sets of paths do', () => {
    fc.assert(
      fc.property(paths, paths, (left, right) => {
        const a = FieldSet.of(...left);
        const b = FieldSet.of(...right);
        const [inA, inB] = [texts(left), texts(right)];
        assert.deepEqual(textsOf(a.union(b)), texts([...left, ...right]));
        assert.deepEqual(
          textsOf(a.intersection(b)),
          inA.filter((text) => inB.includes(text)),
        );
        assert.deepEqual(
          textsOf(a.difference(b)),
          inA.filter((text) => !inB.includes(text)),
        );
        assert.deepEqual(
          textsOf(a.recursiveDifference(b)),
          inA.filter((text) => !inB.some((other) => text === other || isBelow(text, other))),
        );
        assert.deepEqual(
          textsOf(a.leaves()),
          inA.filter((text) => !inA.some((other) => isBelow(other, text))),
        );
        assert.equal(a.equals(b), inA.join() === inB.join());
        assert.equal(
          a.isSubsetOf(b),
          inA.every((text) => inB.includes(text)),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('answers an operand itself where the result equals it', () => {
    fc.assert(
      fc.property(paths, (list) => {
        const set = FieldSet.of(...list);
        const copy = FieldSet.of(...list);
        assert.equal(set.union(copy), set);
        assert.equal(set.intersection(copy), set);
        assert.equal(set.difference(FieldSet.of(pathOf('nope'))), set);
        assert.equal(set.difference(copy), FieldSet.EMPTY);
      }),
    );
  });
});

describe('FieldsV1', () => {
  it('reads what it writes', () => {
    fc.assert(
      fc.property(paths, (list) => {
        const set = FieldSet.of(...list);
        const text = JSON.stringify(formatFieldsV1(set));
        const read = parseFieldsV1(JSON.parse(text));
        assert.ok(read.equals(set));
        assert.equal(JSON.stringify(formatFieldsV1(read)), text);
      }),
    );
  });

  it('writes members, members with members below them, and mere steps', () => {
    const set = FieldSet.of(pathOf('a'), pathOf('b'), pathOf('b', 'c'), pathOf('d', 'e'));
    assert.equal(JSON.stringify(formatFieldsV1(set)), '{"f:a":{},"f:b":{".":{},"f:c":{}},"f:d":{"f:e":{}}}');
  });

  it('writes in canonical order', () => {
    const fields = {
      'v:2': {},
      'f:b': {},
      'i:1': {},
      'k:{"name":"b"}': {},
      'v:"a"': {},
      'k:{"name":"a"}': {},
      'f:a': {},
      'v:10': {},
    };
    assert.deepEqual(Object.keys(formatFieldsV1(parseFieldsV1(fields))), [
      'f:a',
      'f:b',
      'k:{"name":"a"}',
      'k:{"name":"b"}',
      'v:2',
      'v:10',
      'v:"a"',
      'i:1',
    ]);
  });

  it('brings keys into canonical form', () => {
    const fields = { 'f:ports': { 'k:{ "protocol":"TCP", "port":1 }': { '.': {} } } };
    assert.deepEqual(formatFieldsV1(parseFieldsV1(fields)), {
      'f:ports': { 'k:{"port":1,"protocol":"TCP"}': {} },
    });
  });

  it('leaves out what it does not know', () => {
    assert.deepEqual(formatFieldsV1(parseFieldsV1({ 'f:a': {}, 'r:b': { 'f:c': {} } })), { 'f:a': {} });
  });

  it('takes null and nothing for no fields', () => {
    for (const nothing of [undefined, null, {}]) assert.ok(parseFieldsV1(nothing).isEmpty);
  });

  it('refuses what is no tree', () => {
    for (const wrong of [[], 'x', 1, { 'f:a': 1 }, { 'f:a': null }, { a: {} }])
      assert.throws(() => parseFieldsV1(wrong), { code: 'FIELDS_V1_MALFORMED' });
  });

  it('remembers one set for a JSON, and nobody can change that JSON', () => {
    const set = FieldSet.of(pathOf('a', 'b'));
    const fields = formatFieldsV1(set);
    const remembered = parseFieldsV1(fields);
    assert.deepEqual([...remembered.paths()], [...set.paths()]);
    assert.equal(parseFieldsV1(fields), remembered);
    assert.equal(formatFieldsV1(set), fields);
    assert.equal(formatFieldsV1(remembered), fields);
    assert.throws(() => Object.assign(fields['f:a'] ?? {}, { 'f:x': {} }), TypeError);
    assert.ok(parseFieldsV1({ ...fields, 'f:c': {} }).has(pathOf('c')));
  });
});
