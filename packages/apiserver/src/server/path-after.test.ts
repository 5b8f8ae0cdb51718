import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pathAfter } from './path-after.ts';

describe('what follows a subresource', () => {
  for (const [path, namespace, rest] of [
    ['/api/v1/namespaces/ns/pods/p/proxy', 'ns', ''],
    ['/api/v1/namespaces/ns/pods/p/proxy/', 'ns', '/'],
    ['/api/v1/namespaces/ns/pods/p/proxy/a%2Fb/c/', 'ns', '/a%2Fb/c/'],
    ['//api/v1//namespaces/ns/pods/p/proxy/x', 'ns', '/x'],
    ['/api/v1/nodes/n/proxy/metrics/resource', '', '/metrics/resource'],
  ] as const)
    it(path, () => assert.equal(pathAfter(path, { group: '', namespace }), rest));
});
