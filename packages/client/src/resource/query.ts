// Options to query parameters, and to the bodies that carry them.
import type { ApiRequest } from '@windlass/apimachinery';
import type {
  ApplyOptions,
  DeleteOptions,
  FieldValidation,
  GetOptions,
  ListOptions,
  SelectorOptions,
  WatchOptions,
  WriteOptions,
} from './options.ts';

type Query = NonNullable<ApiRequest['query']>;

/** What a client fills in where a call says nothing. */
export interface WriteDefaults {
  readonly fieldManager: string | undefined;
  readonly fieldValidation: FieldValidation | undefined;
}

export function getQuery(options: GetOptions): Query | undefined {
  return options.resourceVersion === undefined ? undefined : { resourceVersion: options.resourceVersion };
}

export function listQuery(options: ListOptions): Query {
  return {
    ...selectors(options),
    shardSelector: options.shardSelector?.toString(),
    resourceVersion: options.resourceVersion,
    resourceVersionMatch: options.resourceVersionMatch,
    limit: number(options.limit),
    continue: options.continue,
  };
}

export function watchQuery(options: WatchOptions): Query {
  const streaming = options.sendInitialEvents;
  return {
    watch: 'true',
    ...selectors(options),
    shardSelector: options.shardSelector?.toString(),
    resourceVersion: options.resourceVersion,
    resourceVersionMatch:
      options.resourceVersionMatch ?? (streaming === undefined ? undefined : 'NotOlderThan'),
    allowWatchBookmarks: flag(
      options.allowWatchBookmarks ?? (startsAtVersion(options) || streaming === true),
    ),
    sendInitialEvents: streaming === undefined ? undefined : String(streaming),
    timeoutSeconds: number(options.timeoutSeconds),
  };
}

export function writeQuery(options: WriteOptions, defaults: WriteDefaults): Query {
  return {
    dryRun: dryRun(options),
    fieldManager: options.fieldManager ?? defaults.fieldManager,
    fieldValidation: options.fieldValidation ?? defaults.fieldValidation,
  };
}

export function applyQuery(options: ApplyOptions, defaults: WriteDefaults): Query {
  return { ...writeQuery(options, defaults), force: flag(options.force) };
}

export function selectors(options: SelectorOptions): Query {
  return {
    labelSelector: options.labelSelector?.toString(),
    fieldSelector: options.fieldSelector?.toString(),
  };
}

/** Undefined when there is nothing to say: then the request has no body. */
export function deleteBody(options: DeleteOptions): object | undefined {
  const { gracePeriodSeconds, propagationPolicy, preconditions } = options;
  const body = {
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(preconditions === undefined ? {} : { preconditions }),
    ...(options.dryRun === true ? { dryRun: ['All'] } : {}),
  };
  return Object.keys(body).length === 0 ? undefined : { kind: 'DeleteOptions', apiVersion: 'v1', ...body };
}

function startsAtVersion({ resourceVersion = '' }: WatchOptions): boolean {
  return resourceVersion !== '' && resourceVersion !== '0';
}

function dryRun(options: { readonly dryRun?: boolean }): string | undefined {
  return options.dryRun === true ? 'All' : undefined;
}

function flag(value: boolean | undefined): string | undefined {
  return value === true ? 'true' : undefined;
}

function number(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}
