// What fields and parameters mean, in the words of the release: what `kubectl explain` shows. It is a table of its
// own, because only those who ask for OpenAPI need it.
import { readdirSync } from 'node:fs';
import { type EnumFact, functionOfDefinition } from './enums.ts';
import { readJson, sortedEntries } from './files.ts';
import type { PublishedSchema } from './openapi.ts';

/** A text, or where it is in the list of those that several have. */
type Text = string | number;

/** By the name of a definition: what it is, and what its fields are. */
export type Descriptions = ReadonlyMap<
  string,
  readonly [own: string, fields: Readonly<Record<string, string>>]
>;

interface PublishedParameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema?: { readonly type?: string };
}

/** By method; under `parameters` there are those of all methods. */
type PathItem = Readonly<
  Record<string, { readonly parameters?: readonly PublishedParameter[] } | readonly PublishedParameter[]>
>;

interface Document {
  readonly paths?: Readonly<Record<string, PathItem>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, PublishedSchema>> };
}

/** By `pods/exec` and the like: the names of its parameters in the query, with their types and what they mean. */
type Connections = Readonly<Record<string, Readonly<Record<string, readonly [type: string, text: string]>>>>;

const CONNECTION = /\/(\w+)\/\{name\}\/(attach|exec|log|portforward|proxy)(\/|$)/;

/** All that the documents of the release say in prose. */
export interface Prose {
  readonly definitions: Descriptions;
  readonly parameters: Readonly<Record<string, string>>;
  readonly connections: Connections;
}

export function readProse(kubernetes: string, enums: readonly EnumFact[]): Prose {
  const directory = `${kubernetes}/api/openapi-spec/v3`;
  const documents = readdirSync(directory)
    .sort()
    .map((file) => readJson(`${directory}/${file}`) as Document);
  const schemas = documents.flatMap(({ components }) => Object.entries(components?.schemas ?? {}));
  return {
    definitions: withValues(schemas, enums),
    parameters: parameterTexts(documents),
    connections: connectionParameters(documents),
  };
}

/** The entries of the table: `shared`, `parameters`, `connections`, and every definition that has a description. */
export function descriptionTable({
  definitions,
  parameters,
  connections,
}: Prose): (readonly [string, unknown])[] {
  const counts = new Map<string, number>();
  const texts = [...definitions.values()].flatMap(([own, fields]) => [own, ...Object.values(fields)]);
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const shared = [...counts].filter(([text, count]) => count > 1 && text !== '').map(([text]) => text);
  const places = new Map(shared.map((text, index) => [text, index]));
  const place = (text: string): Text => places.get(text) ?? text;
  return [
    ['shared', shared],
    ['parameters', parameters],
    ['connections', connections],
    ...[...definitions].map(
      ([name, [own, fields]]) =>
        [
          name,
          [
            place(own),
            Object.fromEntries(Object.entries(fields).map(([field, text]) => [field, place(text)])),
          ],
        ] as const,
    ),
  ];
}

/** A running server names the values of a string in its description. The published documents do not. */
function withValues(
  schemas: readonly (readonly [string, PublishedSchema])[],
  enums: readonly EnumFact[],
): Descriptions {
  const valued = new Map(enums.map((fact) => [`${fact.function}.${fact.property}`, fact.description]));
  return new Map(
    sortedEntries(schemas)
      .map(([name, schema]) => {
        const fields = Object.entries(schema.properties ?? {}).map(
          ([field, property]) =>
            [field, valued.get(`${functionOfDefinition(name)}.${field}`) ?? textOf(property)] as const,
        );
        const described = sortedEntries(fields.filter(([, text]) => text !== ''));
        return [name, [textOf(schema), Object.fromEntries(described)]] as const;
      })
      .filter(([, [own, fields]]) => own !== '' || Object.keys(fields).length > 0),
  );
}

function textOf({ description }: PublishedSchema): string {
  return typeof description === 'string' ? description : '';
}

/**
 * Parameters in the query mean the same everywhere, but for `fieldManager` of a patch. Those of connections (`exec`,
 * `log`, `proxy`) are a table of their own: they are named alike and mean something else each.
 */
function parameterTexts(documents: readonly Document[]): Record<string, string> {
  const texts = new Map<string, string>();
  const add = (key: string, { in: place, name, description = '' }: PublishedParameter): void => {
    if (place !== 'query') return;
    const known = texts.get(key);
    if (known !== undefined && known !== description)
      throw new Error(
        `the parameter "${name}" has two descriptions; tools/generate/descriptions.ts knows one`,
      );
    texts.set(key, description);
  };
  for (const { paths = {} } of documents) {
    for (const [path, item] of Object.entries(paths)) {
      if (CONNECTION.test(path)) continue;
      for (const [method, operation] of Object.entries(item)) {
        const isPatch =
          method === 'patch' || (method === 'parameters' && 'patch' in item && !('put' in item));
        const parameters = 'length' in operation ? operation : (operation.parameters ?? []);
        for (const parameter of parameters)
          add(
            isPatch && parameter.name === 'fieldManager' ? 'patch fieldManager' : parameter.name,
            parameter,
          );
      }
    }
  }
  return Object.fromEntries(sortedEntries(texts));
}

/** Of each connection; `pretty` means what it means everywhere. */
function connectionParameters(documents: readonly Document[]): Connections {
  const found = new Map<string, Readonly<Record<string, readonly [string, string]>>>();
  for (const { paths = {} } of documents)
    for (const [path, item] of Object.entries(paths)) {
      const [, plural, name, more] = CONNECTION.exec(path) ?? [];
      if (plural === undefined || more !== '') continue;
      const shared = item['parameters'] ?? [];
      const parameters = 'length' in shared ? shared : [];
      const own = parameters
        .filter((parameter) => parameter.in === 'query' && parameter.name !== 'pretty')
        .map(
          ({ name: key, schema, description = '' }) =>
            [key, [schema?.type ?? 'string', description]] as const,
        );
      found.set(`${plural}/${name}`, Object.fromEntries(sortedEntries(own)));
    }
  return Object.fromEntries(sortedEntries(found));
}
