import type { DeepReadonly, FieldError } from '@windlass/apimachinery';
import { fieldOf } from '@windlass/base';
import type { Stored } from '../../resource/strategy.ts';
import type { DefinitionVersion } from '../definition/definition-object.ts';

type Scale = DeepReadonly<NonNullable<NonNullable<DefinitionVersion['subresources']>['scale']>>;

const MAX_INT32 = 2 ** 31 - 1;

/** What stands where `scale` writes must be a number that it can show. */
export function validateScaleSpec(object: Stored, scale: Scale | undefined): FieldError[] {
  return scale === undefined ? [] : replicas(object, scale.specReplicasPath);
}

export function validateScaleStatus(object: Stored, scale: Scale | undefined): FieldError[] {
  if (scale === undefined) return [];
  const errors = replicas(object, scale.statusReplicasPath);
  const path = scale.labelSelectorPath;
  if (path === undefined) return errors;
  const selector = valueAt(object, path);
  if (selector !== undefined && typeof selector !== 'string')
    errors.push(invalid(path, '', accessor(path, selector, 'string')));
  return errors;
}

function replicas(object: Stored, path: string): FieldError[] {
  const value = valueAt(object, path);
  if (value === undefined) return [];
  if (typeof value !== 'number' || !Number.isInteger(value))
    return [invalid(path, 0, accessor(path, value, 'int64'))];
  if (value < 0) return [invalid(path, value, 'should be a non-negative integer')];
  return value > MAX_INT32 ? [invalid(path, value, `should be less than or equal to ${MAX_INT32}`)] : [];
}

function accessor(path: string, value: unknown, wanted: string): string {
  const type = typeof value === 'number' ? 'float64' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `${path} accessor error: ${String(value)} is of the type ${type}, expected ${wanted}`;
}

function invalid(field: string, badValue: unknown, detail: string): FieldError {
  return { type: 'FieldValueInvalid', field, badValue, detail };
}

function valueAt(object: unknown, path: string): unknown {
  let value = object;
  for (const segment of path.split('.').slice(1)) value = fieldOf(value, segment);
  return value;
}
