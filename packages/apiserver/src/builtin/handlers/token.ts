import {
  type FieldError,
  FieldPath,
  fieldInvalid,
  fieldNotSupported,
  formatTime,
  newBadRequest,
  newConflict,
  newInvalid,
} from '@windlass/apimachinery';
import type { RequestContext } from '../../request/context.ts';
import type { SubresourceHandler } from '../../resource/definition.ts';
import { numberAt, textAt, textsAt } from '../printers/columns.ts';
import type { BuiltinServices, TokenIssuer, TokenOrder } from '../services.ts';
import { type Fields, objectAt } from '../values.ts';
import { Scope } from './scope.ts';

const DEFAULT_SECONDS = 3600;
const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;
/** Where each kind that a token may be bound to is found. */
const BINDABLE: Readonly<Record<string, string>> = { Pod: 'pods', Secret: 'secrets', Node: 'nodes' };

/** `serviceaccounts/token`: a new token for a service account. */
export function serviceAccountToken({ runtime }: BuiltinServices, issuer: TokenIssuer): SubresourceHandler {
  return async ({ namespace, name, body, context }) => {
    if (body === undefined) throw newBadRequest('the body must be a TokenRequest');
    const spec = objectAt(body, 'spec') ?? {};
    const seconds = numberAt(spec, 'expirationSeconds', DEFAULT_SECONDS);
    const scope = new Scope(runtime, context);
    const account = await scope.get(scope.target('', 'serviceaccounts', namespace, name));
    const errors = validate(spec, seconds);
    if (errors.length > 0)
      throw newInvalid({ group: 'authentication.k8s.io', kind: 'TokenRequest' }, '', errors);
    const binding = await boundObject(scope, namespace, objectAt(spec, 'boundObjectRef'));
    const order: TokenOrder = {
      namespace,
      name,
      uid: account.metadata?.uid ?? '',
      audiences: textsAt(spec, 'audiences'),
      expirationSeconds: seconds,
      ...binding,
    };
    const issued = context.isDryRun ? undefined : await issuer.issue(order);
    const status =
      issued === undefined
        ? { token: '', expirationTimestamp: formatTime(context.clock.now() + seconds * 1000) }
        : { token: issued.token, expirationTimestamp: issued.expirationTimestamp };
    return {
      status: 201,
      object: {
        kind: 'TokenRequest',
        apiVersion: 'authentication.k8s.io/v1',
        metadata: {
          name,
          namespace,
          uid: context.random.uuid(),
          creationTimestamp: formatTime(context.clock.now()),
          managedFields: [ownership(spec, context)],
        },
        spec: {
          boundObjectRef: null,
          ...spec,
          audiences: issued?.audiences ?? order.audiences,
          expirationSeconds: seconds,
        },
        status,
      },
    };
  };
}

/** Whoever asks owns what was asked, as if it were kept. */
function ownership(spec: Fields, { fieldManager, clock }: RequestContext): object {
  const owned = new Set(['expirationSeconds', ...Object.keys(spec)]);
  return {
    manager: fieldManager,
    operation: 'Update',
    apiVersion: 'authentication.k8s.io/v1',
    time: formatTime(clock.now()),
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': Object.fromEntries([...owned].toSorted().map((field) => [`f:${field}`, {}])) },
    subresource: 'token',
  };
}

function validate(spec: Fields, seconds: number): FieldError[] {
  const path = FieldPath.of('spec');
  const errors: FieldError[] = [];
  if (seconds < MIN_SECONDS)
    errors.push(
      fieldInvalid(
        path.child('expirationSeconds'),
        seconds,
        'may not specify a duration less than 10 minutes',
      ),
    );
  if (seconds > MAX_SECONDS)
    errors.push(
      fieldInvalid(
        path.child('expirationSeconds'),
        seconds,
        'may not specify a duration larger than 2^32 seconds',
      ),
    );
  const kind = textAt(objectAt(spec, 'boundObjectRef'), 'kind');
  if (kind !== '' && BINDABLE[kind] === undefined)
    errors.push(fieldNotSupported(path.child('boundObjectRef', 'kind'), kind, Object.keys(BINDABLE)));
  return errors;
}

async function boundObject(
  scope: Scope,
  namespace: string,
  reference: Fields | undefined,
): Promise<Pick<TokenOrder, 'bound' | 'node'>> {
  if (reference === undefined) return {};
  const kind = textAt(reference, 'kind');
  const plural = BINDABLE[kind];
  if (plural === undefined) return {};
  const name = textAt(reference, 'name');
  const object = await scope.get(scope.target('', plural, kind === 'Node' ? '' : namespace, name));
  const uid = object.metadata?.uid ?? '';
  const given = textAt(reference, 'uid', uid);
  if (given !== uid) {
    throw newConflict(
      { group: '', resource: plural },
      name,
      `the UID in the bound object reference (${given}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  const node = textAt(objectAt(object, 'spec'), 'nodeName');
  return {
    // Checked above.
    bound: { kind: kind as 'Pod' | 'Secret' | 'Node', name, uid },
    ...(kind === 'Pod' && node !== '' && { node: { name: node } }),
  };
}
