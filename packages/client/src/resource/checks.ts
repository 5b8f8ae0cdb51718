// Refuses calls that cannot be meant, before anything is sent. An empty name is the dangerous one: it
// would turn a delete of one object into a delete of all.
import { apiVersionOf, type KubeObject, type ResourceType } from '@windlass/apimachinery';
import { describe } from '@windlass/base';
import { InvalidRequestError } from '../errors.ts';

export function checkName(what: string, name: unknown): asserts name is string {
  checkSegment(`the name of a ${what}`, name);
}

export function checkNamespaceName(namespace: unknown): asserts namespace is string {
  checkSegment('a namespace', namespace);
}

/** The namespace that a path must have: undefined for what lives in none. */
export function namespaceFor(type: ResourceType, namespace: string | undefined): string | undefined {
  if (!type.namespaced) {
    if (namespace === undefined) return undefined;
    throw new InvalidRequestError(
      `${type.kind} lives in no namespace, but namespace "${namespace}" was asked for; leave .namespace() out`,
    );
  }
  if (namespace !== undefined) return namespace;
  throw new InvalidRequestError(`${type.kind} lives in a namespace; say which with .namespace('...')`);
}

/** The namespace for writing an object: the client's or the object's own, which must agree. */
export function namespaceForObject(
  type: ResourceType,
  namespace: string | undefined,
  object: KubeObject,
): string | undefined {
  const own = object.metadata?.namespace;
  if (own === undefined || own === '') return namespaceFor(type, namespace);
  if (namespace !== undefined && namespace !== own) {
    throw new InvalidRequestError(
      `metadata.namespace of the ${type.kind} is "${own}", but the client is for namespace "${namespace}"`,
    );
  }
  return namespaceFor(type, own);
}

/** The name of an object that must have one. */
export function nameOf(type: ResourceType, object: KubeObject): string {
  const name = object.metadata?.name;
  if (name === undefined || name === '') {
    throw new InvalidRequestError(`the ${type.kind} has no metadata.name`);
  }
  checkName(type.kind, name);
  return name;
}

/** False for what is answered and never stored: what a review asks, and a binding. */
export function isStored(type: ResourceType): boolean {
  return !type.kind.endsWith('Review') && !(type.kind === 'Binding' && type.group === '');
}

/** What is stored needs a name, or a beginning of one. */
export function checkCreatable(type: ResourceType, object: KubeObject): void {
  if (type.kind.endsWith('Review')) return;
  const { name, generateName } = object.metadata ?? {};
  if ((name ?? '') === '' && (generateName ?? '') === '') {
    throw new InvalidRequestError(
      `the ${type.kind} to create has neither metadata.name nor metadata.generateName`,
    );
  }
}

/** The object with its apiVersion and kind, which may be left out but not be others. */
export function withTypeMeta<T extends KubeObject>(type: ResourceType, object: T): T {
  if (typeof object !== 'object' || object === null) {
    throw new InvalidRequestError(`a ${type.kind} must be an object, but it is ${describe(object)}`);
  }
  const apiVersion = apiVersionOf(type);
  checkSame(type, 'apiVersion', object.apiVersion, apiVersion);
  checkSame(type, 'kind', object.kind, type.kind);
  if (object.apiVersion === apiVersion && object.kind === type.kind) return object;
  return { ...object, apiVersion, kind: type.kind };
}

function checkSame(type: ResourceType, field: string, actual: string | undefined, expected: string): void {
  if (actual === undefined || actual === '' || actual === expected) return;
  throw new InvalidRequestError(
    `${field} of the ${type.kind} is "${actual}", but the client is for "${expected}"`,
  );
}

/** What the API accepts as one segment of a path. */
function checkSegment(what: string, value: unknown): asserts value is string {
  if (typeof value === 'string' && value !== '' && value !== '.' && value !== '..' && !/[/%]/.test(value))
    return;
  throw new InvalidRequestError(`${what} must be text without "/" and "%", but it is ${describe(value)}`);
}
