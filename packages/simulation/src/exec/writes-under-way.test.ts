import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WritesUnderWay } from './writes-under-way.ts';

test('a change is of the one who writes there, until the server has answered', () => {
  const writes = new WritesUnderWay();
  const end = writes.begin('exec', { method: 'POST', path: '/api/v1/namespaces/a/configmaps' });
  writes.begin('user', { method: 'DELETE', path: '/api/v1/namespaces/a/configmaps/x' });
  assert.equal(writes.whoChanges('//configmaps/a/x', true), 'exec');
  assert.equal(writes.whoChanges('//configmaps/b/x', true), undefined);
  assert.equal(writes.whoChanges('//configmaps/a/x', false), 'user');
  end();
  assert.equal(writes.whoChanges('//configmaps/a/x', false), 'user');
  assert.equal(writes.whoChanges('//configmaps/a/y', false), undefined);
});
