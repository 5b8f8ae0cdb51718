import { apiVersionOf } from '@windlass/apimachinery';
import type { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { InvalidDeclarationError } from '../errors.ts';
import { isObject } from '../generate/json.ts';
import { customResourceDefinition } from './custom-resource-definition.ts';
import type { AnyDeclaredResource } from './define-resource.ts';

/**
 * The definitions that a module exports: those that it makes itself with `customResourceDefinition`, and one
 * for each declared kind that is in none of them. Sorted by name.
 * @param source what messages call the module
 */
export function definitionsIn(
  exports: Readonly<Record<string, unknown>>,
  source: string,
): CustomResourceDefinition[] {
  const values = Object.values(exports).flatMap((value): unknown[] =>
    Array.isArray(value) ? value : [value],
  );
  const definitions = new Map<string, CustomResourceDefinition>();
  for (const value of values)
    if (isDefinition(value)) definitions.set(`${value.spec.names.plural}.${value.spec.group}`, value);
  const kinds = Map.groupBy(values.filter(isDeclared), ({ group, plural }) => `${plural}.${group}`);
  for (const [name, versions] of kinds) {
    if (definitions.has(name)) continue;
    // The same declaration may be exported under two names.
    const [first, ...others] = [...new Set(versions)];
    if (first === undefined) continue;
    if (others.length > 0)
      throw new InvalidDeclarationError(
        `${source} exports ${[first, ...others].map((version) => `${apiVersionOf(version)} ${version.kind}`).join(', ')}; export customResourceDefinition(stored, …) of them too, the stored version first`,
      );
    definitions.set(name, customResourceDefinition(first));
  }
  return [...definitions.keys()].sort().flatMap((name) => definitions.get(name) ?? []);
}

/** By its shape, because it may have been made by another copy of this package. */
function isDeclared(value: unknown): value is AnyDeclaredResource {
  return (
    isObject(value) &&
    typeof value['group'] === 'string' &&
    typeof value['plural'] === 'string' &&
    isObject(value['crdVersion']) &&
    isObject(value['names'])
  );
}

function isDefinition(value: unknown): value is CustomResourceDefinition {
  return isObject(value) && value['kind'] === 'CustomResourceDefinition' && isObject(value['spec']);
}
