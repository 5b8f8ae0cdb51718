import { newBadRequest, parseDurationNanos } from '@windlass/apimachinery';
import { toError } from '@windlass/base';
import { isLongRunning } from './long-running.ts';
import { booleanOf, type Query, textOf } from './query-values.ts';
import type { RequestInfo } from './request-info.ts';

/** Refuses what requests of several verbs may say, where it cannot be read or is no longer offered. */
export function checkCommonParameters(info: RequestInfo, query: Query): void {
  const { verb, subresource } = info;
  const timeout = textOf(query, 'timeout');
  if (timeout !== '' && !isLongRunning(info)) checkTimeout(timeout);
  if (verb === 'get' && subresource === '' && booleanOf(query, 'export') === true)
    throw newBadRequest('the export parameter, deprecated since v1.14, is no longer supported');
}

function checkTimeout(text: string): void {
  try {
    parseDurationNanos(text);
  } catch (error) {
    throw newBadRequest(`invalid timeout specified in the request URL - ${toError(error).message}`);
  }
}
