// Mutating admission policies through the whole server in process.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { ApiResponse, KubeObject, Status } from '@windlass/apimachinery';
import type { UserInfo } from '../../access/user.ts';
import { ApiServer } from '../../api-server.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';

const API = '/apis/admissionregistration.k8s.io/v1';
const POLICIES = `${API}/mutatingadmissionpolicies`;
const BINDINGS = `${API}/mutatingadmissionpolicybindings`;
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const PODS = '/api/v1/namespaces/default/pods';

let server: ApiServer;
before(async () => {
  server = new ApiServer({ store: createMemoryStore() });
  await server.ready();
  await ask('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
});
after(() => server.close());
beforeEach(async () => {
  for (const path of [BINDINGS, POLICIES, CONFIG_MAPS, DEPLOYMENTS, PODS]) await ask('DELETE', path);
});

type Body = Readonly<Record<string, unknown>>;
type Seen = KubeObject & {
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly replicas?: number;
    readonly containers?: readonly {
      readonly name: string;
      readonly image?: string;
      readonly env?: unknown;
    }[];
    readonly tolerations?: readonly { readonly key?: string }[];
  };
};
function ask(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: Body,
  user?: UserInfo,
): Promise<ApiResponse> {
  const [pathname = '', search] = path.split('?');
  return server.transport(user).request({
    method,
    path: pathname,
    ...(search !== undefined && { query: Object.fromEntries(new URLSearchParams(search)) }),
    ...(body !== undefined && { body }),
  });
}
const statusOf = ({ body }: ApiResponse): Status => body as Status;
async function made(path: string, body: Body): Promise<Seen> {
  const answer = await ask('POST', path, body);
  assert.equal(answer.status, 201, statusOf(answer).message ?? '');
  return answer.body as Seen;
}
async function refused(path: string, body: Body): Promise<Status> {
  const answer = await ask('POST', path, body);
  assert.ok(answer.status >= 400, 'it was not refused');
  return statusOf(answer);
}

const rule = (resource = 'configmaps', group = ''): Body => ({
  apiGroups: [group],
  apiVersions: ['v1'],
  operations: ['CREATE', 'UPDATE'],
  resources: [resource],
});
const apply = (expression: string): Body => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});
const patch = (expression: string): Body => ({ patchType: 'JSONPatch', jsonPatch: { expression } });
const policy = (name: string, mutations: readonly Body[], more: Body = {}): Body => ({
  metadata: { name },
  spec: {
    matchConstraints: { resourceRules: [rule()] },
    reinvocationPolicy: 'Never',
    mutations,
    ...more,
  },
});
/** A policy and its binding. */
async function bound(
  mutations: readonly Body[],
  more: Body = {},
  binding: Body = {},
  name = 'p',
): Promise<void> {
  await made(POLICIES, policy(name, mutations, more));
  await made(BINDINGS, { metadata: { name: `${name}-b` }, spec: { policyName: name, ...binding } });
}
const configMap = (name: string, data: Body = {}, metadata: Body = {}): Body => ({
  metadata: { name, ...metadata },
  data,
});

describe('a mutating admission policy', () => {
  it('merges what its expression says into the object', async () => {
    await bound([
      apply('Object{metadata: Object.metadata{annotations: {"my-foo-annotation": "myAnnotationValue"}}}'),
    ]);
    const seen = await made(CONFIG_MAPS, configMap('a', { x: '1' }, { annotations: { own: 'kept' } }));
    assert.deepEqual(seen.metadata?.annotations, { own: 'kept', 'my-foo-annotation': 'myAnnotationValue' });
    assert.deepEqual(seen.data, { x: '1' });
  });

  it('changes a deployment, with variables that use others', async () => {
    await bound([apply('Object{spec: Object.spec{replicas: variables.more}}')], {
      matchConstraints: { resourceRules: [rule('deployments', 'apps')] },
      variables: [
        { name: 'old', expression: 'object.spec.replicas' },
        { name: 'more', expression: 'variables.old + 1000' },
      ],
    });
    const template = {
      metadata: { labels: { a: 'b' } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    };
    const seen = await made(DEPLOYMENTS, {
      metadata: { name: 'd' },
      spec: { replicas: 337, selector: { matchLabels: { a: 'b' } }, template },
    });
    assert.equal(seen.spec?.replicas, 1337);
  });

  it('merges items of lists by their keys', async () => {
    const expression =
      'Object{spec: Object.spec{containers: [Object.spec.containers{name: "c", env: [Object.spec.containers.env{name: "A", value: "1"}]}]}}';
    await bound([apply(expression)], { matchConstraints: { resourceRules: [rule('pods')] } });
    const seen = await made(PODS, {
      metadata: { name: 'pod' },
      spec: { containers: [{ name: 'c', image: 'i', env: [{ name: 'B', value: '2' }] }] },
    });
    assert.deepEqual(
      seen.spec?.containers?.map(({ name, image, env }) => ({ name, image, env })),
      [
        {
          name: 'c',
          image: 'i',
          env: [
            { name: 'B', value: '2' },
            { name: 'A', value: '1' },
          ],
        },
      ],
    );
  });

  it('applies JSON patches, whose keys it can escape', async () => {
    const expression =
      '[JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("a.b/c"), value: "x"}, JSONPatch{op: "replace", path: "/data/n", value: string(int(object.data.n) + 1)}]';
    await bound([patch(expression)]);
    const seen = await made(CONFIG_MAPS, configMap('a', { n: '41' }, { labels: { l: 'm' } }));
    assert.deepEqual(seen.metadata?.labels, { l: 'm', 'a.b/c': 'x' });
    assert.equal(seen.data?.['n'], '42');
  });

  it('does nothing when the test of a JSON patch fails', async () => {
    await bound([
      patch('[JSONPatch{op: "test", path: "/data/n", value: "1"}, JSONPatch{op: "remove", path: "/data/n"}]'),
    ]);
    assert.deepEqual((await made(CONFIG_MAPS, configMap('a', { n: '2' }))).data, { n: '2' });
    assert.equal((await made(CONFIG_MAPS, configMap('b', { n: '1', m: '' }))).data?.['n'], undefined);
  });

  it('shows each mutation what those before it made, and each policy too', async () => {
    const append = (text: string): Body => apply(`Object{data: {"n": object.data.n + "${text}"}}`);
    await bound([append('b'), append('c')], {}, {}, 'p1');
    await bound([append('d')], {}, {}, 'p2');
    assert.equal((await made(CONFIG_MAPS, configMap('a', { n: 'a' }))).data?.['n'], 'abcd');
  });

  it('runs again after others changed the object, when it asks for that', async () => {
    const count = apply('Object{data: {"runs": object.?data.?runs.orValue("") + "x"}}');
    await bound([count], { reinvocationPolicy: 'IfNeeded' }, {}, 'again');
    await bound([apply('Object{data: {"other": object.?data.?other.orValue("") + "y"}}')], {}, {}, 'once');
    const seen = await made(CONFIG_MAPS, configMap('a'));
    assert.deepEqual(seen.data, { runs: 'xx', other: 'y' });
  });

  it('is asked only where its conditions hold', async () => {
    await bound([apply('Object{data: {"seen": "yes"}}')], {
      matchConditions: [{ name: 'wanted', expression: '"want" in object.data' }],
    });
    assert.equal((await made(CONFIG_MAPS, configMap('a', { want: '' }))).data?.['seen'], 'yes');
    assert.equal((await made(CONFIG_MAPS, configMap('b', { n: '' }))).data?.['seen'], undefined);
  });

  it('is run for each of its parameters', async () => {
    await made(CONFIG_MAPS, configMap('p1', { name: 'one' }, { labels: { is: 'param' } }));
    await made(CONFIG_MAPS, configMap('p2', { name: 'two' }, { labels: { is: 'param' } }));
    await bound(
      [apply('Object{data: {params.data.name: "x"}}')],
      { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } },
      {
        paramRef: { selector: { matchLabels: { is: 'param' } }, parameterNotFoundAction: 'Deny' },
        matchResources: { objectSelector: { matchLabels: { go: 'on' } } },
      },
    );
    const seen = await made(CONFIG_MAPS, configMap('a', { own: '1' }, { labels: { go: 'on' } }));
    assert.deepEqual(seen.data, { own: '1', one: 'x', two: 'x' });
    assert.deepEqual((await made(CONFIG_MAPS, configMap('b', { own: '1' }))).data, { own: '1' });
  });

  it('refuses what lacks its parameters, in Kubernetes words', async () => {
    await bound(
      [apply('Object{data: {"a": "b"}}')],
      { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } },
      { paramRef: { name: 'none', parameterNotFoundAction: 'Deny' } },
    );
    const status = await refused(CONFIG_MAPS, configMap('a'));
    assert.equal(status.code, 403);
    assert.equal(
      status.message,
      "policy 'p' with binding 'p-b' denied request: failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction",
    );
  });

  const failures: [what: string, mutation: Body, text: RegExp][] = [
    [
      'cannot be evaluated',
      apply('Object{data: {"a": object.data.none}}'),
      /^policy 'p' with binding 'p-b' denied request: expression '.*' resulted in error: no such key: none$/,
    ],
    [
      'has a type where another belongs',
      apply('Object{metadata: Object.spec{name: "x"}}'),
      /type mismatch: unexpected type name "Object.spec", expected "Object.metadata", which matches field name path/,
    ],
    ['has fields that are not there', apply('Object{nope: 1}'), /error applying patch: .*nope/],
    ['removes what is not there', patch('[JSONPatch{op: "remove", path: "/data/none"}]'), /JSON Patch: /],
    [
      'takes too many steps',
      apply(
        'Object{data: {"a": [1,2,3,4,5,6,7,8,9,10].all(a, lists.range(10000).all(b, lists.range(10000).all(c, true))) ? "x" : "y"}}',
      ),
      /actual cost limit exceeded/,
    ],
  ];
  for (const [what, mutation, text] of failures) {
    it(`refuses the write when its expression ${what}, unless failures are ignored`, async () => {
      await bound([mutation]);
      const status = await refused(CONFIG_MAPS, configMap('a', { own: '1' }));
      assert.match(status.message ?? '', text);
      assert.equal(status.reason, 'Invalid');
      assert.equal(status.code, 403);
      await ask('DELETE', POLICIES);
      await ask('DELETE', BINDINGS);
      await bound([mutation], { failurePolicy: 'Ignore' });
      assert.deepEqual((await made(CONFIG_MAPS, configMap('b', { own: '1' }))).data, { own: '1' });
    });
  }

  it('may not change what is only replaced as a whole', async () => {
    await bound(
      [
        apply(
          'Object{spec: Object.spec{tolerations: [Object.spec.tolerations{key: "a", operator: "Exists"}]}}',
        ),
      ],
      { matchConstraints: { resourceRules: [rule('pods')] } },
    );
    const status = await refused(PODS, {
      metadata: { name: 'pod' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    assert.match(
      status.message ?? '',
      /invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: \.spec\.tolerations$/,
    );
  });

  it('works on updates and dry runs, and not on deletions', async () => {
    await made(CONFIG_MAPS, configMap('a', { n: '' }));
    await bound([apply('Object{data: {"by": request.operation, "was": string(oldObject != null)}}')]);
    const updated = await ask('PUT', `${CONFIG_MAPS}/a`, configMap('a', { n: '' }));
    assert.deepEqual((updated.body as Seen).data, { n: '', by: 'UPDATE', was: 'true' });
    const dry = await made(`${CONFIG_MAPS}?dryRun=All`, configMap('b'));
    assert.deepEqual(dry.data, { by: 'CREATE', was: 'false' });
    assert.equal((await ask('GET', `${CONFIG_MAPS}/b`)).status, 404);
    assert.equal((await ask('DELETE', `${CONFIG_MAPS}/a`)).status, 200);
  });

  it('changes custom resources by what their schema says', async () => {
    const group = 'example.org';
    await made('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: `widgets.${group}` },
      spec: {
        group,
        scope: 'Cluster',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  parts: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['id'],
                    items: {
                      type: 'object',
                      required: ['id'],
                      properties: { id: { type: 'string' }, size: { type: 'integer' } },
                    },
                  },
                },
              },
            },
          },
        ],
      },
    });
    await bound([apply('Object{parts: object.parts.map(p, Object.parts{id: p.id, size: p.size * 2})}')], {
      matchConstraints: { resourceRules: [rule('widgets', group)] },
    });
    const seen = await made(`/apis/${group}/v1/widgets`, {
      apiVersion: `${group}/v1`,
      kind: 'Widget',
      metadata: { name: 'w' },
      parts: [
        { id: 'a', size: 1 },
        { id: 'b', size: 2 },
      ],
    });
    assert.deepEqual((seen as Seen & { readonly parts?: unknown }).parts, [
      { id: 'a', size: 2 },
      { id: 'b', size: 4 },
    ]);
  });
});

describe('the kinds of mutating admission policies', () => {
  const invalid: [what: string, spec: Body, text: RegExp][] = [
    [
      'no mutations',
      { mutations: [] },
      /spec.mutations: Required value: mutations must contain at least one item/,
    ],
    ['no reinvocation policy', { reinvocationPolicy: '' }, /spec.reinvocationPolicy: Required value/],
    [
      'another operation',
      { matchConstraints: { resourceRules: [{ ...rule(), operations: ['DELETE'] }] } },
      /spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "CREATE", "UPDATE"/,
    ],
    [
      'a patch of another type',
      { mutations: [{ ...apply('Object{}'), jsonPatch: { expression: '[]' } }] },
      /spec.mutations\[0\].jsonPatch: Invalid value: "{jsonPatch}": must not be specified when patchType is ApplyConfiguration/,
    ],
    [
      'an expression that makes no object',
      { mutations: [apply('"x"')] },
      /spec.mutations\[0\].applyConfiguration.expression: Invalid value: .*must evaluate to Object but got string/,
    ],
    [
      'an expression that makes no patches',
      { mutations: [patch('Object{}')] },
      /spec.mutations\[0\].jsonPatch.expression: Invalid value: .*must evaluate to list\(JSONPatch\) but got Object/,
    ],
    [
      'a field that no patch has',
      { mutations: [patch('[JSONPatch{nope: "x"}]')] },
      /compilation failed: ERROR: <input>:1:16: undefined field 'nope'/,
    ],
  ];
  for (const [what, spec, text] of invalid) {
    it(`are refused with ${what}`, async () => {
      const status = await refused(POLICIES, policy('p', [apply('Object{}')], spec));
      assert.equal(status.code, 422);
      assert.match(status.message ?? '', text);
    });
  }

  it('count the generations of their specs, and default as upstream', async () => {
    await made(POLICIES, policy('p', [apply('Object{}')]));
    const { body } = await ask('GET', `${POLICIES}/p`);
    const seen = body as KubeObject & { spec?: { failurePolicy?: string } };
    assert.equal(seen.spec?.failurePolicy, 'Fail');
    assert.equal(seen.metadata?.generation, 1);
  });

  it('refuse a binding without the name of a policy', async () => {
    const status = await refused(BINDINGS, { metadata: { name: 'b' }, spec: {} });
    assert.match(status.message ?? '', /spec.policyName: Required value/);
  });
});
