import {
  apiVersionOf,
  emptyObject,
  excludeFields,
  type FieldFilter,
  FieldManager,
  parseFieldsV1,
  type Schema,
  TypeCompiler,
} from '@windlass/apimachinery';
import type { Clock } from '@windlass/base';
import type { ResourceDefinition } from '../resource/definition.ts';

/** One field manager for each resource and each of its subresources, made when first needed. */
export function createFieldManagers(
  clock: Clock,
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
      manager = createFieldManager(definition, subresource, types, clock);
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
    clock,
  });
}

/** What an endpoint does not persist, nobody owns through it: the status, or all but the status. */
function resetFilter(definition: ResourceDefinition, subresource: string): FieldFilter {
  const reset: Record<string, object> = {};
  const paths =
    definition.strategy.resetFields?.[subresource] ??
    (definition.subresources.has('status') ? defaultReset(subresource) : []);
  for (const path of paths) {
    let at = reset;
    for (const segment of path.split('.')) {
      const next = (at[`f:${segment}`] ?? {}) as Record<string, object>;
      at[`f:${segment}`] = next;
      at = next;
    }
  }
  return excludeFields(parseFieldsV1(reset));
}

function defaultReset(subresource: string): readonly string[] {
  if (subresource === '') return ['status'];
  return subresource === 'status' ? ['spec'] : [];
}
