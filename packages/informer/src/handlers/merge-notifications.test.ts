import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { thing } from '../testing/scripted-list-watch.ts';
import type { TestObject } from '../testing/test-object.ts';
import { mergeInto, type Waiting } from './merge-notifications.ts';
import type { Notification } from './notification.ts';

type Told = Notification<TestObject>;

/** What an informer tells of one key, for a list of what happens to it. */
function history(happenings: readonly ('write' | 'delete' | 'resync')[], isKnown: boolean): Told[] {
  const told: Told[] = [];
  let version = 1;
  let [uid, now] = [1, isKnown ? thing('a', 1, { uid: '1' }) : undefined];
  for (const happening of happenings) {
    const key = 'ns/a';
    if (happening === 'write') {
      const next: TestObject = thing('a', ++version, { uid: String(uid) });
      if (now === undefined) told.push({ type: 'add', key, now: next, isInInitialList: false });
      else told.push({ type: 'update', key, old: now, now: next });
      now = next;
    } else if (now === undefined) continue;
    else if (happening === 'resync') told.push({ type: 'sync', key, now, cause: 'resync' });
    else {
      told.push({ type: 'delete', key, old: now, isFinalStateUnknown: false });
      now = undefined;
      uid++;
    }
  }
  return told;
}

function mergeAll(told: readonly Told[]): Told[] {
  const [first, ...rest] = told;
  if (first === undefined) return [];
  const waiting: Waiting<TestObject> = { key: 'ns/a', since: 0, notification: first, deletion: undefined };
  for (const next of rest) mergeInto(waiting, next);
  return [waiting.deletion, waiting.notification].filter((item) => item !== undefined);
}

/** What a handler knows after being told; fails where it is told what cannot be. */
function replay(known: TestObject | undefined, told: readonly Told[]): TestObject | undefined {
  let now: unknown = known;
  for (const item of told) {
    if (item.type === 'add') assert.equal(now, undefined, 'added twice');
    else assert.ok(now, `${item.type} before it was added`);
    if (item.type === 'update') assert.equal(item.old, now, 'old is not what was told last');
    if (item.type === 'sync') assert.equal(item.now, now);
    now = item.type === 'delete' ? undefined : item.now;
  }
  return now as TestObject | undefined;
}

test('what is left is at most two, legal by itself, and ends in the same state', () => {
  const happening = fc.constantFrom('write', 'write', 'delete', 'resync');
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 12 }), fc.boolean(), (happenings, isKnown) => {
      const told = history(happenings, isKnown);
      const known = isKnown ? firstKnown(told) : undefined;
      const merged = mergeAll(told);
      assert.ok(merged.length <= 2);
      assert.equal(replay(known, merged), replay(known, told));
      // Whoever knew an object that is gone hears of that, also when its name was taken again.
      const wasDeleted = isKnown && told.some(({ type }) => type === 'delete');
      assert.equal(
        merged.some(({ type }) => type === 'delete'),
        wasDeleted,
      );
    }),
    { numRuns: 500 },
  );
});

/** The object that the handler knew before: what the first notification speaks of. */
function firstKnown(told: readonly Told[]): TestObject | undefined {
  const [first] = told;
  if (first === undefined || first.type === 'add') return undefined;
  return (first.type === 'sync' ? first.now : first.old) as TestObject;
}

test('an update that was widened goes from what was told last to what is newest', () => {
  const told = history(['write', 'write', 'write'], true);
  const [merged] = mergeAll(told);
  assert.equal(merged?.type, 'update');
  assert.equal(merged.type === 'update' && merged.old.metadata.resourceVersion, '1');
  assert.equal(merged.type === 'update' && merged.now.metadata.resourceVersion, '4');
});
