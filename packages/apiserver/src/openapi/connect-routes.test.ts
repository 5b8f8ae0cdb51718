import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ApiServer } from '../api-server.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly consumes?: readonly string[];
  readonly produces?: readonly string[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, object>> }>>;
  readonly 'x-kubernetes-action': string;
  readonly 'x-kubernetes-group-version-kind': { readonly kind: string };
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly schema: { readonly type: string };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

let v3: Document;
let v2: Document;
const server = new ApiServer({ store: createMemoryStore() });
before(async () => {
  const read = async (path: string): Promise<Document> => {
    const { body } = await server.transport().request({ method: 'GET', path });
    // The assertions below hold it to this form.
    return JSON.parse(String(body)) as Document;
  };
  v3 = await read('/openapi/v3/api/v1');
  v2 = await read('/openapi/v2');
});
after(() => server.close());

const POD = '/api/v1/namespaces/{namespace}/pods/{name}';
const SERVICE = '/api/v1/namespaces/{namespace}/services/{name}';
const NODE = '/api/v1/nodes/{name}';
const STREAM = 'get post';
const PROXY = 'delete get head options patch post put';

/** Of the path as a whole, as all methods take them. */
function parametersOf(path: string): readonly Parameter[] {
  const { parameters } = v3.paths[path] ?? {};
  // Where the methods stand, there is a list under this name.
  return (parameters ?? []) as unknown as readonly Parameter[];
}

describe('connections in OpenAPI', () => {
  for (const [path, methods, id, kind, query] of [
    [`${POD}/attach`, STREAM, 'NamespacedPodAttach', 'PodAttachOptions', 'container stderr stdin stdout tty'],
    [
      `${POD}/exec`,
      STREAM,
      'NamespacedPodExec',
      'PodExecOptions',
      'command container stderr stdin stdout tty',
    ],
    [`${POD}/portforward`, STREAM, 'NamespacedPodPortforward', 'PodPortForwardOptions', 'ports'],
    [`${POD}/proxy`, PROXY, 'NamespacedPodProxy', 'PodProxyOptions', 'path'],
    [`${POD}/proxy/{path}`, PROXY, 'NamespacedPodProxyWithPath', 'PodProxyOptions', 'path'],
    [`${SERVICE}/proxy`, PROXY, 'NamespacedServiceProxy', 'ServiceProxyOptions', 'path'],
    [`${SERVICE}/proxy/{path}`, PROXY, 'NamespacedServiceProxyWithPath', 'ServiceProxyOptions', 'path'],
    [`${NODE}/proxy`, PROXY, 'NodeProxy', 'NodeProxyOptions', 'path'],
    [`${NODE}/proxy/{path}`, PROXY, 'NodeProxyWithPath', 'NodeProxyOptions', 'path'],
  ] as const)
    it(path, () => {
      for (const { paths } of [v3, v2]) {
        const { parameters: _, ...operations } = paths[path] ?? {};
        assert.equal(Object.keys(operations).sort().join(' '), methods);
        for (const [method, operation] of Object.entries(operations)) {
          const verb = method.slice(0, 1).toUpperCase() + method.slice(1);
          assert.equal(operation.operationId, `connectCoreV1${verb}${id}`);
          assert.equal(operation['x-kubernetes-action'], 'connect');
          assert.equal(operation['x-kubernetes-group-version-kind'].kind, kind);
        }
      }
      const names = parametersOf(path).filter(({ in: place }) => place === 'query');
      assert.equal(names.map(({ name }) => name).join(' '), query);
      for (const { description } of names) assert.notEqual(description, '');
    });

  it('have a path in the path before that in the query', () => {
    assert.deepEqual(
      parametersOf(`${NODE}/proxy/{path}`).map(({ name, in: place }) => `${name} in ${place}`),
      ['name in path', 'path in path', 'path in query'],
    );
  });

  it('take a port as a number', () => {
    const types = parametersOf(`${POD}/portforward`).map(({ name, schema }) => `${name} ${schema.type}`);
    assert.deepEqual(types, ['name string', 'namespace string', 'ports integer']);
  });

  it('take and give anything', () => {
    const { consumes, produces } = v2.paths[`${POD}/exec`]?.['post'] ?? {};
    assert.deepEqual([consumes, produces], [['*/*'], ['*/*']]);
    const { responses } = v3.paths[`${POD}/exec`]?.['post'] ?? {};
    assert.deepEqual(responses?.['200']?.content, { '*/*': { schema: { type: 'string' } } });
  });

  it('are none for logs, which are read as text', () => {
    const read = v3.paths[`${POD}/log`]?.['get'];
    assert.deepEqual(
      [
        read?.operationId,
        read?.description,
        read?.['x-kubernetes-action'],
        read?.['x-kubernetes-group-version-kind'].kind,
      ],
      ['readCoreV1NamespacedPodLog', 'read log of the specified Pod', 'get', 'Pod'],
    );
    assert.equal(Object.keys(read?.responses['200']?.content ?? {})[0], 'text/plain');
    const names = parametersOf(`${POD}/log`).map(({ name }) => name);
    assert.equal(
      names.join(' '),
      'container follow insecureSkipTLSVerifyBackend limitBytes name namespace pretty previous sinceSeconds stream tailLines timestamps',
    );
  });
});
