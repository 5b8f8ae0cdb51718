import {
  type FieldError,
  FieldPath,
  fieldForbidden,
  fieldNotSupported,
  newInvalid,
} from '@windlass/apimachinery';
import { booleanOf, first, integerOf, type Query, textOf } from './query-values.ts';

export { first, type Query } from './query-values.ts';

/** The query of a list, a watch or a deletecollection, checked. */
export interface ListParameters {
  readonly labelSelector: string | undefined;
  readonly fieldSelector: string | undefined;
  readonly shardSelector: string | undefined;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: '' | 'Exact' | 'NotOlderThan';
  /** 0 for no limit, and never below. */
  readonly limit: number;
  readonly continueToken: string;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  /** Below 0, a watch is over before it begins. */
  readonly timeoutSeconds: number | undefined;
}

export function parseListParameters(query: Query, isWatch: boolean): ListParameters {
  // In the order in which they are read, so that the first that cannot be is the one that is told.
  const timeoutSeconds = integerOf(query, 'timeoutSeconds');
  const limit = Math.max(0, integerOf(query, 'limit') ?? 0);
  const parameters = withDefaults(
    {
      labelSelector: first(query['labelSelector']),
      fieldSelector: first(query['fieldSelector']),
      shardSelector: first(query['shardSelector']),
      resourceVersion: textOf(query, 'resourceVersion'),
      // Checked below.
      resourceVersionMatch: textOf(query, 'resourceVersionMatch') as ListParameters['resourceVersionMatch'],
      limit,
      continueToken: textOf(query, 'continue'),
      allowWatchBookmarks: booleanOf(query, 'allowWatchBookmarks') ?? false,
      sendInitialEvents: booleanOf(query, 'sendInitialEvents'),
      timeoutSeconds,
    },
    isWatch,
  );
  const errors = isWatch ? watchErrors(parameters) : listErrors(parameters);
  if (errors.length > 0) throw newInvalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
  return parameters;
}

/** A watch from no version in particular begins with what there is. */
function withDefaults(given: ListParameters, isWatch: boolean): ListParameters {
  const { sendInitialEvents, resourceVersion, resourceVersionMatch: match } = given;
  const isFromAnywhere = resourceVersion === '' || resourceVersion === '0';
  if (!isWatch || sendInitialEvents !== undefined || match !== '' || !isFromAnywhere) return given;
  return { ...given, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
}

function listErrors({
  resourceVersion,
  resourceVersionMatch: match,
  continueToken,
  sendInitialEvents,
}: ListParameters): FieldError[] {
  const errors: FieldError[] = [];
  const path = FieldPath.of('resourceVersionMatch');
  if (match !== '') {
    if (resourceVersion === '')
      errors.push(
        fieldForbidden(path, 'resourceVersionMatch is forbidden unless resourceVersion is provided'),
      );
    if (continueToken !== '')
      errors.push(fieldForbidden(path, 'resourceVersionMatch is forbidden when continue is provided'));
    if (match !== 'Exact' && match !== 'NotOlderThan')
      errors.push(fieldNotSupported(path, match, ['Exact', 'NotOlderThan', '']));
    if (match === 'Exact' && resourceVersion === '0') {
      errors.push(fieldForbidden(path, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (sendInitialEvents !== undefined) {
    errors.push(fieldForbidden(FieldPath.of('sendInitialEvents'), 'sendInitialEvents is forbidden for list'));
  }
  return errors;
}

function watchErrors({
  resourceVersionMatch: match,
  continueToken,
  sendInitialEvents,
}: ListParameters): FieldError[] {
  const path = FieldPath.of('resourceVersionMatch');
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan')
    errors.push(
      fieldForbidden(path, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
    );
  if (match === '') return errors;
  if (sendInitialEvents === undefined)
    errors.push(
      fieldForbidden(
        path,
        'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
      ),
    );
  if (match !== 'NotOlderThan') errors.push(fieldNotSupported(path, match, ['NotOlderThan']));
  if (continueToken !== '')
    errors.push(fieldForbidden(path, 'resourceVersionMatch is forbidden when continue is provided'));
  return errors;
}
