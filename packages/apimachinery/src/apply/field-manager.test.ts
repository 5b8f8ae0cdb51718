import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { deepFreeze } from '../json/deep-freeze.ts';
import type { JsonObject } from '../json/json-object.ts';
import type { JsonValue } from '../object.ts';
import { anyObject, testSchema } from '../schema/schema-testing.ts';
import { StatusError } from '../status/status-error.ts';
import { FieldManager } from './field-manager.ts';
import { excludeFields } from './fields/field-filter.ts';
import { FieldSet } from './fields/field-set.ts';
import { pathOf } from './fields/path-element.ts';
import { LAST_APPLIED_ANNOTATION } from './last-applied.ts';
import { merge } from './merge/merge.ts';
import {
  entriesOf,
  ownersOf,
  stored,
  testClock,
  testType,
  thing,
  thingKind,
  thingManager,
  types,
  withoutOwners,
} from './testing.ts';

const manager = thingManager();
const spec = (value: JsonValue): JsonObject => thing({ spec: value });

/** Applies one after another, each to what the one before left. */
function applied(live: JsonObject | undefined, ...steps: [name: string, config: JsonObject][]): JsonObject {
  let current = live;
  for (const [name, config] of steps)
    current = stored(manager.apply({ live: current, applied: config, manager: name }));
  return current ?? {};
}

function updated(
  live: JsonObject | undefined,
  name: string,
  object: JsonObject,
  by: FieldManager = manager,
): JsonObject {
  const { object: result, problem } = by.update({ live, updated: object, manager: name });
  assert.equal(problem, undefined);
  return stored(result);
}

function conflictOf(run: () => unknown): StatusError {
  try {
    run();
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error('there is no conflict');
}

describe('apply', () => {
  it('creates an object, and its manager owns what it applied', () => {
    const object = manager.apply<JsonObject>({
      live: undefined,
      applied: spec({ replicas: 1 }),
      manager: 'me',
    });
    assert.deepEqual(object['spec'], { replicas: 1 });
    assert.deepEqual(entriesOf(object), [
      {
        manager: 'me',
        operation: 'Apply',
        apiVersion: 'test.io/v1',
        time: '2030-01-01T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:replicas': {} } },
      },
    ]);
  });

  it('removes what the manager applied before and does not apply now', () => {
    const live = applied(
      undefined,
      ['me', spec({ replicas: 1, paused: true, containers: [{ name: 'a' }, { name: 'b', image: 'x' }] })],
      ['me', spec({ replicas: 1, containers: [{ name: 'b' }] })],
    );
    assert.deepEqual(live['spec'], { replicas: 1, containers: [{ name: 'b' }] });
  });

  it('leaves what others own, and what is in it', () => {
    const live = applied(
      undefined,
      ['me', spec({ replicas: 1, containers: [{ name: 'a', image: 'x' }] })],
      ['you', spec({ replicas: 1, containers: [{ name: 'a', args: ['y'] }] })],
      ['me', spec({})],
    );
    assert.deepEqual(live['spec'], { replicas: 1, containers: [{ name: 'a', args: ['y'] }] });
    assert.deepEqual(Object.keys(ownersOf(live)), ['me Apply', 'you Apply']);
  });

  it('leaves what nobody owns inside what it removes from', () => {
    const before = applied(undefined, ['me', spec({ containers: [{ name: 'a', image: 'x' }] })]);
    const more = { ...before, spec: { containers: [{ name: 'a', image: 'x', args: ['dangling'] }] } };
    const after = manager.apply({
      live: more,
      applied: spec({ containers: [{ name: 'a' }] }),
      manager: 'me',
    });
    assert.deepEqual(after['spec'], { containers: [{ name: 'a', args: ['dangling'] }] });
  });

  it('shares a field with whoever applies the same value, and frees it when both let go', () => {
    const both = applied(undefined, ['me', spec({ replicas: 1 })], ['you', spec({ replicas: 1 })]);
    assert.deepEqual(ownersOf(both), { 'me Apply': ['.spec.replicas'], 'you Apply': ['.spec.replicas'] });
    const one = applied(both, ['me', thing()]);
    assert.deepEqual(one['spec'], { replicas: 1 });
    const none = applied(one, ['you', thing()]);
    assert.deepEqual(none['spec'] ?? null, null);
  });

  it('gives a manager that changes nothing no time, and the object itself back', () => {
    const live = applied(undefined, ['me', spec({ replicas: 1 })]);
    const again = manager.apply({ live, applied: spec({ replicas: 1 }), manager: 'you' });
    assert.deepEqual(withoutOwners(again), withoutOwners(live));
    assert.deepEqual(
      entriesOf(again).map(({ manager, time }) => [manager, time]),
      [
        ['you', undefined],
        ['me', '2030-01-01T00:00:00Z'],
      ],
    );
  });

  it('tells a conflict in the words of the API server', () => {
    const live = applied(undefined, ['me', spec({ replicas: 1 })]);
    const { status } = conflictOf(() => applied(live, ['you', spec({ replicas: 2 })]));
    assert.deepEqual(
      [status.code, status.reason, status.message, status.details],
      [
        409,
        'Conflict',
        'Apply failed with 1 conflict: conflict with "me": .spec.replicas',
        {
          causes: [
            { reason: 'FieldManagerConflict', message: 'conflict with "me"', field: '.spec.replicas' },
          ],
        },
      ],
    );
  });

  it('tells all conflicts, by manager', () => {
    const created = updated(undefined, 'writer', spec({ replicas: 1, paused: true }));
    const live = applied(created, ['me', spec({ replicas: 1 })]);
    const error = conflictOf(() => applied(live, ['you', spec({ replicas: 2, paused: false })]));
    assert.equal(
      error.message,
      'Apply failed with 3 conflicts: conflicts with "me":\n- .spec.replicas\n' +
        'conflicts with "writer" using test.io/v1:\n- .spec.paused\n- .spec.replicas',
    );
    assert.equal(error.causes.length, 3);
  });

  it('names the subresource in a conflict', () => {
    const status = thingManager({ subresource: 'status' });
    const created = updated(undefined, 'writer', spec({ replicas: 1 }));
    const live = updated(created, 'kubelet', { ...created, status: { ready: 1 } }, status);
    const error = conflictOf(() =>
      manager.apply({ live, applied: thing({ status: { ready: 2 } }), manager: 'me' }),
    );
    assert.equal(
      error.message,
      'Apply failed with 1 conflict: conflict with "kubelet" with subresource "status" using test.io/v1: .status.ready',
    );
  });

  it('takes fields from others when forced', () => {
    const live = applied(undefined, ['me', spec({ replicas: 1, paused: true })]);
    const taken = manager.apply({ live, applied: spec({ replicas: 2 }), manager: 'you', force: true });
    assert.deepEqual(taken['spec'], { replicas: 2, paused: true });
    assert.deepEqual(ownersOf(taken), { 'me Apply': ['.spec.paused'], 'you Apply': ['.spec.replicas'] });
  });

  it('does not conflict about what nobody owns, or about order', () => {
    const live = applied(undefined, ['me', spec({ containers: [{ name: 'a' }, { name: 'b' }] })]);
    const swapped = applied(live, ['you', spec({ containers: [{ name: 'b' }, { name: 'a' }] })]);
    assert.deepEqual(swapped['spec'], { containers: [{ name: 'b' }, { name: 'a' }] });
  });

  it('attributes what was there before to a manager of its own', () => {
    const live = stored(spec({ replicas: 1 }));
    const after = manager.apply({ live, applied: spec({ paused: true }), manager: 'me' });
    assert.deepEqual(ownersOf(after), {
      'me Apply': ['.spec.paused'],
      'before-first-apply Update': ['.spec.replicas'],
    });
    const error = conflictOf(() => manager.apply({ live, applied: spec({ replicas: 2 }), manager: 'me' }));
    assert.equal(
      error.message,
      'Apply failed with 1 conflict: conflict with "before-first-apply" using test.io/v1: .spec.replicas',
    );
  });

  it('sets defaults on what it made, and nobody owns them', () => {
    const defaulting = thingManager({
      applyDefaults: (object) => ({ ...object, spec: { paused: false, ...(object['spec'] as JsonObject) } }),
    });
    const object = defaulting.apply<JsonObject>({
      live: undefined,
      applied: spec({ replicas: 1 }),
      manager: 'me',
    });
    assert.deepEqual(object['spec'], { paused: false, replicas: 1 });
    assert.deepEqual(ownersOf(object), { 'me Apply': ['.spec.replicas'] });
    const again = defaulting.apply({ live: stored(object), applied: spec({ replicas: 1 }), manager: 'me' });
    assert.deepEqual(again, stored(object));
  });

  const refusals: [what: string, applied: JsonObject, code: string, message: string][] = [
    [
      'another version',
      { ...spec({}), apiVersion: 'test.io/v2' },
      'STATUS_BAD_REQUEST',
      'invalid object type: test.io/v2, Kind=Thing',
    ],
    [
      'a core version',
      { ...spec({}), apiVersion: 'v1' },
      'STATUS_BAD_REQUEST',
      'invalid object type: /v1, Kind=Thing',
    ],
    [
      'another kind',
      { ...spec({}), kind: 'Other' },
      'STATUS_BAD_REQUEST',
      'invalid object type: test.io/v1, Kind=Other',
    ],
    [
      'managedFields',
      thing({ metadata: { managedFields: [] } }),
      'STATUS_BAD_REQUEST',
      'metadata.managedFields must be nil',
    ],
    [
      'what is not of the type',
      spec({ nope: 1 }),
      'APPLY_FAILED',
      'failed to create typed patch object (default/thing; test.io/v1, Kind=Thing): .spec.nope: field not declared in schema',
    ],
    [
      'repeated elements',
      spec({ containers: [{ name: 'a' }, { name: 'a' }] }),
      'APPLY_FAILED',
      'failed to create typed patch object (default/thing; test.io/v1, Kind=Thing): .spec.containers: duplicate entries for key [name="a"]',
    ],
  ];
  for (const [what, config, code, message] of refusals)
    it(`refuses ${what}`, () => {
      assert.throws(() => manager.apply<JsonObject>({ live: undefined, applied: config, manager: 'me' }), {
        code,
        message,
      });
    });

  it('refuses an object whose owners cannot be read', () => {
    const live = thing({ metadata: { managedFields: [{ manager: 'x', operation: 'Nope' }] } });
    assert.throws(() => manager.apply({ live, applied: thing(), manager: 'me' }), {
      code: 'APPLY_FAILED',
      message: 'failed to decode managed fields: operation must be `Apply` or `Update`',
    });
  });

  it('never owns what names the object or what the server sets', () => {
    const config = thing({ metadata: { labels: { a: 'x' }, uid: '1', resourceVersion: '5', generation: 1 } });
    const object = manager.apply<JsonObject>({ live: undefined, applied: config, manager: 'me' });
    assert.deepEqual(ownersOf(object), { 'me Apply': ['.metadata.labels.a'] });
  });

  it('has no entry for whoever applies nothing', () => {
    const live = applied(undefined, ['me', spec({ replicas: 1 })], ['me', thing()]);
    assert.deepEqual(entriesOf(live), []);
  });

  // A list that merges is owned by its elements. Without any it has no owner, so that the next to apply finds an
  // object that nobody seems to have applied; comparing it with nothing then counts the empty list as a field.
  it('gives an empty list no owner, and counts it as older than all owners when the next one applies', () => {
    const live = applied(undefined, ['you', thing({ metadata: { finalizers: [] } })]);
    assert.deepEqual(entriesOf(live), []);
    const after = applied(live, ['me', spec({ replicas: 1 })]);
    assert.deepEqual(ownersOf(after), {
      'before-first-apply Update': ['.metadata.finalizers'],
      'me Apply': ['.spec.replicas'],
    });
  });

  it('is the same when repeated, and changes nothing that comes in', () => {
    fc.assert(
      fc.property(anyObject, anyObject, (mine, theirs) => {
        const live = deepFreeze(applied(undefined, ['you', thing(theirs)])) as JsonObject;
        const config = deepFreeze(thing(mine)) as JsonObject;
        const first = stored(manager.apply({ live, applied: config, manager: 'me', force: true }));
        // Where nobody owns anything, as above, the next one notes what is there as older than all owners.
        const once =
          entriesOf(first).length > 0
            ? first
            : stored(manager.apply({ live: first, applied: config, manager: 'me' }));
        assert.deepEqual(withoutOwners(once), withoutOwners(first));
        const twice = manager.apply({ live: deepFreeze(once) as JsonObject, applied: config, manager: 'me' });
        assert.deepEqual(twice, once);
        assert.equal(twice['spec'], once['spec'], 'what does not change is shared');
      }),
      { numRuns: 300, examples: [[{ metadata: { finalizers: [] } }, {}]] },
    );
  });

  it('leaves only what others own when a manager lets go of all', () => {
    fc.assert(
      fc.property(anyObject, anyObject, (mine, theirs) => {
        const alone = applied(undefined, ['you', thing(theirs)]);
        const both = stored(manager.apply({ live: alone, applied: thing(mine), manager: 'me', force: true }));
        const after = stored(manager.apply({ live: both, applied: thing(), manager: 'me' }));
        assert.deepEqual(
          Object.keys(ownersOf(after)).filter((owner) => owner.startsWith('me')),
          [],
        );
        // Empty lists alone have no owner: they count as older than all owners, who then must be overruled.
        const ownsNothing = entriesOf(alone).length === 0;
        const others = ownsNothing ? 'before-first-apply Update' : 'you Apply';
        const owned = Object.keys(ownersOf(after)).every((owner) => owner === others);
        assert.ok(owned, JSON.stringify(ownersOf(after)));
        const again = manager.apply({
          live: after,
          applied: thing(theirs),
          manager: 'you',
          force: ownsNothing,
        });
        assert.equal(merge(again, thing(theirs), testType), again, 'what they want is there');
      }),
      {
        numRuns: 300,
        examples: [
          [{}, { metadata: { finalizers: [] } }],
          [{ metadata: { finalizers: ['x'] } }, { metadata: { finalizers: [] } }],
        ],
      },
    );
  });
});

describe('update', () => {
  it('makes whoever creates an object own it, but not what every object has', () => {
    const object = updated(undefined, 'writer', spec({ replicas: 1, strategy: { type: 'x' } }));
    assert.deepEqual(ownersOf(object), {
      'writer Update': ['.spec.replicas', '.spec.strategy', '.spec.strategy.type'],
    });
  });

  it('gives what changed to whoever changed it, and takes it from the others', () => {
    const live = applied(undefined, ['me', spec({ replicas: 1, paused: true })]);
    const object = updated(live, 'writer', { ...withoutOwners(live), spec: { replicas: 2, paused: true } });
    assert.deepEqual(ownersOf(object), { 'me Apply': ['.spec.paused'], 'writer Update': ['.spec.replicas'] });
  });

  it('takes what was removed from everybody', () => {
    const live = applied(undefined, ['me', spec({ replicas: 1, paused: true })]);
    const object = updated(live, 'writer', { ...withoutOwners(live), spec: { paused: true } });
    assert.deepEqual(ownersOf(object), { 'me Apply': ['.spec.paused'] });
  });

  it('keeps one entry for each writer, with the time of its last change', () => {
    const clock = testClock();
    const timed = thingManager({ clock });
    const created = updated(undefined, 'writer', spec({ replicas: 1 }), timed);
    clock.advanceSync(60_000);
    const object = updated(
      created,
      'writer',
      { ...withoutOwners(created), spec: { replicas: 1, paused: true } },
      timed,
    );
    assert.deepEqual(ownersOf(object), { 'writer Update': ['.spec.paused', '.spec.replicas'] });
    assert.equal(entriesOf(object)[0]?.time, '2030-01-01T00:01:00Z');
    const same = updated(object, 'other', withoutOwners(object), timed);
    assert.deepEqual(same, object);
  });

  it('calls whoever has no name unknown', () => {
    assert.deepEqual(Object.keys(ownersOf(updated(undefined, '', spec({ replicas: 1 })))), [
      'unknown Update',
    ]);
  });

  it('does not track objects that have no owners, until somebody applies', () => {
    const live = stored(spec({ replicas: 1 }));
    assert.deepEqual(entriesOf(updated(live, 'writer', { ...live, spec: { replicas: 2 } })), []);
  });

  for (const reset of [[], [{}]])
    it(`forgets all owners on managedFields: ${JSON.stringify(reset)}`, () => {
      const live = updated(undefined, 'writer', spec({ replicas: 1 }));
      const metadata = { ...(live['metadata'] as JsonObject), managedFields: reset };
      assert.deepEqual(entriesOf(updated(live, 'writer', { ...live, metadata, spec: { replicas: 2 } })), []);
    });

  it('keeps the owners when managedFields are missing or cannot be read', () => {
    const live = updated(undefined, 'writer', spec({ replicas: 1 }));
    for (const managedFields of [null, [{ operation: 'Update' }], 'x', [1]]) {
      const metadata = { ...(live['metadata'] as JsonObject), managedFields: managedFields as JsonValue };
      assert.deepEqual(entriesOf(updated(live, 'writer', { ...live, metadata })), entriesOf(live));
    }
  });

  it('lets managedFields be written, though not through a subresource', () => {
    const live = updated(undefined, 'writer', spec({ replicas: 1 }));
    const [entry] = entriesOf(live);
    const metadata = {
      ...(live['metadata'] as JsonObject),
      managedFields: [{ ...entry, manager: 'other' }] as JsonValue,
    };
    assert.deepEqual(Object.keys(ownersOf(updated(live, 'writer', { ...live, metadata }))), ['other Update']);
    const status = thingManager({ subresource: 'status' });
    assert.deepEqual(Object.keys(ownersOf(updated(live, 'writer', { ...live, metadata }, status))), [
      'writer Update',
    ]);
  });

  it('merges the oldest writers into one when there are too many', () => {
    let object = updated(undefined, 'writer-00', thing({ metadata: { annotations: { 'k-00': 'x' } } }));
    for (let i = 1; i < 14; i++) {
      const name = String(i).padStart(2, '0');
      const annotations = {
        ...((object['metadata'] as JsonObject)['annotations'] as JsonObject),
        [`k-${name}`]: 'x',
      };
      object = updated(object, `writer-${name}`, {
        ...object,
        metadata: { ...(object['metadata'] as JsonObject), annotations },
      });
    }
    const owners = ownersOf(object);
    assert.equal(Object.keys(owners).length, 10);
    assert.equal(owners['ancient-changes Update']?.length, 6);
    assert.equal(Object.values(owners).flat().length, 15);
  });

  it('does not own what the endpoint does not persist', () => {
    const filters = new Map([['test.io/v1', excludeFields(FieldSet.of(pathOf('status')))]]);
    const main = thingManager({ filters });
    const object = updated(undefined, 'writer', thing({ spec: { replicas: 1 }, status: { ready: 1 } }), main);
    assert.deepEqual(ownersOf(object), { 'writer Update': ['.spec.replicas'] });
    const result = main.apply({ live: object, applied: thing({ status: { ready: 2 } }), manager: 'me' });
    assert.deepEqual(Object.keys(ownersOf(result)), ['writer Update']);
  });

  it('writes without owners rather than not at all, and tells why', () => {
    const live = updated(undefined, 'writer', spec({ replicas: 1 }));
    const { object, problem } = manager.update({
      live,
      updated: { ...live, spec: { nope: 1 } },
      manager: 'w',
    });
    assert.deepEqual(entriesOf(object), []);
    assert.equal(
      problem?.message,
      'failed to convert new object (default/thing; test.io/v1, Kind=Thing) to smd typed: .spec.nope: field not declared in schema',
    );
  });
});

describe('versions', () => {
  const convert = (object: JsonObject, apiVersion: string): JsonObject | undefined =>
    apiVersion === 'test.io/v0' ? undefined : { ...object, apiVersion };
  const schemaOf = (): typeof testSchema => testSchema;
  const v1 = thingManager({ versions: { convert, schemaOf } });
  const v2 = thingManager({
    kind: { group: 'test.io', version: 'v2', kind: 'Thing' },
    versions: { convert, schemaOf },
  });
  const inV2 = (object: JsonObject): JsonObject => ({ ...object, apiVersion: 'test.io/v2' });

  it('keeps one entry for whoever applies in another version, and removes what it applied before', () => {
    const live = stored(
      v1.apply<JsonObject>({ live: undefined, applied: spec({ replicas: 1, paused: true }), manager: 'me' }),
    );
    const after = v2.apply({ live: inV2(live), applied: inV2(spec({ replicas: 2 })), manager: 'me' });
    assert.deepEqual(after['spec'], { replicas: 2 });
    assert.deepEqual(
      entriesOf(after).map(({ manager, apiVersion }) => [manager, apiVersion]),
      [['me', 'test.io/v2']],
    );
  });

  it('sees conflicts across versions', () => {
    const live = stored(
      v1.apply<JsonObject>({ live: undefined, applied: spec({ replicas: 1 }), manager: 'me' }),
    );
    const error = conflictOf(() =>
      v2.apply({ live: inV2(live), applied: inV2(spec({ replicas: 2 })), manager: 'you' }),
    );
    assert.equal(error.message, 'Apply failed with 1 conflict: conflict with "me": .spec.replicas');
  });

  it('drops owners in versions that do not exist any more', () => {
    const live = updated(undefined, 'writer', spec({ replicas: 1 }));
    const [entry] = entriesOf(live);
    const metadata = {
      ...(live['metadata'] as JsonObject),
      managedFields: [{ ...entry, apiVersion: 'test.io/v0' }] as JsonValue,
    };
    const old = { ...live, metadata };
    const object = updated(old, 'other', { ...withoutOwners(old), spec: { replicas: 2 } }, v1);
    assert.deepEqual(Object.keys(ownersOf(object)), ['other Update']);
    const applied = thingManager().apply({ live: old, applied: spec({ replicas: 2 }), manager: 'me' });
    assert.deepEqual(Object.keys(ownersOf(applied)), ['me Apply']);
  });

  it('keeps the time of whoever applies the same again and last did so in a version that is gone', () => {
    const clock = testClock();
    const timed = thingManager({ clock, versions: { convert, schemaOf } });
    const live = stored(
      timed.apply<JsonObject>({ live: undefined, applied: spec({ replicas: 1 }), manager: 'me' }),
    );
    const managedFields = entriesOf(live).map((entry) => ({ ...entry, apiVersion: 'test.io/v0' }));
    const old = { ...live, metadata: { ...(live['metadata'] as JsonObject), managedFields } };
    clock.advanceSync(60_000);
    const again = timed.apply<JsonObject>({ live: old, applied: spec({ replicas: 1 }), manager: 'me' });
    assert.deepEqual(
      entriesOf(again).map(({ apiVersion, time }) => [apiVersion, time]),
      [['test.io/v1', '2030-01-01T00:00:00Z']],
    );
  });
});

describe('kinds without a schema', () => {
  it('have an owner for each key and for each list', () => {
    const free = new FieldManager({ types, kind: thingKind, clock: testClock() });
    const config = thing({ anything: { a: { b: 1 }, list: [{ name: 'x' }] } });
    const object = free.apply<JsonObject>({ live: undefined, applied: config, manager: 'me' });
    assert.deepEqual(ownersOf(object), {
      'me Apply': ['.anything', '.anything.a', '.anything.a.b', '.anything.list'],
    });
    const error = conflictOf(() =>
      free.apply({ live: stored(object), applied: thing({ anything: { list: [] } }), manager: 'you' }),
    );
    assert.equal(error.message, 'Apply failed with 1 conflict: conflict with "me": .anything.list');
  });
});

describe('the upgrade of kubectl from client-side apply', () => {
  const last = (config: JsonObject): JsonObject => ({
    annotations: { [LAST_APPLIED_ANNOTATION]: JSON.stringify(config) },
  });
  const config = spec({ replicas: 1 });
  const live = updated(
    undefined,
    'kubectl-client-side-apply',
    thing({ metadata: last(config), spec: { replicas: 1, paused: true } }),
  );

  it('takes what the annotation says, and keeps the annotation up to date', () => {
    const wanted = spec({ replicas: 2 });
    const object = manager.apply({ live, applied: wanted, manager: 'kubectl' });
    assert.deepEqual(object['spec'], { replicas: 2, paused: true });
    const { annotations } = object['metadata'] as { annotations: Record<string, string> };
    assert.equal(
      annotations[LAST_APPLIED_ANNOTATION],
      '{"apiVersion":"test.io/v1","kind":"Thing","metadata":{"name":"thing","namespace":"default"},"spec":{"replicas":2}}\n',
    );
    assert.ok(ownersOf(object)['kubectl Apply']?.includes('.spec.replicas'));
  });

  it('conflicts about the rest', () => {
    const error = conflictOf(() =>
      manager.apply({ live, applied: spec({ replicas: 2, paused: false }), manager: 'kubectl' }),
    );
    assert.equal(
      error.message,
      'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using test.io/v1: .spec.paused',
    );
  });

  it('conflicts about what was changed since', () => {
    const changed = updated(live, 'writer', { ...withoutOwners(live), spec: { replicas: 5, paused: true } });
    assert.equal(
      conflictOf(() => manager.apply({ live: changed, applied: spec({ replicas: 2 }), manager: 'kubectl' }))
        .causes.length,
      1,
    );
  });

  it('is for no other manager', () => {
    assert.equal(
      conflictOf(() => manager.apply({ live, applied: spec({ replicas: 2 }), manager: 'other' })).causes
        .length,
      1,
    );
  });

  for (const annotation of [
    '',
    'no json',
    '[]',
    JSON.stringify({ ...config, apiVersion: 'test.io/v2' }),
    JSON.stringify(spec({ nope: 1 })),
  ])
    it(`does not trust ${annotation === '' ? 'an empty annotation' : annotation}`, () => {
      const metadata = { annotations: { [LAST_APPLIED_ANNOTATION]: annotation } };
      const odd = updated(undefined, 'csa', thing({ metadata, spec: { replicas: 1 } }));
      assert.equal(
        conflictOf(() => manager.apply({ live: odd, applied: spec({ replicas: 2 }), manager: 'kubectl' }))
          .causes.length,
        1,
      );
    });
});
