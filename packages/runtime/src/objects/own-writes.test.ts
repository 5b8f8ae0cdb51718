import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OwnWrites } from './own-writes.ts';

const object = (version: string) => ({ metadata: { name: 'a', resourceVersion: version } });

test('a write is waited for until the cache has seen that very version', () => {
  const writes = new OwnWrites();
  writes.wrote('a', object('5'));
  writes.wrote('a', object('7'));
  assert.equal(writes.versionOf('a'), '7');
  writes.seen('a', '5');
  assert.equal(writes.versionOf('a'), '7');
  writes.seen('a', '7');
  assert.equal(writes.versionOf('a'), undefined);
  assert.equal(writes.size, 0);
});

test('a version that is none is not waited for', () => {
  const writes = new OwnWrites();
  writes.wrote('a', { metadata: { name: 'a' } });
  writes.wrote('b', object('0'));
  assert.equal(writes.size, 0);
});

test('what was deleted is gone until the cache has another one, or none', () => {
  const writes = new OwnWrites();
  writes.wrote('a', object('5'));
  writes.deleted('a', 'old');
  assert.equal(writes.versionOf('a'), undefined);
  assert.equal(writes.isGone('a', { metadata: { uid: 'old' } }), true);
  assert.equal(writes.isGone('a', { metadata: { uid: 'new' } }), false);
  assert.equal(writes.hasDeleted, false);
  writes.deleted('b', 'x');
  assert.equal(writes.isGone('b', undefined), false);
  writes.deleted('c', undefined);
  assert.equal(writes.size, 0);
  writes.deleted('a', 'old');
  writes.wrote('a', object('9'));
  assert.equal(writes.isGone('a', { metadata: { uid: 'old' } }), false, 'made again');
});

test('who writes and never reads leaves nothing behind', () => {
  const writes = new OwnWrites();
  let most = 0;
  for (let version = 1; version <= 100_000; version++) {
    const key = `key-${version}`;
    if (version % 2 === 0) writes.wrote(key, object(String(version)));
    else writes.deleted(key, `uid-${version}`);
    // The cache is always a hundred writes behind.
    writes.sweep({
      hasSeen: (_, written) => Number(written) <= version - 100,
      uidOf: (gone) => (Number(gone.slice(4)) <= version - 100 ? undefined : `uid-${gone.slice(4)}`),
    });
    most = Math.max(most, writes.size);
  }
  assert.ok(most <= 1000, `${most} were kept`);
});
