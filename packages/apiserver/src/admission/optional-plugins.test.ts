import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiServer } from '../api-server.ts';
import { createMemoryStore } from '../storage/memory-store.ts';
import { enabledPlugins, OPTIONAL_PLUGINS, type OptionalPlugin } from './optional-plugins.ts';

describe('admission plugins that are disabled', () => {
  it('are left out, and the others stay in their order', () => {
    const plugins = ['NamespaceLifecycle', 'Priority', 'ResourceQuota'].map((name) => ({
      name,
      handles: () => true,
    }));
    const names = enabledPlugins(plugins, ['Priority']).map(({ name }) => name);
    assert.deepEqual(names, ['NamespaceLifecycle', 'ResourceQuota']);
  });

  it('are none that keep somebody within their rights', () => {
    // What a program in JavaScript may say.
    for (const name of ['RBACEscalation', 'NodeRestriction', 'CertificateApproval', 'NamespaceLifecycle'])
      assert.throws(() => enabledPlugins([], [name as OptionalPlugin]), /must be one of/);
  });

  for (const [what, disabled, has] of [
    ['has its account and tolerations with all plugins', [], true],
    ['has neither without the plugins', ['ServiceAccount', 'DefaultTolerationSeconds'], false],
    ['has neither without any plugin', OPTIONAL_PLUGINS, false],
  ] as const)
    it(`a pod ${what}`, async () => {
      const server = new ApiServer({ store: createMemoryStore(), disabledAdmissionPlugins: disabled });
      const { status, body } = await server.transport().request({
        method: 'POST',
        path: '/api/v1/namespaces/default/pods',
        body: { metadata: { name: 'a' }, spec: { containers: [{ name: 'a', image: 'a' }] } },
      });
      assert.equal(status, 201, JSON.stringify(body));
      // The pod that was just created.
      const { spec } = body as { spec: { serviceAccountName?: string; tolerations?: object[] } };
      assert.equal(spec.serviceAccountName !== undefined, has);
      assert.equal(spec.tolerations !== undefined, has);
      await server.close();
    });
});
