import type { Schema, SchemaSource } from '@windlass/apimachinery';

const PREFIX = '#/components/schemas/';

/** Collects the schemas that a document refers to, each in OpenAPI's own form. */
export class Components {
  readonly #source: SchemaSource;
  readonly #schemas = new Map<string, unknown>();

  constructor(source: SchemaSource) {
    this.#source = source;
  }

  /** A reference to a named schema, which is then part of the document with all that it refers to. */
  refer(name: string): object {
    this.#add(name);
    return { $ref: PREFIX + name };
  }

  /** A schema that has no name in the source. */
  define(name: string, schema: Schema, extra: object = {}): object {
    this.#schemas.set(name, { ...(this.convert(schema) as object), ...extra });
    return { $ref: PREFIX + name };
  }

  toJson(): Record<string, unknown> {
    return Object.fromEntries([...this.#schemas].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  convert(schema: Schema): unknown {
    if (schema.$ref !== undefined) {
      const { $ref, ...siblings } = schema;
      const reference = this.refer($ref);
      // A reference may have nothing beside it, so what stands beside it wraps it.
      return Object.keys(siblings).length === 0 ? reference : { allOf: [reference], ...siblings };
    }
    const converted: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(schema)) converted[key] = this.#convertPart(key, value);
    return converted;
  }

  #convertPart(key: string, value: unknown): unknown {
    switch (key) {
      case 'properties':
        return Object.fromEntries(
          Object.entries(value as Record<string, Schema>).map(([name, schema]) => [
            name,
            this.convert(schema),
          ]),
        );
      case 'items':
      case 'not':
        return this.convert(value as Schema);
      case 'additionalProperties':
        return typeof value === 'boolean' ? value : this.convert(value as Schema);
      case 'allOf':
      case 'anyOf':
      case 'oneOf':
        return (value as readonly Schema[]).map((schema) => this.convert(schema));
      default:
        return value;
    }
  }

  #add(name: string): void {
    if (this.#schemas.has(name)) return;
    const schema = this.#source.definition(name);
    // Before its own references: some of them lead back here.
    this.#schemas.set(name, {});
    if (schema !== undefined) this.#schemas.set(name, this.convert(schema));
  }
}
