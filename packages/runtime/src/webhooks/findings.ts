import { type FieldError, type FieldErrorType, fieldErrorMessage } from '@windlass/apimachinery';
import { InvalidArgumentError, WindlassError } from '@windlass/base';

/** The object is refused; the message is what the user sees. */
export class DeniedError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'DENIED' });
  }
}

/** A field of the object is refused. The user sees its path, and the message. */
export class RefusedError extends WindlassError {
  readonly error: FieldError;

  constructor(error: FieldError) {
    super(fieldErrorMessage(error), { code: 'REFUSED' });
    this.error = error;
  }
}

/** The object is allowed, and the user is told something. */
export interface Warning {
  readonly warning: string;
}

/** What a validator may find. */
export type Finding = RefusedError | DeniedError | Warning;

/** What a refusal says beside its message. */
export interface RefuseOptions {
  /** Shown after the path. Leave out what is large, or secret. @default not shown */
  readonly value?: unknown;
  /** What is wrong, as API servers say it. @default 'FieldValueInvalid' */
  readonly type?: FieldErrorType;
}

/**
 * Refuses a field, with 422 Invalid: return it from a validator, alone or with others, or throw it.
 * @param field its path: `spec.ports[0].name`
 * @param message what is wrong and what to do: `must end with a slash`
 */
export function refuse(field: string, message: string, options: RefuseOptions = {}): RefusedError {
  const path = field.replace(/^\./, '');
  if (path === '') throw new InvalidArgumentError('field', field, 'the path of a field, such as spec.text');
  const { type = 'FieldValueInvalid', value } = options;
  return new RefusedError({ type, field: path, badValue: value, detail: message });
}

/** Refuses the whole request, with 403 Forbidden: return it, or throw it. */
export function deny(message: string): DeniedError {
  return new DeniedError(message);
}

/** Lets the object pass, and tells the user something: kubectl prints it. */
export function warn(message: string): Warning {
  return { warning: message };
}

/** Node's advice to whoever runs a program is none for the users of a cluster. */
const HINT = /; if the root CA is installed locally, try running Node\.js with --use-system-ca/g;

/** What users are told of an error that was not meant for them. */
export function toldOf(error: Error): string {
  return error.message.replaceAll(HINT, '');
}
