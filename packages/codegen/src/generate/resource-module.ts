// From a CustomResourceDefinition to a TypeScript module: types, and the constants that clients take.
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from '@windlass/apimachinery/api/apiextensions/v1';
import { checkDefinition } from './check-definition.ts';
import { Imports } from './imports.ts';
import { comment, functionHead, pascal, quote } from './text.ts';
import { about, members, TypeScope } from './type-writer.ts';

/** A source file that was generated. */
export interface GeneratedModule {
  /** `example.com/v1/foo.ts`. */
  readonly path: string;
  readonly text: string;
}

/** What a generated module contains, and what it imports. */
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

function generateModule(
  { spec }: CustomResourceDefinition,
  version: CustomResourceDefinitionVersion,
  { accessors = true, from = '@windlass/' }: ModuleOptions,
): GeneratedModule {
  const { group, names, scope: reach } = spec;
  const { kind, plural } = names;
  const name = pascal(kind);
  const imports = new Imports([name, `${name}List`], from);
  const scope = new TypeScope([name, `${name}List`, ...imports.names], (used) => imports.use(used));
  const { schema, body } = bodyOf(version, name, scope);
  const isNamespaced = reach === 'Namespaced';
  const apiVersion = quote(`${group}/${version.name}`);
  const lines = [
    ...comment(about(schema), ''),
    `export interface ${name} extends ${imports.use(isNamespaced ? 'NamespacedKind' : 'ClusterKind')} {`,
    `  apiVersion?: ${apiVersion};`,
    `  kind?: ${quote(kind)};`,
    `  metadata?: ${imports.use(isNamespaced ? 'ObjectMeta' : 'ClusterObjectMeta')};`,
    ...body,
    '}',
    '',
    `/** Where it is served: for clients and informers. */`,
    `export const ${name}: ${imports.use('ResourceType')}<${name}> = {`,
    `  group: ${quote(group)},`,
    `  version: ${quote(version.name)},`,
    `  kind: ${quote(kind)},`,
    `  plural: ${quote(plural)},`,
    `  namespaced: ${isNamespaced},`,
    '};',
    '',
    `export interface ${name}List extends ${imports.use('KubeList')}<${name}> {`,
    `  apiVersion?: ${apiVersion};`,
    `  kind?: ${quote(names.listKind ?? `${kind}List`)};`,
    '}',
    ...[...scope.declarations.values()].flatMap((declaration) => ['', ...declaration]),
    ...(accessors ? accessorsOf(name, imports) : []),
  ];
  return {
    path: `${group}/${version.name}/${kind.toLowerCase()}.ts`,
    text: `${[
      `// Generated from the CustomResourceDefinition ${plural}.${group}. Do not edit.`,
      ...imports.lines(),
      '',
      ...lines,
    ].join('\n')}\n`,
  };
}

/** The object's own fields. What is above every kind is described already. */
function bodyOf(version: CustomResourceDefinitionVersion, name: string, scope: TypeScope) {
  const schema = version.schema?.openAPIV3Schema ?? { 'x-kubernetes-preserve-unknown-fields': true };
  const { apiVersion: _, kind: _kind, metadata: _metadata, ...properties } = schema.properties ?? {};
  return { schema, body: members({ ...schema, properties }, name, scope) };
}

function accessorsOf(kind: string, imports: Imports): string[] {
  const name = kind.charAt(0).toLowerCase() + kind.slice(1);
  const factory = `factory: ${imports.use('SharedInformerFactory')}`;
  const of = (type: string): string => `${imports.use(type)}<${kind}>`;
  return [
    '',
    `/** Reads and writes. */`,
    ...functionHead(`${name}Client`, [`client: ${imports.use('Client')}`], of('ClientFor')),
    `  return client.resource(${kind});`,
    '}',
    '',
    `/** A watched cache, shared by all who ask the same factory. */`,
    ...functionHead(`${name}Informer`, [factory, `options?: ${of('InformerOptions')}`], of('InformerLease')),
    `  return factory.informer(${kind}, options);`,
    '}',
    '',
    `/** Reads from that cache, which then stays until the factory stops. */`,
    ...functionHead(`${name}Lister`, [factory], of('Lister')),
    `  return factory.informer(${kind}).lister;`,
    '}',
  ];
}
