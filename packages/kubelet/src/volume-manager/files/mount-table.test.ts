import assert from 'node:assert/strict';
import { it } from 'node:test';
import { mountsBelow } from './mount-table.ts';

const TABLE = `22 1 0:21 / /proc rw - proc proc rw
30 1 0:30 / /a rw - tmpfs tmpfs rw
31 30 0:31 / /a/b rw - tmpfs tmpfs rw
32 30 0:32 / /ab rw - tmpfs tmpfs rw
33 31 0:33 / /a/b/with\\040space rw - tmpfs tmpfs rw
`;

it('mounts below a path are told, those on top of others first', () => {
  assert.deepEqual(mountsBelow(TABLE, '/a'), ['/a/b/with space', '/a/b', '/a']);
  assert.deepEqual(mountsBelow(TABLE, '/a/b/c'), []);
  assert.deepEqual(mountsBelow('', '/a'), []);
});
