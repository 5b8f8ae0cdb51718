import { type DeepReadonly, deepEqual } from '@windlass/apimachinery';
import type {
  DefinitionCondition,
  DefinitionNames,
  StoredDefinition,
} from '../custom/definition/definition-object.ts';

export interface Naming {
  readonly acceptedNames: DefinitionNames;
  readonly condition: DefinitionCondition;
}

/**
 * Which of the names that a definition asks for it gets: those that no other of its group has. What it has
 * already it keeps.
 */
export function acceptNames(definition: StoredDefinition, others: Iterable<StoredDefinition>): Naming {
  const { spec, status } = definition;
  const wanted = spec.names;
  const has = status?.acceptedNames;
  const taken = namesTaken(definition, others);
  // Its fields are set anew below; what is in them is shared, and not changed.
  const accepted: DefinitionNames = { plural: '', kind: '', ...(has as DefinitionNames | undefined) };
  let condition: DefinitionCondition = {
    type: 'NamesAccepted',
    status: 'True',
    reason: 'NoConflicts',
    message: 'no conflicts found',
  };
  const conflict = (reason: string, message: string): void => {
    condition = { type: 'NamesAccepted', status: 'False', reason, message };
  };
  const settle = (field: 'plural' | 'singular' | 'kind' | 'listKind', used: ReadonlySet<string>): void => {
    const name = wanted[field] ?? '';
    if (name !== has?.[field] && used.has(name))
      conflict(`${field.charAt(0).toUpperCase()}${field.slice(1)}Conflict`, inUse(name));
    else accepted[field] = name;
  };
  settle('plural', taken.resources);
  settle('singular', taken.resources);
  const clashes = (wanted.shortNames ?? []).filter(
    (name) => !(has?.shortNames ?? []).includes(name) && taken.resources.has(name),
  );
  if (clashes.length > 0) {
    const texts = clashes.map(inUse);
    conflict('ShortNamesConflict', texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`);
  } else assignList(accepted, 'shortNames', wanted.shortNames);
  settle('kind', taken.kinds);
  settle('listKind', taken.kinds);
  assignList(accepted, 'categories', wanted.categories);
  return { acceptedNames: accepted, condition };
}

function assignList(
  names: DefinitionNames,
  field: 'shortNames' | 'categories',
  list: readonly string[] | undefined,
): void {
  if (list === undefined || list.length === 0) delete names[field];
  else names[field] = [...list];
}

function namesTaken(
  definition: StoredDefinition,
  others: Iterable<StoredDefinition>,
): { readonly resources: ReadonlySet<string>; readonly kinds: ReadonlySet<string> } {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const { spec, status, metadata } of others) {
    if (spec.group !== definition.spec.group || metadata?.name === definition.metadata?.name) continue;
    const names = status?.acceptedNames;
    if (names === undefined) continue;
    for (const name of [names.plural, names.singular, ...(names.shortNames ?? [])]) resources.add(name ?? '');
    for (const kind of [names.kind, names.listKind]) kinds.add(kind ?? '');
  }
  resources.delete('');
  kinds.delete('');
  return { resources, kinds };
}

function inUse(name: string): string {
  return `${JSON.stringify(name)} is already in use`;
}

export function hasAcceptedNames({ spec, status }: StoredDefinition): boolean {
  const trimmed = (names: DeepReadonly<DefinitionNames> | undefined): object =>
    Object.fromEntries(Object.entries(names ?? {}).filter(([, value]) => !isEmpty(value)));
  return deepEqual(trimmed(spec.names), trimmed(status?.acceptedNames));
}

function isEmpty(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0);
}
