import { readTable } from '../registry-tables.ts';
import type { GroupVersionKind, Schema, SchemaSource } from './schema.ts';

/** The definitions of every built-in kind, by their OpenAPI name and by kind. */
export interface BuiltinSchemas extends SchemaSource {
  /** Sorted. */
  readonly names: readonly string[];
  /** `io.k8s.api.apps.v1.Deployment`; undefined when the kind is not built in. */
  nameOf(kind: GroupVersionKind): string | undefined;
}

let loaded: BuiltinSchemas | undefined;

/** Read from disk at the first call. The schemas are shared: nobody may change them. */
export function builtinSchemas(): BuiltinSchemas {
  loaded ??= load();
  return loaded;
}

/** The schema of a built-in kind, its references to be looked up in `builtinSchemas()`. */
export function schemaFor(kind: GroupVersionKind): Schema | undefined {
  const schemas = builtinSchemas();
  const name = schemas.nameOf(kind);
  return name === undefined ? undefined : schemas.definition(name);
}

function load(): BuiltinSchemas {
  // The generator wrote the table; the tests hold its keys and references.
  const definitions = new Map(Object.entries(readTable('schemas') as { [name: string]: Schema }));
  const byKind = new Map<string, string>();
  for (const [name, schema] of definitions)
    for (const kind of schema['x-kubernetes-group-version-kind'] ?? []) byKind.set(keyOf(kind), name);
  return {
    names: [...definitions.keys()],
    definition: (name) => definitions.get(name),
    nameOf: (kind) => byKind.get(keyOf(kind)),
  };
}

const keyOf = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version}/${kind}`;
