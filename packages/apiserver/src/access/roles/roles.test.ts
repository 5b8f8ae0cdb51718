// Every rule of the default roles speaks of something that there is: a word that is misspelt or missing allows nothing,
// and nobody would notice until a controller is refused.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtinResources } from '@windlass/apimachinery';
import type { PolicyRule } from '../rbac/policy-rule.ts';
import { COMPONENT_ROLES } from './component-roles.ts';
import { CONTROLLER_ROLES } from './controller-roles.ts';
import { NAMESPACE_ROLES } from './namespace-roles.ts';
import { AGGREGATED_RULES } from './user-roles.ts';

const VERBS = new Set(
  '* approve attest bind create delete deletecollection escalate get impersonate list patch proxy sign update use watch'.split(
    ' ',
  ),
);
const known = new Map<string, Set<string>>();
for (const { group, plural } of builtinResources().resources) {
  const ofGroup = known.get(group) ?? new Set();
  known.set(group, ofGroup.add(plural));
}

/** What is wrong with a rule. */
function problemsOf({ verbs, apiGroups = [], resources = [], nonResourceURLs }: PolicyRule): string[] {
  const problems = verbs.filter((verb) => !VERBS.has(verb)).map((verb) => `there is no verb "${verb}"`);
  if (verbs.length === 0) problems.push('it allows no verb');
  if (nonResourceURLs !== undefined)
    return [...problems, ...nonResourceURLs.filter((path) => !/^(?:\/|\*$)/.test(path))];
  if (apiGroups.length === 0 || resources.length === 0) problems.push('it is about nothing');
  for (const group of apiGroups) if (!isGroup(group)) problems.push(`there is no group "${group}"`);
  for (const resource of resources)
    if (!apiGroups.some((group) => isResource(group, resource)))
      problems.push(`there is no resource "${resource}" in ${apiGroups.join(', ')}`);
  return problems;
}

function isGroup(group: string): boolean {
  return group === '*' || known.has(group) || ELSEWHERE.has(group);
}

function isResource(group: string, resource: string): boolean {
  const [plural = ''] = resource.split('/');
  if (plural === '') return false;
  return (
    resource.startsWith('*') ||
    ELSEWHERE.has(group) ||
    known.get(group)?.has(plural) === true ||
    VIRTUAL.has(plural)
  );
}

/** Groups that others serve, or that servers served once. */
const ELSEWHERE = new Set([
  '*',
  'extensions',
  'metrics.k8s.io',
  'custom.metrics.k8s.io',
  'external.metrics.k8s.io',
]);
/** Resources that are spoken of and not served. */
const VIRTUAL = new Set(['signers']);

const roles: Record<string, readonly PolicyRule[]> = {
  ...COMPONENT_ROLES,
  ...CONTROLLER_ROLES,
  ...AGGREGATED_RULES,
};
for (const [namespace, ofNamespace] of Object.entries(NAMESPACE_ROLES))
  for (const [name, rules] of Object.entries(ofNamespace)) roles[`${namespace}/${name}`] = rules;

describe('a default role', () => {
  for (const [name, rules] of Object.entries(roles))
    it(`allows what there is: ${name}`, () => assert.deepEqual(rules.flatMap(problemsOf), []));
});
