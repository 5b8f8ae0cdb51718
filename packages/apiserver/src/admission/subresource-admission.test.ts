// What is sent to a subresource passes admission as what it is.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ApiResponse, Status } from '@windlass/apimachinery';
import { ApiServer } from '../api-server.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

const API = '/apis/admissionregistration.k8s.io/v1';
const PODS = '/api/v1/namespaces/default/pods';
type Fields = Readonly<Record<string, unknown>>;

let server: ApiServer;
before(async () => {
  server = new ApiServer({ store: createMemoryStore() });
  await server.ready();
  for (const name of ['a', 'b'])
    await post(PODS, { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }] } });
  await post('/api/v1/nodes', { metadata: { name: 'n' } });
});
after(() => server.close());

const post = (path: string, body: Fields): Promise<ApiResponse> =>
  server.transport().request({ method: 'POST', path, body });

async function policy(name: string, resource: string, expression: string): Promise<void> {
  const rule = { apiGroups: ['*'], apiVersions: ['v1'], operations: ['*'], resources: [resource] };
  const spec = {
    matchConstraints: { resourceRules: [rule] },
    validations: [{ expression, messageExpression: "request.kind.kind + ' of ' + request.name" }],
  };
  assert.equal((await post(`${API}/validatingadmissionpolicies`, { metadata: { name }, spec })).status, 201);
  const binding = { policyName: name, validationActions: ['Deny'] };
  await post(`${API}/validatingadmissionpolicybindings`, { metadata: { name }, spec: binding });
}

describe('a policy about a subresource', () => {
  it('sees an eviction', async () => {
    await policy(
      'evictions',
      'pods/eviction',
      "request.operation == 'CREATE' && object.metadata.name != 'a'",
    );
    const evict = (name: string): Promise<ApiResponse> =>
      post(`${PODS}/${name}/eviction`, { kind: 'Eviction', apiVersion: 'policy/v1', metadata: { name } });
    const refused = await evict('a');
    assert.equal(refused.status, 422);
    assert.match((refused.body as Status).message ?? '', /denied request: Eviction of a$/);
    assert.equal((await evict('b')).status, 201);
  });

  it('sees a binding once, as it was sent', async () => {
    await policy('bindings', 'pods/binding', "request.operation == 'CREATE' && object.target.name == 'n'");
    const bind = (node: string): Promise<ApiResponse> =>
      post(`${PODS}/a/binding`, { metadata: { name: 'a' }, target: { kind: 'Node', name: node } });
    assert.match(((await bind('other')).body as Status).message ?? '', /denied request: Binding of a$/);
    const bound = await bind('n');
    assert.equal(bound.status, 201, JSON.stringify(bound.body));
  });

  it('sees a scale', async () => {
    await policy(
      'scales',
      'deployments/scale',
      'object.spec.replicas <= 5 && oldObject.spec.replicas == 1 && object.kind == "Scale"',
    );
    const path = '/apis/apps/v1/namespaces/default/deployments';
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const spec = { selector: { matchLabels: { a: 'b' } }, template };
    assert.equal((await post(path, { metadata: { name: 'd' }, spec })).status, 201);
    const scale = (replicas: number): Promise<ApiResponse> =>
      server.transport().request({
        method: 'PATCH',
        path: `${path}/d/scale`,
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { spec: { replicas } },
      });
    assert.match(((await scale(6)).body as Status).message ?? '', /denied request: Scale of d$/);
    const scaled = await scale(5);
    assert.equal(scaled.status, 200, JSON.stringify(scaled.body));
    assert.equal((scaled.body as { spec: { replicas: number } }).spec.replicas, 5);
  });

  it('sees a request for a token', async () => {
    await policy('tokens', 'serviceaccounts/token', 'object.spec.expirationSeconds <= 3600');
    const ask = (expirationSeconds: number): Promise<ApiResponse> =>
      post('/api/v1/namespaces/default/serviceaccounts/default/token', {
        kind: 'TokenRequest',
        apiVersion: 'authentication.k8s.io/v1',
        spec: { expirationSeconds },
      });
    assert.match(
      ((await ask(7200)).body as Status).message ?? '',
      /denied request: TokenRequest of default$/,
    );
    assert.equal((await ask(3600)).status, 201);
  });
});
