import {
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  type Schema,
} from '@windlass/apimachinery';
import type { CelProgram } from '../cel/cel-environment.ts';
import { estimateCost } from '../cel/estimate/cost-estimate.ts';
import type { Range } from '../cel/estimate/range.ts';
import { costMessage, MAX_RULE_COST, type RuleCost } from '../definition/rule-costs.ts';
import { schemaAtPath } from '../definition/schema-path.ts';
import type { RuleFindings, RuleVisitor, SchemaPlace } from '../definition/schema-rules.ts';
import { type CompiledRule, compileRules } from './compiled-rules.ts';
import { MAX_REQUEST_BYTES, sizeWithin } from './size-limits.ts';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** What is wrong with the validation rules of one place of a schema. */
export const validateRules: RuleVisitor = (schema, place) => {
  const errors: FieldError[] = [];
  for (const [index, rule] of (schema['x-kubernetes-validations'] ?? []).entries()) {
    const path = place.path.child('x-kubernetes-validations').index(index);
    const message = (rule.message ?? '').trim();
    if (rule.rule.trim() === '') errors.push(fieldRequired(path.child('rule'), 'rule is not specified'));
    else if ((rule.message ?? '') !== '' && message === '')
      errors.push(fieldInvalid(path.child('message'), rule.message, 'must be non-empty if specified'));
    else if (/[\n\r]/.test(message))
      errors.push(fieldInvalid(path.child('message'), rule.message, 'must not contain line breaks'));
    else if (/[\n\r]/.test(rule.rule.trim()) && message === '')
      errors.push(
        fieldRequired(path.child('message'), 'message must be specified if rule contains line breaks'),
      );
    if ((rule.messageExpression ?? '') !== '' && rule.messageExpression?.trim() === '')
      errors.push(
        fieldRequired(path.child('messageExpression'), 'messageExpression must be non-empty if specified'),
      );
    if (rule.reason !== undefined && !REASONS.includes(rule.reason))
      errors.push(fieldNotSupported(path.child('reason'), rule.reason, REASONS));
    const fieldPath = rule.fieldPath ?? '';
    if (fieldPath === '') continue;
    const at = path.child('fieldPath');
    if (fieldPath.trim() === '') errors.push(fieldInvalid(at, fieldPath, 'must be non-empty if specified'));
    if (/[\n\r]/.test(fieldPath)) errors.push(fieldInvalid(at, fieldPath, 'must not contain line breaks'));
    if ('problem' in schemaAtPath(schema, fieldPath))
      errors.push(fieldInvalid(at, fieldPath, 'must be a valid path'));
  }
  return errors.length > 0 ? { errors, costs: [] } : compiledFindings(schema, place);
};

function compiledFindings(schema: Schema, place: SchemaPlace): RuleFindings {
  const errors: FieldError[] = [];
  const costs: RuleCost[] = [];
  for (const [index, compiled] of compileRules(schema, place.isRoot).rules.entries()) {
    const path = place.path.child('x-kubernetes-validations').index(index);
    const { rule, usesOldSelf, error, messageError } = compiled;
    const found = ruleCosts(compiled, place);
    for (const { what, field, cost } of found) {
      costs.push({ path: path.child(field), cost });
      if (cost > MAX_RULE_COST && place.isUnchanged !== true)
        errors.push(fieldForbidden(path.child(field), costMessage(what, cost, MAX_RULE_COST)));
    }
    if (error !== undefined) errors.push(fieldInvalid(path.child('rule'), rule, error));
    if (messageError !== undefined)
      errors.push(fieldInvalid(path.child('messageExpression'), rule, messageError));
    if (usesOldSelf && place.uncorrelatable !== undefined) {
      const text = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${place.uncorrelatable.toString()}`;
      errors.push(fieldInvalid(path.child('rule'), rule.rule, text));
    } else if (!usesOldSelf && rule.optionalOldSelf !== undefined) {
      const text = 'may not be set if oldSelf is not used in rule';
      errors.push(fieldInvalid(path.child('optionalOldSelf'), rule.optionalOldSelf, text));
    }
  }
  return { errors, costs };
}

/** A rule is run for every value that there can be; its message is made once. */
function ruleCosts(
  { program, message, type: { limits } }: CompiledRule,
  { cardinality }: SchemaPlace,
): readonly { readonly what: string; readonly field: string; readonly cost: number }[] {
  const sizeAt = (path: readonly string[]): Range | undefined => sizeWithin(limits, path);
  const times = cardinality ?? Math.floor(MAX_REQUEST_BYTES / (limits.minSize + 1));
  const costOf = (of: CelProgram): number => estimateCost(of.checked, sizeAt).max;
  return [
    ...(program === undefined
      ? []
      : [{ what: 'estimated rule cost', field: 'rule', cost: costOf(program) * times }]),
    ...(message === undefined || program === undefined
      ? []
      : [{ what: 'estimated messageExpression cost', field: 'messageExpression', cost: costOf(message) }]),
  ];
}
