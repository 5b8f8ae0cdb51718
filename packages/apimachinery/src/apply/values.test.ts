// How values divide into fields: validation, ownership, comparison, merging, removal.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { deepFreeze } from '../json/deep-freeze.ts';
import type { JsonObject } from '../json/json-object.ts';
import type { JsonValue } from '../object.ts';
import { anyObject, typedObject } from '../schema/schema-testing.ts';
import { FieldSet } from './fields/field-set.ts';
import { parseFieldsV1 } from './fields/fields-v1.ts';
import { compare } from './merge/compare.ts';
import { extractFields } from './merge/extract-fields.ts';
import { merge } from './merge/merge.ts';
import { withNamedMembers } from './merge/named-members.ts';
import { reconcileWithSchema } from './merge/reconcile.ts';
import { removeFields } from './merge/remove.ts';
import { pathsOf, testType, types } from './testing.ts';
import { toFieldSet } from './types/to-field-set.ts';
import { DEDUCED } from './types/type-compiler.ts';
import { validate } from './types/validate.ts';

const spec = (value: JsonValue): JsonObject => ({ spec: value });
const containers = (...items: JsonValue[]): JsonObject => spec({ containers: items });

describe('validate', () => {
  it('takes every object of the kind', () => {
    fc.assert(fc.property(anyObject, (object) => validate(deepFreeze(object) as JsonObject, testType)));
  });

  const rows: [what: string, value: JsonValue, message: string][] = [
    ['a field that is not declared', spec({ nope: 1 }), '.spec.nope: field not declared in schema'],
    [
      'a text for a number',
      spec({ replicas: 'x' }),
      '.spec.replicas: expected numeric (int or float), got string',
    ],
    [
      'a list for a number',
      spec({ replicas: [1] }),
      '.spec.replicas: expected numeric (int or float), got []interface {}',
    ],
    ['a text for a boolean', spec({ paused: 'x' }), '.spec.paused: expected boolean, got &{x}'],
    ['a number for a text', { kind: 1 }, '.kind: expected string, got &value.valueUnstructured{Value:1}'],
    [
      'an object for a text',
      { kind: { a: ['b', null, 1.5, true] } },
      '.kind: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"a":[]interface {}{"b", interface {}(nil), 1.5, true}}}',
    ],
    [
      'an object for a time',
      { metadata: { creationTimestamp: {} } },
      '.metadata.creationTimestamp: expected any scalar, got &{map[]}',
    ],
    ['a text for an object', { spec: 'x' }, '.spec: expected map, got &{x}'],
    ['a list for an object', { spec: ['x'] }, '.spec: expected map, got &{[x]}'],
    [
      'an object for a list',
      spec({ containers: { a: 1 } }),
      '.spec.containers: expected list, got &{map[a:1]}',
    ],
    [
      'an element that is no object',
      containers('a'),
      '.spec.containers: element 0: associative list with keys may not have non-map elements',
    ],
    [
      'an element that is null',
      containers(null),
      '.spec.containers: element 0: associative list with keys may not have a null element',
    ],
    [
      'an element without its key',
      containers({ image: 'x' }),
      '.spec.containers: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)',
    ],
    [
      'an element twice',
      containers({ name: 'a' }, { name: 'a' }),
      '.spec.containers: duplicate entries for key [name="a"]',
    ],
    [
      'an element twice, once by default',
      containers({ name: 'a', ports: [{ containerPort: 1 }, { containerPort: 1, protocol: 'TCP' }] }),
      '.spec.containers[name="a"].ports: duplicate entries for key [containerPort=1,protocol="TCP"]',
    ],
    [
      'a value twice in a set',
      { metadata: { finalizers: ['a', 'a'] } },
      '.metadata.finalizers: duplicate entries for key [="a"]',
    ],
    [
      'an object in a set',
      { metadata: { finalizers: [{}] } },
      ".metadata.finalizers: element 0: associative list without keys has an element that's a map type",
    ],
    [
      'a list in a set',
      { metadata: { finalizers: [[]] } },
      '.metadata.finalizers: element 0: not supported: associative list with lists as elements',
    ],
    [
      'null in a set',
      { metadata: { finalizers: [null] } },
      ".metadata.finalizers: element 0: associative list without keys has an element that's an explicit null",
    ],
    [
      'several things',
      { kind: 1, spec: 'x' },
      'errors:\n  .kind: expected string, got &value.valueUnstructured{Value:1}\n  .spec: expected map, got &{x}',
    ],
  ];
  for (const [what, value, message] of rows)
    it(`refuses ${what}`, () =>
      assert.throws(() => validate(value, testType), { code: 'APPLY_TYPE', message }));

  it('takes repeated elements where they are allowed, and null anywhere', () => {
    validate(containers({ name: 'a' }, { name: 'a' }), testType, { allowDuplicates: true });
    validate({ spec: null, metadata: { labels: null, finalizers: null, name: null } }, testType);
  });

  it('takes anything where the type is not declared', () => {
    for (const port of [1, 'x', true, null, { a: 1 }, [1]]) validate(spec({ port }), testType);
  });
});

describe('toFieldSet', () => {
  const rows: [what: string, value: JsonValue, paths: string[]][] = [
    ['scalars', spec({ replicas: 1 }), ['.spec.replicas']],
    ['keys of maps', { metadata: { labels: { a: '1' } } }, ['.metadata.labels.a']],
    ['empty objects', spec({ strategy: {} }), ['.spec.strategy']],
    [
      'nulls',
      spec({ strategy: null, replicas: null, containers: null }),
      ['.spec.containers', '.spec.replicas', '.spec.strategy'],
    ],
    ['nothing of an empty list', spec({ containers: [] }), []],
    [
      'elements and what is in them',
      containers({ name: 'a', image: 'x' }),
      ['.spec.containers[name="a"]', '.spec.containers[name="a"].image', '.spec.containers[name="a"].name'],
    ],
    [
      'keys with their defaults',
      containers({ name: 'a', ports: [{ containerPort: 1 }] }),
      [
        '.spec.containers[name="a"]',
        '.spec.containers[name="a"].name',
        '.spec.containers[name="a"].ports[containerPort=1,protocol="TCP"]',
        '.spec.containers[name="a"].ports[containerPort=1,protocol="TCP"].containerPort',
      ],
    ],
    [
      'values of sets',
      { metadata: { finalizers: ['b', 'a'] } },
      ['.metadata.finalizers[="a"]', '.metadata.finalizers[="b"]'],
    ],
    [
      'atomic lists and maps as a whole',
      spec({ tolerations: [{ key: 'a' }], nodeSelector: { a: 'b' }, whole: {} }),
      ['.spec.nodeSelector', '.spec.tolerations', '.spec.whole'],
    ],
    [
      'what is free of a schema, lists as a whole',
      spec({ free: { a: { b: 1 }, c: [{ name: 'x' }], d: null } }),
      ['.spec.free.a', '.spec.free.a.b', '.spec.free.c', '.spec.free.d'],
    ],
    [
      'repeated elements together',
      containers({ name: 'a', image: 'x' }, { name: 'a', image: 'y' }),
      ['.spec.containers[name="a"]'],
    ],
  ];
  for (const [what, value, paths] of rows)
    it(`owns ${what}`, () => assert.deepEqual(pathsOf(toFieldSet(value, testType)), paths));
});

describe('compare', () => {
  const rows: [
    what: string,
    before: JsonValue,
    after: JsonValue,
    removed: string[],
    modified: string[],
    added: string[],
  ][] = [
    ['a changed scalar', spec({ replicas: 1 }), spec({ replicas: 2 }), [], ['.spec.replicas'], []],
    [
      'a field that came and one that went',
      spec({ replicas: 1 }),
      spec({ paused: true }),
      ['.spec.replicas'],
      [],
      ['.spec.paused'],
    ],
    [
      'an object that came',
      {},
      spec({ strategy: { type: 'x' } }),
      [],
      [],
      ['.spec', '.spec.strategy', '.spec.strategy.type'],
    ],
    ['an object that was null', { spec: null }, spec({ replicas: 1 }), [], [], ['.spec.replicas']],
    [
      'an object that became empty',
      spec({ strategy: { type: 'x' } }),
      spec({ strategy: {} }),
      ['.spec.strategy.type'],
      [],
      [],
    ],
    ['null and empty', spec({ strategy: null }), spec({ strategy: {} }), [], ['.spec.strategy'], []],
    [
      'elements in another order',
      containers({ name: 'a' }, { name: 'b' }),
      containers({ name: 'b' }, { name: 'a' }),
      [],
      [],
      [],
    ],
    [
      'an element that came',
      containers({ name: 'a' }),
      containers({ name: 'a' }, { name: 'b', image: 'x' }),
      [],
      [],
      ['.spec.containers[name="b"]', '.spec.containers[name="b"].image', '.spec.containers[name="b"].name'],
    ],
    [
      'a change in an element',
      containers({ name: 'a', image: 'x' }),
      containers({ name: 'a', image: 'y' }),
      [],
      ['.spec.containers[name="a"].image'],
      [],
    ],
    [
      'an atomic list',
      spec({ tolerations: [{ key: 'a' }] }),
      spec({ tolerations: [{ key: 'b' }] }),
      [],
      ['.spec.tolerations'],
      [],
    ],
    [
      'a value of a set',
      { metadata: { finalizers: ['a'] } },
      { metadata: { finalizers: ['b'] } },
      ['.metadata.finalizers[="a"]'],
      [],
      ['.metadata.finalizers[="b"]'],
    ],
    [
      'a value that became an object',
      spec({ free: { a: 1 } }),
      spec({ free: { a: { b: 1 } } }),
      [],
      ['.spec.free.a'],
      ['.spec.free.a.b'],
    ],
    [
      'an object that became a value',
      spec({ free: { a: { b: 1 } } }),
      spec({ free: { a: 1 } }),
      ['.spec.free.a.b'],
      ['.spec.free.a'],
      [],
    ],
    [
      'an element that is there twice now',
      containers({ name: 'a', image: 'x' }),
      containers({ name: 'a' }, { name: 'a' }),
      ['.spec.containers[name="a"]', '.spec.containers[name="a"].image', '.spec.containers[name="a"].name'],
      [],
      ['.spec.containers[name="a"]'],
    ],
    [
      'an element that was there twice',
      containers({ name: 'a' }, { name: 'a' }),
      containers({ name: 'a' }),
      ['.spec.containers[name="a"]'],
      [],
      ['.spec.containers[name="a"]', '.spec.containers[name="a"].name'],
    ],
    [
      'elements that are there twice',
      containers({ name: 'a' }, { name: 'a' }),
      containers({ name: 'a' }, { name: 'a', image: 'x' }),
      [],
      ['.spec.containers[name="a"]'],
      [],
    ],
  ];
  for (const [what, before, after, removed, modified, added] of rows)
    it(`sees ${what}`, () => {
      const result = compare(before, after, testType);
      assert.deepEqual(
        [pathsOf(result.removed), pathsOf(result.modified), pathsOf(result.added)],
        [removed, modified, added],
      );
    });

  it('finds nothing between equal objects, and the opposite in the other direction', () => {
    fc.assert(
      fc.property(anyObject, anyObject, (left, right) => {
        const there = compare(left, right, testType);
        const back = compare(right, left, testType);
        assert.ok(there.added.equals(back.removed));
        assert.ok(there.removed.equals(back.added));
        assert.ok(there.modified.equals(back.modified));
        const none = compare(left, structuredClone(left), testType);
        assert.ok(none.added.isEmpty && none.modified.isEmpty && none.removed.isEmpty);
      }),
    );
  });
});

describe('merge', () => {
  const names = (...list: string[]): JsonObject => containers(...list.map((name) => ({ name })));
  const rows: [what: string, live: JsonValue, applied: JsonValue, expected: JsonValue][] = [
    [
      'takes what is applied',
      spec({ replicas: 1, paused: true }),
      spec({ replicas: 2 }),
      spec({ replicas: 2, paused: true }),
    ],
    ['removes nothing', spec({ replicas: 1 }), { spec: {} }, spec({ replicas: 1 })],
    [
      'merges elements',
      containers({ name: 'a', image: 'x' }),
      containers({ name: 'a', args: ['y'] }),
      containers({ name: 'a', image: 'x', args: ['y'] }),
    ],
    [
      'replaces atomic lists and maps',
      spec({ args: 1, nodeSelector: { a: 'b' } }),
      spec({ nodeSelector: { c: 'd' } }),
      spec({ args: 1, nodeSelector: { c: 'd' } }),
    ],
    ['keeps the applied order', names('a', 'b', 'c'), names('c', 'a'), names('b', 'c', 'a')],
    [
      'keeps what is only live where it was',
      names('x', 'a', 'y', 'b', 'z'),
      names('a', 'b'),
      names('x', 'a', 'y', 'b', 'z'),
    ],
    [
      'puts new elements where they were applied',
      names('a', 'c'),
      names('a', 'b', 'c'),
      names('a', 'b', 'c'),
    ],
    ['puts new elements last', names('a', 'b'), names('c'), names('a', 'b', 'c')],
    [
      'replaces elements that are there twice',
      containers({ name: 'a', image: 'x' }, { name: 'a' }),
      containers({ name: 'a', args: [] }),
      containers({ name: 'a', args: [] }),
    ],
    [
      'lets null stand for a scalar',
      spec({ replicas: 1 }),
      spec({ replicas: null }),
      spec({ replicas: null }),
    ],
    [
      'ignores null for a filled object or list',
      spec({ strategy: { type: 'x' }, containers: [{ name: 'a' }] }),
      spec({ strategy: null, containers: null }),
      spec({ strategy: { type: 'x' }, containers: [{ name: 'a' }] }),
    ],
    [
      'replaces what is free of a schema by another type',
      spec({ free: { a: { b: 1 } } }),
      spec({ free: { a: [1] } }),
      spec({ free: { a: [1] } }),
    ],
  ];
  for (const [what, live, applied, expected] of rows)
    it(what, () =>
      assert.deepEqual(
        merge(deepFreeze(live) as JsonValue, deepFreeze(applied) as JsonValue, testType),
        expected,
      ),
    );

  it('makes all that was applied true, and is live itself when that is so already', () => {
    fc.assert(
      fc.property(anyObject, anyObject, (live, applied) => {
        const merged = merge(deepFreeze(live) as JsonValue, deepFreeze(applied) as JsonValue, testType);
        const { added, modified } = compare(merged, applied, testType);
        // Null and empty aside: what is empty does not empty what is filled.
        assert.ok(modified.isEmpty && added.isEmpty, JSON.stringify([pathsOf(modified), pathsOf(added)]));
        assert.equal(merge(merged, structuredClone(applied), testType), merged);
      }),
      { numRuns: 300 },
    );
  });
});

it('merge removes nothing that has a declared type', () => {
  fc.assert(
    fc.property(typedObject, typedObject, (live, applied) => {
      const { removed } = compare(live, merge(live, applied, testType), testType);
      assert.deepEqual(pathsOf(removed), []);
    }),
  );
});

describe('removeFields', () => {
  it('removes fields, elements and keys', () => {
    const object: JsonObject = {
      metadata: { labels: { a: '1', b: '2' }, finalizers: ['x', 'y'] },
      ...containers({ name: 'a', image: 'i' }, { name: 'b' }),
    };
    const fields = parseFieldsV1({
      'f:metadata': { 'f:labels': { 'f:a': {} }, 'f:finalizers': { 'v:"x"': {} } },
      'f:spec': { 'f:containers': { 'k:{"name":"a"}': { 'f:image': {} }, 'k:{"name":"b"}': {} } },
    });
    assert.deepEqual(removeFields(deepFreeze(object) as JsonValue, fields, testType), {
      metadata: { labels: { b: '2' }, finalizers: ['y'] },
      ...containers({ name: 'a' }),
    });
  });

  it('leaves null where nothing is left of something that stays', () => {
    const fields = parseFieldsV1({ 'f:metadata': { 'f:labels': { 'f:a': {} } } });
    assert.deepEqual(removeFields({ metadata: { labels: { a: '1' } } }, fields, testType), {
      metadata: { labels: null },
    });
  });

  it('is the value itself when nothing goes', () => {
    fc.assert(
      fc.property(anyObject, (object) => {
        const fields = FieldSet.of(['f:nope'], ['f:spec', 'f:containers', 'k:{"name":"zz"}']);
        const spec = object['spec'] as JsonObject | undefined;
        fc.pre(
          spec !== undefined &&
            Object.keys(spec).length > 0 &&
            (spec['containers'] as JsonValue[] | undefined)?.length !== 0,
        );
        assert.equal(removeFields(object, fields, testType), object);
      }),
    );
  });

  it('removes all that an object owns', () => {
    fc.assert(
      fc.property(anyObject, (object) => {
        const all = withNamedMembers(toFieldSet(object, testType), testType);
        const rest = removeFields(object, all, testType) ?? {};
        assert.ok(toFieldSet(rest, testType).intersection(all).isEmpty);
      }),
    );
  });
});

describe('extractFields', () => {
  it('gives all of an object that all is owned of', () => {
    fc.assert(
      fc.property(anyObject, (object) => {
        const owned = toFieldSet(object, testType);
        const part = extractFields(object, owned.leaves(), testType) ?? {};
        assert.ok(toFieldSet(part, testType).equals(owned));
      }),
    );
  });

  it('gives an empty object to whoever owns nothing in it', () => {
    const fields = parseFieldsV1({ 'f:spec': { 'f:strategy': {} } });
    assert.deepEqual(
      extractFields(spec({ strategy: { type: 'x' }, replicas: 1 }), fields, testType),
      spec({ strategy: {} }),
    );
  });
});

describe('reconcileWithSchema', () => {
  it('gives the whole to whoever owned parts of what has become atomic', () => {
    const before = parseFieldsV1({
      'f:spec': {
        'f:nodeSelector': { 'f:a': {} },
        'f:tolerations': { '.': {}, 'i:0': {} },
        'f:replicas': {},
      },
    });
    assert.deepEqual(pathsOf(reconcileWithSchema(before, testType)), [
      '.spec.nodeSelector',
      '.spec.replicas',
      '.spec.tolerations',
    ]);
  });

  it('leaves every set of today as it is', () => {
    fc.assert(
      fc.property(anyObject, (object) => {
        const set = toFieldSet(object, testType);
        assert.equal(reconcileWithSchema(set, testType), set);
      }),
    );
  });

  it('leaves alone what has no schema', () => {
    const set = parseFieldsV1({ 'f:spec': { 'f:free': { 'f:a': { 'f:b': {} } } } });
    assert.equal(reconcileWithSchema(set, testType), set);
    assert.equal(reconcileWithSchema(set, DEDUCED), set);
  });
});

describe('TypeCompiler', () => {
  it('gives one type per schema, and follows references', () => {
    assert.equal(types.typeOf({ $ref: 'test.Spec' }), types.typeOf({ $ref: 'test.Spec' }));
    assert.throws(() => types.typeOf({ $ref: 'test.Nope' }), { code: 'APPLY_SCHEMA_INVALID' });
  });

  it('lets a field say that a shared type is atomic there', () => {
    const type = types.typeOf({ $ref: 'test.Strategy', 'x-kubernetes-map-type': 'atomic' });
    assert.deepEqual(
      pathsOf(
        toFieldSet(
          { s: { type: 'x' } },
          {
            scalar: undefined,
            list: undefined,
            map: types.typeOf({
              type: 'object',
              properties: { s: { $ref: 'test.Strategy', 'x-kubernetes-map-type': 'atomic' } },
            }).map,
          },
        ),
      ),
      ['.s'],
    );
    assert.equal(type.map?.relationship, 'atomic');
    assert.equal(types.typeOf({ $ref: 'test.Strategy' }).map?.relationship, 'separable');
  });

  it('reads list types from the markers of strategic merge where there are no others', () => {
    const list = (more: object): unknown =>
      types.typeOf({ type: 'array', items: { type: 'object' }, ...more }).list;
    const [merged, set, plain] = [
      list({ 'x-kubernetes-patch-strategy': 'merge', 'x-kubernetes-patch-merge-key': 'name' }),
      list({ 'x-kubernetes-patch-strategy': 'merge' }),
      list({}),
    ] as { relationship: string; keys: string[] }[];
    assert.deepEqual([merged?.relationship, merged?.keys], ['associative', ['name']]);
    assert.deepEqual([set?.relationship, set?.keys], ['associative', []]);
    assert.equal(plain?.relationship, 'atomic');
    assert.throws(() => list({ 'x-kubernetes-list-type': 'map' }), { code: 'APPLY_SCHEMA_INVALID' });
  });

  it('allows unknown fields only where they are preserved, or nothing is declared', () => {
    const fits = (schema: object, value: JsonValue): boolean => {
      try {
        validate(value, types.typeOf(schema));
        return true;
      } catch {
        return false;
      }
    };
    const properties = { a: { type: 'object', properties: { b: { type: 'string' } } } };
    assert.equal(fits({ type: 'object', properties }, { c: 1 }), false);
    assert.equal(
      fits({ type: 'object', properties, 'x-kubernetes-preserve-unknown-fields': true }, { c: 1 }),
      true,
    );
    assert.equal(
      fits({ type: 'object', properties, 'x-kubernetes-preserve-unknown-fields': true }, { a: { c: 1 } }),
      true,
    );
    assert.equal(fits({ type: 'object' }, { c: 1 }), true);
    assert.equal(fits({ type: 'object', additionalProperties: true, properties }, { c: 1 }), true);
    assert.equal(fits({ type: 'object', additionalProperties: false }, { c: 1 }), false);
    assert.equal(fits({ type: 'object', additionalProperties: { type: 'integer' } }, { c: 'x' }), false);
  });
});
