import {
  type DeepReadonly,
  type KubeObject,
  newForbidden,
  type ResourceType,
  type StatusError,
} from '@windlass/apimachinery';
import type { AdmissionRequest, Operation } from './admission.ts';

/** Whether the write is of this resource itself, not of a part of it. */
export function isOf(
  request: AdmissionRequest,
  type: ResourceType,
  operations: readonly Operation[],
): boolean {
  return request.subresource === '' && isOfKind(request, type) && operations.includes(request.operation);
}

/** Whether the write is of this resource, or of a part of it. */
export function isOfKind({ definition }: AdmissionRequest, { group, plural }: ResourceType): boolean {
  return definition.plural === plural && definition.group === group;
}

/**
 * The object that is to be stored, which may be changed while mutating.
 * @throws TypeError when the write is of another resource, or a deletion
 */
export function objectOf<T extends KubeObject>(request: AdmissionRequest, type: ResourceType<T>): T {
  const { object } = request;
  if (object === undefined || !isOfKind(request, type)) throw notOf(request, type);
  // Decoding has brought the object into the typed form of the resource's kind.
  return object as unknown as T;
}

/**
 * The object as it is stored.
 * @throws TypeError when the write is of another resource, or creates
 */
export function oldObjectOf<T extends KubeObject>(
  request: AdmissionRequest,
  type: ResourceType<T>,
): DeepReadonly<T> {
  const { oldObject } = request;
  if (oldObject === undefined || !isOfKind(request, type)) throw notOf(request, type);
  // What is stored under a resource is of its kind.
  return oldObject as DeepReadonly<T>;
}

function notOf({ operation, definition }: AdmissionRequest, { kind }: ResourceType): TypeError {
  return new TypeError(`a plugin took the ${operation} of ${definition.plural} for one of a ${kind}`);
}

/** The refusal of a plugin: `pods "x" is forbidden: PROBLEM`. */
export function forbidden({ definition, name, object }: AdmissionRequest, problem: string): StatusError {
  const shown = name === '' ? (object?.metadata?.generateName ?? '') : name;
  return newForbidden({ group: definition.group, resource: definition.plural }, shown, problem);
}
