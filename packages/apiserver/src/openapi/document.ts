import { kubernetesRelease } from '@windlass/apimachinery';
import { appendAll } from '@windlass/base';
import type { ResourceDefinition } from '../resource/definition.ts';
import { builtinRoutes, resourceListRoute } from './builtin-routes.ts';
import { Components } from './components.ts';
import { customRoutes } from './custom-routes.ts';
import { customSchemas } from './custom-schemas.ts';
import { jsonObject } from './gathered.ts';
import type { OpenApiDocument, Operation, Parameter, PathItem } from './openapi-types.ts';
import { pathParameter, queryParameter } from './parameters.ts';
import { operationId, type Route, tagOf } from './route.ts';

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

const STATUS_TEXTS: Readonly<Record<number, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted' };

/**
 * The OpenAPI v3 document of one group version: what kubectl explains, validates and patches by. It is made a resource
 * at a time, and others get their turn between.
 */
export async function openApiDocument(
  gv: GroupVersion,
  definitions: readonly ResourceDefinition[],
  turn: () => Promise<unknown>,
): Promise<OpenApiDocument> {
  const components = new Components(
    ({ group, version }) =>
      (group === '' && version === 'v1') || (group === gv.group && version === gv.version),
  );
  const paths: [string, PathItem][] = [];
  for (const items of pathsOf(gv, definitions, components, { forV2: false })) {
    appendAll(paths, items);
    await turn();
  }
  const isBuiltin = definitions.some(({ isCustom }) => !isCustom);
  return {
    openapi: '3.0.0',
    info: isBuiltin
      ? { title: 'Kubernetes', version: kubernetesRelease() }
      : { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' },
    paths: Object.fromEntries(paths.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      schemas: components.toJson(),
      ...(isBuiltin && { securitySchemes: { BearerToken: BEARER_TOKEN } }),
    },
  };
}

/** The document as JSON, in pieces. */
export function* openApiJson({ paths, components, ...head }: OpenApiDocument): Generator<string> {
  const { schemas, ...rest } = components;
  yield `${JSON.stringify(head).slice(0, -1)},"paths":`;
  yield* jsonObject(Object.entries(paths));
  yield ',"components":{"schemas":';
  yield* jsonObject(Object.entries(schemas));
  const others = JSON.stringify(rest).slice(1);
  yield `${others === '}' ? '' : ','}${others}}`;
}

/**
 * The paths of a group version, those of a resource at a time; what they refer to is in `components` then. With `forV2`
 * custom resources say only what OpenAPI v2 can say.
 */
export function* pathsOf(
  gv: GroupVersion,
  definitions: readonly ResourceDefinition[],
  components: Components,
  { forV2 }: { readonly forV2: boolean },
): Generator<[string, PathItem][]> {
  const items = (routes: readonly Route[]): [string, PathItem][] =>
    [...Map.groupBy(routes, ({ path }) => path)].map(([path, those]) => [path, pathItem(those, components)]);
  if (definitions.some(({ isCustom }) => !isCustom)) yield items([resourceListRoute(gv)]);
  for (const definition of definitions) {
    if (definition.isCustom)
      for (const [name, schema] of customSchemas(definition, { forV2 })) components.define(name, schema);
    yield items(definition.isCustom ? customRoutes(definition) : builtinRoutes(definition));
  }
}

const BEARER_TOKEN = {
  type: 'apiKey',
  name: 'authorization',
  in: 'header',
  description: 'Bearer Token authentication',
};

/** What all its methods take is said once, of the path. */
function pathItem(routes: readonly Route[], components: Components): PathItem {
  const taken = routes.map(parametersOf);
  const [first = [], ...others] = taken;
  const isShared = (parameter: Parameter): boolean => others.every((some) => some.some(sameAs(parameter)));
  const shared = first.filter(isShared);
  const operations = routes.map((route, index) => {
    const own = (taken[index] ?? []).filter((parameter) => !shared.some(sameAs(parameter)));
    return [route.method, operationOf(route, own, components)] as const;
  });
  return { ...Object.fromEntries(operations), ...(shared.length > 0 && { parameters: shared }) };
}

function sameAs(parameter: Parameter): (other: Parameter) => boolean {
  return ({ name, description }) => name === parameter.name && description === parameter.description;
}

function parametersOf({ path, nameOf, query, ownQuery = [], method }: Route): Parameter[] {
  const parameters = query.map((name) => queryParameter(name, method === 'patch'));
  for (const { name, type, description } of ownQuery)
    parameters.push({ name, in: 'query', description, schema: { type, uniqueItems: true } });
  if (path.includes('{path}')) parameters.push(pathParameter('path', 'path to the resource'));
  if (path.includes('{name}')) parameters.push(pathParameter('name', `name of the ${nameOf}`));
  if (path.includes('{namespace}'))
    parameters.push(pathParameter('namespace', 'object name and auth scope, such as for teams and projects'));
  // A proxy takes a path twice: in its own path, and in its query.
  return parameters.toSorted((a, b) =>
    a.name === b.name ? (a.in < b.in ? -1 : 1) : a.name < b.name ? -1 : 1,
  );
}

function operationOf(route: Route, parameters: readonly Parameter[], components: Components): Operation {
  const { description, path, body, answer, types, kind, action } = route;
  const refer = (name: string): object => (name === '' ? { type: 'string' } : components.refer(name));
  const content = (schema: string, forms: readonly string[]): Record<string, { schema: object }> =>
    Object.fromEntries(forms.map((form) => [form, { schema: refer(schema) }]));
  return {
    description,
    operationId: operationId(route),
    tags: [tagOf(path)],
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        content: content(body.schema, body.types),
        ...(body.isOptional !== true && { required: true as const }),
      },
    }),
    responses: {
      ...Object.fromEntries(
        answer.statuses.map((status) => [
          status,
          { description: STATUS_TEXTS[status] ?? '', content: content(answer.schema, types) },
        ]),
      ),
      401: { description: 'Unauthorized' },
    },
    ...(action !== '' && { 'x-kubernetes-action': action }),
    ...(kind !== undefined && { 'x-kubernetes-group-version-kind': kind }),
  };
}
