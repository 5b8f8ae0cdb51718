import { builtinSchemas, kubernetesRelease } from '@windlass/apimachinery';
import type { ResourceDefinition, Verb } from '../resource/definition.ts';
import { patchTypesOf } from '../verbs/patch.ts';
import { Components } from './components.ts';

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

const ACTIONS: Readonly<
  Record<Verb, { readonly method: string; readonly isCollection: boolean; readonly action: string }>
> = {
  list: { method: 'get', isCollection: true, action: 'list' },
  create: { method: 'post', isCollection: true, action: 'post' },
  deletecollection: { method: 'delete', isCollection: true, action: 'deletecollection' },
  get: { method: 'get', isCollection: false, action: 'get' },
  update: { method: 'put', isCollection: false, action: 'put' },
  patch: { method: 'patch', isCollection: false, action: 'patch' },
  delete: { method: 'delete', isCollection: false, action: 'delete' },
  watch: { method: '', isCollection: true, action: 'watchlist' },
};

const WRITES: ReadonlySet<Verb> = new Set<Verb>(['create', 'update', 'patch']);

const query = (name: string, type: 'string' | 'boolean' | 'integer'): object => ({
  name,
  in: 'query',
  schema: { type, uniqueItems: true },
});

/** The OpenAPI v3 document of one group version: what kubectl explains, validates and patches by. */
export function openApiDocument(gv: GroupVersion, definitions: readonly ResourceDefinition[]): object {
  const components = new Components(builtinSchemas());
  const paths: Record<string, object> = {};
  const root = gv.group === '' ? `/api/${gv.version}` : `/apis/${gv.group}/${gv.version}`;
  for (const definition of definitions) addPaths(paths, root, definition, components);
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: kubernetesRelease() },
    paths: Object.fromEntries(Object.entries(paths).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      schemas: components.toJson(),
      securitySchemes: {
        BearerToken: {
          type: 'apiKey',
          name: 'authorization',
          in: 'header',
          description: 'Bearer Token authentication',
        },
      },
    },
  };
}

function addPaths(
  paths: Record<string, object>,
  root: string,
  definition: ResourceDefinition,
  components: Components,
): void {
  const base = definition.namespaced
    ? `${root}/namespaces/{namespace}/${definition.plural}`
    : `${root}/${definition.plural}`;
  const reference = kindReference(definition, components);
  const collection: Record<string, object> = {};
  const item: Record<string, object> = {};
  for (const verb of definition.verbs) {
    const { method, isCollection, action } = ACTIONS[verb];
    if (method !== '')
      (isCollection ? collection : item)[method] = operation(definition, verb, action, reference);
  }
  if (Object.keys(collection).length > 0)
    paths[base] = { ...collection, parameters: pathParameters(definition, false) };
  if (Object.keys(item).length > 0)
    paths[`${base}/{name}`] = { ...item, parameters: pathParameters(definition, true) };
  if (definition.namespaced && definition.verbs.includes('list')) {
    paths[`${root}/${definition.plural}`] = { get: operation(definition, 'list', 'list', reference) };
  }
  for (const subresource of definition.subresources.values()) {
    const operations: Record<string, object> = {};
    for (const verb of subresource.verbs) {
      const { method, action } = ACTIONS[verb];
      if (method !== '')
        operations[method] = operation({ ...definition, ...subresource.kind }, verb, action, reference);
    }
    paths[`${base}/{name}/${subresource.name}`] = {
      ...operations,
      parameters: pathParameters(definition, true),
    };
  }
}

/** Custom resources have no name in the tables: theirs is made of their group, backwards. */
function kindReference(definition: ResourceDefinition, components: Components): object {
  const { group, version, kind } = definition;
  const known = definition.isCustom ? undefined : builtinSchemas().nameOf({ group, version, kind });
  if (known !== undefined) return components.refer(known);
  const name = [...group.split('.').toReversed(), version, kind].join('.');
  return components.define(name, definition.schema, {
    'x-kubernetes-group-version-kind': [{ group, version, kind }],
  });
}

function operation(
  definition: Pick<ResourceDefinition, 'group' | 'version' | 'kind' | 'plural' | 'isCustom'>,
  verb: Verb,
  action: string,
  reference: object,
): object {
  const { group, version, kind } = definition;
  return {
    operationId: `${action}${group.replace(/[^a-zA-Z]/g, '')}${version}${kind}`,
    parameters: WRITES.has(verb)
      ? [
          query('dryRun', 'string'),
          query('fieldManager', 'string'),
          query('fieldValidation', 'string'),
          ...(verb === 'patch' ? [query('force', 'boolean')] : []),
        ]
      : [],
    ...(WRITES.has(verb) && {
      requestBody: { content: bodies(definition as ResourceDefinition, verb, reference), required: true },
    }),
    responses: { 200: { description: 'OK', content: { 'application/json': { schema: reference } } } },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group, version, kind },
  };
}

function bodies(definition: ResourceDefinition, verb: Verb, reference: object): object {
  if (verb !== 'patch') return { '*/*': { schema: reference } };
  return Object.fromEntries(patchTypesOf(definition).map((type) => [type, { schema: { type: 'object' } }]));
}

function pathParameters({ namespaced }: ResourceDefinition, isItem: boolean): object[] {
  const parameter = (name: string): object => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', uniqueItems: true },
  });
  return [
    ...(isItem ? [parameter('name')] : []),
    ...(namespaced ? [parameter('namespace')] : []),
    query('pretty', 'string'),
  ];
}
