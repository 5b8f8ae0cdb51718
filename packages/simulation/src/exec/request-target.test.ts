import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayChange, requestTarget, type Write } from './request-target.ts';

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

const changes: readonly (readonly [
  method: Write['method'],
  path: string,
  key: string,
  isNew: boolean,
  may: boolean,
])[] = [
  ['POST', '/api/v1/namespaces/a/pods', '//pods/a/x', true, true],
  ['POST', '/api/v1/namespaces/a/pods', '//pods/a/x', false, false],
  ['POST', '/api/v1/namespaces/a/pods', '//pods/b/x', true, false],
  ['DELETE', '/api/v1/namespaces/a/pods', '//pods/a/x', false, true],
  ['PUT', '/api/v1/namespaces/a/pods/x', '//pods/a/x', false, true],
  ['PATCH', '/api/v1/namespaces/a/pods/x', '//pods/a/x', true, true],
  ['PUT', '/api/v1/namespaces/a/pods/x', '//pods/a/y', false, false],
  ['PUT', '/api/v1/namespaces/a/pods/x/status', '//pods/a/x', false, true],
  ['POST', '/api/v1/namespaces/a/pods/x/eviction', '//pods/a/x', false, true],
  ['PUT', '/api/v1/namespaces/a/pods/x', '//services/a/x', false, false],
  ['PUT', '/apis/apps/v1/namespaces/a/deployments/web/scale', '/apps/deployments/a/web', false, true],
  ['PUT', '/api/v1/nodes/one', '//nodes/one', false, true],
  ['PUT', '/api/v1/nodes/one', '//nodes/two', false, false],
  ['DELETE', '/api/v1/namespaces/a', '//namespaces/a', false, true],
  ['PUT', '/api/v1/namespaces/a/finalize', '//namespaces/a', false, true],
  ['POST', '/api/v1/namespaces', '//namespaces/a', true, true],
  ['DELETE', '/api/v1/namespaces/a', '//pods/a/x', false, false],
  [
    'PUT',
    '/apis/rbac.authorization.k8s.io/v1/clusterroles/a%3Ab',
    '/rbac.authorization.k8s.io/clusterroles/a:b',
    false,
    true,
  ],
];

for (const [method, path, key, isNew, may] of changes)
  test(`${method} ${path} ${may ? 'may be what' : 'is not what'} ${isNew ? 'creates' : 'changes'} ${key}`, () => {
    assert.equal(mayChange({ method, path }, key, isNew), may);
  });
