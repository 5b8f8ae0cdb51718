import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ApiRequest } from '@windlass/apimachinery';
import { until } from '@windlass/base/testing/until';
import { ApiServer } from '../api-server.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const ENDPOINTS = '299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"';
const WIDGETS = '299 - "example.org/v1 Widget is deprecated; use example.org/v2 Widget"';

let server: ApiServer;
before(async () => {
  server = new ApiServer({ store: createMemoryStore() });
  await server.ready();
  const version = (name: string, extra: object): object => ({
    name,
    served: true,
    storage: name === 'v1',
    subresources: { status: {} },
    schema: { openAPIV3Schema: { type: 'object', properties: { status: { type: 'object' } } } },
    ...extra,
  });
  await server.transport().request({
    method: 'POST',
    path: CRDS,
    body: {
      metadata: { name: 'widgets.example.org' },
      spec: {
        group: 'example.org',
        scope: 'Namespaced',
        names: { kind: 'Widget', plural: 'widgets' },
        versions: [
          version('v1', { deprecated: true }),
          version('v2', {}),
          version('v1beta1', { deprecated: true, deprecationWarning: 'say no more' }),
        ],
      },
    },
  });
  await until(
    'widgets are served',
    async () => (await call('GET', '/apis/example.org/v2/widgets')).status === 200,
  );
});
after(() => server.close());

async function call(
  method: ApiRequest['method'],
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly warning: string | undefined }> {
  const { status, headers } = await server
    .transport()
    .request({ method, path, ...(body !== undefined && { body }) });
  return { status, warning: headers['warning'] };
}

describe('deprecation warnings', () => {
  const own = '/api/v1/namespaces/default/endpoints';
  const rows: readonly (readonly [
    ApiRequest['method'],
    string,
    object | undefined,
    number,
    string | undefined,
  ])[] = [
    ['GET', own, undefined, 200, ENDPOINTS],
    ['GET', `${own}/nobody`, undefined, 404, ENDPOINTS],
    ['POST', own, { metadata: { name: 'some' } }, 201, ENDPOINTS],
    ['PUT', `${own}/some`, { metadata: { name: 'some' } }, 200, ENDPOINTS],
    ['DELETE', `${own}/some`, undefined, 200, ENDPOINTS],
    ['DELETE', own, undefined, 200, ENDPOINTS],
    [
      'GET',
      '/api/v1/componentstatuses',
      undefined,
      200,
      '299 - "v1 ComponentStatus is deprecated in v1.19+"',
    ],
    ['GET', '/api/v1/namespaces/default/pods', undefined, 200, undefined],
    ['GET', '/apis/discovery.k8s.io/v1/endpointslices', undefined, 200, undefined],
    ['GET', '/apis/example.org/v1/widgets', undefined, 200, WIDGETS],
    ['GET', '/apis/example.org/v1/namespaces/default/widgets/no/status', undefined, 404, WIDGETS],
    ['GET', '/apis/example.org/v2/widgets', undefined, 200, undefined],
    ['GET', '/apis/example.org/v1beta1/widgets', undefined, 200, '299 - "say no more"'],
  ];
  for (const [method, path, body, status, warning] of rows)
    it(`${method} ${path}${warning === undefined ? ' has none' : ''}`, async () => {
      assert.deepEqual(await call(method, path, body), { status, warning });
    });
});
