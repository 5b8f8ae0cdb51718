import type { Schema } from '@windlass/apimachinery';
import type { Authorizer } from '../../access/authorizer.ts';
import { CelEnvironment } from '../../custom/cel/cel-environment.ts';
import { declareType, type SchemaType, toCelValue } from '../../custom/rules/schema-types.ts';
import type { ResourceDefinition } from '../../resource/definition.ts';
import type { Stored } from '../../resource/strategy.ts';
import type { AdmissionRequest } from '../admission.ts';
import type { VersionedObjects } from '../matching/versioned-objects.ts';
import { CelAuthorizer, registerAuthorizer } from './cel-authorizer.ts';

/** What an expression about a write can see. */
export interface AdmissionInput {
  readonly request: AdmissionRequest;
  readonly objects: VersionedObjects;
  readonly authorizer: Authorizer;
  /** Of the object's namespace; undefined for what is in none. */
  readonly namespace?: Stored | undefined;
  /** Undefined when the binding names none. */
  readonly params?: Stored | undefined;
}

export interface DeclaredVariables {
  readonly hasParams: boolean;
  readonly hasAuthorizer: boolean;
  /**
   * Declares the types of `object` and `oldObject`, and of `params`, and answers their names.
   * @default both are `dyn`
   */
  readonly declareTypes?: (env: CelEnvironment) => { readonly object: string; readonly params: string };
}

class RequestKind {}
class RequestResource {}
class RequestUser {}
class Request {}

const KIND = 'kubernetes.GroupVersionKind';
const RESOURCE = 'kubernetes.GroupVersionResource';
const USER = 'kubernetes.UserInfo';
const REQUEST = 'kubernetes.AdmissionRequest';
const KIND_FIELDS = { group: 'string', version: 'string', kind: 'string' };
const RESOURCE_FIELDS = { group: 'string', version: 'string', resource: 'string' };
const USER_FIELDS = {
  username: 'string',
  uid: 'string',
  groups: 'list<string>',
  extra: 'map<string, list<string>>',
};
const REQUEST_FIELDS = {
  kind: KIND,
  resource: RESOURCE,
  subResource: 'string',
  requestKind: KIND,
  requestResource: RESOURCE,
  requestSubResource: 'string',
  name: 'string',
  namespace: 'string',
  operation: 'string',
  userInfo: USER,
  dryRun: 'bool',
  options: 'dyn',
};

const TEXTS: Schema = { type: 'object', additionalProperties: { type: 'string' } };
const TIME: Schema = { type: 'string', format: 'date-time' };
/** What an expression sees of a namespace: who owns it is nobody's business. */
const NAMESPACE: Schema = object({
  metadata: object({
    ...texts('name', 'generateName', 'namespace', 'UID', 'resourceVersion'),
    labels: TEXTS,
    annotations: TEXTS,
    creationTimestamp: TIME,
    deletionTimestamp: TIME,
    deletionGracePeriodSeconds: { type: 'integer' },
    generation: { type: 'integer' },
    finalizers: { type: 'array', items: { type: 'string' } },
  }),
  spec: object({ finalizers: { type: 'array', items: { type: 'string' } } }),
  status: object({
    ...texts('phase'),
    conditions: {
      type: 'array',
      items: object({ ...texts('status', 'type', 'message', 'reason'), lastTransitionTime: TIME }),
    },
  }),
});

function object(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties };
}

function texts(...names: readonly string[]): Record<string, Schema> {
  return Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
}

let namespaceType: SchemaType | undefined;
let plain: CelEnvironment | undefined;
let withAuthorizer: CelEnvironment | undefined;

/** An environment that has the variables. */
export function declareVariables({
  hasParams,
  hasAuthorizer,
  declareTypes = () => ({ object: 'dyn', params: 'dyn' }),
}: DeclaredVariables): CelEnvironment {
  plain ??= declareRequest(CelEnvironment.create());
  withAuthorizer ??= plain.clone().use(registerAuthorizer);
  const env = (hasAuthorizer ? withAuthorizer : plain).clone();
  const { object, params } = declareTypes(env);
  env.variable('object', object).variable('oldObject', object);
  return hasParams ? env.variable('params', params) : env;
}

function declareRequest(env: CelEnvironment): CelEnvironment {
  namespaceType = declareType(env, NAMESPACE, false);
  return env
    .variable('namespaceObject', namespaceType?.type ?? 'dyn')
    .objectType(KIND, RequestKind, KIND_FIELDS)
    .objectType(RESOURCE, RequestResource, RESOURCE_FIELDS)
    .objectType(USER, RequestUser, USER_FIELDS)
    .objectType(REQUEST, Request, REQUEST_FIELDS)
    .variable('request', REQUEST);
}

/** The values of all of them. Those that an expression's environment does not know do no harm. */
export function variablesOf(input: AdmissionInput): Record<string, unknown> {
  const { request, objects, authorizer, namespace, params } = input;
  const { definition, subresource, name, namespace: home } = request;
  const asked = new CelAuthorizer(authorizer, request.context.user);
  const { group, version, plural: resource } = definition;
  return {
    object: valueOf(objects.object),
    oldObject: valueOf(objects.oldObject),
    request: requestValue(request, objects.definition),
    namespaceObject: namespaceValue(namespace),
    params: valueOf(params),
    authorizer: Object.assign(asked, {
      requestResource: asked.of({ group, version, resource, subresource, name, namespace: home }),
    }),
  };
}

/** An object as expressions see it; null when there is none. */
export function valueOf(object: unknown): unknown {
  return object === undefined ? null : toCelValue(object);
}

function namespaceValue(namespace: Stored | undefined): unknown {
  return namespace === undefined ? null : namespaceType?.convert(namespace);
}

function requestValue(request: AdmissionRequest, matched: ResourceDefinition): object {
  const { definition, operation, subresource, name, namespace, options, context } = request;
  const { name: username, uid = '', groups, extra = {} } = context.user;
  const isNamespace = definition.group === '' && definition.plural === 'namespaces';
  // A namespace that is there is in itself.
  const home = isNamespace && operation !== 'CREATE' ? name : namespace;
  const user = Object.assign(new RequestUser(), {
    ...(username !== '' && { username }),
    ...(uid !== '' && { uid }),
    ...(groups.length > 0 && { groups: [...groups] }),
    ...(Object.keys(extra).length > 0 && { extra: toCelValue(extra) }),
  });
  return Object.assign(new Request(), {
    kind: kindValue(request.kind ?? matched),
    resource: resourceValue(matched),
    requestKind: kindValue(request.kind ?? definition),
    requestResource: resourceValue(definition),
    ...(subresource !== '' && { subResource: subresource, requestSubResource: subresource }),
    ...(name !== '' && { name }),
    ...(home !== '' && { namespace: home }),
    operation,
    userInfo: user,
    dryRun: context.isDryRun,
    options: toCelValue(options),
  });
}

function kindValue({ group, version, kind }: NonNullable<AdmissionRequest['kind']>): object {
  return Object.assign(new RequestKind(), { group, version, kind });
}

function resourceValue({ group, version, plural }: ResourceDefinition): object {
  return Object.assign(new RequestResource(), { group, version, resource: plural });
}
