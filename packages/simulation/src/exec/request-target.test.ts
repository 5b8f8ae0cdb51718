import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayChange, requestTarget } from './request-target.ts';

const requests: readonly (readonly [method: string, url: string, as: string, isWatch: boolean])[] = [
  ['GET', '/api/v1/pods?limit=500', 'GET', false],
  ['GET', '/api/v1/pods?watch=true&resourceVersion=3', 'GET', true],
  ['GET', '/api/v1/pods?watch=1', 'GET', true],
  ['GET', '/api/v1/pods?watch', 'GET', true],
  ['GET', '/api/v1/pods?watch=false', 'GET', false],
  ['GET', '/api/v1/watch/pods', 'GET', true],
  ['GET', '/apis/apps/v1/watch/namespaces/a/deployments', 'GET', true],
  ['POST', '/api/v1/namespaces/a/pods', 'POST', false],
  ['PATCH', '/api/v1/namespaces/a/pods/b?fieldManager=c', 'PATCH', false],
  ['POST', '/api/v1/namespaces/a/pods?dryRun=All', 'GET', false],
  ['POST', '/apis/authentication.k8s.io/v1/tokenreviews', 'GET', false],
  ['POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', 'GET', false],
  ['POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', 'GET', false],
  ['POST', '/apis/authorization.k8s.io/v1/namespaces/a/localsubjectaccessreviews', 'GET', false],
  ['HEAD', '/healthz', 'GET', false],
];

for (const [method, url, as, isWatch] of requests)
  test(`${method} ${url}`, () => {
    const target = requestTarget(method, url);
    assert.deepEqual([target.method, target.isWatch], [as, isWatch]);
    assert.equal(target.path, url.split('?')[0]);
  });

const changes: readonly (readonly [path: string, key: string, may: boolean])[] = [
  ['/api/v1/namespaces/a/pods', '//pods/a/x', true],
  ['/api/v1/namespaces/a/pods', '//pods/b/x', false],
  ['/api/v1/namespaces/a/pods/x', '//pods/a/x', true],
  ['/api/v1/namespaces/a/pods/x', '//pods/a/y', false],
  ['/api/v1/namespaces/a/pods/x/status', '//pods/a/x', true],
  ['/api/v1/namespaces/a/pods/x', '//services/a/x', false],
  ['/apis/apps/v1/namespaces/a/deployments/web/scale', '/apps/deployments/a/web', true],
  ['/api/v1/nodes/one', '//nodes/one', true],
  ['/api/v1/nodes/one', '//nodes/two', false],
  ['/api/v1/namespaces/a', '//namespaces/a', true],
  ['/api/v1/namespaces/a/finalize', '//namespaces/a', true],
  ['/api/v1/namespaces', '//namespaces/a', true],
  ['/api/v1/namespaces/a', '//pods/a/x', false],
  [
    '/apis/rbac.authorization.k8s.io/v1/clusterroles/a%3Ab',
    '/rbac.authorization.k8s.io/clusterroles/a:b',
    true,
  ],
];

for (const [path, key, may] of changes)
  test(`a write to ${path} ${may ? 'may change' : 'does not change'} ${key}`, () => {
    assert.equal(mayChange(path, key), may);
  });
