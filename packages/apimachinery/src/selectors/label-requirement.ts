import { InvalidSelectorError } from '../errors.ts';
import { validateLabelValue, validateQualifiedName } from '../names/label-syntax.ts';
import { aggregateFieldErrors, type FieldError, fieldInvalid } from '../status/field-error.ts';
import { FieldPath } from '../status/field-path.ts';
import { parseInt64 } from '../text/int64.ts';

/** How a requirement relates a label to its values, in the words of the text form. */
export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

type Labels = Readonly<Record<string, string>> | undefined;

const FEW_VALUES = 8;

/** One term of a label selector. Immutable. */
export class LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
  /** What `>` and `<` compare with. */
  readonly #bound: bigint | undefined;
  /** The one value that a label must have: by far the most common, and asked of every pod of a set in each run. */
  readonly #exact: string | undefined;
  /** The values, when there are so many that looking through them costs more than a look into a set. */
  readonly #many: ReadonlySet<string> | undefined;

  private constructor(key: string, operator: LabelOperator, values: readonly string[]) {
    this.key = key;
    this.operator = operator;
    this.values = values;
    if (operator === 'gt' || operator === 'lt') this.#bound = parseInt64(values[0] ?? '');
    if (values.length === 1 && (operator === '=' || operator === '==' || operator === 'in'))
      this.#exact = values[0];
    if (values.length > FEW_VALUES) this.#many = new Set(values);
  }

  /** Throws InvalidSelectorError, with Kubernetes' words, when key, values and operator do not fit. */
  static of(key: string, operator: LabelOperator, values: readonly string[] = []): LabelRequirement {
    const problems = validate(key, operator, values);
    if (problems.length > 0) throw new InvalidSelectorError(aggregateFieldErrors(problems));
    return new LabelRequirement(key, operator, values);
  }

  /** For keys and values that an API server has accepted already: whatever they are, they match alike. */
  static unchecked(key: string, operator: LabelOperator, values: readonly string[]): LabelRequirement {
    return new LabelRequirement(key, operator, values);
  }

  matches(labels: Labels): boolean {
    // Names such as `constructor` read as something else than a text when the label is absent.
    const value: unknown = labels?.[this.key];
    if (this.#exact !== undefined) return value === this.#exact;
    const present = typeof value === 'string';
    switch (this.operator) {
      case '=':
      case '==':
      case 'in':
        return present && this.#hasValue(value);
      case '!=':
      case 'notin':
        return !present || !this.#hasValue(value);
      case 'exists':
        return present;
      case '!':
        return !present;
      case 'gt':
      case 'lt': {
        const number = present ? parseInt64(value) : undefined;
        if (number === undefined || this.#bound === undefined) return false;
        return this.operator === 'gt' ? number > this.#bound : number < this.#bound;
      }
    }
  }

  #hasValue(value: string): boolean {
    return this.#many === undefined ? this.values.includes(value) : this.#many.has(value);
  }

  /** Values are sorted, so that equal requirements have equal texts. */
  toString(): string {
    const values = this.values.length > 1 ? this.values.toSorted().join(',') : (this.values[0] ?? '');
    switch (this.operator) {
      case '=':
      case '==':
      case '!=':
        return this.key + this.operator + values;
      case 'in':
      case 'notin':
        return `${this.key} ${this.operator} (${values})`;
      case 'exists':
        return this.key;
      case '!':
        return `!${this.key}`;
      case 'gt':
        return `${this.key}>${values}`;
      case 'lt':
        return `${this.key}<${values}`;
    }
  }
}

function validate(key: string, operator: LabelOperator, values: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  const keyProblem = labelKeyError(key, FieldPath.of('key'));
  if (keyProblem !== undefined) errors.push(keyProblem);
  const path = FieldPath.of('values');
  const wrongCount = countProblem(operator, values.length);
  if (wrongCount !== undefined)
    errors.push(fieldInvalid(path, values.length === 0 ? null : values, wrongCount));
  for (const [index, value] of values.entries())
    if ((operator === 'gt' || operator === 'lt') && parseInt64(value) === undefined)
      errors.push(
        fieldInvalid(path.index(index), value, "for 'Gt', 'Lt' operators, the value must be an integer"),
      );
  for (const [index, value] of values.entries()) {
    const problems = validateLabelValue(value);
    if (problems.length > 0)
      errors.push(fieldInvalid(path.index(index).key(key), value, problems.join('; ')));
  }
  return errors;
}

function countProblem(operator: LabelOperator, count: number): string | undefined {
  switch (operator) {
    case 'in':
    case 'notin':
      return count === 0 ? "for 'in', 'notin' operators, values set can't be empty" : undefined;
    case '=':
    case '==':
    case '!=':
      return count === 1 ? undefined : 'exact-match compatibility requires one single value';
    case 'exists':
    case '!':
      return count === 0 ? undefined : 'values set must be empty for exists and does not exist';
    case 'gt':
    case 'lt':
      return count === 1 ? undefined : "for 'Gt', 'Lt' operators, exactly one value is required";
  }
}

/** What is wrong with a label's key, as one error. */
export function labelKeyError(key: string, path: FieldPath | undefined): FieldError | undefined {
  const problems = validateQualifiedName(key);
  return problems.length === 0 ? undefined : fieldInvalid(path, key, problems.join('; '));
}
