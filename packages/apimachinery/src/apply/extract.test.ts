import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { JsonObject } from '../json/json-object.ts';
import { anyObject, testSchema } from '../schema/schema-testing.ts';
import { extractApplied } from './extract.ts';
import { ownersOf, stored, thing, thingManager, types } from './testing.ts';

const manager = thingManager();
const options = { types, schema: testSchema };

describe('extractApplied', () => {
  it('gives what a manager applied, with what names the object', () => {
    const live = manager.apply<JsonObject>({
      live: stored(thing({ spec: { replicas: 1, containers: [{ name: 'a', image: 'x' }] } })),
      applied: thing({
        metadata: { labels: { a: 'b' } },
        spec: { containers: [{ name: 'a', args: ['y'] }] },
      }),
      manager: 'me',
    });
    assert.deepEqual(extractApplied(live, 'me', options), {
      apiVersion: 'test.io/v1',
      kind: 'Thing',
      metadata: { labels: { a: 'b' }, name: 'thing', namespace: 'default' },
      spec: { containers: [{ name: 'a', args: ['y'] }] },
    });
  });

  it('has nothing for whoever did not apply', () => {
    const { object } = manager.update<JsonObject>({
      live: undefined,
      updated: thing({ spec: { replicas: 1 } }),
      manager: 'me',
    });
    assert.equal(extractApplied(object, 'me', options), undefined);
    assert.equal(extractApplied(object, 'other', options), undefined);
  });

  it('tells subresources apart', () => {
    const status = thingManager({ subresource: 'status' });
    const live = stored(
      status.apply<JsonObject>({
        live: stored(thing()),
        applied: thing({ status: { ready: 1 } }),
        manager: 'me',
      }),
    );
    assert.equal(extractApplied(live, 'me', options), undefined);
    assert.deepEqual(extractApplied(live, 'me', { ...options, subresource: 'status' })?.['status'], {
      ready: 1,
    });
  });

  it('gives what can be applied again without changing anything', () => {
    fc.assert(
      fc.property(anyObject, anyObject, (mine, theirs) => {
        const first = manager.apply<JsonObject>({ live: undefined, applied: thing(mine), manager: 'me' });
        const live = stored(
          manager.apply({ live: stored(first), applied: thing(theirs), manager: 'you', force: true }),
        );
        const configuration = extractApplied(live, 'me', options);
        if (configuration === undefined) return;
        const again = manager.apply({ live, applied: configuration, manager: 'me' });
        assert.deepEqual(ownersOf(again), ownersOf(live));
        assert.equal(again['spec'], live['spec']);
      }),
      { numRuns: 300 },
    );
  });
});
