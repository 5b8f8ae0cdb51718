import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requestInfoOf } from '../request/request-info.ts';
import { type AuditPolicy, auditPolicyFor, decideAudit, parseAuditPolicy } from './audit-policy.ts';

const jane = { name: 'jane', groups: ['dev', 'system:authenticated'] };
const levelOf = (
  policy: AuditPolicy,
  path: string,
  method: 'GET' | 'POST' = 'GET',
  user: typeof jane | undefined = jane,
): string => decideAudit(policy, user, requestInfoOf({ method, path })).level;
const only = (rule: object): AuditPolicy => ({ rules: [{ level: 'Request', ...rule }] });
const PODS = '/api/v1/namespaces/default/pods';

describe('an audit policy', () => {
  for (const [what, rule, path, isMatched] of [
    ['no field matches everything', {}, '/healthz', true],
    ['users', { users: ['jane'] }, PODS, true],
    ['other users', { users: ['joe'] }, PODS, false],
    ['groups', { userGroups: ['ops', 'dev'] }, PODS, true],
    ['other groups', { userGroups: ['ops'] }, PODS, false],
    ['verbs', { verbs: ['list'] }, PODS, true],
    ['other verbs', { verbs: ['get'] }, PODS, false],
    ['namespaces', { namespaces: ['default'] }, PODS, true],
    ['no namespace', { namespaces: [''] }, '/api/v1/nodes', true],
    ['other namespaces', { namespaces: ['kube-system'] }, PODS, false],
    ['a whole group', { resources: [{ group: 'apps' }] }, '/apis/apps/v1/deployments', true],
    ['another group', { resources: [{ group: 'apps' }] }, PODS, false],
    ['every group', { resources: [{ group: '*', resources: ['pods'] }] }, PODS, true],
    ['a resource', { resources: [{ resources: ['pods'] }] }, PODS, true],
    ['not its parts', { resources: [{ resources: ['pods'] }] }, `${PODS}/a/status`, false],
    ['one part', { resources: [{ resources: ['pods/status'] }] }, `${PODS}/a/status`, true],
    ['a part of anything', { resources: [{ resources: ['*/status'] }] }, `${PODS}/a/status`, true],
    ['all parts of one', { resources: [{ resources: ['pods/*'] }] }, `${PODS}/a/status`, true],
    ['all resources', { resources: [{ resources: ['*'] }] }, `${PODS}/a/status`, true],
    ['names', { resources: [{ resources: ['pods'], resourceNames: ['a'] }] }, `${PODS}/a`, true],
    ['other names', { resources: [{ resources: ['pods'], resourceNames: ['a'] }] }, `${PODS}/b`, false],
    ['resources, not paths', { resources: [{ resources: ['*'] }] }, '/healthz', false],
    ['a path', { nonResourceURLs: ['/healthz'] }, '/healthz', true],
    ['a path is whole', { nonResourceURLs: ['/healthz'] }, '/healthz/ping', false],
    ['paths by their beginning', { nonResourceURLs: ['/healthz*'] }, '/healthz/ping', true],
    ['paths, not resources', { nonResourceURLs: ['*'] }, PODS, false],
  ] as const) {
    it(`knows ${what}`, () => {
      assert.equal(levelOf(only(rule), path), isMatched ? 'Request' : 'None');
    });
  }

  it('lets the first rule that matches decide', () => {
    const policy: AuditPolicy = { rules: [{ level: 'None', verbs: ['list'] }, { level: 'Metadata' }] };
    assert.equal(levelOf(policy, PODS), 'None');
    assert.equal(levelOf(policy, `${PODS}/a`), 'Metadata');
  });

  it('knows nobody by name or group', () => {
    assert.equal(
      decideAudit(only({ users: ['jane'] }), undefined, requestInfoOf({ method: 'GET', path: PODS })).level,
      'None',
    );
    assert.equal(
      decideAudit(only({ userGroups: ['dev'] }), undefined, requestInfoOf({ method: 'GET', path: PODS }))
        .level,
      'None',
    );
  });

  it('of one level leaves out the bodies of secrets and tokens', () => {
    const policy = auditPolicyFor('RequestResponse');
    const namespaced = '/api/v1/namespaces/default';
    assert.equal(levelOf(policy, PODS), 'RequestResponse');
    assert.equal(levelOf(policy, `${namespaced}/secrets/a`), 'Metadata');
    assert.equal(levelOf(policy, `${namespaced}/serviceaccounts/a/token`, 'POST'), 'Metadata');
    assert.equal(levelOf(policy, '/apis/authentication.k8s.io/v1/tokenreviews', 'POST'), 'Metadata');
  });

  it('joins the stages that it and its rule leave out', () => {
    const policy: AuditPolicy = {
      omitStages: ['RequestReceived'],
      omitManagedFields: true,
      rules: [{ level: 'Metadata', omitStages: ['ResponseStarted'], omitManagedFields: false }],
    };
    const { omitStages, omitManagedFields } = decideAudit(
      policy,
      jane,
      requestInfoOf({ method: 'GET', path: PODS }),
    );
    assert.deepEqual([...omitStages], ['RequestReceived', 'ResponseStarted']);
    assert.equal(omitManagedFields, false);
  });
});

describe('the text of an audit policy', () => {
  const HEAD = 'apiVersion: audit.k8s.io/v1\nkind: Policy\n';
  it('is YAML', () => {
    const policy = parseAuditPolicy(`${HEAD}rules:\n- level: Metadata\n  verbs: [get]\n`);
    assert.deepEqual(policy.rules, [{ level: 'Metadata', verbs: ['get'] }]);
  });
  for (const [text, problem] of [
    ['[', /neither YAML nor JSON/],
    ['[]', /kind Policy/],
    ['kind: Policy\napiVersion: v1\nrules: []', /apiVersion must be audit\.k8s\.io\/v1, but it is "v1"/],
    [HEAD, /at least one rule/],
    [`${HEAD}rules: [{level: All}]`, /rules\[0\]\.level must be one of None, .* but it is "All"/],
    [`${HEAD}rules: [{level: None, verbs: get}]`, /rules\[0\]\.verbs must be a list/],
    [`${HEAD}omitStages: [Soon]\nrules: [{level: None}]`, /^.*omitStages may list RequestReceived/],
    [`${HEAD}rules: [{level: None, nonResourceURLs: [healthz]}]`, /must begin with "\/"/],
    [`${HEAD}rules: [{level: None, nonResourceURLs: ['/a*b']}]`, /"\*" may only end "\/a\*b"/],
    [`${HEAD}rules: [{level: None, nonResourceURLs: [/a], namespaces: [b]}]`, /not both/],
    [`${HEAD}rules: [{level: None, resources: [{group: apps/v1}]}]`, /without its version/],
    [`${HEAD}rules: [{level: None, resources: [{resourceNames: [a]}]}]`, /need at least one of resources/],
  ] as const) {
    it(`is refused when it is ${JSON.stringify(text.replace(HEAD, ''))}`, () => {
      assert.throws(() => parseAuditPolicy(text), { name: 'AuditPolicyError', message: problem });
    });
  }
});
