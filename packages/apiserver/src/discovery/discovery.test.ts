import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '@windlass/base/testing/until';
import { ApiServer } from '../api-server.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

interface ResourceList {
  readonly resources: readonly { readonly name: string; readonly storageVersionHash?: string }[];
}

let server: ApiServer;
before(async () => {
  server = new ApiServer({ store: createMemoryStore() });
  await server.ready();
});
after(() => server.close());

async function hashes(path: string): Promise<Record<string, string | undefined>> {
  const { body, status } = await server.transport().request({ method: 'GET', path });
  if (status !== 200) return {};
  const { resources } = body as ResourceList;
  return Object.fromEntries(resources.map(({ name, storageVersionHash }) => [name, storageVersionHash]));
}

describe('storageVersionHash', () => {
  it('is there for what is stored, and for nothing else', async () => {
    const { pods, bindings, 'pods/status': status } = await hashes('/api/v1');
    // What Kubernetes publishes for pods.
    assert.deepEqual([pods, bindings, status], ['xPOwRZ+Yhw8=', undefined, undefined]);
    const { selfsubjectaccessreviews } = await hashes('/apis/authorization.k8s.io/v1');
    assert.equal(selfsubjectaccessreviews, undefined);
  });

  it('of a custom resource is that of its stored version, in every version', async () => {
    const version = (name: string): object => ({
      name,
      served: true,
      storage: name === 'v2',
      schema: { openAPIV3Schema: { type: 'object' } },
    });
    await server.transport().request({
      method: 'POST',
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      body: {
        metadata: { name: 'widgets.example.org' },
        spec: {
          group: 'example.org',
          scope: 'Cluster',
          names: { kind: 'Widget', plural: 'widgets' },
          versions: [version('v1'), version('v2')],
        },
      },
    });
    await until('v1 is served', async () => 'widgets' in (await hashes('/apis/example.org/v1')));
    // The first 8 bytes of SHA-256 of example.org/v2/Widget.
    assert.deepEqual(await hashes('/apis/example.org/v1'), { widgets: '12jYaiy3j0c=' });
    assert.deepEqual(await hashes('/apis/example.org/v2'), { widgets: '12jYaiy3j0c=' });
  });
});
