import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WritesUnderWay } from './writes-under-way.ts';

test('a change is of the one who writes there, until the server has answered', () => {
  const writes = new WritesUnderWay();
  const end = writes.begin('exec', '/api/v1/namespaces/a/configmaps');
  writes.begin('user', '/api/v1/namespaces/a/configmaps/x');
  assert.equal(writes.whoChanges('//configmaps/a/x'), 'exec');
  assert.equal(writes.whoChanges('//configmaps/b/x'), undefined);
  end();
  assert.equal(writes.whoChanges('//configmaps/a/x'), 'user');
  assert.equal(writes.whoChanges('//configmaps/a/y'), undefined);
});
