import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ApiResponse } from '@windlass/apimachinery';
import { ApiServer } from '../api-server.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

let server: ApiServer;
before(async () => {
  server = new ApiServer({ store: createMemoryStore() });
  await server.ready();
});
after(() => server.close());

const get = (headers: Record<string, string> = {}): Promise<ApiResponse> =>
  server.transport().request({ method: 'GET', path: '/openapi/v2', headers });

interface Swagger {
  readonly swagger: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly definitions: Readonly<Record<string, { readonly properties?: Readonly<Record<string, unknown>> }>>;
}
const read = async (): Promise<Swagger> => JSON.parse(String((await get()).body)) as Swagger;

describe('OpenAPI v2', () => {
  it('has every resource, and every schema that it refers to', async () => {
    const document = await read();
    assert.equal(document.swagger, '2.0');
    assert.ok('/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale' in document.paths);
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(
      ([, name]) => name ?? '',
    );
    assert.ok(references.length > 1000);
    for (const reference of new Set(references)) {
      assert.ok(reference.startsWith('#/definitions/'), reference);
      assert.ok(reference.slice('#/definitions/'.length) in document.definitions, reference);
    }
  });

  it('says it in the words of v2', async () => {
    const { paths, definitions } = await read();
    const post = paths['/api/v1/namespaces/{namespace}/pods']?.['post'] as Record<string, unknown>;
    const [body, ...others] = post['parameters'] as Record<string, unknown>[];
    assert.deepEqual(body, {
      name: 'body',
      in: 'body',
      required: true,
      schema: { $ref: '#/definitions/io.k8s.api.core.v1.Pod' },
    });
    assert.ok(
      others.every((parameter) => parameter['schema'] === undefined && parameter['type'] !== undefined),
    );
    assert.deepEqual(post['responses'], {
      200: { description: 'OK', schema: { $ref: '#/definitions/io.k8s.api.core.v1.Pod' } },
    });
    assert.equal('requestBody' in post, false);
    const port = definitions['io.k8s.api.core.v1.ServicePort']?.properties?.['targetPort'];
    assert.match(JSON.stringify(port), /IntOrString|int-or-string/);
    assert.doesNotMatch(JSON.stringify(definitions), /"nullable":true|"oneOf":\[|#\/components/);
  });

  it('has custom resources as soon as they are served', async () => {
    const before = (await get()).headers['etag'];
    await server.transport().request({
      method: 'POST',
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      body: {
        metadata: { name: 'things.example.org' },
        spec: {
          group: 'example.org',
          scope: 'Namespaced',
          names: { kind: 'Thing', plural: 'things' },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: {
                openAPIV3Schema: {
                  type: 'object',
                  properties: {
                    spec: { type: 'object', nullable: true, properties: { a: { type: 'string' } } },
                  },
                },
              },
            },
          ],
        },
      },
    });
    let document = await read();
    for (let turn = 0; turn < 100 && document.definitions['org.example.v1.Thing'] === undefined; turn++) {
      await new Promise((next) => setImmediate(next));
      document = await read();
    }
    const spec = document.definitions['org.example.v1.Thing']?.properties?.['spec'];
    assert.deepEqual(spec, { type: 'object', properties: { a: { type: 'string' } } });
    assert.notEqual((await get()).headers['etag'], before);
  });

  it('is not sent twice, and only as JSON', async () => {
    const { headers } = await get();
    const again = await get({ 'if-none-match': headers['etag'] ?? '' });
    assert.deepEqual([again.status, again.body], [304, '']);
    const binary = await get({ accept: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf' });
    assert.equal(binary.status, 406);
  });
});
