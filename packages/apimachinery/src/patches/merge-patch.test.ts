import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { deepFreeze } from '../json/deep-freeze.ts';
import { jsonObject, withoutNullFields } from '../json/json-testing.ts';
import { applyMergePatch, createMergePatch } from './merge-patch.ts';
import { createThreeWayMergePatch } from './merge-patch-three-way.ts';

describe('applyMergePatch', () => {
  const rows: [document: unknown, patch: unknown, expected: unknown][] = [
    // The table of RFC 7386, as far as its patches are objects.
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    // What the API server does beyond it.
    [{}, { a: [{ b: null, c: 1 }, null] }, { a: [{ c: 1 }, null] }],
    [{ a: [] }, { a: [{ b: null }] }, { a: [{}] }],
    [{ a: {} }, { a: [{ b: null }] }, { a: [{ b: null }] }],
  ];
  for (const [document, patch, expected] of rows)
    it(`${JSON.stringify(document)} + ${JSON.stringify(patch)}`, () => {
      assert.deepEqual(applyMergePatch(deepFreeze(document), deepFreeze(patch)), expected);
    });

  it('refuses a patch that is no object', () => {
    for (const patch of [[], null, 'x', 1])
      assert.throws(() => applyMergePatch({}, patch), { code: 'MERGE_PATCH_MALFORMED' });
  });

  it('answers the document itself when nothing differs', () => {
    const document = deepFreeze({ a: { b: [1, { c: 2 }] }, d: 1 });
    assert.equal(applyMergePatch(document, { a: { b: [1, { c: 2 }], x: null }, d: 1 }), document);
  });

  it('shares what it does not touch', () => {
    const document = deepFreeze({ a: { b: 1 }, c: { d: 1, e: {} } });
    const patched = applyMergePatch(document, { c: { d: 2 } });
    assert.equal(patched.a, document.a);
    assert.equal(patched.c.e, document.c.e);
  });

  it('treats __proto__ as an ordinary key', () => {
    const patched = applyMergePatch({}, JSON.parse('{"__proto__":{"x":1}}'));
    assert.equal(JSON.stringify(patched), '{"__proto__":{"x":1}}');
    assert.equal(
      JSON.stringify(applyMergePatch(patched, JSON.parse('{"__proto__":{"y":2}}'))),
      '{"__proto__":{"x":1,"y":2}}',
    );
  });
});

describe('createMergePatch', () => {
  it('turns any document without nulls into any other', () => {
    fc.assert(
      fc.property(jsonObject, jsonObject, (one, other) => {
        const original = deepFreeze(withoutNullFields(one));
        const modified = deepFreeze(withoutNullFields(other));
        assert.deepEqual(applyMergePatch(original, createMergePatch(original, modified)), modified);
      }),
    );
  });

  it('is empty for equal documents', () => {
    fc.assert(
      fc.property(jsonObject, (document) => {
        assert.deepEqual(createMergePatch(document, structuredClone(document)), {});
      }),
    );
  });

  it('refuses what is no object', () => {
    assert.throws(() => createMergePatch([], {}), { code: 'MERGE_PATCH_MALFORMED' });
    assert.throws(() => createMergePatch({}, null), { code: 'MERGE_PATCH_MALFORMED' });
  });
});

describe('createThreeWayMergePatch', () => {
  it('removes what was applied before, and leaves what others added', () => {
    const patch = createThreeWayMergePatch({
      original: { spec: { a: 1, b: 1 } },
      modified: { spec: { a: 2 } },
      current: { spec: { a: 1, b: 1, theirs: 1 }, status: {} },
    });
    assert.deepEqual(patch, { spec: { a: 2, b: null } });
  });

  it('restores what somebody changed', () => {
    const patch = createThreeWayMergePatch({
      original: { spec: { a: 1 } },
      modified: { spec: { a: 1 } },
      current: { spec: { a: 5 } },
    });
    assert.deepEqual(patch, { spec: { a: 1 } });
  });

  it('replaces lists whole', () => {
    const patch = createThreeWayMergePatch({
      original: { list: [1] },
      modified: { list: [1, 2] },
      current: { list: [1, 3] },
    });
    assert.deepEqual(patch, { list: [1, 2] });
  });

  it('works without an original', () => {
    assert.deepEqual(
      createThreeWayMergePatch({ original: undefined, modified: { a: 1 }, current: { b: 1 } }),
      {
        a: 1,
      },
    );
  });

  it('keeps an empty object that was asked for', () => {
    const patch = createThreeWayMergePatch({ original: {}, modified: { a: {} }, current: {} });
    assert.deepEqual(patch, { a: {} });
  });

  it('brings current to modified, apart from what only current has', () => {
    fc.assert(
      fc.property(jsonObject, jsonObject, (one, other) => {
        const original = withoutNullFields(one);
        const modified = withoutNullFields(other);
        const patch = createThreeWayMergePatch({ original, modified, current: original });
        assert.deepEqual(applyMergePatch(original, patch), modified);
      }),
    );
  });
});
