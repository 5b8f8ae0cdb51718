import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remoteUserHeaders, remoteUserOf } from './remote-user.ts';
import type { UserInfo } from './user.ts';

const users: readonly [string, UserInfo][] = [
  ['a name', { name: 'jane', groups: [] }],
  ['groups with commas', { name: 'jane', groups: ['a, system:masters', 'b'] }],
  ['a uid', { name: 'jane', uid: 'u-1', groups: ['a'] }],
  ['other alphabets', { name: 'Žofie', groups: ['gruppe ä'], extra: { färbung: ['grün', 'blau'] } }],
  [
    'keys that are no header names',
    { name: 'jane', groups: [], extra: { 'example.com/scopes': ['x'], 'a b%': ['y'] } },
  ],
];

for (const [name, user] of users)
  test(`a user goes through headers and comes back: ${name}`, () => {
    const lines = Object.entries(remoteUserHeaders(user)).flatMap(([header, value]) =>
      [value].flat().flatMap((one) => [header, one]),
    );
    for (const line of lines) assert.match(line, /^[\x20-\xff]*$/);
    assert.deepEqual(remoteUserOf(lines), user);
  });

test('without a name nobody is meant, and of several names the first counts', () => {
  assert.equal(remoteUserOf(['X-Remote-Group', 'system:masters']), undefined);
  assert.equal(
    remoteUserOf(['X-Remote-User', '', 'X-Remote-User', 'jane', 'x-remote-user', 'joe'])?.name,
    'jane',
  );
});
