import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedObject, withoutSubresource } from './reads.ts';

for (const [text, named] of [
  ['pods default/web-1', { resource: 'pods', key: 'default/web-1' }],
  ['deployments.apps/status default/web', { resource: 'deployments.apps', key: 'default/web' }],
  ['nodes node-1', { resource: 'nodes', key: 'node-1' }],
  ['pods: 12 listed', undefined],
  ['update of pods default/web-1 at 42', undefined],
] as const)
  test(`${text} names ${named === undefined ? 'no object' : 'an object'}`, () => {
    assert.deepEqual(namedObject(text), named);
  });

test('a subresource belongs to its object', () => {
  assert.equal(withoutSubresource('pods/status'), 'pods');
});
