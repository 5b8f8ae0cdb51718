import { kubernetesRelease, PROTOBUF_MEDIA_TYPE } from '@windlass/apimachinery';
import { fieldOf, isRecord } from '@windlass/base';
import type { ResourceDefinition } from '../resource/definition.ts';
import { Components } from './components.ts';
import { pathsOf } from './document.ts';
import { jsonObject } from './gathered.ts';
import type { Content, Operation, Parameter, PathItem } from './openapi-types.ts';
import { SharedParameters } from './shared-parameters.ts';
import type { SwaggerOperation, SwaggerParameter, SwaggerPath, SwaggerSchema } from './swagger-types.ts';

type Json = Readonly<Record<string, unknown>>;

/** A whole document of OpenAPI v2, in its parts. */
export interface SwaggerDocument {
  readonly head: {
    readonly swagger: '2.0';
    readonly info: { readonly title: string; readonly version: string };
  };
  /** Sorted by their names, as all below. */
  readonly paths: readonly (readonly [string, SwaggerPath])[];
  readonly definitions: readonly (readonly [string, SwaggerSchema])[];
  readonly parameters: readonly (readonly [string, SwaggerParameter])[];
  readonly security: {
    readonly securityDefinitions: { readonly BearerToken: Readonly<Record<string, string>> };
    readonly security: readonly [{ readonly BearerToken: readonly [] }];
  };
}

const V3_PREFIX = '#/components/schemas/';
const V2_PREFIX = '#/definitions/';
/** What OpenAPI v2 cannot say, and defaults, which old kubectls cannot read; it then says nothing. */
const UNSAID: ReadonlySet<string> = new Set(['nullable', 'oneOf', 'anyOf', 'not', 'default']);
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;

/**
 * Everything that is served in one document of OpenAPI v2, for clients that know no newer form. It is made a
 * resource at a time, and others get their turn between.
 */
export async function swaggerDocument(
  definitions: readonly ResourceDefinition[],
  turn: () => Promise<unknown>,
): Promise<SwaggerDocument> {
  const components = new Components(() => true);
  const shared = new SharedParameters();
  const paths: (readonly [string, SwaggerPath])[] = [];
  for (const those of Map.groupBy(definitions, ({ group, version }) => `${group}/${version}`).values()) {
    const [sample] = those;
    if (sample === undefined) continue;
    for (const items of pathsOf(sample, those, components, { forV2: true })) {
      for (const [path, item] of items) paths.push([path, toPath(item, shared)]);
      await turn();
    }
  }
  const schemas: (readonly [string, SwaggerSchema])[] = [];
  for (const [name, schema] of Object.entries(components.toJson())) {
    schemas.push([name, toSchema(name, schema)]);
    if (schemas.length % SCHEMAS_A_TURN === 0) await turn();
  }
  return {
    head: { swagger: '2.0', info: { title: 'Kubernetes', version: kubernetesRelease() } },
    paths: paths.toSorted(byName),
    definitions: schemas.toSorted(byName),
    parameters: shared.entries().toSorted(byName),
    security: {
      securityDefinitions: {
        BearerToken: {
          description: 'Bearer Token authentication',
          type: 'apiKey',
          name: 'authorization',
          in: 'header',
        },
      },
      security: [{ BearerToken: [] }],
    },
  };
}

const SCHEMAS_A_TURN = 100;

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function toPath(item: PathItem, shared: SharedParameters): SwaggerPath {
  const { parameters } = item;
  const path: { -readonly [key in keyof SwaggerPath]: SwaggerPath[key] } = {};
  for (const method of METHODS) {
    const operation = item[method];
    if (operation !== undefined) path[method] = toOperation(operation, shared);
  }
  if (parameters !== undefined) path.parameters = parameters.map((one) => shared.refer(toParameter(one)));
  return path;
}

function toOperation(operation: Operation, shared: SharedParameters): SwaggerOperation {
  const { parameters = [], requestBody, responses, ...rest } = operation;
  const [body] = Object.values(requestBody?.content ?? {});
  const taken: SwaggerParameter[] = parameters.map(toParameter);
  if (body !== undefined)
    taken.unshift({
      name: 'body',
      in: 'body',
      ...(requestBody?.required === true && { required: true }),
      schema: toObject(body.schema),
    });
  const forms = Object.keys(responses['200']?.content ?? {});
  return {
    ...rest,
    consumes: consumedBy(operation, forms),
    produces: forms,
    schemes: ['https'],
    ...(taken.length > 0 && { parameters: taken.map((parameter) => shared.refer(parameter)) }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([code, { description, content }]) => {
        const schema = schemaIn(content);
        return [code, { description, ...(schema !== undefined && { schema: toObject(schema) }) }];
      }),
    ),
  };
}

function consumedBy(operation: Operation, forms: readonly string[]): readonly string[] {
  if (operation.requestBody !== undefined) return Object.keys(operation.requestBody.content);
  // Upstream's built-in resources take anything where there is no body; its other parts have this to say.
  const isBuiltin = operation['x-kubernetes-action'] !== undefined && forms.includes(PROTOBUF_MEDIA_TYPE);
  return isBuiltin ? ['*/*'] : forms;
}

function schemaIn(content: Content | undefined): object | undefined {
  return Object.values(content ?? {})[0]?.schema;
}

function toParameter({ schema, ...rest }: Parameter): SwaggerParameter {
  return { ...rest, ...schema };
}

/** A definition. What is one thing or another in v3 is text here, as upstream has it. */
function toSchema(name: string, schema: object): SwaggerSchema {
  const isEither = fieldOf(schema, 'oneOf') !== undefined && name.startsWith('io.k8s.apimachinery.');
  return isEither ? { ...toObject(schema), type: 'string' } : toObject(schema);
}

/** A schema that is a reference, or an object. */
function toObject(schema: object): SwaggerSchema {
  // The schema comes from Components, whose objects have these fields.
  const { allOf, $ref, ...rest } = schema as Json;
  if (typeof $ref === 'string') return { $ref: $ref.replace(V3_PREFIX, V2_PREFIX) };
  const [only] = Array.isArray(allOf) ? allOf.filter(isRecord) : [];
  const reference = only === undefined ? undefined : fieldOf(only, '$ref');
  return {
    ...(typeof reference === 'string' && { $ref: reference.replace(V3_PREFIX, V2_PREFIX) }),
    ...Object.fromEntries(
      Object.entries(rest)
        .filter(([key]) => !UNSAID.has(key))
        .map(([key, part]) => [key, toPart(key, part)]),
    ),
  };
}

function toPart(key: string, value: unknown): unknown {
  switch (key) {
    case 'properties':
      return Object.fromEntries(
        Object.entries(isRecord(value) ? value : {}).map(([name, schema]) => [name, toInner(schema)]),
      );
    case 'items':
    case 'additionalProperties':
      return toInner(value);
    default:
      return value;
  }
}

function toInner(value: unknown): unknown {
  return isRecord(value) ? toObject(value) : value;
}

/** The document as JSON, in pieces. */
export function* swaggerJson({
  head,
  paths,
  definitions,
  parameters,
  security,
}: SwaggerDocument): Generator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"paths":`;
  yield* jsonObject(paths);
  yield ',"definitions":';
  yield* jsonObject(definitions);
  yield ',"parameters":';
  yield* jsonObject(parameters);
  yield `,${JSON.stringify(security).slice(1)}`;
}
