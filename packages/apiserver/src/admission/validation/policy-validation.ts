import {
  type DeepReadonly,
  type FieldError,
  FieldPath,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  validateDns1035Label,
  validateDns1123Subdomain,
  validateLabelSelector,
  validatePathSegmentName,
  validateQualifiedName,
} from '@windlass/apimachinery';
import type {
  ParamKind,
  ParamRef,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  Validation,
} from '@windlass/apimachinery/api/admissionregistration/v1';
import { appendAll } from '@windlass/base';
import type { CelEnvironment } from '../../custom/cel/cel-environment.ts';
import type { Stored } from '../../resource/strategy.ts';
import { declareVariables } from '../policies/admission-variables.ts';
import { compileExpression } from '../policies/expression.ts';
import { PolicyVariables } from '../policies/policy-variables.ts';
import { validateMatchConditions } from './match-condition-validation.ts';
import { validateMatchResources } from './rule-validation.ts';

const SPEC = FieldPath.of('spec');
const FAILURE_POLICIES = ['Fail', 'Ignore'];
const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const ACTIONS = ['Audit', 'Deny', 'Warn'];
const MAX_ANNOTATIONS = 20;
const MAX_ANNOTATION_EXPRESSION = 5 * 1024;
const LINES = /[\n\r]/;
/** No expression could call a variable so. */
const RESERVED: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** What is wrong with a ValidatingAdmissionPolicy. */
export function validatePolicy(object: Stored): FieldError[] {
  // Decoding has brought it into the typed form of its kind.
  const { metadata, spec = {} } = object as DeepReadonly<ValidatingAdmissionPolicy>;
  const { failurePolicy, paramKind, matchConstraints, matchConditions = [], variables = [] } = spec;
  const { validations = [], auditAnnotations = [] } = spec;
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
  }
  const base = (): CelEnvironment => declareVariables({ hasParams, hasAuthorizer: true });
  appendAll(errors, validateMatchConditions(matchConditions, base(), SPEC.child('matchConditions')));
  const declared = new PolicyVariables(variables, base);
  for (const [index, variable] of variables.entries())
    appendAll(
      errors,
      validateVariable(variable, declared.expressions[index]?.error, SPEC.child('variables').index(index)),
    );
  const env = declared.declare(base());
  const textEnv = declared.declare(declareVariables({ hasParams, hasAuthorizer: false }));
  if (validations.length === 0 && auditAnnotations.length === 0) {
    const text = 'validations or auditAnnotations must contain at least one item';
    errors.push(fieldRequired(SPEC.child('validations'), text));
    errors.push(fieldRequired(SPEC.child('auditAnnotations'), text));
  }
  for (const [index, validation] of validations.entries())
    appendAll(errors, validateValidation(validation, env, textEnv, SPEC.child('validations').index(index)));
  appendAll(errors, validateAnnotations(metadata?.name ?? '', auditAnnotations, env));
  return errors;
}

export function validateParamKind(
  { apiVersion = '', kind = '' }: DeepReadonly<ParamKind>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const at = path.child('apiVersion');
  const parts = apiVersion.split('/');
  const [version = '', group = ''] = parts.toReversed();
  if (apiVersion === '') errors.push(fieldRequired(at));
  else if (parts.length > 2)
    errors.push(fieldInvalid(at, apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
  else {
    const groupProblems = group === '' ? [] : validateDns1123Subdomain(group);
    if (groupProblems.length > 0) errors.push(fieldInvalid(at, group, groupProblems.join(',')));
    const problems = version === '' ? [] : validateDns1035Label(version);
    if (version === '') errors.push(fieldInvalid(at, apiVersion, 'version must be specified'));
    else if (problems.length > 0) errors.push(fieldInvalid(at, version, problems.join(',')));
  }
  if (kind === '') errors.push(fieldRequired(path.child('kind')));
  else {
    const problems = validateDns1035Label(kind.toLowerCase());
    const text = `may have mixed case, but should otherwise match: ${problems.join(',')}`;
    if (problems.length > 0) errors.push(fieldInvalid(path.child('kind'), kind, text));
  }
  return errors;
}

export function validateVariable(
  { name = '', expression = '' }: { readonly name?: string; readonly expression?: string },
  problem: string | undefined,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (name.trim() === '') errors.push(fieldRequired(path.child('name'), 'name is not specified'));
  else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) || RESERVED.has(name))
    errors.push(fieldInvalid(path.child('name'), name, 'must be a valid CEL identifier'));
  if (expression.trim() === '')
    errors.push(fieldRequired(path.child('expression'), 'expression is not specified'));
  else if (problem !== undefined) errors.push(fieldInvalid(path.child('expression'), expression, problem));
  return errors;
}

function validateValidation(
  { expression = '', message = '', messageExpression = '', reason }: Partial<DeepReadonly<Validation>>,
  env: CelEnvironment,
  textEnv: CelEnvironment,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const check = (field: string, source: string, type: string, within: CelEnvironment): void => {
    const { error } = compileExpression(within, source, [type]);
    if (error !== undefined) errors.push(fieldInvalid(path.child(field), source, error));
  };
  if (expression.trim() === '')
    errors.push(fieldRequired(path.child('expression'), 'expression is not specified'));
  else check('expression', expression, 'bool', env);
  if (messageExpression !== '' && messageExpression.trim() === '')
    errors.push(
      fieldInvalid(path.child('messageExpression'), messageExpression, 'must be non-empty if specified'),
    );
  else if (messageExpression !== '') check('messageExpression', messageExpression, 'string', textEnv);
  if (message !== '' && message.trim() === '')
    errors.push(fieldInvalid(path.child('message'), message, 'must be non-empty if specified'));
  else if (LINES.test(message.trim()))
    errors.push(fieldInvalid(path.child('message'), message, 'must not contain line breaks'));
  if (reason !== undefined && !REASONS.includes(reason))
    errors.push(fieldNotSupported(path.child('reason'), reason, REASONS));
  return errors;
}

function validateAnnotations(
  policy: string,
  annotations: readonly { readonly key?: string; readonly valueExpression?: string }[],
  env: CelEnvironment,
): FieldError[] {
  const errors: FieldError[] = [];
  const path = SPEC.child('auditAnnotations');
  if (annotations.length > MAX_ANNOTATIONS)
    errors.push(
      fieldInvalid(path, annotations, `must not have more than ${MAX_ANNOTATIONS} auditAnnotations`),
    );
  const keys = new Set<string>();
  for (const [index, { key = '', valueExpression = '' }] of annotations.entries()) {
    const at = path.index(index);
    const whole = `${policy}/${key}`;
    if (policy === '') errors.push(fieldInvalid(at.child('key'), key, 'requires metadata.name be non-empty'));
    else
      appendAll(
        errors,
        validateQualifiedName(whole).map((text) => fieldInvalid(at.child('key'), whole, text)),
      );
    const source = valueExpression.trim();
    const place = at.child('valueExpression');
    if (source === '') errors.push(fieldRequired(place, 'valueExpression is not specified'));
    else if (Buffer.byteLength(source) > MAX_ANNOTATION_EXPRESSION)
      errors.push(fieldRequired(place, `must not exceed ${MAX_ANNOTATION_EXPRESSION} bytes in length`));
    else {
      const { error } = compileExpression(env, source, ['string', 'null']);
      if (error !== undefined) errors.push(fieldInvalid(place, valueExpression, error));
    }
    if (keys.has(key)) errors.push(fieldDuplicate(at.child('key'), key));
    keys.add(key);
  }
  return errors;
}

/** What is wrong with a ValidatingAdmissionPolicyBinding. */
export function validatePolicyBinding(object: Stored): FieldError[] {
  // A binding without a spec is refused by its schema as well.
  const spec = (object as Partial<DeepReadonly<ValidatingAdmissionPolicyBinding>>).spec;
  const { policyName = '', paramRef, matchResources, validationActions: actions = [] } = spec ?? {};
  const errors: FieldError[] = [];
  if (policyName === '') errors.push(fieldRequired(SPEC.child('policyName')));
  else
    appendAll(
      errors,
      validateDns1123Subdomain(policyName).map((problem) =>
        fieldInvalid(SPEC.child('policyName'), policyName, problem),
      ),
    );
  if (paramRef !== undefined) appendAll(errors, validateParamRef(paramRef, SPEC.child('paramRef')));
  if (matchResources !== undefined)
    appendAll(errors, validateMatchResources(matchResources, SPEC.child('matchResources')));
  const path = SPEC.child('validationActions');
  const seen = new Set<string>();
  for (const [index, action] of actions.entries()) {
    if (!ACTIONS.includes(action)) errors.push(fieldNotSupported(path.index(index), action, ACTIONS));
    if (seen.has(action)) errors.push(fieldDuplicate(path.index(index), action));
    seen.add(action);
  }
  if (actions.includes('Deny') && actions.includes('Warn'))
    errors.push(
      fieldInvalid(
        path,
        actions,
        'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
      ),
    );
  if (actions.length === 0) errors.push(fieldRequired(path, 'at least one validation action is required'));
  return errors;
}

export function validateParamRef(ref: DeepReadonly<ParamRef>, path: FieldPath): FieldError[] {
  const { name = '', selector, parameterNotFoundAction: action = '' } = ref;
  const errors: FieldError[] = [];
  const exclusive = 'name and selector are mutually exclusive';
  if (name !== '') {
    const at = path.child('name');
    appendAll(
      errors,
      validatePathSegmentName(name).map((problem) => fieldInvalid(at, name, problem)),
    );
    if (selector !== undefined) errors.push(fieldForbidden(at, exclusive));
  }
  if (selector !== undefined) {
    appendAll(errors, validateLabelSelector(selector, path.child('selector')));
    if (name !== '') errors.push(fieldForbidden(path.child('selector'), exclusive));
  }
  if (name === '' && selector === undefined)
    errors.push(fieldRequired(path, 'one of name or selector must be specified'));
  const at = path.child('parameterNotFoundAction');
  if (action === '') errors.push(fieldRequired(at));
  else if (action !== 'Deny' && action !== 'Allow')
    errors.push(fieldNotSupported(at, action, ['Deny', 'Allow']));
  return errors;
}
