import { appendAll } from '@windlass/base';
import { InvalidSelectorError } from '../errors.ts';
import { validateLabels } from '../metadata/object-meta-validation.ts';
import { validateLabelValue, validateQualifiedName } from '../names/label-syntax.ts';
import { type FieldError, fieldForbidden, fieldInvalid, fieldRequired } from '../status/field-error.ts';
import type { FieldPath } from '../status/field-path.ts';
import { goQuote } from '../text/go-text.ts';
import { labelMatcher } from './label-matcher.ts';
import { type LabelOperator, LabelRequirement } from './label-requirement.ts';
import { parseLabelRequirements } from './label-selector-parser.ts';

type Labels = Readonly<Record<string, string>> | undefined;

/** Which objects are meant, by their labels; ready to match many. Immutable. */
export interface Selector {
  /** All of them must hold. */
  readonly requirements: readonly LabelRequirement[];
  /** True for the one that selects nothing whatever the labels are. */
  readonly matchesNothing: boolean;
  /** True for one that selects everything. */
  readonly isEmpty: boolean;
  matches(labels: Labels): boolean;
  /** The value that the label must have, when there is only one. */
  requiredValue(key: string): string | undefined;
  /** The canonical text: `parseLabelSelector` of it selects the same. */
  toString(): string;
}

/** A `LabelSelector` as objects carry it. All of both parts must hold. */
export interface LabelSelectorObject {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelSelectorExpression[];
}

/** A requirement of a label selector: an entry of `matchExpressions`. */
export interface LabelSelectorExpression {
  readonly key: string;
  /** `In`, `NotIn`, `Exists` or `DoesNotExist`. */
  readonly operator: string;
  readonly values?: readonly string[];
}

/** Below this, looking at each requirement is faster. */
const MANY = 16;

class RequirementsSelector implements Selector {
  readonly requirements: readonly LabelRequirement[];
  readonly matchesNothing = false;
  #matchMany: ((labels: Labels) => boolean) | undefined = undefined;

  constructor(requirements: readonly LabelRequirement[]) {
    this.requirements = requirements;
  }

  get isEmpty(): boolean {
    return this.requirements.length === 0;
  }

  matches(labels: Labels): boolean {
    if (this.requirements.length < MANY) {
      for (const requirement of this.requirements) if (!requirement.matches(labels)) return false;
      return true;
    }
    this.#matchMany ??= labelMatcher(this.requirements);
    return this.#matchMany(labels);
  }

  requiredValue(key: string): string | undefined {
    const requirement = this.requirements.find((candidate) => candidate.key === key);
    if (requirement === undefined || requirement.values.length !== 1) return undefined;
    return EXACT.has(requirement.operator) ? requirement.values[0] : undefined;
  }

  toString(): string {
    return this.requirements.join(',');
  }
}

const EXACT: ReadonlySet<LabelOperator> = new Set(['=', '==', 'in']);

/** A selector that every object matches. */
export const selectEverything: Selector = Object.freeze(new RequirementsSelector([]));

/** Its text is empty, as in Kubernetes: do not send it to a server. */
export const selectNothing: Selector = Object.freeze({
  requirements: [],
  matchesNothing: true,
  isEmpty: false,
  matches: () => false,
  requiredValue: () => undefined,
  toString: () => '',
});

function selectorOf(requirements: LabelRequirement[]): Selector {
  if (requirements.length === 0) return selectEverything;
  return new RequirementsSelector(requirements);
}

function byKey(a: LabelRequirement, b: LabelRequirement): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

/** The text of `?labelSelector=` and of `kubectl -l`. Throws InvalidSelectorError with Kubernetes' words. */
export function parseLabelSelector(text: string): Selector {
  return selectorOf(parseLabelRequirements(text));
}

/** All of these labels, with these values. Nothing is checked. */
export function selectorFromLabels(labels: Labels): Selector {
  const requirements = Object.entries(labels ?? {}).map(([key, value]) =>
    LabelRequirement.unchecked(key, '=', [value]),
  );
  return selectorOf(requirements.sort(byKey));
}

const OPERATORS: ReadonlyMap<string, LabelOperator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

/**
 * What a field such as `spec.selector` selects. An absent one selects nothing, an empty one everything.
 * Throws InvalidSelectorError with Kubernetes' words.
 */
export function selectorFromObject(object: LabelSelectorObject | undefined): Selector {
  if (object === undefined) return selectNothing;
  const requirements = Object.entries(object.matchLabels ?? {}).map(([key, value]) =>
    LabelRequirement.of(key, '=', [value]),
  );
  for (const { key, operator, values = [] } of object.matchExpressions ?? []) {
    const known = OPERATORS.get(operator);
    if (known === undefined)
      throw new InvalidSelectorError(`${goQuote(operator)} is not a valid label selector operator`);
    requirements.push(LabelRequirement.of(key, known, values));
  }
  return selectorOf(requirements.sort(byKey));
}

/** What is wrong with such a field. */
export function validateLabelSelector(
  object: LabelSelectorObject | undefined,
  path: FieldPath,
): FieldError[] {
  const errors = validateLabels(object?.matchLabels ?? {}, path.child('matchLabels'));
  for (const [index, expression] of (object?.matchExpressions ?? []).entries())
    appendAll(errors, validateExpression(expression, path.child('matchExpressions').index(index)));
  return errors;
}

function validateExpression(expression: LabelSelectorExpression, path: FieldPath): FieldError[] {
  const { key, operator, values = [] } = expression;
  const errors: FieldError[] = [];
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0)
      errors.push(
        fieldRequired(path.child('values'), "must be specified when `operator` is 'In' or 'NotIn'"),
      );
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0)
      errors.push(
        fieldForbidden(
          path.child('values'),
          "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        ),
      );
  } else {
    errors.push(fieldInvalid(path.child('operator'), operator, 'not a valid selector operator'));
  }
  for (const problem of validateQualifiedName(key))
    errors.push(fieldInvalid(path.child('key'), key, problem));
  for (const [index, value] of values.entries())
    for (const problem of validateLabelValue(value))
      errors.push(fieldInvalid(path.child('values').index(index), value, problem));
  return errors;
}
