import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject, ObjectMeta, ServedMeta } from '@windlass/apimachinery';
import { isResync, type ObjectEvent } from './object-event.ts';
import {
  and,
  annotationsChanged,
  generationChanged,
  labelsChanged,
  labelsMatch,
  not,
  objectIs,
  or,
  type Predicate,
  resourceVersionChanged,
} from './predicates.ts';

const stored = (metadata: ObjectMeta): { metadata: ServedMeta } => ({
  metadata: {
    name: 'a',
    uid: 'u',
    resourceVersion: '1',
    creationTimestamp: '2026-01-02T03:04:05Z',
    ...metadata,
  },
});
const update = (old: ObjectMeta, now: ObjectMeta): ObjectEvent => ({
  type: 'update',
  old: stored(old),
  object: stored(now),
});
const add: ObjectEvent = { type: 'add', object: stored({}), isInInitialList: false };
const gone: ObjectEvent = { type: 'delete', object: stored({}), isFinalStateUnknown: false };

const yes: Predicate = () => true;
const no: Predicate = () => false;
const table: readonly [
  what: string,
  predicate: Predicate<KubeObject>,
  event: ObjectEvent,
  passes: boolean,
][] = [
  ['generation, the same', generationChanged, update({ generation: 1 }, { generation: 1 }), false],
  ['generation, another', generationChanged, update({ generation: 1 }, { generation: 2 }), true],
  ['generation, of an add', generationChanged, add, true],
  ['generation, of a delete', generationChanged, gone, true],
  [
    'version, the same',
    resourceVersionChanged,
    update({ resourceVersion: '1' }, { resourceVersion: '1' }),
    false,
  ],
  [
    'version, another',
    resourceVersionChanged,
    update({ resourceVersion: '1' }, { resourceVersion: '2' }),
    true,
  ],
  ['labels, none and empty', labelsChanged, update({}, { labels: {} }), false],
  ['labels, another', labelsChanged, update({ labels: { a: '1' } }, { labels: { a: '2' } }), true],
  ['labels, of an add', labelsChanged, add, true],
  [
    'annotations, the same',
    annotationsChanged,
    update({ annotations: { a: '1' } }, { annotations: { a: '1' } }),
    false,
  ],
  ['annotations, one less', annotationsChanged, update({ annotations: { a: '1' } }, {}), true],
  ['a selector, none', labelsMatch('app=web'), add, false],
  ['a selector, now', labelsMatch('app=web'), update({}, { labels: { app: 'web' } }), true],
  ['a selector, until now', labelsMatch('app=web'), update({ labels: { app: 'web' } }, {}), true],
  ['an object, as it is now', objectIs(({ metadata }) => metadata.name === 'a'), add, true],
  ['and of none', and(), add, true],
  ['and', and(yes, no), add, false],
  ['or of none', or(), add, false],
  ['or', or(no, yes), add, true],
  ['not', not(yes), add, false],
];
for (const [what, predicate, event, passes] of table) {
  test(`${what}: ${passes ? 'passes' : 'is dropped'}`, () => assert.equal(predicate(event), passes));
}

test('a resync is an update with nothing new', () => {
  assert.equal(isResync(update({ resourceVersion: '1' }, { resourceVersion: '1' })), true);
  assert.equal(isResync(update({ resourceVersion: '1' }, { resourceVersion: '2' })), false);
  assert.equal(isResync(add), false);
});
