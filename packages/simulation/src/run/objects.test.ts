import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Journal } from '../world/journal.ts';
import { deleteAll } from './objects.ts';

test('what the user made is deleted, the newest first, and not in the name of who was heard last', async () => {
  const journal = new Journal();
  const objects = ['a', 'b', 'c'].map((name, index) => {
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'default', uid: name },
    };
    const key = `//configmaps/default/${name}`;
    const stored = { key, object, revision: index, version: '' };
    journal.add(
      { type: 'put', key, revision: index, stored, previous: undefined },
      0,
      name === 'b' ? 'operator' : 'user',
    );
    return { key, object };
  });
  let by = 'operator';
  const deletions: string[] = [];
  await deleteAll({
    journal,
    objects: async () => objects,
    beginStep: () => {
      by = 'server';
    },
    server: {
      request: async ({ method, path }) => {
        deletions.push(`${by}: ${method} ${path}`);
        by = 'operator';
        return { status: 200, headers: {}, body: {} };
      },
      watch: () => assert.fail('nothing is watched'),
      [Symbol.asyncDispose]: async () => {},
    },
  });
  assert.deepEqual(deletions, [
    'server: DELETE /api/v1/namespaces/default/configmaps/c',
    'server: DELETE /api/v1/namespaces/default/configmaps/a',
  ]);
});
