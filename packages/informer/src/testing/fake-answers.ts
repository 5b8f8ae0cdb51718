// What a server says: errors, bookmarks and objects as they come out of a parser.
import {
  newForbidden,
  newInternalError,
  newResourceExpired,
  newServiceUnavailable,
  newTooLargeResourceVersion,
  newTooManyRequests,
  type RawWatchEvent,
  StatusError,
  statusErrorIn,
} from '@windlass/apimachinery';
import { type Random, toError } from '@windlass/base';
import { INITIAL_EVENTS_END } from '@windlass/client';
import { TEST_RESOURCE, type TestObject } from './test-object.ts';

const RESOURCE = { group: TEST_RESOURCE.group, resource: TEST_RESOURCE.plural };

/** One of the errors that a server may answer with at any time. */
export function anyRefusal(random: Random, version: number): StatusError {
  const refusals: readonly (() => StatusError)[] = [
    () => newTooManyRequests('too many', 1 + random.int(5)),
    () => newTooManyRequests('too many', 0),
    () => newResourceExpired('too old resource version'),
    () => newInternalError(new Error('etcd is not well')),
    () => newServiceUnavailable('starting'),
    () => newForbidden(RESOURCE, '', 'not today'),
    () => newTooLargeResourceVersion(version + 1, version, 1),
  ];
  // The number is below the length.
  return (refusals[random.int(refusals.length)] as () => StatusError)();
}

export function notServed(): StatusError {
  const message = 'the server could not find the requested resource';
  return new StatusError({ status: 'Failure', reason: 'NotFound', code: 404, message });
}

/** As it would come out of a parser: nobody else's. */
export function copyOf(object: TestObject): TestObject {
  return { ...object, metadata: { ...object.metadata }, data: { ...object.data } };
}

export function bookmark(version: number, isMarker: boolean): RawWatchEvent {
  const annotations = isMarker ? { [INITIAL_EVENTS_END]: 'true' } : undefined;
  const metadata = { resourceVersion: String(version), ...(annotations && { annotations }) };
  return { type: 'BOOKMARK', object: { kind: TEST_RESOURCE.kind, apiVersion: 'example.com/v1', metadata } };
}

export function errorEvent(error: unknown): RawWatchEvent {
  const refusal = statusErrorIn(error);
  return { type: 'ERROR', object: refusal?.status ?? { message: toError(error).message } };
}
