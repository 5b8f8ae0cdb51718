// Roles and their bindings.
import { FieldPath, validateDns1123Subdomain } from '@windlass/apimachinery';
import type { Stored } from '../../resource/strategy.ts';
import { textAt, textsAt } from '../printers/columns.ts';
import { type Fields, objectAt, objectsAt } from '../values.ts';
import type { Findings } from './findings.ts';
import type { ValidationsByKind } from './kind-validation.ts';

const GROUP = 'rbac.authorization.k8s.io';
const RULES = FieldPath.of('rules');

export const accessValidations: ValidationsByKind = {
  [`${GROUP}/v1/Role`]: { create: (role, findings) => validateRules(role, true, findings) },
  [`${GROUP}/v1/ClusterRole`]: { create: validateClusterRole },
  [`${GROUP}/v1/RoleBinding`]: binding(true),
  [`${GROUP}/v1/ClusterRoleBinding`]: binding(false),
};

function validateClusterRole(role: Stored, findings: Findings): void {
  validateRules(role, false, findings);
  const aggregation = objectAt(role, 'aggregationRule');
  if (aggregation === undefined) return;
  const path = FieldPath.of('aggregationRule', 'clusterRoleSelectors');
  const selectors = objectsAt(aggregation, 'clusterRoleSelectors');
  if (selectors.length === 0)
    findings.required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil');
  for (const [index, selector] of selectors.entries()) {
    const before = findings.errors.length;
    findings.selector(path.index(index), selector);
    if (findings.errors.length > before) findings.invalid(path.index(index), null, 'invalid label selector.');
  }
}

function validateRules(role: Stored, isNamespaced: boolean, findings: Findings): void {
  for (const [index, rule] of objectsAt(role, 'rules').entries()) {
    const path = RULES.index(index);
    const has = (field: string): boolean => textsAt(rule, field).length > 0;
    if (!has('verbs')) findings.required(path.child('verbs'), 'verbs must contain at least one value');
    if (has('nonResourceURLs')) {
      const urls = textsAt(rule, 'nonResourceURLs');
      const at = path.child('nonResourceURLs');
      if (isNamespaced) findings.invalid(at, urls, 'namespaced rules cannot apply to non-resource URLs');
      if (has('apiGroups') || has('resources') || has('resourceNames'))
        findings.invalid(at, urls, 'rules cannot apply to both regular resources and non-resource URLs');
      continue;
    }
    if (!has('apiGroups'))
      findings.required(path.child('apiGroups'), 'resource rules must supply at least one api group');
    if (!has('resources'))
      findings.required(path.child('resources'), 'resource rules must supply at least one resource');
  }
}

function binding(isNamespaced: boolean): ValidationsByKind[string] {
  return {
    create: (object, findings) => validateBinding(object, isNamespaced, findings),
    update(object, old, findings) {
      validateBinding(object, isNamespaced, findings);
      const [now, before] = [objectAt(object, 'roleRef') ?? {}, objectAt(old, 'roleRef') ?? {}];
      if (['apiGroup', 'kind', 'name'].some((field) => textAt(now, field) !== textAt(before, field)))
        findings.invalid(FieldPath.of('roleRef'), now, 'cannot change roleRef');
    },
  };
}

function validateBinding(object: Stored, isNamespaced: boolean, findings: Findings): void {
  const role = objectAt(object, 'roleRef') ?? {};
  const path = FieldPath.of('roleRef');
  findings.oneOf(path.child('apiGroup'), textAt(role, 'apiGroup'), [GROUP]);
  findings.oneOf(
    path.child('kind'),
    textAt(role, 'kind'),
    isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'],
  );
  const name = textAt(role, 'name');
  if (name === '') findings.required(path.child('name'));
  else findings.pathSegment(path.child('name'), name);
  for (const [index, subject] of objectsAt(object, 'subjects').entries())
    validateSubject(subject, isNamespaced, FieldPath.of('subjects').index(index), findings);
}

function validateSubject(subject: Fields, isNamespaced: boolean, path: FieldPath, findings: Findings): void {
  const [kind, name, apiGroup] = ['kind', 'name', 'apiGroup'].map((field) => textAt(subject, field));
  if (name === '') findings.required(path.child('name'));
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '') findings.problems(path.child('name'), name, validateDns1123Subdomain(name ?? ''));
      if (apiGroup !== '') findings.notSupported(path.child('apiGroup'), apiGroup, ['']);
      if (!isNamespaced && textAt(subject, 'namespace') === '') findings.required(path.child('namespace'));
      break;
    case 'User':
    case 'Group':
      findings.oneOf(path.child('apiGroup'), apiGroup, [GROUP]);
      break;
    default:
      findings.notSupported(path.child('kind'), kind, ['ServiceAccount', 'User', 'Group']);
  }
}
