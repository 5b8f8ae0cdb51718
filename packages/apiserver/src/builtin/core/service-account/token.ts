import {
  type FieldError,
  FieldPath,
  fieldInvalid,
  fieldNotSupported,
  formatTime,
  newConflict,
  newInvalid,
} from '@windlass/apimachinery';
import type {
  BoundObjectReference,
  TokenRequest,
  TokenRequestSpec,
} from '@windlass/apimachinery/api/authentication/v1';
import { Node, Pod, Secret, ServiceAccount } from '@windlass/apimachinery/api/core/v1';
import type { RequestContext } from '../../../request/context.ts';
import type { SubresourceHandler } from '../../../resource/definition.ts';
import type { View } from '../../../resource/views.ts';
import type { BuiltinServices, TokenIssuer, TokenOrder } from '../../builtin-services.ts';
import { Scope } from '../../shared/scope.ts';
import { bodyAs } from '../../shared/subresource-body.ts';

const REQUEST = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' } as const;
const API_VERSION = 'authentication.k8s.io/v1';
const SPEC = FieldPath.of('spec');
const DEFAULT_SECONDS = 3600;
const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;
/** Where each kind that a token may be bound to is found. */
const BINDABLE = { Pod, Secret, Node };

type Spec = View<TokenRequestSpec>;

/** `serviceaccounts/token`: a new token for a service account. */
export function serviceAccountToken({ runtime }: BuiltinServices, issuer: TokenIssuer): SubresourceHandler {
  return async ({ namespace, name, body, context }) => {
    const { spec = {} } = bodyAs<TokenRequest>(REQUEST, body);
    const seconds = spec.expirationSeconds ?? DEFAULT_SECONDS;
    const scope = new Scope(runtime, context);
    const account = await scope.get(scope.target(ServiceAccount, namespace, name));
    const errors = validate(spec, seconds);
    if (errors.length > 0) throw newInvalid(REQUEST, '', errors);
    const order: TokenOrder = {
      namespace,
      name,
      uid: account.metadata?.uid ?? '',
      audiences: spec.audiences ?? [],
      expirationSeconds: seconds,
      ...(spec.boundObjectRef && (await bindingTo(spec.boundObjectRef, scope, namespace))),
    };
    const issued = context.isDryRun ? undefined : await issuer.issue(order);
    const status =
      issued === undefined
        ? { token: '', expirationTimestamp: formatTime(context.clock.now() + seconds * 1000) }
        : { token: issued.token, expirationTimestamp: issued.expirationTimestamp };
    return {
      status: 201,
      object: {
        kind: REQUEST.kind,
        apiVersion: API_VERSION,
        metadata: {
          name,
          namespace,
          uid: context.random.uuid(),
          creationTimestamp: formatTime(context.clock.now()),
          managedFields: [ownership(spec, context)],
        },
        spec: {
          ...spec,
          boundObjectRef: spec.boundObjectRef ?? null,
          audiences: issued?.audiences ?? order.audiences,
          expirationSeconds: seconds,
        },
        status,
      },
    };
  };
}

/** Whoever asks owns what was asked, as if it were kept. */
function ownership(spec: Spec, { fieldManager, clock }: RequestContext): object {
  const given = Object.entries(spec).filter(([, value]) => value !== null);
  const owned = new Set(['expirationSeconds', ...given.map(([field]) => field)]);
  return {
    manager: fieldManager,
    operation: 'Update',
    apiVersion: API_VERSION,
    time: formatTime(clock.now()),
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': Object.fromEntries([...owned].toSorted().map((field) => [`f:${field}`, {}])) },
    subresource: 'token',
  };
}

function validate(spec: Spec, seconds: number): FieldError[] {
  const at = SPEC.child('expirationSeconds');
  const errors: FieldError[] = [];
  if (seconds < MIN_SECONDS)
    errors.push(fieldInvalid(at, seconds, 'may not specify a duration less than 10 minutes'));
  if (seconds > MAX_SECONDS)
    errors.push(fieldInvalid(at, seconds, 'may not specify a duration larger than 2^32 seconds'));
  const kind = spec.boundObjectRef?.kind ?? '';
  if (kind !== '' && !isBindable(kind))
    errors.push(fieldNotSupported(SPEC.child('boundObjectRef', 'kind'), kind, Object.keys(BINDABLE)));
  return errors;
}

function isBindable(kind: string): kind is keyof typeof BINDABLE {
  return Object.hasOwn(BINDABLE, kind);
}

async function bindingTo(
  { kind = '', name = '', uid: given }: View<BoundObjectReference>,
  scope: Scope,
  namespace: string,
): Promise<Pick<TokenOrder, 'bound' | 'node'>> {
  if (!isBindable(kind)) return {};
  const type = BINDABLE[kind];
  const target = scope.target<Pod | Secret | Node>(type, kind === 'Node' ? '' : namespace, name);
  const object = await scope.get(target);
  const uid = object.metadata?.uid ?? '';
  if ((given || uid) !== uid) {
    throw newConflict(
      { group: '', resource: type.plural },
      name,
      `the UID in the bound object reference (${given}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  const bound = { kind, name, uid };
  if (kind !== 'Pod') return { bound };
  // What is stored under pods is a pod.
  const { nodeName = '' } = (object as View<Pod>).spec ?? {};
  return nodeName === '' ? { bound } : { bound, node: { name: nodeName } };
}
