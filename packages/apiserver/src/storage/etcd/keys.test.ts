import assert from 'node:assert/strict';
import { test } from 'node:test';
import { etcdKey, rangeEnd, storeKey } from './keys.ts';

for (const [store, etcd] of [
  ['//pods/default/web', '/registry/pods/default/web'],
  ['//nodes/one', '/registry/minions/one'],
  ['//services/default/web', '/registry/services/specs/default/web'],
  ['//endpoints/default/web', '/registry/services/endpoints/default/web'],
  ['//replicationcontrollers/default/web', '/registry/controllers/default/web'],
  ['//events/default/web.1', '/registry/events/default/web.1'],
  ['/apps/deployments/default/web', '/registry/deployments/default/web'],
  ['/networking.k8s.io/ingresses/default/web', '/registry/ingress/default/web'],
  ['/coordination.k8s.io/leases/kube-system/a', '/registry/leases/kube-system/a'],
  ['/rbac.authorization.k8s.io/clusterroles/system:node', '/registry/clusterroles/system:node'],
  ['/apiregistration.k8s.io/apiservices/v1.', '/registry/apiregistration.k8s.io/apiservices/v1.'],
  [
    '/apiextensions.k8s.io/customresourcedefinitions/foos.example.com',
    '/registry/apiextensions.k8s.io/customresourcedefinitions/foos.example.com',
  ],
  ['/example.com/foos/default/a', '/registry/example.com/foos/default/a'],
  ['/example.com/pods/default/a', '/registry/example.com/pods/default/a'],
] as const)
  test(store, () => {
    assert.equal(etcdKey('/registry', store), etcd);
    assert.equal(storeKey('/registry', etcd), store);
  });

for (const key of [
  '/registry',
  '/registry/health',
  '/registry/masterleases/192.0.2.1',
  '/registry/ranges/serviceips',
  '/registry2/pods/default/web',
  'compact_rev_key',
])
  test(`${key} is no object`, () => assert.equal(storeKey('/registry', key), undefined));

for (const [prefix, end] of [
  ['/registry/', '/registry0'],
  ['a\xff', 'b'],
  ['\xff', '\0'],
] as const)
  test(`the end of ${JSON.stringify(prefix)}`, () =>
    assert.equal(String(rangeEnd(Buffer.from(prefix, 'latin1'))), end));
