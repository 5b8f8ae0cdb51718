import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { deepFreeze } from '../json/deep-freeze.ts';
import { testSchema, testSource, typedObject } from '../schema/schema-testing.ts';
import {
  applyStrategicMergePatch,
  createStrategicMergePatch,
  createThreeWayStrategicMergePatch,
  PatchConflictError,
} from './strategic-merge.ts';

const options = { schema: testSchema, source: testSource };
const apply = (original: unknown, patch: unknown): unknown =>
  applyStrategicMergePatch(deepFreeze(original), deepFreeze(patch), options);
const named = (...names: string[]): { name: string }[] => names.map((name) => ({ name }));
const containers = (...names: string[]): unknown => ({ spec: { containers: named(...names) } });

describe('applyStrategicMergePatch', () => {
  const rows: [what: string, original: unknown, patch: unknown, expected: unknown][] = [
    ['sets a scalar', { spec: { replicas: 1 } }, { spec: { replicas: 2 } }, { spec: { replicas: 2 } }],
    ['removes what is null', { spec: { replicas: 1 } }, { spec: { replicas: null } }, { spec: {} }],
    ['ignores a null that meets nothing', { spec: {} }, { spec: { replicas: null } }, { spec: {} }],
    [
      'drops nulls from an object that it adds',
      {},
      { spec: { strategy: { type: 'x', rollingUpdate: null } } },
      { spec: { strategy: { type: 'x' } } },
    ],
    [
      'merges maps',
      { metadata: { labels: { a: '1', b: '2' } } },
      { metadata: { labels: { b: null, c: '3' } } },
      { metadata: { labels: { a: '1', c: '3' } } },
    ],
    [
      'merges elements by key',
      { spec: { containers: [{ name: 'a', image: 'x' }, { name: 'b' }] } },
      { spec: { containers: [{ name: 'a', image: 'y' }] } },
      { spec: { containers: [{ name: 'a', image: 'y' }, { name: 'b' }] } },
    ],
    [
      'removes a field of an element',
      { spec: { containers: [{ name: 'a', image: 'x' }] } },
      { spec: { containers: [{ name: 'a', image: null }] } },
      { spec: { containers: [{ name: 'a' }] } },
    ],
    [
      'puts elements that are new to it first',
      containers('a', 'b'),
      containers('c'),
      containers('c', 'a', 'b'),
    ],
    [
      'orders elements as the patch does',
      containers('a', 'b', 'c'),
      containers('c', 'a'),
      containers('b', 'c', 'a'),
    ],
    [
      'puts new elements where the patch has them',
      containers('a', 'c'),
      containers('a', 'b', 'c'),
      containers('a', 'b', 'c'),
    ],
    [
      'merges lists within elements',
      { spec: { containers: [{ name: 'a', env: [{ name: 'x', value: '1' }] }] } },
      { spec: { containers: [{ name: 'a', env: [{ name: 'y', value: '2' }] }] } },
      {
        spec: {
          containers: [
            {
              name: 'a',
              env: [
                { name: 'y', value: '2' },
                { name: 'x', value: '1' },
              ],
            },
          ],
        },
      },
    ],
    [
      'replaces lists that do not merge',
      { spec: { tolerations: [{ key: 'a' }, { key: 'b' }] } },
      { spec: { tolerations: [{ key: 'c' }] } },
      { spec: { tolerations: [{ key: 'c' }] } },
    ],
    [
      'unites lists of scalars',
      { metadata: { finalizers: ['a', 'b'] } },
      { metadata: { finalizers: ['c', 'b'] } },
      { metadata: { finalizers: ['c', 'a', 'b'] } },
    ],
    [
      'replaces an object whose strategy says so',
      { spec: { whole: { a: 'x' } } },
      { spec: { whole: { b: 'y' } } },
      { spec: { whole: { b: 'y' } } },
    ],
    [
      '$patch: delete on an element',
      containers('a', 'b'),
      { spec: { containers: [{ name: 'a', $patch: 'delete' }] } },
      containers('b'),
    ],
    [
      '$patch: delete of an element that is not there',
      containers('a'),
      { spec: { containers: [{ name: 'x', $patch: 'delete' }] } },
      containers('a'),
    ],
    [
      '$patch: replace in a list',
      containers('a', 'b'),
      { spec: { containers: [{ $patch: 'replace' }, { name: 'c' }] } },
      containers('c'),
    ],
    [
      '$patch: replace on an object',
      { spec: { replicas: 1 } },
      { spec: { $patch: 'replace', paused: true } },
      { spec: { paused: true } },
    ],
    ['$patch: delete on an object', { spec: { replicas: 1 } }, { spec: { $patch: 'delete' } }, { spec: {} }],
    ['$patch in an object that meets nothing', {}, { spec: { $patch: 'delete' } }, {}],
    [
      '$patch in an element that meets no list',
      {},
      { spec: { containers: [{ name: 'a', $patch: 'delete' }, { name: 'b' }] } },
      containers('b'),
    ],
    [
      'leaves no directive in an element that it adds',
      containers('a'),
      { spec: { containers: [{ name: 'b', $retainKeys: ['name'] }] } },
      containers('b', 'a'),
    ],
    [
      '$deleteFromPrimitiveList',
      { metadata: { finalizers: ['a', 'b'] } },
      { metadata: { '$deleteFromPrimitiveList/finalizers': ['a', 'x'] } },
      { metadata: { finalizers: ['b'] } },
    ],
    [
      '$deleteFromPrimitiveList without a list',
      { metadata: {} },
      { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } },
      { metadata: {} },
    ],
    [
      '$setElementOrder of scalars',
      { metadata: { finalizers: ['a', 'b', 'c'] } },
      { metadata: { '$setElementOrder/finalizers': ['c', 'a'] } },
      { metadata: { finalizers: ['b', 'c', 'a'] } },
    ],
    [
      '$setElementOrder with a change',
      { spec: { containers: [{ name: 'a' }, { name: 'theirs' }, { name: 'b', image: 'x' }] } },
      { spec: { '$setElementOrder/containers': named('b', 'a'), containers: [{ name: 'b', image: 'y' }] } },
      { spec: { containers: [{ name: 'theirs' }, { name: 'b', image: 'y' }, { name: 'a' }] } },
    ],
    [
      '$setElementOrder of nothing',
      { spec: {} },
      { spec: { '$setElementOrder/containers': named('a') } },
      { spec: {} },
    ],
    [
      '$retainKeys clears the other keys',
      { spec: { strategy: { type: 'a', rollingUpdate: { maxSurge: 1 } } } },
      { spec: { strategy: { type: 'b', $retainKeys: ['type'] } } },
      { spec: { strategy: { type: 'b' } } },
    ],
    [
      '$retainKeys in an element',
      { spec: { volumes: [{ name: 'v', emptyDir: {} }] } },
      { spec: { volumes: [{ name: 'v', secret: { secretName: 's' }, $retainKeys: ['name', 'secret'] }] } },
      { spec: { volumes: [{ name: 'v', secret: { secretName: 's' } }] } },
    ],
    [
      'takes a value of another type',
      { spec: { replicas: { a: 1 } } },
      { spec: { replicas: 2 } },
      { spec: { replicas: 2 } },
    ],
    ['replaces null', { spec: { containers: null } }, containers('a'), containers('a')],
  ];
  for (const [what, original, patch, expected] of rows)
    it(what, () => assert.deepEqual(apply(original, patch), expected));

  const errors: [what: string, code: string, message: string, original: unknown, patch: unknown][] = [
    [
      'an element without its key',
      'FAILED',
      'map: map[image:x] does not contain declared merge key: name',
      containers('a'),
      { spec: { containers: [{ image: 'x' }] } },
    ],
    [
      'a deletion without the key',
      'FAILED',
      'map: map[$patch:delete] does not contain declared merge key: name',
      containers('a'),
      { spec: { containers: [{ $patch: 'delete' }] } },
    ],
    [
      'an unknown directive',
      'FAILED',
      'unknown patch type: nope in map: map[$patch:nope a:1]',
      { spec: {} },
      { spec: { $patch: 'nope', a: 1 } },
    ],
    [
      'an unknown directive in a list',
      'FAILED',
      'unknown patch type: nope in map: map[$patch:nope name:a]',
      containers('a'),
      { spec: { containers: [{ name: 'a', $patch: 'nope' }] } },
    ],
    [
      '$patch: merge in a list',
      'FAILED',
      'merging lists cannot yet be specified in the patch',
      containers('a'),
      { spec: { containers: [{ name: 'a', $patch: 'merge' }] } },
    ],
    [
      'scalars among objects',
      'FAILED',
      'list element types are not identical: [[map[name:a]] [b]]',
      containers('a'),
      { spec: { containers: ['b'] } },
    ],
    [
      'lists of lists',
      'UNPROCESSABLE',
      'lists of lists are not supported',
      { metadata: { finalizers: [] } },
      { metadata: { finalizers: [['a']] } },
    ],
    [
      'a bad parallel key',
      'MALFORMED',
      'invalid patch format of primitive list',
      { metadata: {} },
      { metadata: { $deleteFromPrimitiveListfinalizers: ['a'] } },
    ],
    [
      'a bad order key',
      'MALFORMED',
      'invalid patch format of setElementOrder list',
      { metadata: {} },
      { metadata: { $setElementOrder: [] } },
    ],
    [
      'an order that is no list',
      'FAILED',
      'expected a []interface {}, but received a map[string]interface {}',
      containers('a'),
      { spec: { '$setElementOrder/containers': {} } },
    ],
    [
      'an order for what is no list',
      'FAILED',
      'expected a []interface {}, but received a int64',
      { spec: { containers: 1 } },
      { spec: { '$setElementOrder/containers': [] } },
    ],
    [
      'an order that contradicts the list',
      'FAILED',
      "The order in patch list:\n[map[name:a] map[name:b]]\n doesn't match $setElementOrder list:\n[map[name:b] map[name:a]]\n",
      containers('a'),
      { spec: { '$setElementOrder/containers': named('b', 'a'), containers: named('a', 'b') } },
    ],
    [
      'an order of an unknown field',
      'FAILED',
      'unable to find api field in struct Spec for the json field "nope"',
      { spec: {} },
      { spec: { '$setElementOrder/nope': [] } },
    ],
    [
      'an order of a map',
      'FAILED',
      'expected slice or array type, but got: struct',
      { spec: {} },
      { spec: { '$setElementOrder/nodeSelector': [] } },
    ],
    [
      '$retainKeys that is no list',
      'MALFORMED',
      'invalid patch format of retainKeys',
      { spec: { strategy: {} } },
      { spec: { strategy: { $retainKeys: 'type' } } },
    ],
    [
      'a key that is not retained',
      'MALFORMED',
      'invalid patch format of retainKeys',
      { spec: { strategy: {} } },
      { spec: { strategy: { type: 'a', $retainKeys: [] } } },
    ],
    [
      'objects within a map',
      'FAILED',
      'merging an object in json but data type is not struct, instead is: map',
      { metadata: { labels: { a: {} } } },
      { metadata: { labels: { a: { b: 1 } } } },
    ],
    ['what is no object', 'MALFORMED', 'invalid JSON document', {}, []],
  ];
  for (const [what, code, message, original, patch] of errors)
    it(`refuses ${what}`, () => {
      assert.throws(() => apply(original, patch), { code: `STRATEGIC_MERGE_${code}`, message });
    });

  it('shares what it does not touch', () => {
    const original = deepFreeze({ metadata: { labels: { a: '1' } }, spec: { containers: named('a', 'b') } });
    const patch = { spec: { containers: [{ name: 'b', image: 'x' }] } };
    const patched = applyStrategicMergePatch(original, patch, options);
    assert.equal(patched.metadata, original.metadata);
    assert.equal(patched.spec.containers[0], original.spec.containers[0]);
  });
});

describe('createStrategicMergePatch', () => {
  it('turns any object into any other', () => {
    fc.assert(
      fc.property(typedObject, typedObject, (original, modified) => {
        const patch = createStrategicMergePatch(deepFreeze(original), deepFreeze(modified), options);
        assert.deepEqual(apply(original, patch), modified);
      }),
      { numRuns: 500 },
    );
  });

  it('is empty for equal objects', () => {
    fc.assert(
      fc.property(typedObject, (object) => {
        assert.deepEqual(createStrategicMergePatch(object, structuredClone(object), options), {});
      }),
    );
  });

  const rows: [what: string, original: unknown, modified: unknown, patch: unknown][] = [
    [
      'names the element and the order',
      { spec: { containers: [{ name: 'a', image: 'x' }, { name: 'b' }] } },
      { spec: { containers: [{ name: 'a', image: 'y' }, { name: 'b' }] } },
      { spec: { containers: [{ name: 'a', image: 'y' }], '$setElementOrder/containers': named('a', 'b') } },
    ],
    [
      'deletes elements',
      containers('a', 'b'),
      containers('b'),
      { spec: { containers: [{ name: 'a', $patch: 'delete' }], '$setElementOrder/containers': named('b') } },
    ],
    [
      'says only the order when that is all',
      containers('a', 'b'),
      containers('b', 'a'),
      { spec: { '$setElementOrder/containers': named('b', 'a') } },
    ],
    [
      'deletes scalars',
      { metadata: { finalizers: ['b', 'a'] } },
      { metadata: { finalizers: ['a'] } },
      { metadata: { '$deleteFromPrimitiveList/finalizers': ['b'], '$setElementOrder/finalizers': ['a'] } },
    ],
    [
      'retains the keys of a union',
      { spec: { strategy: { type: 'a', rollingUpdate: {} } } },
      { spec: { strategy: { type: 'b' } } },
      { spec: { strategy: { type: 'b', rollingUpdate: null, $retainKeys: ['type'] } } },
    ],
    ['removes fields', { spec: { replicas: 1 } }, { spec: {} }, { spec: { replicas: null } }],
    [
      'replaces atomic lists',
      { spec: { tolerations: [{ key: 'a' }] } },
      { spec: { tolerations: [] } },
      { spec: { tolerations: [] } },
    ],
  ];
  for (const [what, original, modified, patch] of rows)
    it(what, () => assert.deepEqual(createStrategicMergePatch(original, modified, options), patch));
});

describe('createThreeWayStrategicMergePatch', () => {
  it('keeps what others added, in lists too', () => {
    const input = {
      original: { spec: { containers: named('a', 'b'), replicas: 1 } },
      modified: { spec: { containers: [{ name: 'a', image: 'x' }] } },
      current: { spec: { containers: [...named('a', 'b', 'theirs')], replicas: 1, paused: true } },
    };
    const patch = createThreeWayStrategicMergePatch(input, options);
    assert.deepEqual(patch, {
      spec: {
        replicas: null,
        '$setElementOrder/containers': named('a'),
        containers: [
          { name: 'a', image: 'x' },
          { name: 'b', $patch: 'delete' },
        ],
      },
    });
    assert.deepEqual(apply(input.current, patch), {
      spec: { containers: [{ name: 'a', image: 'x' }, { name: 'theirs' }], paused: true },
    });
  });

  it('brings an unchanged object to what is wanted', () => {
    fc.assert(
      fc.property(typedObject, typedObject, (original, modified) => {
        const patch = createThreeWayStrategicMergePatch({ original, modified, current: original }, options);
        assert.deepEqual(apply(original, patch), modified);
      }),
      { numRuns: 500 },
    );
  });

  it('leaves nothing to do the second time', () => {
    fc.assert(
      fc.property(typedObject, typedObject, typedObject, (original, modified, current) => {
        const once = apply(
          current,
          createThreeWayStrategicMergePatch({ original, modified, current }, options),
        );
        const again = createThreeWayStrategicMergePatch(
          { original: modified, modified, current: once },
          options,
        );
        assert.deepEqual(apply(once, again), once);
      }),
      { numRuns: 500 },
    );
  });

  it('reports a conflict when it must not overwrite', () => {
    const input = {
      original: { spec: { replicas: 1 } },
      modified: { spec: { replicas: 2 } },
      current: { spec: { replicas: 3 } },
    };
    const strict = { ...options, overwrite: false };
    assert.throws(() => createThreeWayStrategicMergePatch(input, strict), PatchConflictError);
    assert.deepEqual(createThreeWayStrategicMergePatch(input, options), { spec: { replicas: 2 } });
    const apart = { ...input, current: { spec: { replicas: 1, paused: true } } };
    assert.deepEqual(createThreeWayStrategicMergePatch(apart, strict), { spec: { replicas: 2 } });
  });

  it('finds conflicts inside list elements', () => {
    const image = (value: string): unknown => ({ spec: { containers: [{ name: 'a', image: value }] } });
    const input = { original: image('x'), modified: image('y'), current: image('z') };
    assert.throws(() => createThreeWayStrategicMergePatch(input, { ...options, overwrite: false }), {
      code: 'PATCH_CONFLICT',
    });
  });
});
