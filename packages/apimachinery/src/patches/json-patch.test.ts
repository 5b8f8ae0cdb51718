import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { deepFreeze } from '../json/deep-freeze.ts';
import { jsonObject } from '../json/json-testing.ts';
import { applyJsonPatch, type JsonPatchOperation } from './json-patch.ts';
import { createJsonPatch } from './json-patch-diff.ts';
import { JsonPatchError, type JsonPatchFailure } from './json-patch-errors.ts';
import { jsonPointer } from './json-patch-pointer.ts';

describe('applyJsonPatch', () => {
  const rows: [what: string, document: unknown, patch: unknown[], expected: unknown][] = [
    ['adds a key', { a: 1 }, [{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }],
    ['adds over a key', { a: 1 }, [{ op: 'add', path: '/a', value: 2 }], { a: 2 }],
    ['inserts into an array', { a: [1, 3] }, [{ op: 'add', path: '/a/1', value: 2 }], { a: [1, 2, 3] }],
    ['appends with -', { a: [1] }, [{ op: 'add', path: '/a/-', value: 2 }], { a: [1, 2] }],
    ['appends at the length', { a: [1] }, [{ op: 'add', path: '/a/1', value: [2] }], { a: [1, [2]] }],
    ['adds at -1, the end', { a: [1, 2] }, [{ op: 'add', path: '/a/-1', value: 3 }], { a: [1, 2, 3] }],
    ['adds at -3, the start', { a: [1, 2] }, [{ op: 'add', path: '/a/-3', value: 0 }], { a: [0, 1, 2] }],
    ['reads 007 as 7 does Go', { a: [1, 2] }, [{ op: 'remove', path: '/a/+01' }], { a: [1] }],
    ['adds null when value is absent', {}, [{ op: 'add', path: '/a' }], { a: null }],
    ['removes a key', { a: 1, b: 2 }, [{ op: 'remove', path: '/a' }], { b: 2 }],
    ['removes the last element', { a: [1, 2] }, [{ op: 'remove', path: '/a/-1' }], { a: [1] }],
    ['replaces a key', { a: 1 }, [{ op: 'replace', path: '/a', value: 2 }], { a: 2 }],
    ['replaces an absent key', {}, [{ op: 'replace', path: '/a', value: 2 }], { a: 2 }],
    ['replaces an element', { a: [1, 2] }, [{ op: 'replace', path: '/a/-2', value: 0 }], { a: [0, 2] }],
    ['replaces the document', { a: 1 }, [{ op: 'replace', path: '', value: { b: 2 } }], { b: 2 }],
    ['moves', { a: { b: 1 }, c: {} }, [{ op: 'move', from: '/a/b', path: '/c/d' }], { a: {}, c: { d: 1 } }],
    [
      'moves within an array',
      { a: [1, 2, 3] },
      [{ op: 'move', from: '/a/0', path: '/a/2' }],
      { a: [2, 3, 1] },
    ],
    ['copies', { a: { b: 1 } }, [{ op: 'copy', from: '/a', path: '/c' }], { a: { b: 1 }, c: { b: 1 } }],
    ['copies null from an absent key', {}, [{ op: 'copy', from: '/a', path: '/b' }], { b: null }],
    [
      'keeps a copy apart from its source',
      { a: { b: [] } },
      [
        { op: 'add', path: '/a/b/-', value: 1 },
        { op: 'copy', from: '/a', path: '/c' },
        { op: 'add', path: '/a/b/-', value: 2 },
        { op: 'add', path: '/c/b/-', value: 3 },
      ],
      { a: { b: [1, 2] }, c: { b: [1, 3] } },
    ],
    ['tests a value', { a: [{ b: 1 }] }, [{ op: 'test', path: '/a/0', value: { b: 1 } }], { a: [{ b: 1 }] }],
    ['tests null against an absent key', {}, [{ op: 'test', path: '/a', value: null }], {}],
    ['tests the document', { a: 1 }, [{ op: 'test', path: '', value: { a: 1 } }], { a: 1 }],
    ['unescapes ~1 and ~0', { 'a/b~c': 1 }, [{ op: 'remove', path: '/a~1b~0c' }], {}],
    ['reads ~01 as ~1', { '~1': 1 }, [{ op: 'remove', path: '/~01' }], {}],
    ['ignores what precedes the slash', { b: 1 }, [{ op: 'remove', path: 'a/b' }], {}],
    ['has keys that are empty', { '': 1 }, [{ op: 'replace', path: '/', value: 2 }], { '': 2 }],
    ['patches an array', [1], [{ op: 'add', path: '/-', value: 2 }], [1, 2]],
    ['takes an empty patch', { a: 1 }, [], { a: 1 }],
  ];
  for (const [what, document, patch, expected] of rows)
    it(what, () => {
      assert.deepEqual(applyJsonPatch(deepFreeze(document), deepFreeze(patch)), expected);
    });

  const failures: [what: string, failure: JsonPatchFailure, document: unknown, patch: unknown][] = [
    ['a patch that is no array', 'malformed', {}, { op: 'add' }],
    ['an operation that is no object', 'malformed', {}, ['add']],
    ['an op that is no string', 'malformed', {}, [{ op: 1, path: '/a' }]],
    ['a path that is no string', 'malformed', {}, [{ op: 'add', path: ['a'] }]],
    ['an unknown op', 'unknown-operation', {}, [{ op: 'merge', path: '/a' }]],
    ['no op', 'unknown-operation', {}, [null]],
    ['no path', 'missing-path', {}, [{ op: 'add' }]],
    ['no from', 'missing-path', {}, [{ op: 'move', path: '/a' }]],
    ['adding the document', 'missing-path', {}, [{ op: 'add', path: '', value: {} }]],
    ['adding below nothing', 'missing-path', {}, [{ op: 'add', path: '/a/b', value: 1 }]],
    ['adding below null', 'missing-path', { a: null }, [{ op: 'add', path: '/a/b', value: 1 }]],
    ['adding below a string', 'missing-path', { a: 'x' }, [{ op: 'add', path: '/a/b', value: 1 }]],
    ['adding past the end', 'invalid-index', { a: [] }, [{ op: 'add', path: '/a/1', value: 1 }]],
    ['adding before the start', 'invalid-index', { a: [1] }, [{ op: 'add', path: '/a/-3', value: 1 }]],
    ['adding at no index', 'invalid-index', { a: [] }, [{ op: 'add', path: '/a/x', value: 1 }]],
    ['removing nothing', 'missing-path', {}, [{ op: 'remove', path: '/a' }]],
    ['removing past the end', 'invalid-index', { a: [1] }, [{ op: 'remove', path: '/a/1' }]],
    ['removing at -', 'invalid-index', { a: [1] }, [{ op: 'remove', path: '/a/-' }]],
    ['replacing past the end', 'invalid-index', { a: [1] }, [{ op: 'replace', path: '/a/1', value: 1 }]],
    ['a document that is a scalar', 'invalid-value', {}, [{ op: 'replace', path: '', value: 1 }]],
    ['moving nothing', 'missing-path', {}, [{ op: 'move', from: '/a', path: '/b' }]],
    ['moving into itself', 'missing-path', { a: {} }, [{ op: 'move', from: '/a', path: '/a/b' }]],
    ['copying from past the end', 'invalid-index', { a: [] }, [{ op: 'copy', from: '/a/0', path: '/b' }]],
    ['a test that fails', 'test-failed', { a: 1 }, [{ op: 'test', path: '/a', value: '1' }]],
    ['a test of null that fails', 'test-failed', { a: 1 }, [{ op: 'test', path: '/a', value: null }]],
    ['a test below nothing', 'missing-path', {}, [{ op: 'test', path: '/a/b', value: null }]],
  ];
  for (const [what, failure, document, patch] of failures)
    it(`refuses ${what}`, () => {
      assert.throws(
        () => applyJsonPatch(deepFreeze(document), patch),
        (error) => error instanceof JsonPatchError && error.failure === failure,
      );
    });

  it('names the operation that failed', () => {
    const patch = [
      { op: 'add', path: '/a', value: 1 },
      { op: 'remove', path: '/b' },
    ];
    assert.throws(() => applyJsonPatch({}, patch), {
      code: 'JSON_PATCH_MISSING_PATH',
      message: 'operation 1 of the JSON patch: the document has nothing at "/b"',
      operation: 1,
    });
  });

  it('limits the number of operations', () => {
    const patch = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '', value: {} }));
    assert.throws(() => applyJsonPatch({}, patch), {
      failure: 'too-many-operations',
      message: 'The allowed maximum operations in a JSON patch is 10000, got 10001',
    });
    assert.deepEqual(applyJsonPatch({}, patch.slice(1)), {});
  });

  it('limits what copies may add', () => {
    const patch = Array.from({ length: 25 }, () => ({ op: 'copy', from: '/a', path: '/a/-' }));
    assert.throws(() => applyJsonPatch({ a: ['x'] }, patch), { failure: 'copy-limit' });
  });

  it('moves no more elements of arrays aside than its budget', () => {
    const document = { list: Array.from({ length: 100 }, () => 0) };
    const insertions = Array.from({ length: 10 }, () => ({ op: 'add', path: '/list/0', value: 1 }));
    const appendices = Array.from({ length: 10 }, () => ({ op: 'add', path: '/list/-', value: 1 }));
    assert.throws(() => applyJsonPatch(document, insertions, { maxMoves: 500 }), { failure: 'move-limit' });
    assert.equal(applyJsonPatch(document, insertions, { maxMoves: 2000 }).list.length, 110);
    assert.equal(applyJsonPatch(document, appendices, { maxMoves: 0 }).list.length, 110);
  });

  it('refuses a result that is deeper than whatever may be sent', () => {
    const nest = [
      { op: 'add', path: '/t', value: {} },
      { op: 'move', from: '/a', path: '/t/a' },
      { op: 'move', from: '/t', path: '/a' },
    ];
    const deep = Array.from({ length: 3000 }, () => nest).flat();
    assert.throws(() => applyJsonPatch({ a: {} }, deep), { failure: 'too-deep' });
    const copied = [...deep, { op: 'copy', from: '/a', path: '/b' }];
    assert.throws(() => applyJsonPatch({ a: {} }, copied), { failure: 'too-deep' });
    assert.deepEqual(applyJsonPatch({ a: {} }, nest), { a: { a: {} } });
  });

  it('copies into a large object in time that does not grow with its size', () => {
    const data = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, 'v']));
    const copies = Array.from({ length: 5000 }, (_, i) => ({
      op: 'copy',
      from: '/data/k0',
      path: `/data/c${i}`,
    }));
    const before = process.cpuUsage();
    const { data: after } = applyJsonPatch({ data }, copies);
    const { user } = process.cpuUsage(before);
    assert.equal(Object.keys(after).length, 25_000);
    // It was ten seconds when each copy made the object be copied.
    assert.ok(user < 2_000_000, `${user / 1000} ms`);
  });

  it('treats __proto__ and constructor as ordinary keys', () => {
    const patch = [
      { op: 'add', path: '/__proto__', value: { polluted: true } },
      { op: 'add', path: '/__proto__/more', value: 1 },
      { op: 'add', path: '/constructor', value: 1 },
    ];
    const patched: Record<string, unknown> = applyJsonPatch({}, patch);
    assert.equal(Object.getPrototypeOf(patched), Object.prototype);
    assert.equal(JSON.stringify(patched), '{"__proto__":{"polluted":true,"more":1},"constructor":1}');
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
    assert.throws(() => applyJsonPatch({}, [{ op: 'add', path: '/constructor/prototype/x', value: 1 }]), {
      failure: 'missing-path',
    });
  });

  it('keeps copies apart, whatever is copied, moved and written', () => {
    const key = fc.constantFrom('a', 'b', 'c');
    const path = fc
      .array(key, { minLength: 1, maxLength: 4 })
      .map((keys) => keys.map((k) => `/${k}`).join(''));
    const operation = fc.oneof(
      fc.record({ op: fc.constant('add'), path, value: fc.constantFrom<unknown>(1, {}, { a: { b: {} } }) }),
      fc.record({ op: fc.constant('remove'), path }),
      fc.record({ op: fc.constantFrom('copy', 'move'), from: path, path }),
    );
    const start = { a: { b: { c: 1 } }, b: { a: {} } };
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 30 }), (operations) => {
        let apart: unknown = start;
        const taken: unknown[] = [];
        for (const one of operations)
          try {
            // Alone, and on a document that shares nothing, an operation cannot reach what another has copied.
            apart = structuredClone(applyJsonPatch(structuredClone(apart), [one]));
            taken.push(one);
          } catch (error) {
            assert.ok(error instanceof JsonPatchError, String(error));
          }
        assert.deepEqual(applyJsonPatch(deepFreeze(start), deepFreeze(taken)), apart);
      }),
    );
  });

  it('shares what it does not touch', () => {
    const document = deepFreeze({ a: { b: 1 }, c: { d: [1, 2] }, e: [{ f: 1 }, { g: 2 }] });
    const patched = applyJsonPatch(document, [{ op: 'replace', path: '/e/0/f', value: 2 }]);
    assert.equal(patched.a, document.a);
    assert.equal(patched.c, document.c);
    assert.equal(patched.e[1], document.e[1]);
    assert.notEqual(patched.e, document.e);
  });
});

describe('createJsonPatch', () => {
  it('turns any document into any other, and touches neither', () => {
    fc.assert(
      fc.property(jsonObject, jsonObject, (original, modified) => {
        const patch = createJsonPatch(deepFreeze(original), deepFreeze(modified));
        assert.deepEqual(applyJsonPatch(original, deepFreeze(patch)), modified);
      }),
    );
  });

  it('is empty for equal documents', () => {
    fc.assert(
      fc.property(jsonObject, (document) => {
        assert.deepEqual(createJsonPatch(document, structuredClone(document)), []);
      }),
    );
  });

  const rows: [what: string, from: unknown, to: unknown, expected: JsonPatchOperation[]][] = [
    ['a changed field', { a: 1, b: 1 }, { a: 2, b: 1 }, [{ op: 'replace', path: '/a', value: 2 }]],
    [
      'a removed and an added key',
      { a: 1 },
      { b: 1 },
      [
        { op: 'remove', path: '/a' },
        { op: 'add', path: '/b', value: 1 },
      ],
    ],
    ['an element put first', [1, 2], [0, 1, 2], [{ op: 'add', path: '/0', value: 0 }]],
    [
      'elements taken from the middle',
      [1, 2, 3, 4],
      [1, 4],
      [
        { op: 'remove', path: '/2' },
        { op: 'remove', path: '/1' },
      ],
    ],
    [
      'a field of an element',
      [{ a: 1 }, { b: 1 }],
      [{ a: 2 }, { b: 1 }],
      [{ op: 'replace', path: '/0/a', value: 2 }],
    ],
    ['a key with a slash and a tilde', {}, { 'a/b~c': 1 }, [{ op: 'add', path: '/a~1b~0c', value: 1 }]],
    ['another type', { a: [] }, { a: {} }, [{ op: 'replace', path: '/a', value: {} }]],
  ];
  for (const [what, from, to, expected] of rows)
    it(`finds ${what}`, () => assert.deepEqual(createJsonPatch(from, to), expected));
});

it('jsonPointer escapes its parts', () => {
  assert.equal(jsonPointer('metadata', 'annotations', 'a.b/c~d', 0), '/metadata/annotations/a.b~1c~0d/0');
});
