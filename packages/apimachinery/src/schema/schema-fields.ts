import { anyFields, type KnownFields } from '../json/strict-fields.ts';
import type { Schema, SchemaSource } from './schema.ts';

/** What every object that is embedded in another has, whatever its schema says. */
const EMBEDDED: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * The fields that a schema knows. Where it says nothing about an object's fields, or that unknown ones
 * are kept, all are known; where fields are kept beside known ones, the known ones are still looked into.
 */
export function schemaFields(schema: Schema, source: SchemaSource): KnownFields {
  return new SchemaFields(schema, source, new Map());
}

class SchemaFields implements KnownFields {
  readonly #parts: readonly Schema[];
  readonly #source: SchemaSource;
  /** Shared by all of one tree, because definitions refer to themselves. */
  readonly #cache: Map<Schema, KnownFields>;

  constructor(schema: Schema, source: SchemaSource, cache: Map<Schema, KnownFields>) {
    cache.set(schema, this);
    this.#parts = partsOf(schema, source);
    this.#source = source;
    this.#cache = cache;
  }

  field(name: string): KnownFields | undefined {
    for (const part of this.#parts) {
      const property = part.properties !== undefined && Object.hasOwn(part.properties, name);
      const below = property ? part.properties?.[name] : undefined;
      if (below !== undefined) return this.#below(below);
    }
    for (const { additionalProperties } of this.#parts)
      if (typeof additionalProperties === 'object') return this.#below(additionalProperties);
    return this.#keepsUnknown(name) ? anyFields : undefined;
  }

  get items(): KnownFields {
    const items = this.#parts.find((part) => part.items !== undefined)?.items;
    return items === undefined ? anyFields : this.#below(items);
  }

  #keepsUnknown(name: string): boolean {
    const says = (test: (part: Schema) => boolean): boolean => this.#parts.some(test);
    if (says((part) => part['x-kubernetes-preserve-unknown-fields'] === true)) return true;
    if (says((part) => part.additionalProperties === true)) return true;
    if (says((part) => part['x-kubernetes-embedded-resource'] === true) && EMBEDDED.has(name)) return true;
    return !says((part) => part.properties !== undefined);
  }

  #below(schema: Schema): KnownFields {
    return this.#cache.get(schema) ?? new SchemaFields(schema, this.#source, this.#cache);
  }
}

/** The schema, and all that it takes in whole: references, and `allOf` around them. */
function partsOf(schema: Schema, source: SchemaSource): Schema[] {
  const parts = [schema];
  for (const part of parts) {
    const referred = part.$ref === undefined ? undefined : source.definition(part.$ref);
    for (const next of [referred, ...(part.allOf ?? [])])
      if (next !== undefined && !parts.includes(next)) parts.push(next);
  }
  return parts;
}
