import type { Schema, SchemaSource } from '../../schema/schema.ts';
import { failed } from './errors.ts';

/** How one field merges. */
export interface PatchField {
  /** Of the object, or of the list's elements. */
  readonly schema: PatchSchema;
  /** `merge`, `replace`, or nothing: objects then merge, lists are replaced. */
  readonly strategy: string;
  /** Whether a made patch lists the keys to keep, because the object is a union. */
  readonly retainKeys: boolean;
  /** Empty for a list of scalars. */
  readonly mergeKey: string;
}

/** What a strategic merge must know of a type. */
export class PatchSchema {
  readonly #schema: Schema;
  readonly #source: SchemaSource;
  readonly #name: string;

  constructor(schema: Schema, source: SchemaSource) {
    const [resolved, name] = resolve(schema, source);
    this.#schema = resolved;
    this.#source = source;
    this.#name = name;
  }

  /** `struct` or `map`: the word of the API server's messages. */
  get kind(): string {
    return this.#schema.properties === undefined && this.#schema.additionalProperties !== undefined
      ? 'map'
      : 'struct';
  }

  /** A field that holds an object. */
  object(key: string): PatchField {
    const property = this.#property(key);
    return fieldOf(property, new PatchSchema(property, this.#source));
  }

  /** A field that holds a list. */
  list(key: string): PatchField {
    const property = this.#property(key);
    const [list] = resolve(property, this.#source);
    if (list.type !== 'array' || list.items === undefined)
      throw failed(`expected slice or array type, but got: ${this.kind}`);
    const elements = new PatchSchema(list.items, this.#source);
    if (elements.#schema.type === 'array') throw failed('unexpected slice of slice');
    return fieldOf(property, elements);
  }

  #property(key: string): Schema {
    if (this.kind === 'map')
      throw failed('merging an object in json but data type is not struct, instead is: map');
    const { properties } = this.#schema;
    const property = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (property === undefined)
      throw failed(
        `unable to find api field in struct ${this.#name} for the json field ${JSON.stringify(key)}`,
      );
    return property;
  }
}

function fieldOf(property: Schema, schema: PatchSchema): PatchField {
  const strategies = (property['x-kubernetes-patch-strategy'] ?? '').split(',');
  const others = strategies.filter((strategy) => strategy !== 'retainKeys');
  if (others.length > 1) throw failed(`unexpected patch strategy: [${strategies.join(' ')}]`);
  return {
    schema,
    strategy: others[0] ?? '',
    retainKeys: others.length < strategies.length,
    mergeKey: property['x-kubernetes-patch-merge-key'] ?? '',
  };
}

/** Follows references; a reference may stand alone, or alone in an `allOf`. With the type's short name. */
function resolve(schema: Schema, source: SchemaSource): [schema: Schema, name: string] {
  let current = schema;
  let name = '';
  for (;;) {
    const reference = current.$ref ?? current.allOf?.[0]?.$ref;
    if (reference === undefined) return [current, name];
    name = reference.slice(reference.lastIndexOf('.') + 1);
    const definition = source.definition(reference);
    if (definition === undefined) throw failed(`unable to resolve ${reference}`);
    current = definition;
  }
}
