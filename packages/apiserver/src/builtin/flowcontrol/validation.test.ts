// What the API server refuses of flow schemas and priority levels, in the words of Kubernetes 1.36, and what it fills in.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isStatus } from '@windlass/apimachinery';
import type { FlowSchema, PriorityLevelConfiguration } from '@windlass/apimachinery/api/flowcontrol/v1';
import { ApiServer } from '../../api-server.ts';
import { createMemoryStore } from '../../storage/index.ts';

const API = '/apis/flowcontrol.apiserver.k8s.io/v1';
const server = new ApiServer({ store: createMemoryStore({}) });
before(() => server.ready());
after(() => server.close());

/** What is wrong, each on a line; empty when nothing is. Nothing is stored. */
async function problems(kind: string, name: string, spec: object): Promise<string[]> {
  const { status, body } = await server.transport().request({
    method: 'POST',
    path: `${API}/${kind}`,
    query: { dryRun: 'All' },
    body: { metadata: { name }, spec },
  });
  if (status === 201) return [];
  assert.ok(isStatus(body) && status === 422, JSON.stringify(body));
  return (body.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);
}

describe('a flow schema', () => {
  const subjects = [{ kind: 'User', user: { name: 'x' } }];
  const nonResourceRules = [{ verbs: ['*'], nonResourceURLs: ['*'] }];
  const rule = { subjects, nonResourceRules };
  const level = { priorityLevelConfiguration: { name: 'exempt' } };
  const resources = { verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['a'] };
  const withRule = (given: object) => ({ ...level, rules: [{ ...rule, ...given }] });
  const withResources = (given: object) => withRule({ resourceRules: [{ ...resources, ...given }] });
  const withPaths = (given: object) =>
    withRule({ nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/x'], ...given }] });
  const rows: readonly [string, object, ...RegExp[]][] = [
    ['with all that it needs', { ...level, rules: [rule] }],
    [
      'without a level',
      { rules: [rule] },
      /^spec.priorityLevelConfiguration.name: Required value: must reference a priority level$/,
    ],
    [
      'with a level that cannot be',
      { priorityLevelConfiguration: { name: 'A' } },
      /^spec.priorityLevelConfiguration.name: Invalid value: "A": a lowercase RFC 1123 subdomain/,
    ],
    [
      'of a negative precedence',
      { ...level, matchingPrecedence: -1 },
      /matchingPrecedence: Invalid value: -1: must be a positive value$/,
    ],
    ['of too high a precedence', { ...level, matchingPrecedence: 10_001 }, /must not be greater than 10000$/],
    [
      'of the precedence of exempt',
      { ...level, matchingPrecedence: 1 },
      /only the schema named 'exempt' may have matchingPrecedence 1$/,
    ],
    [
      'of an unknown method',
      { ...level, distinguisherMethod: { type: 'ByName' } },
      /^spec.distinguisherMethod.type: Unsupported value: .*supported values: "ByNamespace", "ByUser"$/,
    ],
    [
      'without subjects',
      withRule({ subjects: [] }),
      /^spec.rules\[0\].subjects: Required value: subjects must contain at least one value$/,
    ],
    [
      'without rules for anything',
      { ...level, rules: [{ subjects }] },
      /^spec.rules\[0\]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty$/,
    ],
    [
      'for robots',
      withRule({ subjects: [{ kind: 'Robot' }] }),
      /^spec.rules\[0\].subjects\[0\].kind: Unsupported value: "Robot": supported values: "Group", "ServiceAccount", "User"$/,
    ],
    [
      'for a user without one',
      withRule({ subjects: [{ kind: 'User' }] }),
      /subjects\[0\].user: Required value: user is required when subject kind is 'User'$/,
    ],
    [
      'for a group without a name',
      withRule({ subjects: [{ kind: 'Group', group: { name: '' } }] }),
      /subjects\[0\].group.name: Required value$/,
    ],
    [
      'for a user who is a group',
      withRule({ subjects: [{ kind: 'User', user: { name: 'x' }, group: { name: 'y' } }] }),
      /subjects\[0\].group: Forbidden: group is forbidden when subject kind is not 'Group'$/,
    ],
    [
      'for an account of no namespace',
      withRule({ subjects: [{ kind: 'ServiceAccount', serviceAccount: { name: '*' } }] }),
      /serviceAccount.namespace: Required value: must specify namespace for service account$/,
    ],
    [
      'with unknown verbs',
      withResources({ verbs: ['look'] }),
      /resourceRules\[0\].verbs: Unsupported value: .*"create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"$/,
    ],
    [
      'with a star among verbs',
      withResources({ verbs: ['*', 'get'] }),
      /if '\*' is present, must not specify other verbs$/,
    ],
    [
      'without groups',
      withResources({ apiGroups: [] }),
      /apiGroups: Required value: resource rules must supply at least one api group$/,
    ],
    [
      'with a star among resources',
      withResources({ resources: ['*', 'pods'] }),
      /must not specify other resources$/,
    ],
    [
      'without namespaces',
      withResources({ namespaces: [] }),
      /namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace$/,
    ],
    ['without namespaces, of the cluster', withResources({ namespaces: [], clusterScope: true })],
    [
      'of a bad namespace',
      withResources({ namespaces: ['A'] }),
      /namespaces\[0\]: Invalid value: "A": each member of this list must be '\*' or a DNS-1123 label; /,
    ],
    [
      'of a path without a slash',
      withPaths({ nonResourceURLs: ['x'] }),
      /nonResourceURLs\[0\]: Invalid value: "x": must start with slash$/,
    ],
    [
      'of a path with a star inside',
      withPaths({ nonResourceURLs: ['/a*/b'] }),
      /wildcard can only do suffix matching$/,
    ],
    [
      'of a path with two stars, one at its end',
      withPaths({ nonResourceURLs: ['/a/*/*'] }),
      /wildcard can only do suffix matching$/,
    ],
    ['of a path with a star at its end', withPaths({ nonResourceURLs: ['/a/*'] })],
    [
      'of a path with two slashes',
      withPaths({ nonResourceURLs: ['/a//b'] }),
      /must not contain double slash$/,
    ],
    ['of several mistakes', { matchingPrecedence: 1 }, /only the schema/, /must reference/],
  ];
  for (const [is, spec, ...expected] of rows)
    test(is, async () => {
      const found = await problems('flowschemas', 'mine', spec);
      assert.equal(found.length, expected.length, found.join('\n'));
      for (const [index, pattern] of expected.entries()) assert.match(found[index] ?? '', pattern);
    });

  test('without a precedence has 1000', async () => {
    const { body } = await server.transport().request({
      method: 'POST',
      path: `${API}/flowschemas`,
      query: { dryRun: 'All' },
      body: { metadata: { name: 'x' }, spec: level },
    });
    // The server answers with the kind that was created.
    assert.equal((body as FlowSchema).spec?.matchingPrecedence, 1000);
  });
});

describe('a priority level', () => {
  const reject = { limitResponse: { type: 'Reject' } };
  const limited = (given: object) => ({ type: 'Limited', limited: { ...reject, ...given } });
  const queue = (queuing: object) => limited({ limitResponse: { type: 'Queue', queuing } });
  const rows: readonly [string, object, ...RegExp[]][] = [
    ['that refuses', limited({})],
    ['that queues', queue({})],
    ['without a type', {}, /^spec.type: Required value$/],
    [
      'of an unknown type',
      { type: 'Free' },
      /^spec.type: Unsupported value: "Free": supported values: "Exempt", "Limited"$/,
    ],
    [
      'that is exempt by another name',
      { type: 'Exempt' },
      /^spec.type: Invalid value: "Exempt": must be 'Exempt' if and only if `name` is 'exempt'$/,
    ],
    [
      'without limits',
      { type: 'Limited' },
      /^spec.limited: Required value: must not be empty when type is Limited$/,
    ],
    [
      'that is both',
      { ...limited({}), exempt: {} },
      /^spec.exempt: Forbidden: must be nil if the type is Limited$/,
    ],
    [
      'of negative shares',
      limited({ nominalConcurrencyShares: -1 }),
      /nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer$/,
    ],
    [
      'that lends more than all',
      limited({ lendablePercent: 101 }),
      /lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive$/,
    ],
    [
      'that borrows less than nothing',
      limited({ borrowingLimitPercent: -1 }),
      /borrowingLimitPercent: Invalid value: -1: if specified, must be a non-negative integer$/,
    ],
    [
      'that refuses and queues',
      limited({ limitResponse: { type: 'Reject', queuing: {} } }),
      /^spec.limited.limitResponse.queuing: Forbidden: must be nil if limited.limitResponse.type is not Limited$/,
    ],
    [
      'that queues without queues',
      limited({ limitResponse: { type: 'Queue' } }),
      /queuing: Required value: must not be empty if limited.limitResponse.type is Limited$/,
    ],
    ['that does nothing', limited({ limitResponse: { type: '' } }), /limitResponse.type: Required value$/],
    [
      'that does something else',
      limited({ limitResponse: { type: 'Drop' } }),
      /limitResponse.type: Unsupported value: "Drop": supported values: "Queue", "Reject"$/,
    ],
    [
      'of too many queues',
      queue({ queues: 10_000_001, handSize: 1 }),
      /queues: Invalid value: 10000001: must not be greater than 10000000$/,
    ],
    [
      'of too large a hand',
      queue({ queues: 4, handSize: 5 }),
      /handSize: Invalid value: 5: should not be greater than queues \(4\)$/,
    ],
    [
      'of a hand with too many bits',
      queue({ queues: 64, handSize: 15 }),
      /required entropy bits of deckSize 64 and handSize 15 should not be greater than 60$/,
    ],
    [
      'of negative queues',
      queue({ queues: -1, handSize: -1, queueLengthLimit: -1 }),
      /queueLengthLimit: .*must be positive$/,
      /queues: .*must be positive$/,
      /handSize: .*must be positive$/,
    ],
  ];
  for (const [is, spec, ...expected] of rows)
    test(is, async () => {
      const found = await problems('prioritylevelconfigurations', 'mine', spec);
      assert.equal(found.length, expected.length, found.join('\n'));
      for (const [index, pattern] of expected.entries()) assert.match(found[index] ?? '', pattern);
    });

  test('gets what its author left out', async () => {
    const { body } = await server.transport().request({
      method: 'POST',
      path: `${API}/prioritylevelconfigurations`,
      query: { dryRun: 'All' },
      body: { metadata: { name: 'x' }, spec: queue({}) },
    });
    // The server answers with the kind that was created.
    assert.deepEqual((body as PriorityLevelConfiguration).spec, {
      type: 'Limited',
      limited: {
        nominalConcurrencyShares: 30,
        lendablePercent: 0,
        limitResponse: { type: 'Queue', queuing: { queues: 64, handSize: 8, queueLengthLimit: 50 } },
      },
    });
  });
});

describe('the mandatory objects', () => {
  const change = async (path: string, spec: object) => {
    const answer = await server.transport().request({
      method: 'PATCH',
      path: `${API}/${path}`,
      query: { dryRun: 'All' },
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { spec },
    });
    return [answer.status, isStatus(answer.body) ? answer.body.message : ''] as const;
  };

  test('cannot be changed', async () => {
    const [status, message] = await change('flowschemas/catch-all', { matchingPrecedence: 9000 });
    assert.equal(status, 422);
    assert.match(message ?? '', /spec of 'catch-all' must equal the fixed value/);
    assert.equal(
      (await change('prioritylevelconfigurations/catch-all', { limited: { lendablePercent: 1 } }))[0],
      422,
    );
  });

  test('but for what exempt requests take from others', async () => {
    const [status] = await change('prioritylevelconfigurations/exempt', {
      exempt: { nominalConcurrencyShares: 5, lendablePercent: 50 },
    });
    assert.equal(status, 200);
  });
});

describe('the status', () => {
  test('has each type of condition once', async () => {
    const status = async (conditions: object[]) =>
      server.transport().request({
        method: 'PATCH',
        path: `${API}/flowschemas/probes/status`,
        query: { dryRun: 'All' },
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { status: { conditions } },
      });
    assert.equal((await status([{ type: 'A', status: 'True' }])).status, 200);
    assert.equal((await status([{ type: 'A' }, { type: 'A' }])).status, 422);
    assert.equal((await status([{ status: 'True' }])).status, 422);
  });
});
