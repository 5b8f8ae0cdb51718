import { DecodeError, decodeYamlDocuments, encodeYamlDocuments } from '@windlass/apimachinery';
import type { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { InvalidDefinitionError } from './errors.ts';
import { checkDefinition } from './generate/check-definition.ts';
import { isObject } from './generate/json.ts';

/** Definitions as a file of manifests. The same definitions always give the same text. */
export function definitionsYaml(definitions: readonly CustomResourceDefinition[]): string {
  return encodeYamlDocuments(definitions);
}

/** `example.com_foos.yaml`. */
export function definitionFileName({ spec }: CustomResourceDefinition): string {
  return `${spec.group}_${spec.names.plural}.yaml`;
}

/**
 * The definitions in a file of manifests, in YAML or JSON, also in lists. Whatever else is in it is left out.
 * @param source what messages call the text
 * @throws InvalidDefinitionError that names source, document and path
 */
export function parseDefinitions(text: string, source = 'the manifests'): CustomResourceDefinition[] {
  const documents = decode(text, source);
  return documents.flatMap((document, index) => {
    const place = { source, ...(documents.length > 1 && { document: index + 1 }) };
    if (!isObject(document) || !Array.isArray(document['items'])) return read(document, place);
    return document['items'].flatMap((item: unknown, at) => read(item, { ...place, path: `items[${at}]` }));
  });
}

function read(
  value: unknown,
  place: { readonly source: string; readonly document?: number; readonly path?: string },
): CustomResourceDefinition[] {
  if (!isObject(value) || value['kind'] !== 'CustomResourceDefinition') return [];
  // In a list, paths begin at the item.
  const { path, ...rest } = place;
  checkDefinition(value, path === undefined ? rest : { ...rest, source: `${rest.source}, ${path}` });
  return [value];
}

function decode(text: string, source: string): unknown[] {
  try {
    return decodeYamlDocuments(text).map(({ value }) => value);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new InvalidDefinitionError({ source }, `${error.message}; it must be YAML or JSON`, error);
  }
}
