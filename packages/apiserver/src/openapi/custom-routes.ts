import type { ResourceDefinition } from '../resource/definition.ts';
import { patchTypesOf } from '../verbs/patch.ts';
import { rootOf } from './builtin-routes.ts';
import { modelName } from './custom-schemas.ts';
import { DELETE_OPTIONS, LIST_OPTIONS, PATCH_OPTIONS, WRITE_OPTIONS } from './parameters.ts';
import {
  capital,
  DELETE_OPTIONS_SCHEMA,
  PATCH_SCHEMA,
  type Route,
  STATUS_SCHEMA,
  withArticle,
} from './route.ts';

const TYPES = ['application/json', 'application/yaml'];
const SCALE_SCHEMA = 'io.k8s.api.autoscaling.v1.Scale';

/** All that is served of a custom resource, as upstream describes it: a little less than of a built-in kind. */
export function customRoutes(definition: ResourceDefinition): Route[] {
  const { group, version, kind, listKind, namespaced, plural, subresources } = definition;
  const root = rootOf(definition);
  const all = `${root}/${plural}`;
  const base = namespaced ? `${root}/namespaces/{namespace}/${plural}` : all;
  const scope = namespaced ? 'Namespaced' : '';
  const schema = modelName({ group, version, kind });
  const common = { kind: { group, version, kind }, nameOf: kind, types: TYPES };
  const list: Route = {
    ...common,
    path: base,
    method: 'get',
    action: 'list',
    operation: `list${scope}${kind}`,
    description: `list objects of kind ${kind}`,
    query: ['pretty', ...LIST_OPTIONS],
    answer: { schema: modelName({ group, version, kind: listKind }), statuses: [200] },
  };
  return [
    ...(namespaced ? [{ ...list, path: all, operation: `list${kind}ForAllNamespaces` }] : []),
    list,
    {
      ...common,
      path: base,
      method: 'post',
      action: 'post',
      operation: `create${scope}${kind}`,
      description: `create ${withArticle(kind)}`,
      query: ['pretty', ...WRITE_OPTIONS],
      body: { schema, types: TYPES },
      answer: { schema, statuses: [200, 201, 202] },
    },
    {
      ...common,
      path: base,
      method: 'delete',
      action: 'deletecollection',
      operation: `deletecollection${scope}${kind}`,
      description: `delete collection of ${kind}`,
      query: ['pretty', ...LIST_OPTIONS],
      answer: { schema: STATUS_SCHEMA, statuses: [200] },
    },
    ...objectRoutes(common, `${base}/{name}`, { scope, part: '', schema }),
    {
      ...common,
      path: `${base}/{name}`,
      method: 'delete',
      action: 'delete',
      operation: `delete${scope}${kind}`,
      description: `delete ${withArticle(kind)}`,
      query: ['pretty', ...DELETE_OPTIONS],
      body: { schema: DELETE_OPTIONS_SCHEMA, types: TYPES, isOptional: true },
      answer: { schema: STATUS_SCHEMA, statuses: [200, 202] },
    },
    ...[...subresources.keys()].flatMap((part) =>
      objectRoutes(common, `${base}/{name}/${part}`, {
        scope,
        part,
        schema: part === 'scale' ? SCALE_SCHEMA : schema,
      }),
    ),
  ];
}

/** To read, replace and patch an object or a part of it. */
function objectRoutes(
  common: Pick<Route, 'kind' | 'nameOf' | 'types'>,
  path: string,
  { scope, part, schema }: { readonly scope: string; readonly part: string; readonly schema: string },
): Route[] {
  const name = `${scope}${common.nameOf}${capital(part)}`;
  const what = `${part === '' ? '' : ` ${part} of`} the specified ${common.nameOf}`;
  return [
    {
      ...common,
      path,
      method: 'get',
      action: 'get',
      operation: `read${name}`,
      description: `read${what}`,
      query: ['pretty', 'resourceVersion'],
      answer: { schema, statuses: [200] },
    },
    {
      ...common,
      path,
      method: 'put',
      action: 'put',
      operation: `replace${name}`,
      description: `replace${what}`,
      query: ['pretty', ...WRITE_OPTIONS],
      body: { schema, types: TYPES },
      answer: { schema, statuses: [200, 201] },
    },
    {
      ...common,
      path,
      method: 'patch',
      action: 'patch',
      operation: `patch${name}`,
      description: `partially update${what}`,
      query: ['pretty', ...PATCH_OPTIONS],
      body: { schema: PATCH_SCHEMA, types: patchTypesOf({ isCustom: true }) },
      answer: { schema, statuses: [200] },
    },
  ];
}
