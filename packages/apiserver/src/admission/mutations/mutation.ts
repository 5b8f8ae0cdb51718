import {
  applyJsonPatch,
  type DeepReadonly,
  JsonPatchError,
  mergeStructuralPatch,
  type Schema,
  TypeCompiler,
} from '@windlass/apimachinery';
import type { Mutation } from '@windlass/apimachinery/api/admissionregistration/v1';
import { toError } from '@windlass/base';
import { type CelBudget, type CelEnvironment, STEPS_PER_OBJECT } from '../../custom/cel/cel-environment.ts';
import type { ResourceDefinition } from '../../resource/definition.ts';
import type { Stored } from '../../resource/strategy.ts';
import { compileExpression, type Expression, evaluateExpression } from '../policies/expression.ts';
import { fieldsToJson, misplacedTypes, ObjectValue, PatchOperation, toJson } from './patch-value.ts';

/** A mutation could not be made. The message says why. */
export class MutationError extends Error {}

/** The type that the expression of a patch must have. */
export const PATCH_TYPES: Readonly<Record<string, string>> = {
  ApplyConfiguration: 'Object',
  JSONPatch: 'list(JSONPatch)',
};

/** One mutation of a policy. */
export class CompiledMutation {
  readonly #isApply: boolean;
  readonly #expression: Expression;

  /** @param env has the types of patches */
  constructor({ patchType, applyConfiguration, jsonPatch }: DeepReadonly<Mutation>, env: CelEnvironment) {
    this.#isApply = patchType === 'ApplyConfiguration';
    const source = (this.#isApply ? applyConfiguration : jsonPatch)?.expression ?? '';
    this.#expression = compileExpression(env, source, [PATCH_TYPES[patchType] ?? '']);
  }

  /**
   * The object as the mutation makes it. The one that is given does not change.
   * @throws MutationError
   */
  apply(
    object: Stored,
    definition: Pick<ResourceDefinition, 'schemas'>,
    schema: Schema | undefined,
    scope: Readonly<Record<string, unknown>>,
  ): Stored {
    const value = this.#evaluate(scope);
    return this.#isApply ? merged(object, value, definition, schema) : patched(object, value);
  }

  #evaluate(scope: Readonly<Record<string, unknown>>): unknown {
    const { error } = this.#expression;
    if (error !== undefined) throw new MutationError(error);
    const budget: CelBudget = { remaining: STEPS_PER_OBJECT };
    try {
      const result = evaluateExpression(this.#expression, scope, budget);
      if (result.type === 'value') return result.value;
      throw new MutationError(result.message);
    } catch (error) {
      throw error instanceof MutationError ? error : new MutationError(toError(error).message);
    }
  }
}

const COMPILERS = new WeakMap<object, TypeCompiler>();

function merged(
  object: Stored,
  value: unknown,
  { schemas }: Pick<ResourceDefinition, 'schemas'>,
  schema: Schema | undefined,
): Stored {
  if (!(value instanceof ObjectValue))
    throw new MutationError('unsupported return type from ApplyConfiguration expression');
  checkPlaces(value);
  const types = COMPILERS.get(schemas) ?? new TypeCompiler(schemas);
  COMPILERS.set(schemas, types);
  try {
    const patch = { ...fieldsToJson(value.fields), apiVersion: object.apiVersion, kind: object.kind };
    return mergeStructuralPatch(object, patch, types, schema);
  } catch (error) {
    throw new MutationError(`error applying patch: ${toError(error).message}`);
  }
}

function patched(object: Stored, value: unknown): Stored {
  if (!Array.isArray(value))
    throw new MutationError('type mismatch: JSONPatchType.expression should evaluate to array');
  const operations = value.map((item: unknown) => {
    if (!(item instanceof PatchOperation))
      throw new MutationError(
        'type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch',
      );
    const given = item.fields.get('value');
    if (given instanceof ObjectValue) checkPlaces(given, given.type);
    return {
      op: item.fields.get('op') ?? '',
      path: item.fields.get('path') ?? '',
      ...(item.fields.has('from') && { from: item.fields.get('from') }),
      ...(item.fields.has('value') && { value: valueToJson(given) }),
    };
  });
  try {
    return applyJsonPatch(object, operations);
  } catch (error) {
    // A test that fails is a condition that does not hold: then nothing is to be done.
    if (error instanceof JsonPatchError && error.failure === 'test-failed') return object;
    throw new MutationError(`JSON Patch: ${toError(error).message}`);
  }
}

function valueToJson(value: unknown): unknown {
  try {
    return toJson(value);
  } catch (error) {
    throw new MutationError(
      `JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${toError(error).message}`,
    );
  }
}

function checkPlaces(value: ObjectValue, root = 'Object'): void {
  const problems = misplacedTypes(value, root);
  if (problems.length > 0) throw new MutationError(`type mismatch: ${problems.join('\n')}`);
}
