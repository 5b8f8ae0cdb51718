import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ApiResponse } from '@windlass/apimachinery';
import { FakeClock } from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import { ApiServer } from '../api-server.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const clock = new FakeClock({ start: Date.UTC(2026, 0, 1) });
let server: ApiServer;
before(async () => {
  server = new ApiServer({ store: createMemoryStore(), clock });
  await server.ready();
});
after(() => server.close());

const get = (path: string, headers: Record<string, string> = {}): Promise<ApiResponse> => {
  const [pathname = '', query = ''] = path.split('?');
  return server.transport().request({
    method: 'GET',
    path: pathname,
    headers,
    query: Object.fromEntries(new URLSearchParams(query)),
  });
};

interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema?: { readonly type: string };
  }[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { schema: object }>> }>
  >;
  readonly 'x-kubernetes-action': string;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly description?: string }>> };
}

const read = async (path: string): Promise<Document> =>
  JSON.parse(String((await get(`/openapi/v3/${path}`)).body)) as Document;

async function urlOf(path: string): Promise<string | undefined> {
  const { body } = await get('/openapi/v3');
  const { paths } = JSON.parse(String(body)) as { paths: Record<string, { serverRelativeURL: string }> };
  return paths[path]?.serverRelativeURL;
}

describe('OpenAPI v3', () => {
  it('names operations as upstream does, and lists answer the list', async () => {
    const { paths } = await read('apis/apps/v1');
    const deployments = '/apis/apps/v1/namespaces/{namespace}/deployments';
    const named = (path: string, method: string): string[] => {
      const {
        operationId = '',
        description = '',
        'x-kubernetes-action': action = '',
      } = paths[path]?.[method] ?? {};
      return [operationId, description, action];
    };
    assert.deepEqual(named(deployments, 'delete'), [
      'deleteAppsV1CollectionNamespacedDeployment',
      'delete collection of Deployment',
      'deletecollection',
    ]);
    assert.deepEqual(named(`${deployments}/{name}/scale`, 'patch'), [
      'patchAppsV1NamespacedDeploymentScale',
      'partially update scale of the specified Deployment',
      'patch',
    ]);
    assert.deepEqual(named('/apis/apps/v1/deployments', 'get').slice(0, 1), [
      'listAppsV1DeploymentForAllNamespaces',
    ]);
    assert.equal(named('/apis/apps/v1/watch/deployments', 'get')[2], 'watchlist');
    assert.deepEqual(
      (paths[deployments]?.['post']?.parameters ?? []).map(
        ({ name, in: place, schema }) => `${place} ${name}: ${schema?.type}`,
      ),
      ['query dryRun: string', 'query fieldManager: string', 'query fieldValidation: string'],
    );
    assert.deepEqual(paths[deployments]?.['get']?.responses['200']?.content?.['application/json']?.schema, {
      $ref: '#/components/schemas/io.k8s.api.apps.v1.DeploymentList',
    });
  });

  it('describes definitions and fields, and wraps references that have something beside them', async () => {
    const { components } = await read('api/v1');
    const pod = components.schemas['io.k8s.api.core.v1.Pod'] as {
      description?: string;
      properties?: Record<string, { description?: string }>;
    };
    assert.match(pod.description ?? '', /^Pod is a collection of containers/);
    const { description, ...spec } = pod.properties?.['spec'] ?? {};
    assert.match(description ?? '', /^Specification of the desired behavior/);
    assert.deepEqual(spec, {
      allOf: [{ $ref: '#/components/schemas/io.k8s.api.core.v1.PodSpec' }],
      default: {},
    });
  });

  it('a document under its hash may be kept for a year', async () => {
    const { headers, status } = await get((await urlOf('apis/apps/v1')) ?? '');
    assert.equal(status, 200);
    assert.equal(headers['cache-control'], 'public, immutable');
    assert.equal(headers['expires'], 'Fri, 01 Jan 2027 00:00:00 GMT');
    assert.equal(headers['vary'], 'Accept');
    const plain = await get('/openapi/v3/apis/apps/v1');
    assert.equal(plain.headers['cache-control'], undefined);
    assert.equal(plain.headers['etag'], headers['etag']);
  });

  it('who comes with an old hash is sent to the current one', async () => {
    const { status, headers } = await get('/openapi/v3/apis/apps/v1?hash=OLD');
    assert.deepEqual([status, headers['location']], [301, await urlOf('apis/apps/v1')]);
  });

  for (const path of ['/openapi/v3', '/openapi/v3/apis/apps/v1'])
    it(`${path} is not sent twice`, async () => {
      const { headers } = await get(path);
      const again = await get(path, { 'if-none-match': headers['etag'] ?? '' });
      assert.deepEqual([again.status, again.body], [304, '']);
    });

  it('is JSON and nothing else', async () => {
    assert.equal((await get('/openapi/v3/api/v1', { accept: 'text/html' })).status, 406);
  });

  it('follows custom resources: a version that comes, changes and goes', async () => {
    const version = (name: string, storage: boolean): object => ({
      name,
      served: true,
      storage,
      schema: { openAPIV3Schema: { type: 'object', description: `Thing in ${name}` } },
      subresources: {
        status: {},
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      },
    });
    const definition = (...versions: object[]): object => ({
      metadata: { name: 'things.example.org' },
      spec: {
        group: 'example.org',
        scope: 'Namespaced',
        names: { kind: 'Thing', plural: 'things' },
        versions,
      },
    });
    const transport = server.transport();
    await transport.request({
      method: 'POST',
      path: CRDS,
      body: definition(version('v1', true), version('v2', false)),
    });
    await until('v2 is published', async () => (await urlOf('apis/example.org/v2')) !== undefined);
    const before = await urlOf('apis/example.org/v1');
    const { components, paths } = await read('apis/example.org/v1');
    assert.equal(components.schemas['org.example.v1.Thing']?.description, 'Thing in v1');
    assert.equal(components.schemas['org.example.v1.ThingList']?.description, 'ThingList is a list of Thing');
    assert.equal(
      paths['/apis/example.org/v1/things']?.['get']?.operationId,
      'listExampleOrgV1ThingForAllNamespaces',
    );
    const things = '/apis/example.org/v1/namespaces/{namespace}/things/{name}';
    for (const part of ['status', 'scale'])
      assert.deepEqual(
        ['get', 'put', 'patch', 'delete'].map((verb) => paths[`${things}/${part}`]?.[verb]?.operationId),
        [
          ...['read', 'replace', 'patch'].map(
            (verb) => `${verb}ExampleOrgV1NamespacedThing${part === 'scale' ? 'Scale' : 'Status'}`,
          ),
          undefined,
        ],
      );

    const changed = {
      spec: { versions: [{ ...version('v1', true), schema: { openAPIV3Schema: { type: 'object' } } }] },
    };
    await transport.request({
      method: 'PATCH',
      path: `${CRDS}/things.example.org`,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: changed,
    });
    await until('v2 is gone', async () => (await urlOf('apis/example.org/v2')) === undefined);
    assert.notEqual(await urlOf('apis/example.org/v1'), before);
    assert.equal((await get('/openapi/v3/apis/example.org/v2')).status, 404);
    assert.equal(
      (await read('apis/example.org/v1')).components.schemas['org.example.v1.Thing']?.description,
      undefined,
    );
  });
});
