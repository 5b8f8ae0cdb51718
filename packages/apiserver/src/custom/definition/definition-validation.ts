import {
  type DeepReadonly,
  deepEqual,
  type FieldError,
  FieldPath,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  validateDns1035Label,
  validateDns1123Subdomain,
} from '@windlass/apimachinery';
import { appendAll } from '@windlass/base';
import { conversionRules } from './conversion-rules.ts';
import {
  type DefinitionNames,
  type DefinitionSpec,
  hasCondition,
  type StoredDefinition,
  schemaOf,
  storageVersionOf,
} from './definition-object.ts';
import type { RuleVisitor } from './schema-rules.ts';
import { deprecationRules, sharedParts, validateVersionParts } from './version-rules.ts';

const IMMUTABLE = 'field is immutable';
const APPROVAL = 'api-approved.kubernetes.io';

/** Everything about a definition but its metadata. */
export function validateDefinition(definition: StoredDefinition, onRules: RuleVisitor): FieldError[] {
  return [
    ...nameRules(definition),
    ...specRules(definition.spec, FieldPath.of('spec'), onRules),
    ...storedVersionRules(definition),
    ...approvalRules(definition, undefined),
    ...preserveRules(definition, undefined),
  ];
}

export function validateDefinitionUpdate(
  definition: StoredDefinition,
  old: StoredDefinition,
  onRules: RuleVisitor,
): FieldError[] {
  const path = FieldPath.of('spec');
  const { spec } = definition;
  const immutable = (value: unknown, was: unknown, ...names: [string, ...string[]]): FieldError[] =>
    deepEqual(value, was) ? [] : [fieldInvalid(path.child(...names), value, IMMUTABLE)];
  return [
    ...specRules(spec, path, onRules, unchangedVersions(spec, old.spec)),
    ...(hasCondition(old, 'Established')
      ? [
          ...immutable(spec.scope, old.spec.scope, 'scope'),
          ...immutable(spec.names.kind, old.spec.names.kind, 'names', 'kind'),
        ]
      : []),
    ...immutable(spec.group, old.spec.group, 'group'),
    ...immutable(spec.names.plural, old.spec.names.plural, 'names', 'plural'),
    ...storedVersionRules(definition),
    ...approvalRules(definition, old),
    ...preserveRules(definition, old),
  ];
}

function nameRules({ metadata, spec }: StoredDefinition): FieldError[] {
  const name = metadata?.name ?? '';
  if (name === '' || name === `${spec.names.plural}.${spec.group}`) return [];
  return [fieldInvalid(FieldPath.of('metadata', 'name'), name, 'must be spec.names.plural+"."+spec.group')];
}

/** The versions whose schema an update leaves as it was. */
function unchangedVersions(
  spec: DeepReadonly<DefinitionSpec>,
  old: DeepReadonly<DefinitionSpec>,
): ReadonlySet<string> {
  const same = spec.versions.filter(({ name, schema }) =>
    old.versions.some((before) => before.name === name && deepEqual(before.schema, schema)),
  );
  return new Set(same.map(({ name }) => name));
}

function specRules(
  spec: DeepReadonly<DefinitionSpec>,
  path: FieldPath,
  onRules: RuleVisitor,
  unchanged: ReadonlySet<string> = new Set(),
): FieldError[] {
  const errors: FieldError[] = [];
  const { group, scope, versions, names } = spec;
  const groupProblems = validateDns1123Subdomain(group);
  if (group === '') errors.push(fieldRequired(path.child('group')));
  else if (groupProblems.length > 0)
    errors.push(fieldInvalid(path.child('group'), group, groupProblems.join(',')));
  else if (!group.includes('.'))
    errors.push(fieldInvalid(path.child('group'), group, 'should be a domain with at least one dot'));
  if (scope === '') errors.push(fieldRequired(path.child('scope')));
  else if (scope !== 'Cluster' && scope !== 'Namespaced')
    errors.push(fieldNotSupported(path.child('scope'), scope, ['Cluster', 'Namespaced']));
  for (const [index, version] of versions.entries()) {
    if (version.schema?.openAPIV3Schema === undefined)
      errors.push(
        fieldRequired(path.child('versions').index(index).child('schema').child('openAPIV3Schema')),
      );
  }
  const { shared, own } = sharedParts(versions);
  for (const [index, version] of own.entries()) {
    const at = path.child('versions').index(index);
    const whole = versions[index] ?? version;
    const problems = validateDns1035Label(version.name);
    if (problems.length > 0) errors.push(fieldInvalid(at.child('name'), version.name, problems.join(',')));
    appendAll(errors, deprecationRules(version, at.child('deprecationWarning')));
    const hasStatus = whole.subresources?.status !== undefined;
    const isUnchanged = unchanged.has(version.name);
    const place = {
      path: at,
      schemaName: 'schema',
      hasStatus,
      schema: schemaOf(whole),
      isUnchanged,
    } as const;
    appendAll(errors, validateVersionParts(version, place, onRules));
  }
  const [first] = versions;
  const schema = first === undefined || shared.schema === undefined ? undefined : schemaOf(first);
  const hasStatus = versions.some(({ subresources }) => subresources?.status !== undefined);
  const isUnchanged = unchanged.has(first?.name ?? '');
  const place = { path, schemaName: 'validation', hasStatus, schema, isUnchanged } as const;
  appendAll(errors, validateVersionParts(shared, place, onRules));
  if (new Set(versions.map(({ name }) => name)).size < versions.length)
    errors.push(fieldInvalid(path.child('versions'), versions, 'must contain unique version names'));
  if (versions.filter(({ storage }) => storage).length !== 1) {
    const text = 'must have exactly one version marked as storage version';
    errors.push(fieldInvalid(path.child('versions'), versions, text));
  }
  for (const name of ['plural', 'singular', 'kind', 'listKind'] as const) {
    if ((names[name] ?? '') === '') errors.push(fieldRequired(path.child('names', name)));
  }
  appendAll(errors, namesRules(names, path.child('names')));
  appendAll(errors, conversionRules(spec.conversion, path.child('conversion')));
  return errors;
}

function namesRules(names: DeepReadonly<DefinitionNames>, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const check = (value: string | undefined, at: FieldPath, mayBeMixed = false): void => {
    if (value === undefined || value === '') return;
    const problems = validateDns1035Label(mayBeMixed ? value.toLowerCase() : value).join(',');
    const text = mayBeMixed ? `may have mixed case, but should otherwise match: ${problems}` : problems;
    if (problems !== '') errors.push(fieldInvalid(at, value, text));
  };
  check(names.plural, path.child('plural'));
  check(names.singular, path.child('singular'));
  check(names.kind, path.child('kind'), true);
  check(names.listKind, path.child('listKind'), true);
  for (const [index, name] of (names.shortNames ?? []).entries())
    check(name, path.child('shortNames').index(index));
  if (names.kind !== '' && names.kind === names.listKind)
    errors.push(
      fieldInvalid(path.child('listKind'), names.listKind, 'kind and listKind may not be the same'),
    );
  for (const [index, name] of (names.categories ?? []).entries())
    check(name, path.child('categories').index(index));
  return errors;
}

function storedVersionRules({ spec, status }: StoredDefinition): FieldError[] {
  const path = FieldPath.of('status', 'storedVersions');
  const stored = status?.storedVersions ?? [];
  if (stored.length === 0) return [fieldInvalid(path, null, 'must have at least one stored version')];
  const errors: FieldError[] = [];
  const storage = storageVersionOf(spec);
  if (storage !== '' && !stored.includes(storage))
    errors.push(fieldInvalid(path, stored, `must have the storage version ${storage}`));
  for (const [index, name] of stored.entries()) {
    if (spec.versions.some((version) => version.name === name)) continue;
    const text = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    errors.push(fieldInvalid(path.index(index), name, text));
  }
  return errors;
}

/** Groups of Kubernetes itself: whoever defines resources there says where that was approved. */
export function isProtectedGroup(group: string): boolean {
  return group === 'k8s.io' || group === 'kubernetes.io' || /\.(?:k8s|kubernetes)\.io$/.test(group);
}

export function approvalOf(definition: StoredDefinition): string | undefined {
  return definition.metadata?.annotations?.[APPROVAL];
}

function approvalRules(definition: StoredDefinition, old: StoredDefinition | undefined): FieldError[] {
  if (!isProtectedGroup(definition.spec.group)) return [];
  const approval = approvalOf(definition) ?? '';
  if (old !== undefined && (approvalOf(old) ?? '') === approval) return [];
  const path = FieldPath.of('metadata', 'annotations').key(APPROVAL);
  if (approval === '')
    return [
      fieldRequired(
        path,
        'protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
      ),
    ];
  if (approval.startsWith('unapproved') || /^https?:\/\/[^/\s]+/.test(approval)) return [];
  const text =
    'protected groups must have approval annotation "api-approved.kubernetes.io" with either a URL or a reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111';
  return [fieldInvalid(path, approval, text)];
}

function preserveRules({ spec }: StoredDefinition, old: StoredDefinition | undefined): FieldError[] {
  if (spec.preserveUnknownFields !== true || old?.spec.preserveUnknownFields === true) return [];
  const text =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [fieldInvalid(FieldPath.of('spec', 'preserveUnknownFields'), true, text)];
}
