import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Indexer } from '../cache/indexer.ts';
import type { Notification } from '../handlers/notification.ts';
import { thing } from '../testing/scripted-list-watch.ts';
import type { TestObject } from '../testing/test-object.ts';
import { type ApplyOptions, applyDeltas } from './apply-deltas.ts';
import type { Delta } from './delta-fifo.ts';

const OPTIONS: ApplyOptions = { position: '10', isInitialList: false, wantsUnchanged: false };

function cacheOf(...objects: readonly TestObject[]): Indexer<TestObject> {
  const indexer = new Indexer<TestObject>();
  for (const object of objects) indexer.set(`ns/${object.metadata.name}`, object);
  return indexer;
}

const change = (type: 'Added' | 'Updated' | 'Deleted', object: TestObject): Delta<TestObject> => ({
  type,
  key: `ns/${object.metadata.name}`,
  object,
});

function replaced(objects: readonly TestObject[], versionsAreUnique = true): Delta<TestObject> {
  const entries = objects.map((object): [string, TestObject] => [`ns/${object.metadata.name}`, object]);
  return { type: 'Replaced', objects: new Map(entries), resourceVersion: '20', versionsAreUnique };
}

function brief(notification: Notification<TestObject>): string {
  const { type, key } = notification;
  const name = key.slice('ns/'.length);
  switch (type) {
    case 'add':
      return `add ${name}@${notification.now.metadata.resourceVersion}${notification.isInInitialList ? ' initial' : ''}`;
    case 'update':
      return `update ${name}@${notification.old.metadata.resourceVersion}-${notification.now.metadata.resourceVersion}`;
    case 'delete':
      return `delete ${name}@${notification.old.metadata.resourceVersion}${notification.isFinalStateUnknown ? ' unknown' : ''}`;
    case 'sync':
      return `sync ${name} ${notification.cause}`;
    default:
      return notification satisfies never;
  }
}

/** Applies one batch; answers what is told and what is cached. */
function apply(
  indexer: Indexer<TestObject>,
  batch: readonly Delta<TestObject>[],
  options: Partial<ApplyOptions> = {},
): { told: string[]; cached: string[]; stale: number; version: string | undefined } {
  const applied = applyDeltas(indexer, batch, { ...OPTIONS, ...options });
  return {
    told: applied.notifications.map(brief),
    cached: indexer.list().map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`),
    stale: applied.stale,
    version: applied.resourceVersion,
  };
}

test('the cache decides what is an addition and what an update', () => {
  const batch = [
    change('Updated', thing('a', 11)),
    change('Added', thing('b', 12)),
    change('Deleted', thing('c', 13)),
  ];
  assert.deepEqual(apply(cacheOf(thing('b', 5), thing('c', 6)), batch), {
    told: ['add a@11', 'update b@5-12', 'delete c@13'],
    cached: ['b@12', 'a@11'],
    stale: 0,
    version: '13',
  });
});

test('an event that is not newer than the cache is stale', () => {
  const cache = cacheOf(thing('a', 8));
  for (const type of ['Added', 'Updated'] as const)
    for (const version of [7, 8]) {
      const { told, cached, stale } = apply(cache, [change(type, thing('a', version))]);
      assert.deepEqual([told, cached, stale], [[], ['a@8'], 1]);
    }
});

test('an event that is older than the cache as a whole may still be news of its object', () => {
  const { told } = apply(cacheOf(thing('a', 3)), [change('Updated', thing('a', 5))], { position: '10' });
  assert.deepEqual(told, ['update a@3-5']);
});

test('versions that are no numbers are taken as they come', () => {
  const { told } = apply(cacheOf(thing('a', 'x9')), [change('Updated', thing('a', 'x8'))], {
    position: 'x9',
  });
  assert.deepEqual(told, ['update a@x9-x8']);
});

test('a name that was taken by another object is a deletion and an addition', () => {
  const batch = [change('Added', thing('a', 12, { uid: 'other' }))];
  assert.deepEqual(apply(cacheOf(thing('a', 8)), batch).told, ['delete a@8 unknown', 'add a@12']);
  const whole = [replaced([thing('a', 12, { uid: 'other' })])];
  assert.deepEqual(apply(cacheOf(thing('a', 8)), whole).told, ['delete a@8 unknown', 'add a@12']);
});

test('a deletion of what is not there says nothing', () => {
  const { told, stale } = apply(cacheOf(), [change('Deleted', thing('a', 12))]);
  assert.deepEqual([told, stale], [[], 1]);
});

test('two deletions in one batch are told once, and the second is stale', () => {
  const batch = [change('Deleted', thing('a', 12)), change('Deleted', thing('a', 12))];
  const { told, cached, stale } = apply(cacheOf(thing('a', 9)), batch);
  assert.deepEqual([told, cached, stale], [['delete a@12'], [], 1]);
});

test('a deletion that comes late does not take the next object of that name', () => {
  const cache = cacheOf(thing('a', 9, { uid: 'next' }));
  const { told, cached } = apply(cache, [change('Deleted', thing('a', 8, { uid: 'before' }))]);
  assert.deepEqual([told, cached], [[], ['a@9']]);
});

test('a deletion of the cached object counts, even with a version that the cache has already', () => {
  // A server may send the last stored state, and a watch that was opened again may have listed a newer one.
  for (const version of [8, 9]) {
    const { told, cached, stale } = apply(cacheOf(thing('a', 9)), [change('Deleted', thing('a', version))]);
    assert.deepEqual([told, cached, stale], [[`delete a@${version}`], [], 0]);
  }
});

test('a deletion of an object that was never seen takes the one that was, in its last known state', () => {
  const { told } = apply(cacheOf(thing('a', 9, { uid: 'seen' })), [
    change('Deleted', thing('a', 12, { uid: 'other' })),
  ]);
  assert.deepEqual(told, ['delete a@9 unknown']);
});

test('the first list: all is added, and marked as initial', () => {
  const whole = replaced([thing('a', 3), thing('b', 4)]);
  const { told, cached, version } = apply(cacheOf(), [whole], { isInitialList: true });
  assert.deepEqual([told, cached, version], [['add a@3 initial', 'add b@4 initial'], ['a@3', 'b@4'], '20']);
});

test('a relist: deletions first, then the list in its order; what did not change is not told', () => {
  const cache = cacheOf(thing('gone', 1), thing('same', 2), thing('changed', 3), thing('gone-too', 4));
  const whole = replaced([thing('new', 15), thing('changed', 14), thing('same', 2)]);
  const { told, cached } = apply(cache, [whole]);
  assert.deepEqual(told, [
    'delete gone@1 unknown',
    'delete gone-too@4 unknown',
    'add new@15',
    'update changed@3-14',
  ]);
  assert.deepEqual(cached.sort(), ['changed@14', 'new@15', 'same@2']);
});

test('a relist keeps the very object that did not change', () => {
  const same = thing('same', 2);
  const cache = cacheOf(same);
  const { told } = apply(cache, [replaced([thing('same', 2)])], { wantsUnchanged: true });
  assert.equal(cache.get('ns/same'), same);
  assert.deepEqual(told, ['sync same relist']);
});

test('where versions may have been used twice, equal versions are compared in full', () => {
  const other = { ...thing('a', 2), data: { writes: 99 } };
  assert.deepEqual(apply(cacheOf(thing('a', 2)), [replaced([other], false)]).told, ['update a@2-2']);
  assert.deepEqual(apply(cacheOf(thing('a', 2)), [replaced([thing('a', 2)], false)]).told, []);
  assert.deepEqual(apply(cacheOf(thing('a', 2)), [replaced([other], true)]).told, []);
});

test('objects without versions are compared in full, too', () => {
  const bare = (writes: number): TestObject => {
    const { resourceVersion: _, ...metadata } = thing('a', 1).metadata;
    return { metadata, data: { writes } } as TestObject;
  };
  assert.equal(apply(cacheOf(bare(1)), [replaced([bare(2)])]).told.length, 1);
  assert.equal(apply(cacheOf(bare(1)), [replaced([bare(1)])]).told.length, 0);
});

test('a resync reminds of what is cached now, and a bookmark moves the version alone', () => {
  const batch: Delta<TestObject>[] = [
    change('Updated', thing('a', 12)),
    { type: 'Sync' },
    { type: 'Bookmark', resourceVersion: '19' },
  ];
  const { told, version } = apply(cacheOf(thing('a', 8)), batch);
  assert.deepEqual([told, version], [['update a@8-12', 'sync a resync'], '19']);
});

test('the version of a batch is its newest, though a bookmark comes late or an event once more', () => {
  const bookmark = (resourceVersion: string): Delta<TestObject> => ({ type: 'Bookmark', resourceVersion });
  const rows: [batch: Delta<TestObject>[], version: string][] = [
    [[change('Updated', thing('a', 12)), bookmark('11')], '12'],
    [[change('Deleted', thing('a', 12)), bookmark('11')], '12'],
    [[bookmark('15'), change('Updated', thing('a', 12))], '15'],
    [[bookmark('30'), replaced([thing('a', 12)]), bookmark('19')], '20'],
    [[replaced([thing('a', 12)]), bookmark('21')], '21'],
  ];
  for (const [batch, version] of rows)
    assert.equal(apply(cacheOf(thing('a', 8)), batch).version, version, JSON.stringify(batch));
});
