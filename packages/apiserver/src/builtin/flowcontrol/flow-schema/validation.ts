import { deepEqual, FieldPath } from '@windlass/apimachinery';
import type {
  FlowSchema,
  FlowSchemaSpec,
  PolicyRulesWithSubjects,
} from '@windlass/apimachinery/api/flowcontrol/v1';
import { EXEMPT, MANDATORY_SCHEMAS } from '../../../flowcontrol/configuration/default-objects.ts';
import type { View } from '../../../resource/views.ts';
import type { ValidationOf } from '../../define-kind.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateConditions } from '../conditions.ts';
import { validateNonResourceRule, validateResourceRule } from './rule-validation.ts';
import { validateSubject } from './subject-validation.ts';

const SPEC = FieldPath.of('spec');
const MAX_PRECEDENCE = 10_000;

export const flowSchemaValidation: ValidationOf<FlowSchema> = {
  create: validateFlowSchema,
  status: ({ status }, _old, findings) => validateConditions(status?.conditions, findings),
};

function validateFlowSchema({ metadata, spec = {}, status }: View<FlowSchema>, findings: Findings): void {
  const name = metadata?.name ?? '';
  validateSpec(name, spec, findings);
  const fixed = MANDATORY_SCHEMAS.find((schema) => schema.metadata.name === name);
  if (fixed !== undefined && !deepEqual(spec, fixed.spec))
    findings.invalid(SPEC, spec, `spec of '${name}' must equal the fixed value`);
  validateConditions(status?.conditions, findings);
}

function validateSpec(name: string, spec: View<FlowSchemaSpec>, findings: Findings): void {
  const { matchingPrecedence: precedence = 0, distinguisherMethod, priorityLevelConfiguration } = spec;
  const path = SPEC.child('matchingPrecedence');
  if (precedence <= 0) findings.invalid(path, precedence, 'must be a positive value');
  if (precedence > MAX_PRECEDENCE)
    findings.invalid(path, precedence, `must not be greater than ${MAX_PRECEDENCE}`);
  if (precedence === 1 && name !== EXEMPT)
    findings.invalid(path, precedence, `only the schema named 'exempt' may have matchingPrecedence 1`);
  if (distinguisherMethod !== undefined)
    findings.oneOf(SPEC.child('distinguisherMethod', 'type'), distinguisherMethod.type ?? '', [
      'ByNamespace',
      'ByUser',
    ]);
  const levelPath = SPEC.child('priorityLevelConfiguration', 'name');
  const level = priorityLevelConfiguration?.name ?? '';
  if (level === '') findings.required(levelPath, 'must reference a priority level');
  else findings.subdomain(levelPath, level);
  for (const [index, rule] of (spec.rules ?? []).entries())
    validateRule(rule, SPEC.child('rules').index(index), findings);
}

function validateRule(rule: View<PolicyRulesWithSubjects>, path: FieldPath, findings: Findings): void {
  const subjects = rule.subjects ?? [];
  const resourceRules = rule.resourceRules ?? [];
  const nonResourceRules = rule.nonResourceRules ?? [];
  if (subjects.length === 0)
    findings.required(path.child('subjects'), 'subjects must contain at least one value');
  for (const [index, subject] of subjects.entries())
    validateSubject(subject, path.child('subjects').index(index), findings);
  if (resourceRules.length === 0 && nonResourceRules.length === 0)
    findings.required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty');
  for (const [index, resourceRule] of resourceRules.entries())
    validateResourceRule(resourceRule, path.child('resourceRules').index(index), findings);
  for (const [index, nonResourceRule] of nonResourceRules.entries())
    validateNonResourceRule(nonResourceRule, path.child('nonResourceRules').index(index), findings);
}
