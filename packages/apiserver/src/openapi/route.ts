import type { ConnectionParameter, GroupVersionKind } from '@windlass/apimachinery';
import type { Method } from './openapi-types.ts';
import type { QueryName } from './parameters.ts';

/** One method of one path: everything that a document says of it, before it is put into words. */
export interface Route {
  readonly path: string;
  readonly method: Method;
  /** `list`, `post`, `deletecollection`, `get`, `put`, `patch`, `delete`, `watch`, `watchlist`, `connect`. */
  readonly action: string;
  /** Begins with a verb, as `listNamespacedPod`; the group and version come after the verb. */
  readonly operation: string;
  readonly description: string;
  /** Undefined where no kind is spoken. */
  readonly kind: GroupVersionKind | undefined;
  /** What the name in the path is the name of. */
  readonly nameOf: string;
  readonly query: readonly QueryName[];
  /** What the query takes nowhere else. @default nothing */
  readonly ownQuery?: readonly ConnectionParameter[];
  readonly body?: {
    readonly schema: string;
    readonly types: readonly string[];
    readonly isOptional?: boolean;
  };
  /** The name of what is answered, by the statuses with which it is. Empty: a text. */
  readonly answer: { readonly schema: string; readonly statuses: readonly number[] };
  readonly types: readonly string[];
}

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
export const DELETE_OPTIONS_SCHEMA = `${META}.DeleteOptions`;
export const PATCH_SCHEMA = `${META}.Patch`;
export const RESOURCE_LIST_SCHEMA = `${META}.APIResourceList`;
export const STATUS_SCHEMA = `${META}.Status`;
export const WATCH_EVENT_SCHEMA = `${META}.WatchEvent`;

const VERBS = /^(?:get|log|read|replace|patch|delete|watch|connect|proxy|list|create)/;

/** The operation's name with the group and the version in it: `listCoreV1NamespacedPod`. */
export function operationId({ operation, path }: Pick<Route, 'operation' | 'path'>): string {
  const verb = VERBS.exec(operation)?.[0] ?? '';
  return verb + placeOf(path, true).join('') + identifier(operation.slice(verb.length), true);
}

/** `apps_v1`. */
export function tagOf(path: string): string {
  return placeOf(path, false).join('_');
}

function placeOf(path: string, capitalised: boolean): string[] {
  const [root, ...rest] = path.split('/').filter((part) => part !== '');
  const [group = '', version = ''] = root === 'api' ? ['core', ...rest] : rest;
  return [group.replace(/\.k8s\.io$/, ''), version].map((part) => identifier(part, capitalised));
}

/** Letters and digits only, each part after the first with a capital. */
function identifier(text: string, capitalised: boolean): string {
  const [first = '', ...others] = text.split(/[^\p{L}\p{Nd}_]+/u).filter((part) => part !== '');
  return [capitalised ? capital(first) : first, ...others.map(capital)].join('');
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** `a Pod`, `an Ingress`, `Endpoints`: upstream takes a single `s` at the end for a plural. */
export function withArticle(noun: string): string {
  if (/[^s]s$/.test(noun)) return noun;
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}
