import { type FieldPath, validateDns1123Label } from '@windlass/apimachinery';
import type { NonResourcePolicyRule, ResourcePolicyRule } from '@windlass/apimachinery/api/flowcontrol/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';

const VERBS = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'proxy',
  'update',
  'watch',
] as const;

type List = readonly string[] | null | undefined;

export function validateResourceRule(
  rule: View<ResourcePolicyRule>,
  path: FieldPath,
  findings: Findings,
): void {
  validateVerbs(rule.verbs, path.child('verbs'), findings);
  validateList(rule.apiGroups, path.child('apiGroups'), findings, {
    missing: 'resource rules must supply at least one api group',
    others: 'api groups',
  });
  validateList(rule.resources, path.child('resources'), findings, {
    missing: 'resource rules must supply at least one resource',
    others: 'resources',
  });
  const namespaces = rule.namespaces ?? [];
  const namespacesPath = path.child('namespaces');
  if (namespaces.length === 0 && rule.clusterScope !== true)
    findings.required(
      namespacesPath,
      'resource rules that are not cluster scoped must supply at least one namespace',
    );
  else if (namespaces.includes('*')) onlyStar(namespaces, namespacesPath, findings, 'namespaces');
  else
    for (const [index, namespace] of namespaces.entries())
      for (const problem of validateDns1123Label(namespace))
        findings.invalid(
          namespacesPath.index(index),
          namespace,
          `each member of this list must be '*' or a DNS-1123 label; ${problem}`,
        );
}

export function validateNonResourceRule(
  rule: View<NonResourcePolicyRule>,
  path: FieldPath,
  findings: Findings,
): void {
  validateVerbs(rule.verbs, path.child('verbs'), findings);
  const urls = rule.nonResourceURLs ?? [];
  const urlsPath = path.child('nonResourceURLs');
  if (urls.length === 0) findings.required(urlsPath, 'nonResourceURLs must contain at least one value');
  else if (urls.includes('*')) onlyStar(urls, urlsPath, findings, 'non-resource URLs');
  else
    for (const [index, url] of urls.entries()) {
      const problem = pathProblem(url);
      if (problem !== undefined) findings.invalid(urlsPath.index(index), url, problem);
    }
}

function validateVerbs(given: List, path: FieldPath, findings: Findings): void {
  const verbs = given ?? [];
  if (verbs.length === 0) findings.required(path, 'verbs must contain at least one value');
  else if (verbs.includes('*')) onlyStar(verbs, path, findings, 'verbs');
  else if (!verbs.every((verb) => VERBS.some((known) => known === verb)))
    findings.notSupported(path, verbs, VERBS);
}

function validateList(
  given: List,
  path: FieldPath,
  findings: Findings,
  { missing, others }: { readonly missing: string; readonly others: string },
): void {
  const values = given ?? [];
  if (values.length === 0) findings.required(path, missing);
  else if (values.includes('*')) onlyStar(values, path, findings, others);
}

function onlyStar(values: readonly string[], path: FieldPath, findings: Findings, others: string): void {
  if (values.length > 1)
    findings.invalid(path, values, `if '*' is present, must not specify other ${others}`);
}

function pathProblem(path: string): string | undefined {
  if (path === '') return 'must not be empty';
  if (path === '/') return undefined;
  if (!path.startsWith('/')) return 'must start with slash';
  if (path.includes(' ')) return 'must not contain white-space';
  if (path.includes('//')) return 'must not contain double slash';
  const stars = path.split('*').length - 1;
  return stars > 1 || (stars === 1 && !path.endsWith('/*'))
    ? 'wildcard can only do suffix matching'
    : undefined;
}
