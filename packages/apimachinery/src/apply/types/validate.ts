import { WindlassError } from '@windlass/base';
import { goSyntax, goType, goValue } from '../../json/go-format.ts';
import { isJsonObject } from '../../json/json-object.ts';
import type { JsonValue } from '../../object.ts';
import {
  fieldElement,
  formatPath,
  formatPathElement,
  indexElement,
  type PathElement,
} from '../fields/path-element.ts';
import { ListElementError, listElement } from './list-element.ts';
import { kindOf, type ListType, type MapType, type Scalar, type Type } from './type.ts';

/** A value is not of its type. The message names every place, as upstream does. */
export class ApplyTypeError extends WindlassError {
  constructor(problems: readonly string[]) {
    const [only = ''] = problems;
    super(problems.length === 1 ? only : ['errors:', ...problems.map((text) => `  ${text}`)].join('\n'), {
      code: 'APPLY_TYPE',
    });
  }
}

export interface ValidateOptions {
  /**
   * Whether an associative list may have an element twice. A stored object may; what is applied may not.
   * @default false
   */
  readonly allowDuplicates?: boolean;
}

/**
 * The fields of stored objects that were found to be of their type. An object that is written again shares
 * most of them with its former state, and need not be walked again: that was a tenth of a write.
 */
const valid = new WeakMap<object, Type>();

/** Throws ApplyTypeError unless `value` is of `type`. What is frozen is taken to be so all through. */
export function validate(value: JsonValue, type: Type, options: ValidateOptions = {}): void {
  const walk = new Validation(options.allowDuplicates ?? false);
  walk.visit(value, type);
  if (walk.problems.length > 0) throw new ApplyTypeError(walk.problems);
  for (const [field, fieldType] of walk.frozen) valid.set(field, fieldType);
}

class Validation {
  readonly problems: string[] = [];
  /** The fields of the object itself that nobody changes any more. */
  readonly frozen: (readonly [object, Type])[] = [];
  readonly #path: PathElement[] = [];
  readonly #allowDuplicates: boolean;

  constructor(allowDuplicates: boolean) {
    this.#allowDuplicates = allowDuplicates;
  }

  visit(value: JsonValue, type: Type): void {
    const kind = kindOf(type, value);
    if (kind === 'map' && type.map !== undefined) this.#map(value, type.map);
    else if (kind === 'list' && type.list !== undefined) this.#list(value, type.list);
    else if (type.scalar !== undefined) {
      const problem = scalarProblem(type.scalar, value);
      if (problem !== undefined) this.#report(problem);
    }
  }

  #map(value: JsonValue, type: MapType): void {
    if (value === null) return;
    if (!isJsonObject(value)) return this.#report(`expected map, got &{${goValue(value)}}`);
    for (const key of Object.keys(value)) {
      const child = value[key];
      if (child === undefined) continue;
      const field = type.field(key);
      const childType = field?.type ?? type.values;
      this.#path.push(field?.element ?? fieldElement(key));
      if (childType === undefined) {
        this.#report('field not declared in schema');
        this.#path.pop();
        return;
      }
      if (this.#path.length > 1 || !this.#isKnown(child, childType)) this.visit(child, childType);
      this.#path.pop();
    }
  }

  #isKnown(field: JsonValue, type: Type): boolean {
    if (!this.#allowDuplicates || typeof field !== 'object' || field === null || !Object.isFrozen(field))
      return false;
    if (valid.get(field) === type) return true;
    this.frozen.push([field, type]);
    return false;
  }

  #list(value: JsonValue, type: ListType): void {
    if (value === null) return;
    if (!Array.isArray(value)) return this.#report(`expected list, got &{${goValue(value)}}`);
    const { items } = type;
    const seen = type.relationship === 'associative' ? new Set<PathElement>() : undefined;
    for (let index = 0; index < value.length; index++) {
      const item = value[index] ?? null;
      const element = seen === undefined ? indexElement(index) : this.#element(item, index, type, seen);
      if (element === undefined) return;
      this.#path.push(element);
      this.visit(item, items);
      this.#path.pop();
    }
  }

  /** Undefined when the element cannot be identified: then nothing can be said about what is in it. */
  #element(item: JsonValue, index: number, type: ListType, seen: Set<PathElement>): PathElement | undefined {
    let element: PathElement;
    try {
      element = listElement(type, item);
    } catch (error) {
      if (!(error instanceof ListElementError)) throw error;
      this.#report(`element ${index}: ${error.message}`);
      return undefined;
    }
    if (seen.has(element) && !this.#allowDuplicates)
      this.#report(`duplicate entries for key ${formatPathElement(element)}`);
    seen.add(element);
    return element;
  }

  #report(problem: string): void {
    const path = formatPath(this.#path);
    this.problems.push(path === '' ? problem : `${path}: ${problem}`);
  }
}

/** What is wrong with a scalar; null is always right. */
function scalarProblem(scalar: Scalar, value: JsonValue | undefined): string | undefined {
  if (value === null || value === undefined) return undefined;
  switch (scalar) {
    case 'numeric':
      return typeof value === 'number' || typeof value === 'bigint'
        ? undefined
        : `expected numeric (int or float), got ${goType(value)}`;
    case 'string':
      return typeof value === 'string'
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got &{${goValue(value)}}`;
    case 'untyped':
      return typeof value === 'object' ? `expected any scalar, got &{${goValue(value)}}` : undefined;
  }
}
