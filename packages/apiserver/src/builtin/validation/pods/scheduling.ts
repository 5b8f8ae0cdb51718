// Where a pod may run: affinities, tolerations, spreading.
import { type FieldPath, validateLabelValue } from '@windlass/apimachinery';
import { numberAt, textAt, textsAt } from '../../printers/columns.ts';
import { type Fields, objectAt, objectsAt } from '../../values.ts';
import type { Findings } from '../findings.ts';
import { validateNodeSelector, validateNodeSelectorTerm } from '../node-selectors.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
const OPERATORS = ['Equal', 'Exists'];
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function validateAffinity(affinity: Fields | undefined, path: FieldPath, findings: Findings): void {
  const node = objectAt(affinity, 'nodeAffinity');
  const required = objectAt(node, REQUIRED);
  if (required !== undefined) validateNodeSelector(required, path.child('nodeAffinity', REQUIRED), findings);
  for (const [index, term] of objectsAt(node, PREFERRED).entries()) {
    const at = path.child('nodeAffinity', PREFERRED).index(index);
    validateWeight(term, at, findings);
    validatePreference(objectAt(term, 'preference') ?? {}, at.child('preference'), findings);
  }
  for (const field of ['podAffinity', 'podAntiAffinity']) {
    const pods = objectAt(affinity, field);
    for (const [index, term] of objectsAt(pods, REQUIRED).entries())
      validatePodTerm(term, path.child(field, REQUIRED).index(index), findings);
    for (const [index, term] of objectsAt(pods, PREFERRED).entries()) {
      const at = path.child(field, PREFERRED).index(index);
      validateWeight(term, at, findings);
      validatePodTerm(objectAt(term, 'podAffinityTerm') ?? {}, at.child('podAffinityTerm'), findings);
    }
  }
}

/** Of a preference the values may be anything. */
function validatePreference(term: Fields, path: FieldPath, findings: Findings): void {
  const before = findings.errors.length;
  validateNodeSelectorTerm(term, path, findings);
  const kept = findings.errors
    .slice(before)
    .filter(({ field }) => !/matchExpressions\[\d+\]\.values\[/.test(field));
  findings.errors.length = before;
  findings.add(kept);
}

function validateWeight(term: Fields, path: FieldPath, findings: Findings): void {
  const weight = numberAt(term, 'weight');
  if (weight <= 0 || weight > 100)
    findings.invalid(path.child('weight'), weight, 'must be in the range 1-100');
}

function validatePodTerm(term: Fields, path: FieldPath, findings: Findings): void {
  const selector = objectAt(term, 'labelSelector');
  findings.selector(path.child('labelSelector'), selector);
  findings.selector(path.child('namespaceSelector'), objectAt(term, 'namespaceSelector'));
  for (const namespace of textsAt(term, 'namespaces')) findings.label(path.child('namespace'), namespace);
  validateLabelKeys(term, selector, path, findings);
  const key = textAt(term, 'topologyKey');
  if (key === '') findings.required(path.child('topologyKey'), 'can not be empty');
  findings.qualifiedName(path.child('topologyKey'), key);
}

function validateLabelKeys(
  term: Fields,
  selector: Fields | undefined,
  path: FieldPath,
  findings: Findings,
): void {
  const match = textsAt(term, 'matchLabelKeys');
  const mismatch = textsAt(term, 'mismatchLabelKeys');
  for (const [field, keys] of [
    ['matchLabelKeys', match],
    ['mismatchLabelKeys', mismatch],
  ] as const) {
    if (keys.length === 0) continue;
    if (selector === undefined)
      findings.forbidden(path.child(field), 'must not be specified when labelSelector is not set');
    else
      for (const [index, key] of keys.entries()) findings.qualifiedName(path.child(field).index(index), key);
  }
  const known = new Set(Object.keys(objectAt(selector, 'matchLabels') ?? {}));
  for (const expression of objectsAt(selector, 'matchExpressions')) {
    const key = textAt(expression, 'key');
    const index = match.lastIndexOf(key);
    if (index !== -1 && known.has(key))
      findings.invalid(path.index(index), key, 'exists in both matchLabelKeys and labelSelector');
    known.add(key);
  }
  for (const [index, key] of match.entries())
    if (mismatch.includes(key))
      findings.invalid(
        path.child('matchLabelKeys').index(index),
        key,
        'exists in both matchLabelKeys and mismatchLabelKeys',
      );
}

export function validateTolerations(
  tolerations: readonly Fields[],
  path: FieldPath,
  findings: Findings,
): void {
  for (const [index, toleration] of tolerations.entries()) {
    const at = path.index(index);
    const [key, operator, value, effect] = ['key', 'operator', 'value', 'effect'].map((field) =>
      textAt(toleration, field),
    ) as [string, string, string, string];
    if (key !== '') findings.qualifiedName(at.child('key'), key);
    else if (operator !== 'Exists')
      findings.invalid(
        at.child('operator'),
        operator,
        'operator must be Exists when `key` is empty, which means "match all values and all keys"',
      );
    if (toleration['tolerationSeconds'] !== undefined && effect !== 'NoExecute')
      findings.invalid(
        at.child('effect'),
        effect,
        "effect must be 'NoExecute' when `tolerationSeconds` is set",
      );
    validateTolerationValue(operator, value, at, findings);
    if (effect !== '') findings.oneOf(at.child('effect'), effect, EFFECTS);
  }
}

function validateTolerationValue(operator: string, value: string, path: FieldPath, findings: Findings): void {
  const at = path.child('operator');
  if (operator === 'Equal' || operator === '') {
    const problems = validateLabelValue(value);
    if (problems.length > 0) findings.invalid(at, value, problems.join(';'));
  } else if (operator === 'Exists') {
    if (value !== '') findings.invalid(at, value, "value must be empty when `operator` is 'Exists'");
  } else if (operator === 'Lt' || operator === 'Gt') {
    // Known, and not served yet.
    findings.notSupported(at, operator, ['Equal', 'Exists', 'Lt', 'Gt']);
  } else findings.notSupported(at, operator, OPERATORS);
}

export function validateSpreading(constraints: readonly Fields[], path: FieldPath, findings: Findings): void {
  for (const [index, constraint] of constraints.entries()) {
    const at = path.index(index);
    const [key, action] = [textAt(constraint, 'topologyKey'), textAt(constraint, 'whenUnsatisfiable')];
    validatePositive(numberAt(constraint, 'maxSkew'), at.child('maxSkew'), findings);
    if (key === '') findings.required(at.child('topologyKey'), 'can not be empty');
    findings.oneOf(at.child('whenUnsatisfiable'), action, ['DoNotSchedule', 'ScheduleAnyway']);
    const isRepeated = constraints
      .slice(index + 1)
      .some((other) => textAt(other, 'topologyKey') === key && textAt(other, 'whenUnsatisfiable') === action);
    if (isRepeated) findings.duplicate(at.child('{topologyKey, whenUnsatisfiable}'), `{${key}, ${action}}`);
    const domains = constraint['minDomains'];
    if (typeof domains === 'number') {
      validatePositive(domains, at.child('minDomains'), findings);
      if (action !== 'DoNotSchedule')
        findings.invalid(
          at.child('minDomains'),
          domains,
          `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`,
        );
    }
    for (const field of ['nodeAffinityPolicy', 'nodeTaintsPolicy'])
      findings.oneOf(at.child(field), constraint[field], ['Honor', 'Ignore']);
    const selector = objectAt(constraint, 'labelSelector');
    validateLabelKeys(constraint, selector, at, findings);
    findings.selector(at.child('labelSelector'), selector);
  }
}

function validatePositive(value: number, path: FieldPath, findings: Findings): void {
  if (value <= 0) findings.invalid(path, value, 'must be greater than zero');
}
