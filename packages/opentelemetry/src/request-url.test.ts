import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestUrl } from './request-url.ts';

test('the URL of a request, with its query encoded', () => {
  const server = 'https://10.0.0.1:6443/clusters/a';
  const get = { method: 'GET', path: '/api/v1/pods' } as const;
  assert.equal(requestUrl(server, get), `${server}/api/v1/pods`);
  const query = { labelSelector: 'app in (a)', continue: undefined, command: ['ls', '-l'] };
  assert.equal(
    requestUrl(server, { ...get, query }),
    `${server}/api/v1/pods?labelSelector=app+in+%28a%29&command=ls&command=-l`,
  );
});
