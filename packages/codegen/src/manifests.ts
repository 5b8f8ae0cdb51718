import { decodeYamlDocuments, encodeYamlDocuments } from '@windlass/apimachinery';
import type { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { checkDefinition } from './resource-module.ts';

/** Definitions as a file of manifests. */
export function definitionsYaml(definitions: readonly CustomResourceDefinition[]): string {
  return encodeYamlDocuments(definitions);
}

/** The definitions in a file of manifests. Whatever else is in it is left out. */
export function parseDefinitions(text: string): CustomResourceDefinition[] {
  return decodeYamlDocuments(text)
    .map(({ value }) => value)
    .flatMap((value): unknown[] => (isList(value) ? value.items : [value]))
    .filter(
      (value) =>
        typeof value === 'object' &&
        value !== null &&
        'kind' in value &&
        value.kind === 'CustomResourceDefinition',
    )
    .map((value) => {
      checkDefinition(value);
      return value;
    });
}

function isList(value: unknown): value is { readonly items: unknown[] } {
  return typeof value === 'object' && value !== null && 'items' in value && Array.isArray(value.items);
}
