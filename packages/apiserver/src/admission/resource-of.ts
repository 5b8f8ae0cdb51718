import { newForbidden, type StatusError } from '@windlass/apimachinery';
import type { AdmissionRequest, Operation } from './admission.ts';

/** Whether the write is of this resource itself, not of a part of it. */
export function isOf(
  { definition, subresource, operation }: AdmissionRequest,
  group: string,
  plural: string,
  operations: readonly Operation[],
): boolean {
  return (
    subresource === '' &&
    definition.plural === plural &&
    definition.group === group &&
    operations.includes(operation)
  );
}

/** The refusal of a plugin: `pods "x" is forbidden: PROBLEM`. */
export function forbidden({ definition, name, object }: AdmissionRequest, problem: string): StatusError {
  const shown = name === '' ? (object?.metadata?.generateName ?? '') : name;
  return newForbidden({ group: definition.group, resource: definition.plural }, shown, problem);
}
