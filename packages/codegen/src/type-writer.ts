// From a schema to the TypeScript type of what it describes.
import type { JSONSchemaProps } from '@windlass/apimachinery/api/apiextensions/v1';

/** Names for nested objects, so that they can be spoken of. */
export interface TypeScope {
  /** Interfaces that were written, by name. */
  readonly interfaces: Map<string, string>;
}

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** The type's text; what deserves a name becomes an interface in the scope. */
export function typeText(schema: JSONSchemaProps, name: string, scope: TypeScope): string {
  const text = bareType(schema, name, scope);
  return schema.nullable === true ? `${text} | null` : text;
}

function bareType(schema: JSONSchemaProps, name: string, scope: TypeScope): string {
  if (schema['x-kubernetes-int-or-string'] === true) return 'number | string';
  if (schema['x-kubernetes-embedded-resource'] === true) return 'KubeObject & { [key: string]: JsonValue }';
  if (schema.enum !== undefined && schema.enum.length > 0)
    return schema.enum
      .map((value) => (typeof value === 'string' ? quote(value) : JSON.stringify(value)))
      .join(' | ');
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return arrayType(schema, name, scope);
    case 'object':
      return objectType(schema, name, scope);
    default:
      return 'JsonValue';
  }
}

function arrayType({ items }: JSONSchemaProps, name: string, scope: TypeScope): string {
  if (items === undefined || Array.isArray(items)) return 'JsonValue[]';
  const item = typeText(items, singular(name), scope);
  return /[|&]/.test(item) ? `(${item})[]` : `${item}[]`;
}

function objectType(schema: JSONSchemaProps, name: string, scope: TypeScope): string {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.keys(properties).length > 0) {
    const unique = uniqueName(name, scope);
    // Taken before the fields are written, so that none of them takes it.
    scope.interfaces.set(unique, '');
    scope.interfaces.set(unique, interfaceText(unique, schema, scope));
    return unique;
  }
  if (typeof additionalProperties === 'object')
    return `{ [key: string]: ${typeText(additionalProperties, singular(name), scope)} }`;
  return '{ [key: string]: JsonValue }';
}

function interfaceText(name: string, schema: JSONSchemaProps, scope: TypeScope): string {
  const { properties = {}, required = [] } = schema;
  const lines = Object.keys(properties)
    .sort()
    .flatMap((field) => {
      const property = properties[field] ?? {};
      const mark = required.includes(field) ? '' : '?';
      const key = IDENTIFIER.test(field) ? field : quote(field);
      return [
        ...comment(property.description, '  '),
        `  ${key}${mark}: ${typeText(property, `${name}${pascal(field)}`, scope)};`,
      ];
    });
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true ? ['  [key: string]: unknown;'] : [];
  return [...comment(schema.description, ''), `export interface ${name} {`, ...lines, ...open, '}', ''].join(
    '\n',
  );
}

/** A description is somebody else's text: it must not end the comment that it stands in. */
export function comment(description: string | undefined, indent: string): string[] {
  if (description === undefined || description.trim() === '') return [];
  const lines = description
    .replaceAll('*/', '*\u200b/')
    .trim()
    .split(/\r?\n/)
    .map((line) => line.trimEnd());
  if (lines.length === 1) return [`${indent}/** ${lines[0] ?? ''} */`];
  return [
    `${indent}/**`,
    ...lines.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}`),
    `${indent} */`,
  ];
}

export function quote(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

export function pascal(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}

function singular(name: string): string {
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`;
  return /[^s]s$/.test(name) ? name.slice(0, -1) : `${name}Item`;
}

function uniqueName(name: string, { interfaces }: TypeScope): string {
  let unique = name;
  for (let count = 2; interfaces.has(unique); count++) unique = `${name}${count}`;
  return unique;
}
