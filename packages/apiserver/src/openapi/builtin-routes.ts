import {
  builtinDescriptions,
  builtinSchemas,
  type GroupVersionKind,
  PROTOBUF_MEDIA_TYPE,
} from '@windlass/apimachinery';
import { appendAll } from '@windlass/base';
import type { ResourceDefinition, SubresourceDefinition, Verb } from '../resource/definition.ts';
import { patchTypesOf } from '../verbs/patch.ts';
import { connectRoutes } from './connect-routes.ts';
import {
  DELETE_COLLECTION_OPTIONS,
  DELETE_OPTIONS,
  LIST_OPTIONS,
  PATCH_OPTIONS,
  WRITE_OPTIONS,
} from './parameters.ts';
import {
  capital,
  DELETE_OPTIONS_SCHEMA,
  PATCH_SCHEMA,
  RESOURCE_LIST_SCHEMA,
  type Route,
  STATUS_SCHEMA,
  WATCH_EVENT_SCHEMA,
  withArticle,
} from './route.ts';

const TYPES = ['application/json', 'application/yaml', PROTOBUF_MEDIA_TYPE];
const WATCH_TYPES = [...TYPES, 'application/json;stream=watch', `${PROTOBUF_MEDIA_TYPE};stream=watch`];
const ANY = ['*/*'];

/** Where the paths of a resource begin: `/api/v1`, `/apis/apps/v1`. */
export function rootOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** The list of the group version's resources. */
export function resourceListRoute(gv: { readonly group: string; readonly version: string }): Route {
  return {
    path: `${rootOf(gv)}/`,
    method: 'get',
    action: '',
    operation: 'getAPIResources',
    description: 'get available resources',
    kind: undefined,
    nameOf: '',
    query: [],
    answer: { schema: RESOURCE_LIST_SCHEMA, statuses: [200] },
    types: TYPES,
  };
}

/** All that is served of a built-in kind, as upstream describes it. */
export function builtinRoutes(definition: ResourceDefinition): Route[] {
  const { namespaced, plural, verbs } = definition;
  const root = rootOf(definition);
  const all = `${root}/${plural}`;
  const base = namespaced ? `${root}/namespaces/{namespace}/${plural}` : all;
  const routes = verbs.filter((verb) => verb !== 'watch').map((verb) => verbRoute(definition, verb, base));
  if (namespaced && verbs.includes('list'))
    routes.push({
      ...verbRoute(definition, 'list', all),
      operation: `list${definition.kind}ForAllNamespaces`,
    });
  if (verbs.includes('watch')) appendAll(routes, watchRoutes(definition, root, base));
  for (const subresource of definition.subresources.values()) {
    const path = `${base}/{name}/${subresource.name}`;
    // Logs are read as an object is.
    if (subresource.form.type === 'connect' && subresource.name !== 'log')
      appendAll(routes, connectRoutes(definition, subresource, path));
    else
      for (const verb of subresource.verbs)
        routes.push(subresourceRoute(definition, subresource, verb, path));
  }
  return routes;
}

function verbRoute(definition: ResourceDefinition, verb: Verb, base: string): Route {
  const { kind, listKind } = definition;
  const schema = schemaName(definition);
  const scope = definition.namespaced ? 'Namespaced' : '';
  const common = { kind: kindOf(definition), nameOf: kind, types: TYPES };
  const item = `${base}/{name}`;
  switch (verb) {
    case 'list':
    case 'watch':
      return {
        ...common,
        path: base,
        method: 'get',
        action: 'list',
        operation: `list${scope}${kind}`,
        description: `${definition.verbs.includes('watch') ? 'list or watch' : 'list'} objects of kind ${kind}`,
        query: ['pretty', ...LIST_OPTIONS],
        answer: { schema: schemaName({ ...definition, kind: listKind }), statuses: [200] },
        types: WATCH_TYPES,
      };
    case 'deletecollection':
      return {
        ...common,
        path: base,
        method: 'delete',
        action: 'deletecollection',
        operation: `deletecollection${scope}${kind}`,
        description: `delete collection of ${kind}`,
        query: ['pretty', ...DELETE_COLLECTION_OPTIONS],
        body: { schema: DELETE_OPTIONS_SCHEMA, types: ANY, isOptional: true },
        answer: { schema: STATUS_SCHEMA, statuses: [200] },
      };
    case 'delete':
      return {
        ...common,
        path: item,
        method: 'delete',
        action: 'delete',
        operation: `delete${scope}${kind}`,
        description: `delete ${withArticle(kind)}`,
        query: ['pretty', ...DELETE_OPTIONS],
        body: { schema: DELETE_OPTIONS_SCHEMA, types: ANY, isOptional: true },
        answer: { schema: answersDeleted(definition) ? schema : STATUS_SCHEMA, statuses: [200, 202] },
      };
    case 'get':
    case 'create':
    case 'update':
    case 'patch':
      return {
        ...common,
        ...objectRoute(verb, `${scope}${kind}`, kind, schema),
        path: verb === 'create' ? base : item,
      };
    default:
      return verb satisfies never;
  }
}

/** A namespace that is deleted is answered too, but upstream does not say so. */
function answersDeleted({ strategy, kind }: ResourceDefinition): boolean {
  return strategy.returnsDeletedObject === true && kind !== 'Namespace';
}

type ObjectVerb = 'get' | 'create' | 'update' | 'patch';

/** What all verbs that speak of one object say, of the whole and of its parts. */
function objectRoute(
  verb: ObjectVerb,
  name: string,
  kind: string,
  schema: string,
  part = '',
): Pick<Route, 'method' | 'action' | 'operation' | 'description' | 'query' | 'body' | 'answer'> {
  const of = part === '' ? ' ' : ` ${part} of `;
  switch (verb) {
    case 'get':
      return {
        method: 'get',
        action: 'get',
        operation: `read${name}`,
        description: `read${of}the specified ${kind}`,
        query: ['pretty'],
        answer: { schema, statuses: [200] },
      };
    case 'create':
      return {
        method: 'post',
        action: 'post',
        operation: `create${name}`,
        description: `create${of}${withArticle(kind)}`,
        query: ['pretty', ...WRITE_OPTIONS],
        body: { schema, types: ANY },
        answer: { schema, statuses: [200, 201, 202] },
      };
    case 'update':
      return {
        method: 'put',
        action: 'put',
        operation: `replace${name}`,
        description: `replace${of}the specified ${kind}`,
        query: ['pretty', ...WRITE_OPTIONS],
        body: { schema, types: ANY },
        answer: { schema, statuses: [200, 201] },
      };
    case 'patch':
      return {
        method: 'patch',
        action: 'patch',
        operation: `patch${name}`,
        description: `partially update${of}the specified ${kind}`,
        query: ['pretty', ...PATCH_OPTIONS],
        body: { schema: PATCH_SCHEMA, types: patchTypesOf({ isCustom: false }) },
        answer: { schema, statuses: [200, 201] },
      };
    default:
      return verb satisfies never;
  }
}

function subresourceRoute(
  definition: ResourceDefinition,
  { name, kind }: SubresourceDefinition,
  verb: Verb,
  path: string,
): Route {
  const scope = definition.namespaced ? 'Namespaced' : '';
  const operation = `${scope}${definition.kind}${capital(name)}`;
  const common = { kind: kindOf(kind), nameOf: kind.kind, path, types: TYPES };
  const schema = schemaName(kind);
  if (name === 'log')
    return logRoute({ ...common, ...objectRoute('get', operation, definition.kind, '', name) });
  const known = verb === 'create' || verb === 'update' || verb === 'patch' ? verb : 'get';
  return { ...common, ...objectRoute(known, operation, definition.kind, schema, name) };
}

/** Text, and not an object. */
function logRoute(route: Route): Route {
  return {
    ...route,
    ownQuery: builtinDescriptions().connection('pods/log'),
    types: ['text/plain', ...TYPES],
  };
}

/** The old form of a watch, whose verb is part of the path. */
function watchRoutes(definition: ResourceDefinition, root: string, base: string): Route[] {
  const { kind, namespaced, plural } = definition;
  const scope = namespaced ? 'Namespaced' : '';
  const path = `${root}/watch${base.slice(root.length)}`;
  const instead = "deprecated: use the 'watch' parameter with a list operation instead";
  const list: Route = {
    path,
    method: 'get',
    action: 'watchlist',
    operation: `watch${scope}${kind}List`,
    description: `watch individual changes to a list of ${kind}. ${instead}.`,
    kind: kindOf(definition),
    nameOf: kind,
    query: ['pretty', ...LIST_OPTIONS],
    answer: { schema: WATCH_EVENT_SCHEMA, statuses: [200] },
    types: WATCH_TYPES,
  };
  const routes = [list];
  if (definition.verbs.includes('get'))
    routes.push({
      ...list,
      path: `${path}/{name}`,
      action: 'watch',
      operation: `watch${scope}${kind}`,
      description: `watch changes to an object of kind ${kind}. ${instead}, filtered to a single item with the 'fieldSelector' parameter.`,
    });
  if (namespaced)
    routes.push({
      ...list,
      path: `${root}/watch/${plural}`,
      operation: `watch${kind}ListForAllNamespaces`,
    });
  return routes;
}

function kindOf({ group, version, kind }: GroupVersionKind): GroupVersionKind {
  return { group, version, kind };
}

/** The definition of a built-in kind. */
function schemaName(kind: GroupVersionKind): string {
  return builtinSchemas().nameOf(kindOf(kind)) ?? '';
}
