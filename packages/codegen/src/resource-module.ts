// From a CustomResourceDefinition to a TypeScript module: types, and the constants that clients take.
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from '@windlass/apimachinery/api/apiextensions/v1';
import { InvalidDefinitionError } from './errors.ts';
import { comment, pascal, quote, type TypeScope, typeText } from './type-writer.ts';

export interface GeneratedModule {
  /** `example.com/v1/foo.ts`. */
  readonly path: string;
  readonly text: string;
}

export interface ModuleOptions {
  /** Also functions that give a client, an informer and a lister for the kind. @default true */
  readonly accessors?: boolean;
  /** Where our packages are imported from: `@windlass/`, or `windlass/`. @default @windlass/ */
  readonly from?: string;
}

/** One module for each served version of each definition, in a stable order. */
export function generateModules(
  definitions: readonly CustomResourceDefinition[],
  options: ModuleOptions = {},
): GeneratedModule[] {
  return definitions
    .flatMap((definition) => {
      checkDefinition(definition);
      return definition.spec.versions
        .filter(({ served }) => served)
        .map((version) => generateModule(definition, version, options));
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** @throws InvalidDefinitionError that says what it is instead */
export function checkDefinition(value: unknown): asserts value is CustomResourceDefinition {
  const found = value as Partial<CustomResourceDefinition> | null | undefined;
  const name = found?.metadata?.name ?? 'without a name';
  if (found?.kind !== 'CustomResourceDefinition')
    throw new InvalidDefinitionError(`${found?.kind ?? typeof value} ${name} is no CustomResourceDefinition`);
  if (found.apiVersion !== 'apiextensions.k8s.io/v1')
    throw new InvalidDefinitionError(
      `${name} is of ${found.apiVersion}; only apiextensions.k8s.io/v1 is known`,
    );
  if (!Array.isArray(found.spec?.versions) || found.spec.names === undefined)
    throw new InvalidDefinitionError(`${name} has no versions or no names`);
}

function generateModule(
  { spec }: CustomResourceDefinition,
  version: CustomResourceDefinitionVersion,
  { accessors = true, from = '@windlass/' }: ModuleOptions,
): GeneratedModule {
  const { group, names, scope: reach } = spec;
  const { kind, plural } = names;
  const schema = version.schema?.openAPIV3Schema ?? {};
  const scope: TypeScope = { interfaces: new Map([[kind, '']]) };
  const { apiVersion: _, kind: _kind, metadata: _metadata, ...properties } = schema.properties ?? {};
  const body = Object.keys(properties)
    .sort()
    .flatMap((field) => {
      const property = properties[field] ?? {};
      const mark = schema.required?.includes(field) === true ? '' : '?';
      return [
        ...comment(property.description, '  '),
        `  ${field}${mark}: ${typeText(property, `${kind}${pascal(field)}`, scope)};`,
      ];
    });
  const object = [
    ...comment(schema.description, ''),
    `export interface ${kind} {`,
    `  apiVersion?: ${quote(`${group}/${version.name}`)};`,
    `  kind?: ${quote(kind)};`,
    '  metadata?: ObjectMeta;',
    ...body,
    ...(schema['x-kubernetes-preserve-unknown-fields'] === true ? ['  [key: string]: unknown;'] : []),
    '}',
    '',
    `/** Where it is served: for clients and informers. */`,
    `export const ${kind}: ResourceType<${kind}> = {`,
    `  group: ${quote(group)},`,
    `  version: ${quote(version.name)},`,
    `  kind: ${quote(kind)},`,
    `  plural: ${quote(plural)},`,
    `  namespaced: ${reach === 'Namespaced'},`,
    '};',
    '',
    `export interface ${kind}List extends KubeList<${kind}> {`,
    `  apiVersion?: ${quote(`${group}/${version.name}`)};`,
    `  kind?: ${quote(`${kind}List`)};`,
    '}',
    '',
  ];
  const nested = [...scope.interfaces].filter(([name]) => name !== kind).map(([, text]) => text);
  const text = [...object, ...nested, ...(accessors ? accessorsOf(kind) : [])].join('\n');
  return {
    path: `${group}/${version.name}/${kind.toLowerCase()}.ts`,
    text: `// Generated from the CustomResourceDefinition ${plural}.${group}. Do not edit.\n${importsOf(text, accessors, from)}\n${text.trimEnd()}\n`,
  };
}

function accessorsOf(kind: string): string[] {
  const name = kind.charAt(0).toLowerCase() + kind.slice(1);
  return [
    `/** Reads and writes. */`,
    `export function ${name}Client(client: Client): ResourceClient<${kind}> {`,
    `  return client.resource(${kind});`,
    '}',
    '',
    `/** A watched cache, shared by all who ask the same factory. */`,
    `export function ${name}Informer(factory: SharedInformerFactory, options?: InformerOptions<${kind}>): InformerLease<${kind}> {`,
    `  return factory.informer(${kind}, options);`,
    '}',
    '',
    `/** Reads from that cache. */`,
    `export function ${name}Lister(factory: SharedInformerFactory): Lister<${kind}> {`,
    `  return factory.informer(${kind}).lister;`,
    '}',
    '',
  ];
}

function importsOf(text: string, accessors: boolean, from: string): string {
  const used = ['JsonValue', 'KubeList', 'KubeObject', 'ObjectMeta', 'ResourceType'].filter((name) =>
    new RegExp(`\\b${name}\\b`).test(text),
  );
  const lines = [`import type { ${used.join(', ')} } from '${from}apimachinery';`];
  if (accessors)
    lines.push(
      `import type { Client, ResourceClient } from '${from}client';`,
      `import type { InformerLease, InformerOptions, Lister, SharedInformerFactory } from '${from}informer';`,
    );
  return `${lines.join('\n')}\n`;
}
