import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseApiPath } from './api-path.ts';

test('namespace, name and subresource of a path', () => {
  const rows: readonly (readonly [path: string, resource: string, expected: string])[] = [
    ['/api/v1/pods', 'pods', '- - -'],
    ['/api/v1/nodes/n1', 'nodes', '- n1 -'],
    ['/api/v1/nodes/n1/status', 'nodes', '- n1 status'],
    ['/api/v1/namespaces/shop/pods', 'pods', 'shop - -'],
    ['/api/v1/namespaces/shop/pods/web-1/log', 'pods', 'shop web-1 log'],
    ['/apis/apps/v1/namespaces/shop/deployments/web/scale', 'deployments', 'shop web scale'],
    ['/apis/example.com/v1/namespaces/shop/websites/websites', 'websites', 'shop websites -'],
    ['/api/v1/namespaces/shop', 'namespaces', '- shop -'],
    ['/api/v1/namespaces/shop/finalize', 'namespaces', '- shop finalize'],
    ['/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode', 'clusterroles', '- system:node -'],
  ];
  for (const [path, resource, expected] of rows) {
    const { namespace = '-', name = '-', subresource = '-' } = parseApiPath(path, resource);
    assert.equal(`${namespace} ${name} ${subresource}`, expected, path);
  }
});
