import {
  apiVersionOf,
  emptyObject,
  excludeFields,
  type FieldFilter,
  FieldManager,
  type FieldManagerVersions,
  parseFieldsV1,
  type Schema,
  TypeCompiler,
} from '@windlass/apimachinery';
import type { Clock } from '@windlass/base';
import type { Catalog } from '../resource/catalog.ts';
import type { ResourceDefinition } from '../resource/definition.ts';
import { fromStorage, toStorage } from '../resource/target.ts';

/** One field manager for each resource and each of its subresources, made when first needed. */
export function createFieldManagers(
  clock: Clock,
  catalog: Catalog,
): (definition: ResourceDefinition, subresource: string) => FieldManager {
  const managers = new WeakMap<ResourceDefinition, Map<string, FieldManager>>();
  const compilers = new WeakMap<object, TypeCompiler>();
  return (definition, subresource) => {
    let ofDefinition = managers.get(definition);
    if (ofDefinition === undefined) {
      ofDefinition = new Map();
      managers.set(definition, ofDefinition);
    }
    let manager = ofDefinition.get(subresource);
    if (manager === undefined) {
      let types = compilers.get(definition.schemas);
      if (types === undefined) {
        types = new TypeCompiler(definition.schemas);
        compilers.set(definition.schemas, types);
      }
      manager = createFieldManager(definition, subresource, types, clock, catalog);
      ofDefinition.set(subresource, manager);
    }
    return manager;
  };
}

function createFieldManager(
  definition: ResourceDefinition,
  subresource: string,
  types: TypeCompiler,
  clock: Clock,
  catalog: Catalog,
): FieldManager {
  const { group, version, kind } = definition;
  const schema: Schema = definition.schema;
  return new FieldManager({
    types,
    kind: { group, version, kind },
    schema,
    subresource,
    ...(!definition.isCustom && { empty: emptyObject({ group, version, kind }) }),
    filters: new Map([[apiVersionOf(definition), resetFilter(definition, subresource)]]),
    versions: versionsOf(definition, catalog),
    clock,
  });
}

/** The same objects in the other versions that are served now. */
function versionsOf(definition: ResourceDefinition, catalog: Catalog): FieldManagerVersions {
  const { kind, storage } = definition;
  const find = (apiVersion: string): ResourceDefinition | undefined => {
    for (const other of catalog.all()) {
      const isSame = other.storage.group === storage.group && other.storage.plural === storage.plural;
      if (isSame && other.kind === kind && apiVersionOf(other) === apiVersion) return other;
    }
    return undefined;
  };
  return {
    schemaOf: (apiVersion) => find(apiVersion)?.schema,
    convert(object, apiVersion) {
      const other = find(apiVersion);
      if (other === undefined) return undefined;
      const stored = toStorage(definition, structuredClone(object));
      if (stored instanceof Promise) return askedElsewhere(stored);
      const converted = fromStorage(other, { object: stored });
      // What is served is JSON.
      return converted instanceof Promise ? askedElsewhere(converted) : (converted as JsonObject);
    },
  };
}

type JsonObject = NonNullable<ReturnType<FieldManagerVersions['convert']>>;

/** A webhook cannot be waited for here; owners in its versions are left out, as if they were no longer served. */
function askedElsewhere(answer: Promise<unknown>): undefined {
  answer.catch(() => {});
  return undefined;
}

/** Fields within fields. */
interface FieldTree {
  [segment: string]: FieldTree;
}

/** What an endpoint does not persist, nobody owns through it: the status, or all but the status. */
function resetFilter(definition: ResourceDefinition, subresource: string): FieldFilter {
  const reset: FieldTree = {};
  const paths =
    definition.strategy.resetFields?.[subresource] ??
    (definition.subresources.has('status') ? defaultReset(subresource) : []);
  for (const path of paths) {
    let at = reset;
    for (const segment of path.split('.')) {
      at = at[`f:${segment}`] ??= {};
    }
  }
  return excludeFields(parseFieldsV1(reset));
}

function defaultReset(subresource: string): readonly string[] {
  if (subresource === '') return ['status'];
  return subresource === 'status' ? ['spec'] : [];
}
