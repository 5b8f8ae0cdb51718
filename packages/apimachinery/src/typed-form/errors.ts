import { WindlassError } from '@windlass/base';

/** A value that cannot be one of its kind's. The message is the API server's. */
export class TypedFormError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'WRONG_TYPE' });
  }
}

/** `json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32`. */
export function wrongType(value: unknown, path: string, struct: string, goType: string): TypedFormError {
  const found = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const json =
    typeof value === 'number' && /^(?:int|float)\d/.test(goType)
      ? `number ${value}`
      : found === 'boolean'
        ? 'bool'
        : found;
  const field = `${struct}.${path.replace(/\[[^\]]*\]/g, '')}`;
  return new TypedFormError(`json: cannot unmarshal ${json} into Go struct field ${field} of type ${goType}`);
}
