import { kubernetesRelease } from '@windlass/apimachinery';
import type { ResourceDefinition } from '../resource/definition.ts';
import { openApiDocument } from './document.ts';

type Json = Readonly<Record<string, unknown>>;

interface V3Document {
  readonly paths: Readonly<Record<string, Json>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

const V3_PREFIX = '#/components/schemas/';
const V2_PREFIX = '#/definitions/';
const FORMS = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
/** What OpenAPI v2 cannot say; it then says nothing. */
const UNKNOWN: ReadonlySet<string> = new Set(['nullable', 'oneOf', 'anyOf', 'not']);
const METHODS: ReadonlySet<string> = new Set(['get', 'put', 'post', 'delete', 'patch']);

/** Everything that is served in one document of OpenAPI v2, for clients that know no newer form. */
export function swaggerDocument(definitions: readonly ResourceDefinition[]): object {
  const byGroupVersion = Map.groupBy(definitions, ({ group, version }) => `${group}/${version}`);
  const paths: Record<string, unknown> = {};
  const schemas: Record<string, unknown> = {};
  for (const [sample, ...others] of byGroupVersion.values()) {
    if (sample === undefined) continue;
    // What it makes has this form.
    const document = openApiDocument(sample, [sample, ...others]) as V3Document;
    for (const [path, item] of Object.entries(document.paths)) paths[path] = toPath(item);
    for (const [name, schema] of Object.entries(document.components.schemas))
      schemas[name] = toSchema(schema);
  }
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: kubernetesRelease() },
    paths: sorted(paths),
    definitions: sorted(schemas),
    securityDefinitions: {
      BearerToken: {
        description: 'Bearer Token authentication',
        type: 'apiKey',
        name: 'authorization',
        in: 'header',
      },
    },
    security: [{ BearerToken: [] }],
  };
}

function sorted(entries: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entries).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function toPath(item: Json): Json {
  return Object.fromEntries(
    Object.entries(item).map(([key, value]) => {
      if (METHODS.has(key)) return [key, toOperation(value as Json)];
      return [key, key === 'parameters' ? (value as readonly Json[]).map(toParameter) : value];
    }),
  );
}

function toOperation({ parameters, requestBody, responses, ...rest }: Json): Json {
  const content = (requestBody as { content?: Readonly<Record<string, Json>> } | undefined)?.content;
  const [first] = Object.values(content ?? {});
  const body = { name: 'body', in: 'body', required: true, schema: toSchema(first?.['schema']) };
  return {
    ...rest,
    ...(content !== undefined && { consumes: Object.keys(content) }),
    produces: FORMS,
    schemes: ['https'],
    parameters: [
      ...(first === undefined ? [] : [body]),
      ...((parameters as readonly Json[] | undefined) ?? []).map(toParameter),
    ],
    responses: Object.fromEntries(
      Object.entries(responses as Readonly<Record<string, Json>>).map(
        ([code, { description, content: forms }]) => {
          const [form] = Object.values((forms ?? {}) as Readonly<Record<string, Json>>);
          return [code, { description, ...(form !== undefined && { schema: toSchema(form['schema']) }) }];
        },
      ),
    ),
  };
}

function toParameter({ schema, ...rest }: Json): Json {
  return { ...rest, ...(schema as Json | undefined) };
}

/** A schema that is a reference, or an object. */
const toObject = (value: unknown): Json => toSchema(value) as Json;

function toSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSchema);
  if (typeof value !== 'object' || value === null) return value;
  const { allOf, $ref, ...rest } = value as Json;
  if (typeof $ref === 'string') return { $ref: $ref.replace(V3_PREFIX, V2_PREFIX) };
  const [only, ...others] = (allOf as readonly unknown[] | undefined) ?? [];
  const isWrapped = only !== undefined && others.length === 0 && rest['type'] === undefined;
  const isEither = rest['x-kubernetes-int-or-string'] === true;
  return {
    ...(isWrapped && toObject(only)),
    ...Object.fromEntries(
      Object.entries(rest)
        .filter(([key]) => !UNKNOWN.has(key))
        .map(([key, part]) => [key, toPart(key, part)]),
    ),
    ...(isEither && { type: 'string', format: 'int-or-string' }),
  };
}

function toPart(key: string, value: unknown): unknown {
  switch (key) {
    case 'properties':
      return Object.fromEntries(
        Object.entries(value as Json).map(([name, schema]) => [name, toSchema(schema)]),
      );
    case 'items':
    case 'additionalProperties':
      return toSchema(value);
    default:
      return value;
  }
}
