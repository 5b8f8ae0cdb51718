// Validating admission policies through the whole server in process.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { ApiResponse, Status } from '@windlass/apimachinery';
import type { UserInfo } from '../../access/user.ts';
import { ApiServer } from '../../api-server.ts';
import type { AuditEvent } from '../../audit/audit-event.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';

const API = '/apis/admissionregistration.k8s.io/v1';
const POLICIES = `${API}/validatingadmissionpolicies`;
const BINDINGS = `${API}/validatingadmissionpolicybindings`;
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

let server: ApiServer;
let annotations: Record<string, string> = {};
before(async () => {
  const sink = {
    write(line: string) {
      annotations = { ...(JSON.parse(line) as AuditEvent).annotations };
    },
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
  server = new ApiServer({ store: createMemoryStore(), audit: { sink } });
  await server.ready();
});
after(() => server.close());
beforeEach(async () => {
  for (const path of [BINDINGS, POLICIES, CONFIG_MAPS]) await ask('DELETE', path);
});

type Body = Readonly<Record<string, unknown>>;
function ask(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: Body,
  user?: UserInfo,
): Promise<ApiResponse> {
  return server.transport(user).request({ method, path, ...(body !== undefined && { body }) });
}
const messageOf = ({ body }: ApiResponse): string => (body as Status).message ?? '';
async function made(path: string, body: Body): Promise<ApiResponse> {
  const answer = await ask('POST', path, body);
  assert.equal(answer.status, 201, messageOf(answer));
  return answer;
}

const rule = (more: Body = {}): Body => ({
  apiGroups: [''],
  apiVersions: ['v1'],
  operations: ['CREATE', 'UPDATE'],
  resources: ['configmaps'],
  ...more,
});
/** A policy and its binding, both of one name. */
async function bound(
  spec: Body,
  binding: Body = {},
  { name = 'p', constraints = {} }: { name?: string; constraints?: Body } = {},
): Promise<void> {
  await made(POLICIES, {
    metadata: { name },
    spec: { matchConstraints: { resourceRules: [rule()], ...constraints }, ...spec },
  });
  await made(BINDINGS, {
    metadata: { name: `${name}-b` },
    spec: { policyName: name, validationActions: ['Deny'], ...binding },
  });
}
const one = (expression: string, more: Body = {}): Body => ({ validations: [{ expression, ...more }] });
const configMap = (name: string, data: Body = {}, labels: Body = {}): Body => ({
  metadata: { name, labels },
  data,
});
const create = (name: string, data?: Body, user?: UserInfo): Promise<ApiResponse> =>
  ask('POST', CONFIG_MAPS, configMap(name, data), user);

describe('a validating admission policy', () => {
  it('refuses what its expression denies, in Kubernetes words', async () => {
    await bound(one("object.data.size == 'small'"));
    assert.equal((await create('a', { size: 'small' })).status, 201);
    const refused = await create('b', { size: 'large' });
    const text =
      "ValidatingAdmissionPolicy 'p' with binding 'p-b' denied request: failed expression: object.data.size == 'small'";
    assert.deepEqual(refused.body, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `configmaps "b" is forbidden: ${text}`,
      reason: 'Invalid',
      details: { name: 'b', kind: 'configmaps', causes: [{ message: text }] },
      code: 422,
    });
  });

  for (const [reason, code] of [
    ['Forbidden', 403],
    ['RequestEntityTooLarge', 413],
    ['Invalid', 422],
  ] as const) {
    it(`answers with the code of its reason: ${reason}`, async () => {
      await bound(one('false', { reason }));
      const refused = await create('a');
      assert.deepEqual([refused.status, (refused.body as Status).reason], [code, reason]);
    });
  }

  for (const [what, validation, shown] of [
    ['its message', { message: ' too large ' }, 'too large'],
    ['its message expression', { message: 'm', messageExpression: "'is ' + object.data.size" }, 'is x'],
    ['its message when the expression fails', { message: 'm', messageExpression: 'object.no + ""' }, 'm'],
    ['its message when the expression has lines', { message: 'm', messageExpression: '"a\\nb"' }, 'm'],
    ['its message when the expression is blank', { message: 'm', messageExpression: '"  "' }, 'm'],
  ] as const) {
    it(`says ${what}`, async () => {
      await bound(one('false', validation));
      const answer = await create('a', { size: 'x' });
      assert.ok(messageOf(answer).endsWith(`denied request: ${shown}`), messageOf(answer));
    });
  }

  it('refuses when an expression fails, or lets pass when failures are ignored', async () => {
    await bound(one("object.spec.x == 'a'"));
    assert.ok(
      messageOf(await create('a')).endsWith(
        "denied request: expression 'object.spec.x == 'a'' resulted in error: no such key: spec",
      ),
    );
    await ask('DELETE', POLICIES);
    await bound({ ...one("object.spec.x == 'a'"), failurePolicy: 'Ignore' }, {}, { name: 'q' });
    assert.equal((await create('a')).status, 201);
  });

  it('does nothing without a binding, and nothing about its own kind', async () => {
    const spec = { matchConstraints: { resourceRules: [rule({ apiGroups: ['*'], resources: ['*'] })] } };
    await made(POLICIES, { metadata: { name: 'all' }, spec: { ...spec, ...one('false') } });
    assert.equal((await create('a')).status, 201);
    await made(BINDINGS, {
      metadata: { name: 'b' },
      spec: { policyName: 'all', validationActions: ['Deny'] },
    });
    assert.equal((await create('b')).status, 422);
    assert.equal((await ask('DELETE', `${BINDINGS}/b`)).status, 200);
    assert.equal((await create('b')).status, 201);
  });

  it('sees the old object, the request and the namespace', async () => {
    await bound({
      validations: [
        { expression: "request.operation == 'UPDATE' || oldObject == null", message: 'old' },
        { expression: 'oldObject == null || oldObject.data.v != object.data.v', message: 'same' },
        { expression: "request.userInfo.username == 'system:apiserver'", message: 'user' },
        {
          expression: "request.kind.kind == 'ConfigMap' && request.resource.resource == 'configmaps'",
          message: 'kind',
        },
        { expression: "request.namespace == 'default' && !has(request.subResource)", message: 'namespace' },
        { expression: "namespaceObject.metadata.name == 'default'", message: 'namespace object' },
        {
          expression: "namespaceObject != null && namespaceObject.status.phase == 'Active'",
          message: 'phase',
        },
        { expression: 'request.dryRun == false', message: 'dry run' },
      ],
    });
    const answer = await create('a', { v: '1' });
    assert.equal(answer.status, 201, messageOf(answer));
    const update = await ask('PUT', `${CONFIG_MAPS}/a`, configMap('a', { v: '1' }));
    assert.ok(messageOf(update).endsWith('denied request: same'), messageOf(update));
    assert.equal((await ask('PUT', `${CONFIG_MAPS}/a`, configMap('a', { v: '2' }))).status, 200);
  });

  it('sees no namespace of what is in none', async () => {
    const rules = [rule({ resources: ['namespaces'], operations: ['CREATE'] })];
    await bound(
      one('namespaceObject == null && !has(request.namespace)'),
      {},
      { constraints: { resourceRules: rules } },
    );
    const answer = await ask('POST', '/api/v1/namespaces', { metadata: { name: 'somewhere' } });
    assert.equal(answer.status, 201, messageOf(answer));
    const wrong = await ask('POST', POLICIES, {
      metadata: { name: 'q' },
      spec: {
        matchConstraints: { resourceRules: rules },
        ...one('namespaceObject.metadata.managedFields == null'),
      },
    });
    assert.match(messageOf(wrong), /undefined field 'managedFields'/);
  });

  it('sees what is deleted as the old object', async () => {
    const constraints = { resourceRules: [rule({ operations: ['DELETE'] })] };
    await bound(one("object == null && oldObject.data.keep != 'yes'"), {}, { constraints });
    await create('kept', { keep: 'yes' });
    await create('gone', { keep: 'no' });
    assert.equal((await ask('DELETE', `${CONFIG_MAPS}/kept`)).status, 422);
    assert.equal((await ask('DELETE', `${CONFIG_MAPS}/gone`)).status, 200);
    await ask('DELETE', BINDINGS);
  });

  it('evaluates its variables once, when they are used, and says which one fails', async () => {
    await bound({
      variables: [
        { name: 'size', expression: 'int(object.data.size)' },
        { name: 'twice', expression: 'variables.size * 2' },
        { name: 'broken', expression: 'object.missing' },
      ],
      validations: [
        { expression: 'variables.twice < 10' },
        { expression: "object.data.size != '4' || variables.broken == 1" },
      ],
    });
    assert.equal((await create('a', { size: '3' })).status, 201);
    assert.ok(
      messageOf(await create('b', { size: '5' })).endsWith('failed expression: variables.twice < 10'),
    );
    assert.match(
      messageOf(await create('c', { size: '4' })),
      /resulted in error: composited variable "broken" fails to evaluate: no such key: missing$/,
    );
  });

  it('is asked only when all of its conditions hold', async () => {
    await bound({
      ...one('false'),
      matchConditions: [
        { name: 'labelled', expression: "has(object.data) && 'checked' in object.data" },
        { name: 'not-me', expression: "request.userInfo.username != 'me'" },
      ],
    });
    assert.equal((await create('a')).status, 201);
    assert.equal((await create('b', { checked: 'x' })).status, 422);
    const me = { name: 'me', groups: ['system:masters'] };
    assert.equal((await create('c', { checked: 'x' }, me)).status, 201);
  });

  it('fails as its policy says when a condition fails, unless another does not hold', async () => {
    const conditions = [{ name: 'broken', expression: "object.nothing == 'a'" }];
    await bound({ ...one('true'), matchConditions: conditions });
    assert.match(
      messageOf(await create('a')),
      /denied request: expression 'object\.nothing == 'a'' resulted/,
    );
    await ask('DELETE', POLICIES);
    const both = [...conditions, { name: 'no', expression: 'false' }];
    await bound({ ...one('false'), matchConditions: both }, {}, { name: 'q' });
    assert.equal((await create('a')).status, 201);
  });

  it('warns, and tells the audit log, where its binding says so', async () => {
    await bound(one('false', { message: 'beware' }), { validationActions: ['Warn', 'Audit'] });
    const answer = await create('a');
    assert.equal(answer.status, 201);
    assert.equal(
      answer.headers['warning'],
      `299 - "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'p-b': beware"`,
    );
    assert.deepEqual(JSON.parse(annotations['validation.policy.admission.k8s.io/validation_failure'] ?? ''), [
      {
        message: 'beware',
        policy: 'p',
        binding: 'p-b',
        expressionIndex: 0,
        validationActions: ['Warn', 'Audit'],
      },
    ]);
  });

  it('annotates the audit log', async () => {
    await bound({
      auditAnnotations: [
        { key: 'name', valueExpression: "'made ' + object.metadata.name" },
        { key: 'nothing', valueExpression: 'null' },
        { key: 'blank', valueExpression: "' '" },
      ],
    });
    assert.equal((await create('a')).status, 201);
    assert.deepEqual(
      Object.entries(annotations).filter(([key]) => key.startsWith('p/')),
      [['p/name', 'made a']],
    );
  });

  it('asks what the caller may do', async () => {
    await bound({
      validations: [
        {
          expression:
            "authorizer.group('').resource('secrets').namespace('default').check('delete').allowed()",
          message: 'secrets',
        },
        { expression: "authorizer.path('/healthz').check('get').allowed()", message: 'path' },
        { expression: "authorizer.requestResource.check('approve').allowed()", message: 'approve' },
        {
          expression:
            "!authorizer.serviceAccount('default', 'default').group('').resource('pods').check('create').allowed()",
          message: 'account',
        },
      ],
    });
    const answer = await create('a');
    assert.equal(answer.status, 201, messageOf(answer));
    const grant = { apiGroups: [''], resources: ['configmaps'], verbs: ['create'] };
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    await made(`${rbac}/clusterroles`, { metadata: { name: 'maker' }, rules: [grant] });
    await made(`${rbac}/clusterrolebindings`, {
      metadata: { name: 'maker' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'maker' },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'jane' }],
    });
    const jane = { name: 'jane', groups: ['system:authenticated'] };
    let refused = await create('b', {}, jane);
    for (let turn = 0; refused.status === 403 && turn < 100; turn++) {
      await new Promise((next) => setImmediate(next));
      refused = await create('b', {}, jane);
    }
    assert.ok(messageOf(refused).endsWith('denied request: secrets'), messageOf(refused));
  });
});

describe('where a policy applies', () => {
  const isAsked = async (body: Body = configMap('x')): Promise<boolean> => {
    const { status } = await ask('POST', CONFIG_MAPS, body);
    if (status === 201) await ask('DELETE', `${CONFIG_MAPS}/x`);
    return status === 422;
  };
  for (const [what, constraints, matchResources, expected] of [
    ['other groups', { resourceRules: [rule({ apiGroups: ['apps'] })] }, undefined, false],
    ['all resources', { resourceRules: [rule({ resources: ['*'] })] }, undefined, true],
    ['subresources only', { resourceRules: [rule({ resources: ['configmaps/status'] })] }, undefined, false],
    ['the cluster scope', { resourceRules: [rule({ scope: 'Cluster' })] }, undefined, false],
    ['namespaces', { resourceRules: [rule({ scope: 'Namespaced' })] }, undefined, true],
    ['names', { resourceRules: [rule({ resourceNames: ['x'] })] }, undefined, true],
    ['other names', { resourceRules: [rule({ resourceNames: ['y'] })] }, undefined, false],
    ['what is left out', { excludeResourceRules: [rule({ resourceNames: ['x'] })] }, undefined, false],
    [
      'a namespace',
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } } },
      undefined,
      true,
    ],
    ['other namespaces', { namespaceSelector: { matchLabels: { team: 'a' } } }, undefined, false],
    ['labels', { objectSelector: { matchLabels: { a: 'b' } } }, undefined, true],
    ['other labels', { objectSelector: { matchLabels: { a: 'c' } } }, undefined, false],
    ['what its binding narrows', {}, { objectSelector: { matchLabels: { a: 'c' } } }, false],
    ['what its binding lets through', {}, { resourceRules: [rule({ operations: ['*'] })] }, true],
  ] as const) {
    it(`knows ${what}`, async () => {
      await bound(one('false'), matchResources === undefined ? {} : { matchResources }, { constraints });
      assert.equal(await isAsked(configMap('x', {}, { a: 'b' })), expected);
    });
  }

  it('knows another version of a resource, and sees it in the version it asked for', async () => {
    const rules = [
      rule({ apiGroups: ['autoscaling'], apiVersions: ['v1'], resources: ['horizontalpodautoscalers'] }),
    ];
    await bound(
      one(
        "object.apiVersion == 'autoscaling/v1' && object.spec.targetCPUUtilizationPercentage < 50 && request.requestKind.version == 'v2'",
      ),
      {},
      { constraints: { resourceRules: rules } },
    );
    const scaler = (averageUtilization: number): Body => ({
      metadata: { name: `s${averageUtilization}` },
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
          },
        ],
      },
    });
    const path = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
    const small = await ask('POST', path, scaler(40));
    assert.equal(small.status, 201, messageOf(small));
    assert.equal((await ask('POST', path, scaler(60))).status, 422);
  });
});

describe('the parameters of a policy', () => {
  const spec = {
    paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    ...one('object.data.size != params.data.bad'),
  };
  const param = (name: string, bad: string, labels: Body = {}): Promise<ApiResponse> =>
    made(CONFIG_MAPS, configMap(name, { bad, size: 'none' }, labels));
  const found = { parameterNotFoundAction: 'Deny' };

  it('are one object by its name, from the namespace of the request', async () => {
    await param('limits', 'large');
    await bound(spec, { paramRef: { name: 'limits', ...found } });
    assert.equal((await create('a', { size: 'small' })).status, 201);
    assert.equal((await create('b', { size: 'large' })).status, 422);
  });

  it('are many by their labels, each of which is checked', async () => {
    await param('one', 'large', { limit: 'yes' });
    await param('two', 'huge', { limit: 'yes' });
    await param('three', 'small');
    await bound(spec, { paramRef: { selector: { matchLabels: { limit: 'yes' } }, ...found } });
    assert.equal((await create('a', { size: 'small' })).status, 201);
    assert.equal((await create('b', { size: 'huge' })).status, 422);
  });

  it('that are not there refuse, or let pass', async () => {
    await bound(spec, { paramRef: { name: 'none', parameterNotFoundAction: 'Deny' } });
    assert.ok(
      messageOf(await create('a')).endsWith(
        "'p' with binding 'p-b' denied request: failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction",
      ),
    );
    await ask('DELETE', BINDINGS);
    await made(BINDINGS, {
      metadata: { name: 'b' },
      spec: {
        policyName: 'p',
        validationActions: ['Deny'],
        paramRef: { name: 'none', parameterNotFoundAction: 'Allow' },
      },
    });
    assert.equal((await create('a')).status, 201);
  });

  it('of a kind that is not served refuse', async () => {
    await bound({ ...spec, paramKind: { apiVersion: 'example.org/v1', kind: 'Limit' } });
    assert.ok(
      messageOf(await create('a')).endsWith(
        "ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'example.org/v1, Kind=Limit'",
      ),
    );
  });

  it('without a reference are null', async () => {
    await bound({ ...spec, ...one('params == null') });
    assert.equal((await create('a')).status, 201);
  });
});
