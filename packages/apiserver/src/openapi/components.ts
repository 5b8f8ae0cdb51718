import {
  builtinDescriptions,
  builtinSchemas,
  type GroupVersionKind,
  type Schema,
} from '@windlass/apimachinery';

const PREFIX = '#/components/schemas/';
const KINDS = 'x-kubernetes-group-version-kind';

/**
 * Collects the schemas that a document refers to, each in OpenAPI's own form: references are paths, what stands
 * beside them wraps them, and everything has its description.
 */
export class Components {
  readonly #isOwn: (kind: GroupVersionKind) => boolean;
  readonly #schemas = new Map<string, object>();

  /** @param isOwn whether the document is about the kind's group version: kinds that all share are named for it alone */
  constructor(isOwn: (kind: GroupVersionKind) => boolean) {
    this.#isOwn = isOwn;
  }

  /** A reference to a built-in schema, which is then part of the document with all that it refers to. */
  refer(name: string): { readonly $ref: string } {
    this.#add(name);
    return { $ref: PREFIX + name };
  }

  /** A schema that is not built in; its references are to built-in ones, or to others that are defined here. */
  define(name: string, schema: Schema): void {
    this.#schemas.set(name, {});
    this.#schemas.set(name, this.convert(schema));
  }

  toJson(): Record<string, object> {
    return Object.fromEntries([...this.#schemas].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  convert(schema: Schema): object {
    if (schema.$ref !== undefined) {
      const { $ref, ...siblings } = schema;
      const reference = this.refer($ref);
      // A reference may have nothing beside it, so what stands beside it wraps it.
      return Object.keys(siblings).length === 0 ? reference : { allOf: [reference], ...siblings };
    }
    const converted: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(schema)) converted[key] = this.#part(schema, key) ?? value;
    return converted;
  }

  /** A part of the schema that holds schemas itself; undefined for any other. */
  #part(schema: Schema, key: string): unknown {
    const all = (schemas: readonly Schema[] | undefined): unknown => schemas?.map((one) => this.convert(one));
    const one = (inner: Schema | boolean | undefined): unknown =>
      typeof inner === 'object' ? this.convert(inner) : inner;
    switch (key) {
      case 'properties':
        return Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, property]) => [name, this.convert(property)]),
        );
      case 'items':
      case 'not':
      case 'additionalProperties':
        return one(schema[key]);
      case 'allOf':
      case 'anyOf':
      case 'oneOf':
        return all(schema[key]);
      default:
        return undefined;
    }
  }

  #add(name: string): void {
    if (this.#schemas.has(name)) return;
    const schema = builtinSchemas().definition(name);
    // Before its own references: some of them lead back here.
    this.#schemas.set(name, {});
    if (schema !== undefined) this.#schemas.set(name, this.convert(this.#described(name, schema)));
  }

  #described(name: string, schema: Schema): Schema & { readonly description?: string } {
    const descriptions = builtinDescriptions();
    const { properties, [KINDS]: kinds } = schema;
    const own = descriptions.definition(name);
    return {
      ...(own !== '' && { description: own }),
      ...schema,
      ...(properties !== undefined && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([field, property]) => {
            const description = descriptions.field(name, field);
            return [field, description === '' ? property : { description, ...property }];
          }),
        ),
      }),
      ...(kinds !== undefined && { [KINDS]: kinds.length === 1 ? kinds : kinds.filter(this.#isOwn) }),
    };
  }
}
