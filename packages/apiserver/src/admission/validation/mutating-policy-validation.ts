import {
  type DeepReadonly,
  type FieldError,
  FieldPath,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  validateDns1123Subdomain,
} from '@windlass/apimachinery';
import type {
  MatchResources,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  Mutation,
} from '@windlass/apimachinery/api/admissionregistration/v1';
import { appendAll } from '@windlass/base';
import type { CelEnvironment } from '../../custom/cel/cel-environment.ts';
import type { Stored } from '../../resource/strategy.ts';
import { patchEnvironment } from '../mutations/compiled-mutating-policy.ts';
import { PATCH_TYPES } from '../mutations/mutation.ts';
import { declareVariables } from '../policies/admission-variables.ts';
import { compileExpression } from '../policies/expression.ts';
import { PolicyVariables } from '../policies/policy-variables.ts';
import { validateMatchConditions } from './match-condition-validation.ts';
import { validateParamKind, validateParamRef, validateVariable } from './policy-validation.ts';
import { validateMatchResources } from './rule-validation.ts';

const SPEC = FieldPath.of('spec');
const FAILURE_POLICIES = ['Fail', 'Ignore'];
const REINVOCATION_POLICIES = ['IfNeeded', 'Never'];
/** Nothing else has an object that can be changed. */
const OPERATIONS = ['CREATE', 'UPDATE'];

/** What is wrong with a MutatingAdmissionPolicy. */
export function validateMutatingPolicy(object: Stored): FieldError[] {
  // Decoding has brought it into the typed form of its kind.
  const { spec = {} } = object as DeepReadonly<MutatingAdmissionPolicy>;
  const { failurePolicy, paramKind, matchConstraints, matchConditions = [], variables = [] } = spec;
  const { mutations = [], reinvocationPolicy } = spec;
  const hasParams = paramKind !== undefined;
  const errors: FieldError[] = [];
  if (failurePolicy === undefined) errors.push(fieldRequired(SPEC.child('failurePolicy')));
  else if (!FAILURE_POLICIES.includes(failurePolicy))
    errors.push(fieldNotSupported(SPEC.child('failurePolicy'), failurePolicy, FAILURE_POLICIES));
  if (paramKind !== undefined) appendAll(errors, validateParamKind(paramKind, SPEC.child('paramKind')));
  if (matchConstraints === undefined) errors.push(fieldRequired(SPEC.child('matchConstraints')));
  else {
    const path = SPEC.child('matchConstraints');
    appendAll(errors, validateMatchResources(matchConstraints, path));
    if ((matchConstraints.resourceRules ?? []).length === 0)
      errors.push(fieldRequired(path.child('resourceRules')));
    appendAll(errors, validateOperations(matchConstraints, path));
  }
  const base = (): CelEnvironment => declareVariables({ hasParams, hasAuthorizer: true });
  appendAll(errors, validateMatchConditions(matchConditions, base(), SPEC.child('matchConditions')));
  const declared = new PolicyVariables(variables, base);
  for (const [index, variable] of variables.entries())
    appendAll(
      errors,
      validateVariable(variable, declared.expressions[index]?.error, SPEC.child('variables').index(index)),
    );
  const path = SPEC.child('mutations');
  if (mutations.length === 0) errors.push(fieldRequired(path, 'mutations must contain at least one item'));
  const env = declared.declare(patchEnvironment(hasParams));
  for (const [index, mutation] of mutations.entries())
    appendAll(errors, validateMutation(mutation, env, path.index(index)));
  const at = SPEC.child('reinvocationPolicy');
  if ((reinvocationPolicy ?? '') === '') errors.push(fieldRequired(at));
  else if (!REINVOCATION_POLICIES.includes(reinvocationPolicy ?? ''))
    errors.push(fieldNotSupported(at, reinvocationPolicy, REINVOCATION_POLICIES));
  return errors;
}

function validateOperations(
  { resourceRules = [] }: DeepReadonly<MatchResources>,
  path: FieldPath,
): FieldError[] {
  const at = path.child('resourceRules').child('operations');
  return resourceRules
    .flatMap(({ operations = [] }) => operations)
    .filter((operation) => !OPERATIONS.includes(operation))
    .map((operation) => fieldNotSupported(at, operation, OPERATIONS));
}

function validateMutation(
  { patchType, applyConfiguration, jsonPatch }: Partial<DeepReadonly<Mutation>>,
  env: CelEnvironment,
  path: FieldPath,
): FieldError[] {
  if ((patchType ?? '') === '') return [fieldRequired(path.child('patchType'))];
  const forms = [
    { type: 'JSONPatch', field: 'jsonPatch', given: jsonPatch },
    { type: 'ApplyConfiguration', field: 'applyConfiguration', given: applyConfiguration },
  ];
  if (!forms.some(({ type }) => type === patchType))
    return [fieldNotSupported(path.child('patchType'), patchType, ['ApplyConfiguration', 'JSONPatch'])];
  const errors: FieldError[] = [];
  for (const { type, field, given } of forms) {
    const at = path.child(field);
    if (type === patchType && given === undefined)
      errors.push(fieldRequired(at, `must be specified when patchType is ${type}`));
    else if (type !== patchType && given !== undefined)
      errors.push(fieldInvalid(at, `{${field}}`, `must not be specified when patchType is ${patchType}`));
    else if (given !== undefined) {
      const source = (given.expression ?? '').trim();
      const { error } = compileExpression(env, source, [PATCH_TYPES[type] ?? '']);
      if (source === '') errors.push(fieldRequired(at.child('expression')));
      else if (error !== undefined) errors.push(fieldInvalid(at.child('expression'), source, error));
    }
  }
  return errors;
}

/** What is wrong with a MutatingAdmissionPolicyBinding. */
export function validateMutatingPolicyBinding(object: Stored): FieldError[] {
  // Decoding has brought it into the typed form of its kind.
  const { spec = {} } = object as DeepReadonly<MutatingAdmissionPolicyBinding>;
  const { policyName = '', paramRef, matchResources } = spec;
  const at = SPEC.child('policyName');
  const errors: FieldError[] =
    policyName === ''
      ? [fieldRequired(at)]
      : validateDns1123Subdomain(policyName).map((problem) => fieldInvalid(at, policyName, problem));
  if (paramRef !== undefined) appendAll(errors, validateParamRef(paramRef, SPEC.child('paramRef')));
  if (matchResources !== undefined) {
    const path = SPEC.child('matchResources');
    appendAll(errors, validateMatchResources(matchResources, path));
    appendAll(errors, validateOperations(matchResources, path));
  }
  return errors;
}
