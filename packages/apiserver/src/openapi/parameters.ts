import { builtinDescriptions } from '@windlass/apimachinery';
import type { Parameter } from './openapi-types.ts';

type ValueType = Parameter['schema']['type'];

/** The fields of ListOptions, DeleteOptions and the options of writes, as parameters of a query. */
const TYPES = {
  allowWatchBookmarks: 'boolean',
  continue: 'string',
  dryRun: 'string',
  fieldManager: 'string',
  fieldSelector: 'string',
  fieldValidation: 'string',
  force: 'boolean',
  gracePeriodSeconds: 'integer',
  ignoreStoreReadErrorWithClusterBreakingPotential: 'boolean',
  labelSelector: 'string',
  limit: 'integer',
  orphanDependents: 'boolean',
  pretty: 'string',
  propagationPolicy: 'string',
  resourceVersion: 'string',
  resourceVersionMatch: 'string',
  sendInitialEvents: 'boolean',
  shardSelector: 'string',
  timeoutSeconds: 'integer',
  watch: 'boolean',
} as const satisfies Readonly<Record<string, ValueType>>;

export type QueryName = keyof typeof TYPES;

export const DELETE_OPTIONS: readonly QueryName[] = [
  'dryRun',
  'gracePeriodSeconds',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'orphanDependents',
  'propagationPolicy',
];
const SELECTION: readonly QueryName[] = [
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'shardSelector',
  'timeoutSeconds',
];
export const LIST_OPTIONS: readonly QueryName[] = ['allowWatchBookmarks', ...SELECTION, 'watch'];
export const DELETE_COLLECTION_OPTIONS: readonly QueryName[] = [...DELETE_OPTIONS, ...SELECTION];
export const WRITE_OPTIONS: readonly QueryName[] = ['dryRun', 'fieldManager', 'fieldValidation'];
export const PATCH_OPTIONS: readonly QueryName[] = [...WRITE_OPTIONS, 'force'];

/** @param isPatch `fieldManager` of a patch means a little more */
export function queryParameter(name: QueryName, isPatch: boolean): Parameter {
  const key = isPatch && name === 'fieldManager' ? 'patch fieldManager' : name;
  const description = builtinDescriptions().parameter(key);
  return { name, in: 'query', description, schema: { type: TYPES[name], uniqueItems: true } };
}

export function pathParameter(name: string, description: string): Parameter {
  return { name, in: 'path', description, required: true, schema: { type: 'string', uniqueItems: true } };
}
