import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@windlass/base';
import * as fc from 'fast-check';
import { deepFreeze } from '../json/deep-freeze.ts';
import type { JsonObject } from '../json/json-object.ts';
import type { JsonValue } from '../object.ts';
import { anyObject, testSchema } from '../schema/schema-testing.ts';
import type { FieldManager } from './field-manager.ts';
import { KindTypes } from './kind-types.ts';
import { entriesOf, stored, thing, thingKind, thingManager, types } from './testing.ts';
import { ValueWrites } from './value-writes.ts';

const START = Date.parse('2030-01-01T00:00:00Z');
const LATER = '2030-01-01T01:00:00Z';

function writes(subresource = ''): ValueWrites {
  const kind = new KindTypes({ types, kind: thingKind, schema: testSchema });
  return new ValueWrites(kind, { subresource, now: () => LATER });
}

function update(
  manager: FieldManager,
  live: JsonObject | undefined,
  next: JsonObject,
  by: string,
): JsonObject {
  const { object, problem } = manager.update({ live, updated: next, manager: by });
  assert.equal(problem, undefined);
  return deepFreeze(stored(object)) as JsonObject;
}

const a = { name: 'a', image: 'one', args: ['x'] };
const b = { name: 'b', image: 'one' };
const SPEC = {
  replicas: 1,
  nodeSelector: { app: 'web' },
  containers: [a, b],
};
const live = update(thingManager(), undefined, thing({ spec: SPEC }), 'me');
const withSpec = (change: JsonObject): JsonObject => ({ ...live, spec: { ...SPEC, ...change } });
const containers = (...items: JsonObject[]): JsonObject => withSpec({ containers: items });

describe('a write of nothing but values', () => {
  const known = writes();
  known.note(entriesOf(live));
  const rows: readonly [what: string, next: JsonObject, isSuch: boolean][] = [
    ['nothing', live, true],
    ['a number', withSpec({ replicas: 2 }), true],
    ['a value in a list with keys', containers({ ...a, image: 'two' }, b), true],
    ['an atomic list', containers({ ...a, args: ['y', 'z'] }, b), true],
    ['a field more', containers({ ...a, env: [{ name: 'X' }] }, b), false],
    ['a field less', containers({ name: 'a', image: 'one' }, b), false],
    ['another order', containers(b, a), false],
    ['another key', containers({ ...a, name: 'c' }, b), false],
    ['an item more', containers(a, b, { name: 'c' }), false],
    ['two items of one key', containers(a, { ...a, image: 'two' }), false],
    ['another type', withSpec({ replicas: '1' }), false],
    ['null', withSpec({ replicas: null }), false],
    [
      'other owners',
      { ...live, metadata: { ...(live['metadata'] as JsonObject), managedFields: [] } },
      false,
    ],
  ];
  for (const [what, next, isSuch] of rows)
    it(`${what}: ${isSuch ? 'is' : 'is not'} one`, () => {
      assert.equal(known.write(live, next, 'me') !== undefined, isSuch);
    });

  it('gives its writer a new time, and nobody else', () => {
    const [entry] = entriesOf(live);
    assert.deepEqual(known.write(live, withSpec({ replicas: 2 }), 'me'), [{ ...entry, time: LATER }]);
    assert.deepEqual(known.write(live, live, 'me'), [entry]);
  });

  it('is none of one who owns nothing, and none through another endpoint', () => {
    assert.equal(known.write(live, withSpec({ replicas: 2 }), 'you'), undefined);
    const status = writes('status');
    status.note(entriesOf(live));
    assert.equal(status.write(live, withSpec({ replicas: 2 }), 'me'), undefined);
  });

  it('is none when another owns the value as well', () => {
    const manager = thingManager();
    const shared = deepFreeze(
      stored(manager.apply({ live, applied: thing({ spec: { replicas: 1 } }), manager: 'you' })),
    ) as JsonObject;
    const both = writes();
    both.note(entriesOf(shared));
    const next = { ...shared, spec: { ...SPEC, replicas: 2 } };
    assert.equal(both.write(shared, next, 'me'), undefined);
    const alone = { ...shared, spec: { ...SPEC, nodeSelector: { app: 'api' } } };
    assert.notEqual(both.write(shared, alone, 'me'), undefined);
  });

  it('is not seen in entries that nobody has worked out under this schema', () => {
    assert.equal(writes().write(live, withSpec({ replicas: 2 }), 'me'), undefined);
  });
});

describe('with and without the short way', () => {
  /** Another value of the same type, here and there. */
  const changed = (value: JsonValue, flips: Iterator<boolean>): JsonValue => {
    if (Array.isArray(value)) return value.map((item) => changed(item, flips));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, changed(field, flips)]));
    if (flips.next().value !== true) return value;
    if (typeof value === 'string') return `${value}x`;
    return typeof value === 'number' ? value + 1 : value;
  };

  it('the owners are the same', () => {
    const flips = fc.infiniteStream(fc.boolean());
    const who = fc.constantFrom('me', 'you');
    fc.assert(
      fc.property(anyObject, anyObject, who, flips, (first, second, name, stream) => {
        const clock = new FakeClock({ start: START });
        const kept = thingManager({ clock });
        const once = update(kept, undefined, thing(first), 'me');
        const twice = update(
          kept,
          once,
          { ...once, ...thing(second), metadata: once['metadata'] ?? {} },
          'you',
        );
        const { metadata = {}, ...rest } = twice;
        const next = { ...(changed(rest, stream) as JsonObject), metadata };
        // One that has seen none of it has only the long way.
        const fresh = thingManager({ clock });
        assert.deepEqual(update(kept, twice, next, name), update(fresh, twice, next, name));
      }),
      { numRuns: 300 },
    );
  });
});
