import {
  type FieldError,
  type FieldPath,
  fieldDuplicate,
  fieldInvalid,
  fieldRequired,
  fieldTooMany,
  validateQualifiedName,
} from '@windlass/apimachinery';
import type { CelEnvironment } from '../../custom/cel/cel-environment.ts';
import { compileExpression } from '../policies/expression.ts';

interface Condition {
  readonly name?: string;
  readonly expression?: string;
}

const MAX_CONDITIONS = 64;

/** What is wrong with the conditions under which a webhook or a policy is asked. */
export function validateMatchConditions(
  conditions: readonly Condition[],
  env: CelEnvironment,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  if (conditions.length > MAX_CONDITIONS) errors.push(fieldTooMany(path, conditions.length, MAX_CONDITIONS));
  for (const [index, { name = '', expression = '' }] of conditions.entries()) {
    const at = path.index(index);
    const source = expression.trim();
    if (source === '') errors.push(fieldRequired(at.child('expression')));
    else {
      const { error } = compileExpression(env, source, ['bool']);
      if (error !== undefined) errors.push(fieldInvalid(at.child('expression'), source, error));
    }
    if (name === '') errors.push(fieldRequired(at.child('name')));
    else {
      for (const problem of validateQualifiedName(name))
        errors.push(fieldInvalid(at.child('name'), name, problem));
      if (names.has(name)) errors.push(fieldDuplicate(at.child('name'), name));
      names.add(name);
    }
  }
  return errors;
}
