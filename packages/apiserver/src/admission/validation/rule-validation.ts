import {
  type DeepReadonly,
  type FieldError,
  type FieldPath,
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  validateLabelSelector,
  validatePathSegmentName,
} from '@windlass/apimachinery';
import type { MatchResources } from '@windlass/apimachinery/api/admissionregistration/v1';
import { appendAll } from '@windlass/base';
import type { MatchRule } from '../matching/rule-match.ts';

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const SCOPES = ['*', 'Cluster', 'Namespaced'];
export const MATCH_POLICIES = ['Equivalent', 'Exact'];

type Texts = readonly string[];

/** What is wrong with the resources to which a policy or a binding applies. */
export function validateMatchResources(
  resources: DeepReadonly<MatchResources>,
  path: FieldPath,
): FieldError[] {
  const { matchPolicy, namespaceSelector, objectSelector, resourceRules, excludeResourceRules } = resources;
  const errors: FieldError[] = [];
  if (matchPolicy === undefined) errors.push(fieldRequired(path.child('matchPolicy')));
  else if (!MATCH_POLICIES.includes(matchPolicy))
    errors.push(fieldNotSupported(path.child('matchPolicy'), matchPolicy, MATCH_POLICIES));
  appendAll(errors, validateLabelSelector(namespaceSelector, path.child('namespaceSelector')));
  appendAll(errors, validateLabelSelector(objectSelector, path.child('objectSelector')));
  for (const [field, rules] of [
    ['resourceRules', resourceRules],
    ['excludeResourceRules', excludeResourceRules],
  ] as const)
    for (const [index, rule] of (rules ?? []).entries())
      appendAll(errors, validateRule(rule, path.child(field).index(index)));
  return errors;
}

/** What is wrong with a rule of a webhook or a policy. */
export function validateRule(rule: MatchRule, path: FieldPath): FieldError[] {
  const {
    resourceNames = [],
    operations = [],
    apiGroups = [],
    apiVersions = [],
    resources = [],
    scope,
  } = rule;
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, name] of resourceNames.entries()) {
    const at = path.child('resourceNames').index(index);
    appendAll(
      errors,
      validatePathSegmentName(name).map((problem) => fieldInvalid(at, name, problem)),
    );
    if (seen.has(name)) errors.push(fieldDuplicate(at, name));
    seen.add(name);
  }
  const alone = (field: string, values: Texts, what: string): void => {
    if (values.length === 0) errors.push(fieldRequired(path.child(field)));
    if (values.length > 1 && values.includes('*'))
      errors.push(
        fieldInvalid(path.child(field), values, `if '*' is present, must not specify other ${what}`),
      );
  };
  alone('operations', operations, 'operations');
  for (const [index, operation] of operations.entries())
    if (!OPERATIONS.includes(operation))
      errors.push(fieldNotSupported(path.child('operations').index(index), operation, OPERATIONS));
  alone('apiGroups', apiGroups, 'API groups');
  alone('apiVersions', apiVersions, 'API versions');
  for (const [index, version] of apiVersions.entries())
    if (version === '') errors.push(fieldRequired(path.child('apiVersions').index(index)));
  appendAll(errors, validateResources(resources, path.child('resources')));
  if (scope !== undefined && !SCOPES.includes(scope))
    errors.push(fieldNotSupported(path.child('scope'), scope, SCOPES));
  return errors;
}

function validateResources(resources: Texts, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (resources.length === 0) errors.push(fieldRequired(path));
  const wholes = new Set<string>();
  const parts = new Set<string>();
  let isLastPlain = false;
  for (const [index, text] of resources.entries()) {
    const at = path.index(index);
    if (text === '') {
      errors.push(fieldRequired(at));
      continue;
    }
    const slash = text.indexOf('/');
    if (slash === -1) {
      isLastPlain = text !== '*';
      continue;
    }
    const [resource, part] = [text.slice(0, slash), text.slice(slash + 1)];
    if (wholes.has(resource))
      errors.push(fieldInvalid(at, text, `if '${resource}/*' is present, must not specify ${text}`));
    if (parts.has(part))
      errors.push(fieldInvalid(at, text, `if '*/${part}' is present, must not specify ${text}`));
    if (part === '*') wholes.add(resource);
    if (resource === '*') parts.add(part);
  }
  if (resources.length > 1 && resources.includes('*/*'))
    errors.push(fieldInvalid(path, resources, "if '*/*' is present, must not specify other resources"));
  if (resources.includes('*') && isLastPlain)
    errors.push(
      fieldInvalid(
        path,
        resources,
        "if '*' is present, must not specify other resources without subresources",
      ),
    );
  return errors;
}
