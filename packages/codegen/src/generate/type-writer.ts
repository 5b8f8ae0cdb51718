// From a schema to the TypeScript type of what it describes: what a person may write and an API server
// accepts. Alternatives (anyOf and its like) only restrict further what is described outside of them.
import type { JSONSchemaProps } from '@windlass/apimachinery/api/apiextensions/v1';
import { comment, pascal, propertyName, quote, unionText, withoutTags } from './text.ts';

/** From this length on, a union deserves a name. */
const LONG_UNION = 60;

/** The names of a module: what it declares for nested types, and what it needs from elsewhere. */
export class TypeScope {
  /** Declarations by name, in the order in which they are met. */
  readonly declarations = new Map<string, readonly string[]>();
  readonly #taken: Set<string>;
  readonly #use: (name: string) => string;

  /** @param use says under which name an imported type is known */
  constructor(taken: Iterable<string>, use: (name: string) => string) {
    this.#taken = new Set(taken);
    this.#use = use;
  }

  use(name: string): string {
    return this.#use(name);
  }

  /** Reserves a name like this one, before what is below it asks for names. */
  declare(wanted: string, lines: (name: string) => readonly string[]): string {
    let name = wanted;
    for (let count = 2; this.#taken.has(name); count++) name = `${wanted}${count}`;
    this.#taken.add(name);
    this.declarations.set(name, []);
    this.declarations.set(name, lines(name));
    return name;
  }
}

/**
 * The type's text; what deserves a name is declared in the scope.
 * @param isDescribed whether a comment says already what the schema says
 */
function typeText(schema: JSONSchemaProps, name: string, scope: TypeScope, isDescribed = false): string {
  return alternativesOf(schema, name, scope, isDescribed).join(' | ');
}

function alternativesOf(
  schema: JSONSchemaProps,
  name: string,
  scope: TypeScope,
  isDescribed: boolean,
): string[] {
  const alternatives = new Set(bareTypes(schema, name, scope, isDescribed));
  if (schema.nullable === true) alternatives.add('null');
  const all = [...alternatives];
  if (all.length === 1 || all.join(' | ').length <= LONG_UNION) return all;
  return [scope.declare(name, (unique) => unionText(`export type ${unique} =`, all, ';'))];
}

function bareTypes(schema: JSONSchemaProps, name: string, scope: TypeScope, isDescribed: boolean): string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['number', 'string'];
  const values = schema.enum ?? [];
  if (values.length > 0 && values.every((value) => typeof value !== 'object' || value === null))
    return values.map((value) => (typeof value === 'string' ? quote(value) : JSON.stringify(value)));
  switch (schema.type) {
    case 'string':
      return ['string'];
    case 'integer':
    case 'number':
      return ['number'];
    case 'boolean':
      return ['boolean'];
    case 'array':
      return [arrayType(schema, name, scope)];
    case 'object':
      return [objectType(schema, name, scope, isDescribed)];
    default:
      return [scope.use('JsonValue')];
  }
}

function arrayType({ items }: JSONSchemaProps, name: string, scope: TypeScope): string {
  if (items === undefined || Array.isArray(items)) return `${scope.use('JsonValue')}[]`;
  const [first, ...others] = alternativesOf(items, singular(name), scope, false);
  return others.length === 0 ? `${first}[]` : `(${[first, ...others].join(' | ')})[]`;
}

function objectType(schema: JSONSchemaProps, name: string, scope: TypeScope, isDescribed: boolean): string {
  const { properties = {}, additionalProperties } = schema;
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  if (Object.keys(properties).length > 0 || isEmbedded)
    return scope.declare(name, (unique) => [
      ...comment(isDescribed ? [] : about(schema), ''),
      `export interface ${unique} {`,
      ...(isEmbedded ? members(embedded(schema), unique, scope) : members(schema, unique, scope)),
      '}',
    ]);
  if (typeof additionalProperties === 'object')
    return `{ [key: string]: ${typeText(additionalProperties, `${name}Value`, scope)} }`;
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true || additionalProperties === true;
  // Servers drop every field of an object that describes none.
  return `{ [key: string]: ${isOpen ? scope.use('JsonValue') : 'never'} }`;
}

/** Whatever it is, it says so. */
function embedded(schema: JSONSchemaProps): JSONSchemaProps {
  const text = { type: 'string' };
  return {
    ...schema,
    properties: { apiVersion: text, kind: text, metadata: {}, ...schema.properties },
    required: [...(schema.required ?? []), 'apiVersion', 'kind'],
  };
}

/** The lines between an interface's braces. */
export function members(schema: JSONSchemaProps, name: string, scope: TypeScope): string[] {
  const { properties = {}, required = [] } = schema;
  const isResource = schema['x-kubernetes-embedded-resource'] === true;
  const lines = Object.keys(properties)
    .sort()
    .flatMap((field) => {
      const property = properties[field] ?? {};
      // What has a default need not be given, even where it is required: it is there when that is looked at.
      const mark = required.includes(field) && property.default === undefined ? '' : '?';
      const type =
        isResource && field === 'metadata'
          ? scope.use('ObjectMeta')
          : typeText(property, `${name}${pascal(field)}`, scope, true);
      return [...comment(about(property), '  '), `  ${propertyName(field)}${mark}: ${type};`];
    });
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  return isOpen ? [...lines, '  [key: string]: unknown;'] : lines;
}

const FACTS = [
  'format',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'default',
] as const;

/** What the type cannot say: the description, and what the server checks. */
export function about(schema: JSONSchemaProps): string[] {
  const facts = FACTS.flatMap((fact) => {
    const value = schema[fact];
    if (value === undefined) return [];
    return [`@${fact} ${typeof value === 'string' && fact !== 'default' ? value : JSON.stringify(value)}`];
  });
  const rules = (schema['x-kubernetes-validations'] ?? []).map(({ rule, message }) => message ?? rule);
  return [
    ...(schema.description === undefined ? [] : [withoutTags(schema.description)]),
    ...rules.map((rule) => `Rule: ${withoutTags(rule)}`),
    ...facts,
  ];
}

function singular(name: string): string {
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`;
  return /[^s]s$/.test(name) ? name.slice(0, -1) : `${name}Item`;
}
