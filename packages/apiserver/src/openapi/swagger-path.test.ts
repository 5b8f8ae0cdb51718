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
  readonly parameters: Readonly<Record<string, object>>;
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
      const [, place, name = ''] = /^#\/(definitions|parameters)\/(.*)$/.exec(reference) ?? [];
      assert.ok(name in document[place === 'parameters' ? place : 'definitions'], reference);
    }
  });

  it('says it in the words of v2', async () => {
    const { paths, definitions } = await read();
    const post = paths['/api/v1/namespaces/{namespace}/pods']?.['post'] as Record<string, unknown>;
    const [body, ...others] = post['parameters'] as Record<string, unknown>[];
    const schema = { $ref: '#/definitions/io.k8s.api.core.v1.Pod' };
    assert.deepEqual(body, { name: 'body', in: 'body', required: true, schema });
    // The name has upstream's own hash of the parameter in it.
    assert.deepEqual(others[1], { $ref: '#/parameters/fieldManager-Qy4HdaTW' });
    assert.deepEqual([others[0]?.['name'], others[0]?.['type']], ['dryRun', 'string']);
    assert.deepEqual(post['responses'], {
      200: { description: 'OK', schema },
      201: { description: 'Created', schema },
      202: { description: 'Accepted', schema },
      401: { description: 'Unauthorized' },
    });
    assert.equal('requestBody' in post, false);
    const port = definitions['io.k8s.api.core.v1.ServicePort']?.properties?.['targetPort'];
    assert.match(JSON.stringify(port), /IntOrString|int-or-string/);
    assert.doesNotMatch(
      JSON.stringify(definitions),
      /"nullable":true|"oneOf":\[|"default":\{\}|#\/components/,
    );
    assert.match(JSON.stringify(definitions['io.k8s.api.core.v1.PodSpec']?.properties), /List of containers/);
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
    // What may be null has no type in v2.
    assert.deepEqual(spec, {});
    assert.notEqual((await get()).headers['etag'], before);
  });

  it('is not sent twice', async () => {
    const { headers } = await get();
    const again = await get({ 'if-none-match': headers['etag'] ?? '' });
    assert.deepEqual([again.status, again.body], [304, '']);
  });

  for (const accept of [
    'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
    'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  ])
    it(`is protobuf for those who ask for ${accept}`, async () => {
      const { headers, body } = await get({ accept });
      const bytes = Buffer.from(body as Uint8Array);
      assert.equal(headers['content-type'], 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf');
      // Field 1, the version; then field 2, the title.
      assert.equal(bytes.subarray(0, 5).toString(), '\n\u00032.0');
      assert.ok(bytes.includes('List of containers belonging to the pod.'));
      assert.ok(bytes.includes('{"group":"apps","version":"v1","kind":"Deployment"}'));
    });

  it('is nothing else', async () => {
    assert.equal((await get({ accept: 'text/html' })).status, 406);
    assert.equal((await get({ accept: 'text/html, */*' })).headers['content-type'], 'application/json');
  });
});
