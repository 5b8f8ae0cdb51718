// What may be changed in a definition once its resources are served.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiResponse, Status } from '@windlass/apimachinery';
import type { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { TestCluster } from '@windlass/cluster/testing';

const PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com';
const WIDGETS: CustomResourceDefinition = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'widgets', kind: 'Widget' },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

async function patch(spec: object): Promise<ApiResponse> {
  await using cluster = new TestCluster();
  await cluster.install(WIDGETS);
  return await cluster.transport().request({
    method: 'PATCH',
    path: PATH,
    headers: { 'content-type': 'application/merge-patch+json' },
    body: { spec },
  });
}

describe('an update of an established definition', () => {
  const refused: readonly [spec: object, problem: string][] = [
    [{ scope: 'Cluster' }, 'spec.scope: Invalid value: "Cluster": field is immutable'],
    [{ names: { kind: 'Gadget' } }, 'spec.names.kind: Invalid value: "Gadget": field is immutable'],
    [{ names: { plural: 'gadgets' } }, 'spec.names.plural: Invalid value: "gadgets": field is immutable'],
    [{ group: 'example.org' }, 'spec.group: Invalid value: "example.org": field is immutable'],
  ];
  for (const [spec, problem] of refused)
    test(`is refused: ${JSON.stringify(spec)}`, async () => {
      const { status, body } = await patch(spec);
      assert.equal(status, 422);
      const { message = '' } = body as Status;
      assert.ok(message.includes(problem), message);
    });

  for (const spec of [{ names: { shortNames: ['wd'] } }, { names: { categories: ['all'] } }])
    test(`is taken: ${JSON.stringify(spec)}`, async () => {
      assert.equal((await patch(spec)).status, 200);
    });
});
