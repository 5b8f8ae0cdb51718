import type { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { type DefinitionPlace, InvalidDefinitionError } from '../errors.ts';
import { checkStructure } from './check-structure.ts';
import { isObject, type Unknown } from './json.ts';

/**
 * Whether types can be made of it. An API server looks at much more; this is what the generator relies on.
 * @throws InvalidDefinitionError that says where it is wrong, and what to do
 */
export function checkDefinition(
  value: unknown,
  place: DefinitionPlace = { source: 'the definition' },
): asserts value is CustomResourceDefinition {
  const at = (path: string): DefinitionPlace => ({ ...place, path });
  if (!isObject(value) || value['kind'] !== 'CustomResourceDefinition')
    throw new InvalidDefinitionError(place, `it is ${whatIs(value)}, and no CustomResourceDefinition`);
  const apiVersion = value['apiVersion'];
  if (apiVersion !== 'apiextensions.k8s.io/v1')
    throw new InvalidDefinitionError(
      at('apiVersion'),
      `it is ${JSON.stringify(apiVersion)}, but only apiextensions.k8s.io/v1 is known; convert the definition, for example by reading it from a cluster of Kubernetes 1.16 to 1.21`,
    );
  const spec = objectAt(value, 'spec', at('spec'));
  textAt(spec, 'group', at('spec.group'));
  const names = objectAt(spec, 'names', at('spec.names'));
  textAt(names, 'kind', at('spec.names.kind'));
  textAt(names, 'plural', at('spec.names.plural'));
  const scope = textAt(spec, 'scope', at('spec.scope'));
  if (scope !== 'Namespaced' && scope !== 'Cluster')
    throw new InvalidDefinitionError(at('spec.scope'), `it is "${scope}"; write Namespaced or Cluster`);
  const { versions } = spec;
  if (!Array.isArray(versions) || versions.length === 0)
    throw new InvalidDefinitionError(at('spec.versions'), 'it has no versions; write at least one');
  for (const [index, version] of versions.entries()) {
    const path = `spec.versions[${index}]`;
    if (!isObject(version)) throw new InvalidDefinitionError(at(path), 'it must be an object');
    textAt(version, 'name', at(`${path}.name`));
    if (version['schema'] === undefined) continue;
    const schema = objectAt(version, 'schema', at(`${path}.schema`));
    if (schema['openAPIV3Schema'] === undefined) continue;
    checkStructure(schema['openAPIV3Schema'], { ...place, path: `${path}.schema.openAPIV3Schema` });
  }
}

function whatIs(value: unknown): string {
  if (!isObject(value)) return Array.isArray(value) ? 'a list' : JSON.stringify(value ?? null);
  return typeof value['kind'] === 'string' ? `of kind ${value['kind']}` : 'without a kind';
}

function objectAt(parent: Unknown, key: string, place: DefinitionPlace): Unknown {
  const value = parent[key];
  if (isObject(value)) return value;
  throw new InvalidDefinitionError(
    place,
    value === undefined ? 'it is missing' : `it must be an object, but it is ${JSON.stringify(value)}`,
  );
}

function textAt(parent: Unknown, key: string, place: DefinitionPlace): string {
  const value = parent[key];
  if (typeof value === 'string' && value !== '') return value;
  throw new InvalidDefinitionError(
    place,
    value === undefined ? 'it is missing' : `it must be a text, but it is ${JSON.stringify(value)}`,
  );
}
