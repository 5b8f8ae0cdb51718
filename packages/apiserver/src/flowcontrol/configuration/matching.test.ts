import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PolicyRulesWithSubjects, Subject } from '@windlass/apimachinery/api/flowcontrol/v1';
import type { UserInfo } from '../../access/user.ts';
import { requestInfoOf } from '../../request/request-info.ts';
import { matcherOf } from './matching.ts';

const ALICE: UserInfo = { name: 'alice', groups: ['devs', 'system:authenticated'] };
const ANYTHING = {
  resourceRules: [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true },
  ],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};
const ANYBODY: Subject[] = [{ kind: 'User', user: { name: '*' } }];

function matches(rules: PolicyRulesWithSubjects[], asked: string, user: UserInfo = ALICE): boolean {
  const [method = '', url = ''] = asked.split(' ');
  const [path = '', search = ''] = url.split('?');
  const query = Object.fromEntries(new URLSearchParams(search));
  // The rows have methods only.
  const info = requestInfoOf({ method: method as 'GET', path, query });
  return matcherOf({ spec: { priorityLevelConfiguration: { name: 'x' }, rules } })(info, user);
}

describe('subjects', () => {
  const account: UserInfo = { name: 'system:serviceaccount:kube-system:job', groups: [] };
  const rows: readonly [Subject, UserInfo, boolean][] = [
    [{ kind: 'User', user: { name: 'alice' } }, ALICE, true],
    [{ kind: 'User', user: { name: 'bob' } }, ALICE, false],
    [{ kind: 'User', user: { name: '*' } }, ALICE, true],
    [{ kind: 'User' }, ALICE, false],
    [{ kind: 'Group', group: { name: 'devs' } }, ALICE, true],
    [{ kind: 'Group', group: { name: 'ops' } }, ALICE, false],
    [{ kind: 'Group', group: { name: '*' } }, { name: 'x', groups: [] }, true],
    [{ kind: 'Group' }, ALICE, false],
    [{ kind: 'ServiceAccount', serviceAccount: { namespace: 'kube-system', name: 'job' } }, account, true],
    [{ kind: 'ServiceAccount', serviceAccount: { namespace: 'kube-system', name: 'other' } }, account, false],
    [{ kind: 'ServiceAccount', serviceAccount: { namespace: 'kube-system', name: '*' } }, account, true],
    [{ kind: 'ServiceAccount', serviceAccount: { namespace: 'kube', name: '*' } }, account, false],
    [{ kind: 'ServiceAccount', serviceAccount: { namespace: 'kube-system', name: '*' } }, ALICE, false],
    [{ kind: 'ServiceAccount' }, account, false],
    [{ kind: 'Robot' }, ALICE, false],
  ];
  for (const [subject, user, isMatch] of rows)
    test(`${JSON.stringify(subject)} ${isMatch ? 'is' : 'is not'} ${user.name}`, () => {
      assert.equal(matches([{ subjects: [subject], ...ANYTHING }], 'GET /api/v1/pods', user), isMatch);
    });

  test('one of several is enough, none is not', () => {
    const subjects: Subject[] = [{ kind: 'User', user: { name: 'bob' } }, ...ANYBODY];
    assert.equal(matches([{ subjects, ...ANYTHING }], 'GET /api/v1/pods'), true);
    assert.equal(matches([{ subjects: [], ...ANYTHING }], 'GET /api/v1/pods'), false);
    assert.equal(matches([], 'GET /api/v1/pods'), false);
  });
});

describe('rules for resources', () => {
  const rule = { verbs: ['get', 'list'], apiGroups: ['', 'apps'], resources: ['pods', 'deployments/scale'] };
  const rows: readonly [string, object, boolean][] = [
    ['GET /api/v1/namespaces/a/pods/x', { namespaces: ['a'] }, true],
    ['GET /api/v1/namespaces/a/pods', { namespaces: ['a'] }, true],
    ['GET /api/v1/namespaces/a/pods?watch=true', { namespaces: ['a'] }, false],
    ['DELETE /api/v1/namespaces/a/pods/x', { namespaces: ['a'] }, false],
    ['GET /api/v1/namespaces/b/pods/x', { namespaces: ['a'] }, false],
    ['GET /api/v1/namespaces/b/pods/x', { namespaces: ['*'] }, true],
    ['GET /api/v1/namespaces/b/pods/x', { namespaces: ['a', '*'] }, false],
    ['GET /api/v1/namespaces/b/pods/x', { clusterScope: true }, false],
    ['GET /api/v1/pods', { namespaces: ['*'] }, false],
    ['GET /api/v1/pods', { clusterScope: true }, true],
    ['GET /api/v1/namespaces/a/pods/x/status', { namespaces: ['a'] }, false],
    ['GET /apis/apps/v1/namespaces/a/deployments/x/scale', { namespaces: ['a'] }, true],
    ['GET /apis/apps/v1/namespaces/a/deployments/x', { namespaces: ['a'] }, false],
    ['GET /apis/batch/v1/namespaces/a/pods/x', { namespaces: ['a'] }, false],
    ['GET /version', { namespaces: ['*'], clusterScope: true }, false],
  ];
  for (const [asked, scope, isMatch] of rows)
    test(`${asked} ${isMatch ? 'is' : 'is not'} in ${JSON.stringify(scope)}`, () => {
      const resourceRules = [{ ...rule, ...scope }];
      assert.equal(matches([{ subjects: ANYBODY, resourceRules }], asked), isMatch);
    });

  test('a namespace is in itself', () => {
    const of = (scope: object) => [
      { subjects: ANYBODY, resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], ...scope }] },
    ];
    assert.equal(matches(of({ namespaces: ['a'] }), 'GET /api/v1/namespaces/a'), true);
    assert.equal(matches(of({ clusterScope: true }), 'GET /api/v1/namespaces/a'), false);
    assert.equal(matches(of({ clusterScope: true }), 'GET /api/v1/namespaces'), true);
  });
});

describe('rules for other paths', () => {
  const rows: readonly [string, string[], string[], boolean][] = [
    ['GET /healthz', ['get'], ['/healthz'], true],
    ['GET /healthz/ping', ['get'], ['/healthz'], true],
    ['GET /healthzz', ['get'], ['/healthz'], false],
    ['GET /healthz', ['post'], ['/healthz'], false],
    ['GET /apis/apps', ['*'], ['/apis/*'], true],
    ['GET /apis', ['*'], ['/apis/*'], false],
    ['GET /version', ['*'], ['*'], true],
    ['GET /api/v1/pods', ['*'], ['*'], false],
  ];
  for (const [asked, verbs, nonResourceURLs, isMatch] of rows)
    test(`${asked} ${isMatch ? 'is' : 'is not'} one of ${verbs.join()} ${nonResourceURLs.join()}`, () => {
      const nonResourceRules = [{ verbs, nonResourceURLs }];
      assert.equal(matches([{ subjects: ANYBODY, nonResourceRules }], asked), isMatch);
    });
});
