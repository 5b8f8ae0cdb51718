import { toError, WindlassError } from '@windlass/base';
import type { JsonObject } from '../json/json-object.ts';
import { apiVersionOf } from '../resource.ts';
import type { FieldManagerOptions } from './field-manager-options.ts';
import type { FieldSet } from './fields/field-set.ts';
import { describeObject } from './object-access.ts';
import type { Type } from './types/type.ts';
import { DEDUCED } from './types/type-compiler.ts';
import type { TypedObject, UpdateContext } from './types/typed-object.ts';
import { type ValidateOptions, validate } from './types/validate.ts';

/** An apply that fails for another reason than a conflict. The message is the API server's. */
export class ApplyError extends WindlassError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'APPLY_FAILED', cause });
  }
}

/** A kind's types in its versions, and what is needed to go from one to another. */
export class KindTypes implements UpdateContext {
  readonly apiVersion: string;
  readonly #options: FieldManagerOptions;
  readonly #type: Type;

  constructor(options: FieldManagerOptions) {
    this.#options = options;
    this.apiVersion = apiVersionOf(options.kind);
    this.#type = options.schema === undefined ? DEDUCED : options.types.typeOf(options.schema);
  }

  /** What is known to be valid. */
  typed(value: JsonObject): TypedObject {
    return { value, type: this.#type, apiVersion: this.apiVersion };
  }

  /** `problem` is what the message of the ApplyError begins with, with `()` where the object is named. */
  validated(value: JsonObject, problem: string, options: ValidateOptions): TypedObject {
    try {
      validate(value, this.#type, options);
    } catch (cause) {
      const named = problem.replace('()', `(${describeObject(value, this.#options.kind)})`);
      throw new ApplyError(`${named}: ${toError(cause).message}`, cause);
    }
    return this.typed(value);
  }

  convert(object: TypedObject, apiVersion: string): TypedObject | undefined {
    if (object.apiVersion === apiVersion) return object;
    const type = this.#typeIn(apiVersion);
    const value = this.#options.versions?.convert(object.value, apiVersion);
    if (value === undefined || type === undefined) return undefined;
    validate(value, type);
    return { value, type, apiVersion };
  }

  filter(fields: FieldSet, apiVersion: string): FieldSet {
    return this.#options.filters?.get(apiVersion)?.(fields) ?? fields;
  }

  /** Undefined when there is no such version. */
  #typeIn(apiVersion: string): Type | undefined {
    if (apiVersion === this.apiVersion || this.#type === DEDUCED) return this.#type;
    const schema = this.#options.versions?.schemaOf(apiVersion);
    return schema && this.#options.types.typeOf(schema);
  }
}
