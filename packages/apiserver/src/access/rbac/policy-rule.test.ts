import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import type { AccessAttributes } from '../authorizer.ts';
import { describeRule, joinPieces, type PolicyRule, ruleAllows } from './policy-rule.ts';
import { uncovered } from './rule-coverage.ts';

const asked = (over: Partial<AccessAttributes>): AccessAttributes => ({
  user: { name: 'u', groups: [] },
  verb: 'get',
  isResourceRequest: true,
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'ns',
  name: 'x',
  path: '',
  ...over,
});

const rule = (over: Partial<PolicyRule>): PolicyRule => ({
  verbs: ['get'],
  apiGroups: [''],
  resources: ['pods'],
  ...over,
});

describe('a rule allows', () => {
  const rows: [string, PolicyRule, Partial<AccessAttributes>, boolean][] = [
    ['its own verb, group and resource', rule({}), {}, true],
    ['no other verb', rule({}), { verb: 'list' }, false],
    ['no other group', rule({}), { group: 'apps' }, false],
    ['no subresource of its resource', rule({}), { subresource: 'log' }, false],
    ['a subresource that it names', rule({ resources: ['pods/log'] }), { subresource: 'log' }, true],
    ['a subresource of every resource', rule({ resources: ['*/scale'] }), { subresource: 'scale' }, true],
    ['that subresource, not the resource', rule({ resources: ['*/scale'] }), {}, false],
    [
      'everything by stars',
      rule({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }),
      { subresource: 'log' },
      true,
    ],
    ['a name that it names', rule({ resourceNames: ['x'] }), {}, true],
    [
      'no create when it names names',
      rule({ verbs: ['create'], resourceNames: ['x'] }),
      { verb: 'create', name: '' },
      false,
    ],
    [
      'a path',
      { verbs: ['get'], nonResourceURLs: ['/healthz'] },
      { isResourceRequest: false, path: '/healthz' },
      true,
    ],
    [
      'paths below a star',
      { verbs: ['get'], nonResourceURLs: ['/api/*'] },
      { isResourceRequest: false, path: '/api/v1' },
      true,
    ],
    [
      'no path above the star',
      { verbs: ['get'], nonResourceURLs: ['/api/*'] },
      { isResourceRequest: false, path: '/api' },
      false,
    ],
    [
      'no path by a rule for resources',
      rule({ resources: ['*'] }),
      { isResourceRequest: false, path: '/x' },
      false,
    ],
  ];
  for (const [name, allowed, request, expected] of rows)
    test(name, () => assert.equal(ruleAllows(allowed, asked(request)), expected));
});

describe('what is not covered', () => {
  test('is shown by its pieces, those of one resource together', () => {
    const missing = uncovered([rule({})], [rule({ verbs: ['get', 'list', 'watch'] })]);
    assert.deepEqual(joinPieces(missing).map(describeRule), [
      '{APIGroups:[""], Resources:["pods"], Verbs:["list" "watch"]}',
    ]);
  });

  test('a rule for some names covers no rule for all', () => {
    assert.equal(uncovered([rule({ resourceNames: ['a'] })], [rule({})]).length, 1);
    assert.equal(uncovered([rule({})], [rule({ resourceNames: ['a'] })]).length, 0);
  });

  // Whoever may grant a rule may do everything that the rule allows.
  test('nothing is covered that is not allowed', () => {
    const words = (...values: string[]): fc.Arbitrary<string[]> =>
      fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 });
    const rules = fc.record({
      verbs: words('get', 'list', '*'),
      apiGroups: words('', 'apps', '*'),
      resources: words('pods', 'pods/log', '*/log', '*'),
      resourceNames: fc.uniqueArray(fc.constantFrom('a', 'b')),
    });
    const requests = fc.record({
      verb: fc.constantFrom('get', 'list'),
      group: fc.constantFrom('', 'apps'),
      resource: fc.constantFrom('pods', 'nodes'),
      subresource: fc.constantFrom('', 'log'),
      name: fc.constantFrom('a', 'b', ''),
    });
    fc.assert(
      fc.property(fc.array(rules, { maxLength: 3 }), rules, requests, (owned, wanted, request) => {
        fc.pre(uncovered(owned, [wanted]).length === 0 && ruleAllows(wanted, asked(request)));
        assert.ok(owned.some((own) => ruleAllows(own, asked(request))));
      }),
      { numRuns: 300 },
    );
  });
});

describe('rules without end', () => {
  const many = (count: number, prefix: string): string[] =>
    Array.from({ length: count }, (_, index) => `${prefix}${index}`);

  test('a rule of a billion pieces is refused as a whole, at once', () => {
    const wanted = {
      verbs: many(1000, 'v'),
      apiGroups: [''],
      resources: many(1000, 'r'),
      resourceNames: many(1000, 'n'),
    };
    const missing = uncovered([{ verbs: ['get'], apiGroups: [''], resources: ['r0'] }], [wanted]);
    assert.equal(missing.at(-1), wanted);
    assert.ok(missing.length < 20_000);
    assert.deepEqual(uncovered([{ ...wanted, resourceNames: [] }], [wanted]), []);
  });

  test('many rules are found among as many', () => {
    const rules = many(20_000, 'r').map((resource) => ({
      verbs: ['get'],
      apiGroups: [''],
      resources: [resource],
    }));
    assert.deepEqual(uncovered(rules, rules), []);
  });
});
