// Admission of our API server beside that of a real one: the same policies, webhooks, pods and expressions.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Transport } from '@windlass/apimachinery';
import { until } from '@windlass/base/testing/until';
import { type RunningCluster, startCluster } from '@windlass/cluster';
import { JsonApi } from './support/json-api.ts';

type Fields = Readonly<Record<string, unknown>>;

const ADMISSION = '/apis/admissionregistration.k8s.io/v1';
const POLICIES = `${ADMISSION}/validatingadmissionpolicies`;
const BINDINGS = `${ADMISSION}/validatingadmissionpolicybindings`;
const SPACE = 'policies-real';
const CONFIG_MAPS = `/api/v1/namespaces/${SPACE}/configmaps`;

let real: JsonApi;
let ours: RunningCluster;
let transport: Transport;

interface Outcome {
  readonly status: number;
  readonly reason: unknown;
  readonly message: string;
  readonly causes: readonly string[];
  readonly warnings: readonly string[];
}

/** Where an expression is wrong each engine says in its own words. */
const OWN_TEXT = /compilation failed: [^]*/;

function outcome(status: number, body: unknown, warnings: readonly string[]): Outcome {
  const said = body as Fields & {
    details?: { causes?: { reason?: string; field?: string; message?: string }[] };
  };
  if (status < 300) return { status, reason: '', message: '', causes: [], warnings };
  const short = (text: string): string => text.replace(OWN_TEXT, 'compilation failed');
  return {
    status,
    reason: said['reason'],
    message: short(String(said['message'])),
    causes: (said.details?.causes ?? []).map(
      ({ reason = '', field = '', message = '' }) => `${reason} ${field}: ${short(message)}`,
    ),
    warnings,
  };
}

async function askReal(method: string, path: string, body?: unknown, dryRun = true): Promise<Outcome> {
  const query = dryRun ? { query: { dryRun: 'All' } } : {};
  const answer = await real.call(method, path, { ...query, ...(body !== undefined && { body }) });
  return outcome(answer.status, answer.body, answer.warnings);
}

async function askOurs(
  method: 'POST' | 'PUT' | 'DELETE' | 'GET',
  path: string,
  body?: unknown,
  dryRun = true,
): Promise<Outcome> {
  const answer = await transport.request({
    method,
    path,
    ...(body !== undefined && { body }),
    ...(dryRun && { query: { dryRun: 'All' } }),
  });
  const warnings = (answer.headers['warning'] ?? '').match(/299 - "(?:[^"\\]|\\.)*"/g) ?? [];
  return outcome(answer.status, answer.body, warnings);
}

/** Sends a request to both, and expects the same of both. */
async function agree(path: string, body: unknown): Promise<Outcome> {
  const theirs = await askReal('POST', path, body);
  const own = await askOurs('POST', path, body);
  assert.deepEqual(own, theirs);
  return own;
}

async function agreed(path: string, body: unknown): Promise<void> {
  await agree(path, body);
}

async function onBoth(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<void> {
  for (const { status, message } of [
    await askReal(method, path, body, false),
    await askOurs(method, path, body, false),
  ])
    assert.ok(status < 300 || status === 409, message);
}

const container = { name: 'c', image: 'example.invalid/none' };
const pod = (name: string, spec: Fields = {}): Fields => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [container], ...spec },
});

async function space(name: string, labels: Fields = {}): Promise<void> {
  await onBoth('POST', '/api/v1/namespaces', { metadata: { name, labels } });
  await until('the service account', async () => {
    const { status } = await askOurs(
      'GET',
      `/api/v1/namespaces/${name}/serviceaccounts/default`,
      undefined,
      false,
    );
    return status === 200;
  });
}

before(async () => {
  real = await JsonApi.open();
  ours = await startCluster({});
  transport = ours.transport({ name: 'admin', groups: ['system:masters', 'system:authenticated'] });
  await space(SPACE, { team: 'policies' });
});

after(async () => {
  real?.[Symbol.dispose]();
  await ours?.stop();
});

const RULE = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] };
const policy = (name: string, spec: Fields): Fields => ({
  metadata: { name },
  spec: {
    matchConstraints: {
      resourceRules: [RULE],
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': SPACE } },
    },
    ...spec,
  },
});

describe('policies, bindings and webhooks are checked as they are stored', () => {
  const spec = (more: Fields): Fields =>
    policy('checked', { validations: [{ expression: 'true' }], ...more });
  const ruled = (more: Fields): Fields =>
    spec({ matchConstraints: { resourceRules: [{ ...RULE, ...more }] } });
  for (const [name, body] of Object.entries({
    'nothing wrong': spec({}),
    'no constraints': { metadata: { name: 'checked' }, spec: { validations: [{ expression: 'true' }] } },
    'no rules': spec({ matchConstraints: {} }),
    'nothing to validate': spec({ validations: [] }),
    'a failure policy': spec({ failurePolicy: 'Maybe' }),
    'a kind of parameters': spec({ paramKind: { apiVersion: 'a/b/c', kind: 'K_' } }),
    'a version of parameters': spec({ paramKind: { apiVersion: 'a/V', kind: '' } }),
    'names of variables': spec({
      variables: [
        { name: 'in', expression: '1' },
        { name: '', expression: '' },
        { name: 'a-b', expression: '1' },
      ],
    }),
    'types of expressions': spec({
      validations: [
        { expression: 'object.x' },
        { expression: '1' },
        { expression: 'true', messageExpression: '1' },
        { expression: 'true', messageExpression: ' ' },
        { expression: ' ', message: ' ' },
        { expression: 'true', message: 'a\nb', reason: 'Sad' },
      ],
    }),
    'expressions that are none': spec({
      validations: [{ expression: 'object.' }, { expression: 'nothing == 1' }],
    }),
    'messages that ask what others may do': spec({
      validations: [{ expression: 'true', messageExpression: 'authorizer.path("/x").check("get").reason()' }],
    }),
    annotations: spec({
      auditAnnotations: [
        { key: 'a', valueExpression: '1' },
        { key: 'a', valueExpression: "'x'" },
        { key: 'b c', valueExpression: '' },
      ],
    }),
    conditions: spec({
      matchConditions: [
        { name: 'a b', expression: 'true' },
        { name: 'a', expression: '1' },
        { name: 'a', expression: '' },
        { name: '', expression: 'params.x' },
      ],
    }),
    operations: ruled({ operations: ['*', 'CREATE', 'READ'] }),
    groups: ruled({ apiGroups: ['*', 'a'], apiVersions: ['', '*'] }),
    resources: ruled({ resources: ['*', 'pods', 'pods/*', 'pods/log', '*/status', 'nodes/status', ''] }),
    'names and scope': ruled({ resourceNames: ['a', 'a', 'b/c'], scope: 'Galaxy' }),
    selectors: spec({
      matchConstraints: {
        resourceRules: [RULE],
        matchPolicy: 'Other',
        objectSelector: { matchExpressions: [{ key: 'a', operator: 'Is' }] },
      },
    }),
  }))
    it(`a policy: ${name}`, () => agreed(POLICIES, body));

  const bound = (more: Fields): Fields => ({
    metadata: { name: 'checked' },
    spec: { policyName: 'p', validationActions: ['Deny'], ...more },
  });
  for (const [name, body] of Object.entries({
    'nothing wrong': bound({}),
    'no name': bound({ policyName: '' }),
    'a wrong name': bound({ policyName: 'A' }),
    'no actions': bound({ validationActions: [] }),
    actions: bound({ validationActions: ['Deny', 'Warn', 'Deny', 'Shout'] }),
    'both references': bound({ paramRef: { name: 'a', selector: {}, parameterNotFoundAction: 'Deny' } }),
    'no reference': bound({ paramRef: { parameterNotFoundAction: 'Maybe' } }),
    'what to do without': bound({ paramRef: { name: 'a' } }),
    resources: bound({ matchResources: { resourceRules: [{ ...RULE, operations: [] }] } }),
  }))
    it(`a binding: ${name}`, () => agreed(BINDINGS, body));

  const hooked = (more: Fields): Fields => ({
    metadata: { name: 'checked' },
    webhooks: [
      {
        name: 'a.example.org',
        clientConfig: { url: 'https://example.org/x' },
        rules: [RULE],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...more,
      },
    ],
  });
  for (const [name, body] of Object.entries({
    'nothing wrong': hooked({}),
    'a short name': hooked({ name: 'short' }),
    'a wrong name': hooked({ name: 'A.b.c' }),
    'side effects': hooked({ sideEffects: 'Some' }),
    'no side effects': hooked({ sideEffects: undefined }),
    'a long time': hooked({ timeoutSeconds: 31 }),
    'nobody to ask': hooked({ clientConfig: {} }),
    'a wrong URL': hooked({ clientConfig: { url: 'http://user@example.org/x?y=1#z' } }),
    'a wrong service': hooked({ clientConfig: { service: { name: '', namespace: '', path: 'x', port: 0 } } }),
    'a wrong path': hooked({ clientConfig: { service: { name: 'a', namespace: 'b', path: '/a//B' } } }),
    versions: hooked({ admissionReviewVersions: ['v9', 'v9', 'V'] }),
    'no versions': hooked({ admissionReviewVersions: [] }),
    conditions: hooked({
      matchConditions: [
        { name: 'a', expression: '1' },
        { name: 'a', expression: 'true' },
      ],
    }),
    policies: hooked({ failurePolicy: 'Maybe', matchPolicy: 'Maybe' }),
  }))
    it(`webhooks: ${name}`, () => agreed(`${ADMISSION}/validatingwebhookconfigurations`, body));
});

describe('policies decide alike', () => {
  let count = 0;
  /** Puts a policy to work on both, and waits until it does. */
  async function inForce(spec: Fields, binding: Fields = {}): Promise<void> {
    const name = `decides-${++count}`;
    const probe = { expression: "object.metadata.name != 'probe'", message: `probe ${name}` };
    const validations = (spec['validations'] as Fields[] | undefined) ?? [];
    const body = policy(name, { ...spec, validations: [probe, ...validations] });
    await onBoth('POST', POLICIES, body);
    await onBoth('POST', BINDINGS, {
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'], ...binding },
    });
    const probing = { metadata: { name: 'probe', labels: { probe: 'yes' } }, data: { a: 'b' } };
    await until('a policy', async () => {
      const { message, warnings } = await askReal('POST', CONFIG_MAPS, probing);
      return [message, ...warnings].some((text) => text.includes(`probe ${name}`));
    });
  }
  /** One that evaluates nothing, as it has no parameters: then everything is refused. */
  async function inForceBlindly(spec: Fields, binding: Fields): Promise<void> {
    const name = `decides-${++count}`;
    await onBoth('POST', POLICIES, policy(name, spec));
    const bound = { policyName: name, validationActions: ['Deny'], ...binding };
    await onBoth('POST', BINDINGS, { metadata: { name }, spec: bound });
    await until(
      'a policy',
      async () => (await askReal('POST', CONFIG_MAPS, { metadata: { name: 'x' } })).status >= 400,
    );
  }
  async function outOfForce(): Promise<void> {
    const name = `decides-${count}`;
    await onBoth('DELETE', `${BINDINGS}/${name}`);
    await onBoth('DELETE', `${POLICIES}/${name}`);
    await until('a policy to go', async () => {
      const { message, warnings } = await askReal('POST', CONFIG_MAPS, {
        metadata: { name: 'probe', labels: { probe: 'yes' } },
        data: { a: 'b' },
      });
      return ![message, ...warnings].some((text) => text.includes(name));
    });
  }
  const create = (name: string, data: Fields = {}): Promise<Outcome> =>
    agree(CONFIG_MAPS, { metadata: { name }, data });

  for (const [what, spec, binding] of [
    ['by an expression', { validations: [{ expression: "object.data.size == 'small'" }] }, {}],
    ['with a message', { validations: [{ expression: 'false', message: 'no', reason: 'Forbidden' }] }, {}],
    [
      'with a message that is made',
      { validations: [{ expression: 'false', messageExpression: "'is ' + object.data.size" }] },
      {},
    ],
    [
      'with a warning',
      { validations: [{ expression: 'false', message: 'a "quoted" warning' }] },
      { validationActions: ['Warn', 'Audit'] },
    ],
    ['when it fails', { validations: [{ expression: "object.spec.x == 'y'" }] }, {}],
    [
      'when a condition fails',
      {
        matchConditions: [
          { name: 'c', expression: "object.metadata.name == 'probe' || object.spec.x == 'y'" },
        ],
        validations: [],
      },
      {},
    ],
    [
      'when a condition does not hold',
      {
        matchConditions: [{ name: 'c', expression: "object.metadata.name == 'probe'" }],
        validations: [{ expression: 'false' }],
      },
      {},
    ],
    [
      'with variables',
      {
        variables: [
          { name: 'n', expression: 'object.data.size.size()' },
          { name: 'm', expression: 'variables.n + 1' },
        ],
        validations: [{ expression: 'variables.m > 6' }],
      },
      {},
    ],
    [
      'with a variable that fails',
      {
        variables: [{ name: 'n', expression: 'object.none' }],
        validations: [{ expression: "object.metadata.name == 'probe' || variables.n == 1" }],
      },
      {},
    ],
    [
      'about who asks',
      {
        validations: [
          {
            expression:
              "request.userInfo.username == 'admin' && request.operation == 'CREATE' && request.resource.resource == 'configmaps' && !has(request.subResource)",
          },
        ],
      },
      {},
    ],
    [
      'about the namespace',
      {
        validations: [
          {
            expression: "namespaceObject.metadata.labels['team'] == 'policies'",
          },
        ],
      },
      {},
    ],
    [
      'about what one may',
      {
        validations: [
          {
            expression:
              "authorizer.group('').resource('secrets').namespace('default').check('delete').allowed() && authorizer.requestResource.check('nothing').allowed()",
          },
          {
            expression:
              "authorizer.serviceAccount('default', 'default').group('').resource('secrets').check('get').allowed()",
            message: 'account',
          },
        ],
      },
      {},
    ],
    [
      'without its parameters',
      { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, validations: [{ expression: 'params != null' }] },
      { paramRef: { name: 'none', parameterNotFoundAction: 'Deny' } },
    ],
    [
      'of the objects that it selects',
      { validations: [{ expression: 'false' }] },
      { matchResources: { objectSelector: { matchLabels: { probe: 'yes' } } } },
    ],
    [
      'with annotations that fail',
      {
        auditAnnotations: [
          { key: 'k', valueExpression: "object.metadata.name == 'probe' ? 'x' : string(object.none)" },
        ],
        validations: [],
      },
      {},
    ],
  ] as const)
    it(what, async () => {
      try {
        if ('paramKind' in spec) await inForceBlindly(spec, binding);
        else await inForce(spec, binding);
        await create('small', { size: 'small' });
        await create('large', { size: 'large-one' });
        await create('none');
      } finally {
        await outOfForce();
      }
    });
});

describe('pods are held to the same levels', () => {
  const good = {
    allowPrivilegeEscalation: false,
    runAsNonRoot: true,
    capabilities: { drop: ['ALL'] },
    seccompProfile: { type: 'RuntimeDefault' },
  };
  const with_ = (securityContext: Fields, more: Fields = {}): Fields => ({
    containers: [{ ...container, securityContext: { ...good, ...securityContext } }],
    ...more,
  });
  const specs: readonly Fields[] = [
    {},
    with_({}),
    {
      hostNetwork: true,
      hostPID: true,
      containers: [{ ...container, ports: [{ containerPort: 80, hostPort: 80 }] }],
    },
    with_({ privileged: true, allowPrivilegeEscalation: true }),
    with_({ capabilities: { drop: ['ALL'], add: ['SYS_TIME', 'NET_RAW', 'CHOWN'] } }),
    with_({ capabilities: { add: ['NET_BIND_SERVICE'] } }),
    with_(
      { seLinuxOptions: { type: 'spc_t', user: 'u', role: 'r' } },
      { securityContext: { seLinuxOptions: { type: 'x' } } },
    ),
    with_({ seLinuxOptions: { type: 'container_engine_t' } }),
    with_(
      { seccompProfile: { type: 'Unconfined' } },
      { securityContext: { seccompProfile: { type: 'Unconfined' } } },
    ),
    with_({ runAsNonRoot: false, runAsUser: 0 }, { securityContext: { runAsUser: 0, runAsNonRoot: false } }),
    with_(
      {},
      {
        volumes: [
          { name: 'v', hostPath: { path: '/' } },
          { name: 'n', nfs: { server: 's', path: '/' } },
          { name: 'e', emptyDir: {} },
        ],
      },
    ),
    with_(
      {},
      {
        securityContext: {
          sysctls: [
            { name: 'kernel.msgmax', value: '1' },
            { name: 'net.ipv4.tcp_rmem', value: '1' },
          ],
        },
      },
    ),
    with_({ appArmorProfile: { type: 'Unconfined' } }),
    { initContainers: [{ ...container, name: 'i' }], containers: [{ ...container, securityContext: good }] },
    {
      containers: [
        {
          ...container,
          livenessProbe: { httpGet: { host: 'h', port: 80 } },
          lifecycle: { preStop: { tcpSocket: { host: 'g', port: 1 } } },
        },
      ],
    },
    { os: { name: 'windows' }, containers: [container] },
    with_({ procMount: 'Unmasked', runAsUser: 0 }, { hostUsers: false }),
  ];
  for (const level of ['baseline', 'restricted'])
    for (const version of ['latest', 'v1.18', 'v1.24', 'v1.30'])
      it(`${level} ${version}`, async () => {
        const name = `${SPACE}-${level}-${version.replace('.', '-')}`;
        await space(name, {
          'pod-security.kubernetes.io/enforce': level,
          'pod-security.kubernetes.io/enforce-version': version,
        });
        for (const [index, spec] of specs.entries())
          await agree(`/api/v1/namespaces/${name}/pods`, pod(`p${index}`, spec));
      });

  it('with warnings', async () => {
    const name = `${SPACE}-warn`;
    await space(name, { 'pod-security.kubernetes.io/warn': 'restricted' });
    for (const [index, spec] of specs.entries())
      await agree(`/api/v1/namespaces/${name}/pods`, pod(`p${index}`, spec));
    const template = { metadata: { labels: { a: 'b' } }, spec: specs[3] };
    await agree(`/apis/apps/v1/namespaces/${name}/deployments`, {
      metadata: { name: 'd' },
      spec: { selector: { matchLabels: { a: 'b' } }, template },
    });
  });

  it('with labels that say nothing', () =>
    agreed('/api/v1/namespaces', {
      metadata: {
        name: 'wrong',
        labels: { 'pod-security.kubernetes.io/enforce': 'x', 'pod-security.kubernetes.io/warn-version': '1' },
      },
    }));
});

describe('expressions mean the same', () => {
  const EXPRESSIONS = [
    '"abc".matches("^[a-c]+$")',
    '"123 abc 456".findAll("[0-9]+") == ["123", "456"]',
    '"123 abc 456".findAll("[0-9]*").size() == 6',
    '"".findAll("a*").size() == 1',
    'ip("::1").isLoopback() && ip("192.168.0.1").family() == 4',
    'ip.isCanonical("2001:db8::1") && !ip.isCanonical("2001:DB8::1")',
    'ip("8.8.8.8").isGlobalUnicast() && !ip("169.254.1.1").isGlobalUnicast()',
    'cidr("192.168.3.4/16").masked() == cidr("192.168.0.0/16")',
    'cidr("192.168.0.0/16").containsCIDR("192.168.3.0/24") && !cidr("10.0.0.0/8").containsIP("11.0.0.1")',
    'url("https://user:pw@Example.com:443/a%20b?x=1&x=2&y=3").getHost() == "Example.com:443"',
    'url("https://example.com:443/a").getPort() == "443" && url("https://[::1]:80/").getHostname() == "::1"',
    'url("https://example.com").getEscapedPath() == ""',
    'url("/just/a/path?x=1").getScheme() == "" && url("https://a/?x=1&x=2").getQuery()["x"] == ["1", "2"]',
    '!isURL("../relative") && isURL("https://a:80/") && !isURL("https://a b/")',
    'quantity("1Gi").isGreaterThan(quantity("1G")) && quantity("50k").add(1).asInteger() == 50001',
    '!isQuantity("1 Gi") && sign(quantity("1.5")) == 1 && !quantity("1.5").isInteger()',
    '!format.dns1123Label().validate("my-label").hasValue()',
    'format.dns1123Label().validate("My_Label").value().size() == 1',
    'format.named("uuid").value().validate("x").hasValue() && !format.named("nope").hasValue()',
    '!format.dns1123LabelPrefix().validate("prefix-").hasValue() && format.date().validate("2021-13-01").hasValue()',
    'semver("1.2.3").isLessThan(semver("1.10.0")) && semver("1.0.0-alpha.1").compareTo(semver("1.0.0-alpha.beta")) == -1',
    '!isSemver("v1.0") && isSemver("v1.0", true) && semver("v01.2", true) == semver("1.2.0")',
    '[3, 1, 2].sort() == [1, 2, 3] && [1, 2, 3].reverse() == [3, 2, 1]',
    '[1, 2, 2, 1].distinct() == [1, 2] && [1, 2, 3, 4].slice(1, 3) == [2, 3]',
    '[[1, 2], [3]].flatten() == [1, 2, 3] && lists.range(3) == [0, 1, 2]',
    '[1, 2].first().value() == 1 && [1, 2].last().value() == 2',
    '[1, 2, 3].sum() == 6 && [2, 1].min() == 1 && [1.0, 2.0].max() == 2.0',
    'sets.contains([1, 2], [2]) && sets.intersects([1], [1, 2]) && !sets.equivalent([1], [2])',
    '"%s is %d, %.2f %x".format(["a", 3, 1.5, 255]) == "a is 3, 1.50 ff"',
    '"%s %s".format([["a", "b"], {"b": 1, "a": 2}]) == "[\\"a\\", \\"b\\"] {\\"a\\":2, \\"b\\":1}"',
    '"%s %s %s %s".format([3.0, 1234567.0, null, true]) == "3 1.234567e+06 null true"',
    '"%.3f".format([10000.1234]) == "10,000.123" && "%f".format([1.5]) == "1.500000"',
    '"%e".format([1234.5]) == "1.234500\\u00d710\\u2070\\u00b3"',
    '"%s".format([[1.5, timestamp("2021-01-01T00:00:00Z")]]) == "[1.500000, timestamp(\\"2021-01-01T00:00:00Z\\")]"',
    '"%s %s".format([duration("90s"), timestamp("2021-01-01T00:00:00.5Z")]) == "90s 2021-01-01T00:00:00.5Z"',
    '"%b %o %X %x %%".format([5, 8, "hi", 255]) == "101 10 6869 ff %"',
    '[1, 2, 3].all(i, v, v == i + 1) && self.map.exists(k, v, k == "k" && v == "v")',
    '[1, 2, 3].transformList(i, v, v > 1, i * v) == [2, 6] && {"a": 1, "b": 2}.transformMap(k, v, v > 1, v + 1) == {"b": 3}',
    '{"a": "x"}.transformMapEntry(k, v, {v: k}) == {"x": "a"} && [5, 6].existsOne(i, v, v == 6)',
    '["bb", "a"].sortBy(x, x.size()) == ["a", "bb"]',
    'self.?missing.orValue("none") == "none" && has(self.text)',
    'self.text.split(",").size() == 2 && self.text.upperAscii() == "A,B"',
    'duration("90s").getMinutes() == 1 && timestamp("2021-01-01T00:00:00Z").getFullYear() == 2021',
    'self.number == 3 && self.number < 3.5 && self.list.all(x, x > 0) && self.list.exists_one(x, x == 2)',
    'type(self.text) == string && string(self.number) == "3" && int("7") == 7',
    'self.list.map(x, x * 2) == [2, 4] && self.list.filter(x, x > 1) == [2] && 2 in self.list',
    'self.map["k"] == "v" && "k" in self.map && self.map.all(k, k.startsWith("k"))',
  ];
  it('in the rules of a custom resource', async () => {
    const group = 'policies.windlass.test';
    const object = {
      type: 'object',
      additionalProperties: { type: 'string', maxLength: 8 },
      maxProperties: 4,
    };
    const rules = EXPRESSIONS.map((rule) => ({ rule }));
    const definition = {
      metadata: { name: `words.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { kind: 'Word', plural: 'words' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  spec: {
                    type: 'object',
                    'x-kubernetes-validations': rules,
                    properties: {
                      text: { type: 'string', maxLength: 16 },
                      missing: { type: 'string', maxLength: 16 },
                      number: { type: 'integer' },
                      list: { type: 'array', maxItems: 4, items: { type: 'integer' } },
                      map: object,
                    },
                  },
                },
              },
            },
          },
        ],
      },
    };
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const refused = [await askReal('POST', path, definition), await askOurs('POST', path, definition)];
    assert.deepEqual(
      refused.map(({ causes }) => causes),
      [[], []],
    );
    await onBoth('POST', path, definition);
    const words = `/apis/${group}/v1/namespaces/${SPACE}/words`;
    await until('the resource', async () =>
      [await askReal('GET', words, undefined, false), await askOurs('GET', words, undefined, false)].every(
        ({ status }) => status === 200,
      ),
    );
    const spec = { text: 'a,b', number: 3, list: [1, 2], map: { k: 'v' } };
    const body = { apiVersion: `${group}/v1`, kind: 'Word', metadata: { name: 'w' }, spec };
    const { status } = await agree(words, body);
    assert.equal(status, 201);
  });
});
