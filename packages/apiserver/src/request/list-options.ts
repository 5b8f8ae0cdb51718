import {
  type FieldError,
  FieldPath,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  newBadRequest,
  newInvalid,
} from '@windlass/apimachinery';

/** The query of a list, a watch or a deletecollection, checked. */
export interface ListParameters {
  readonly labelSelector: string | undefined;
  readonly fieldSelector: string | undefined;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: '' | 'Exact' | 'NotOlderThan';
  /** 0 for no limit. */
  readonly limit: number;
  readonly continueToken: string;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  readonly timeoutSeconds: number | undefined;
}

export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

export function parseListParameters(query: Query, isWatch: boolean): ListParameters {
  const text = (name: string): string => first(query[name]) ?? '';
  const parameters: ListParameters = {
    labelSelector: first(query['labelSelector']),
    fieldSelector: first(query['fieldSelector']),
    resourceVersion: text('resourceVersion'),
    resourceVersionMatch: text('resourceVersionMatch') as ListParameters['resourceVersionMatch'],
    limit: parseInteger('limit', text('limit')) ?? 0,
    continueToken: text('continue'),
    allowWatchBookmarks: parseBoolean(text('allowWatchBookmarks')) ?? false,
    sendInitialEvents: parseBoolean(text('sendInitialEvents')),
    timeoutSeconds: parseInteger('timeoutSeconds', text('timeoutSeconds')),
  };
  const errors = isWatch ? watchErrors(parameters) : listErrors(parameters);
  if (errors.length > 0) throw newInvalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
  return parameters;
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
  limit,
}: ListParameters): FieldError[] {
  const errors: FieldError[] = [];
  const path = FieldPath.of('resourceVersionMatch');
  if (sendInitialEvents === undefined) {
    if (match !== '')
      errors.push(
        fieldForbidden(
          path,
          'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
        ),
      );
  } else {
    if (match === '')
      errors.push(
        fieldForbidden(path, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
      );
    else if (match !== 'NotOlderThan') errors.push(fieldNotSupported(path, match, ['NotOlderThan']));
    if (limit < 0) errors.push(fieldInvalid(FieldPath.of('limit'), limit, 'must be non-negative'));
    if (continueToken !== '')
      errors.push(fieldForbidden(FieldPath.of('continue'), 'continue is forbidden for watch'));
  }
  return errors;
}

export function first(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' || value === undefined ? value : value[0];
}

/** As Go's form decoding reads a bool: present means true unless it says otherwise. */
export function parseBoolean(text: string): boolean | undefined {
  if (text === '') return undefined;
  return !(text === 'false' || text === '0');
}

export function parseInteger(name: string, text: string): number | undefined {
  if (text === '') return undefined;
  if (!/^[+-]?[0-9]+$/.test(text)) {
    throw newBadRequest(
      `strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax (parameter ${name})`,
    );
  }
  return Number(text);
}
