import {
  type DeepReadonly,
  type FieldError,
  FieldPath,
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  validateDns1035Label,
  validateDns1123Subdomain,
  validateLabelSelector,
} from '@windlass/apimachinery';
import type {
  MutatingWebhook,
  ServiceReference,
  ValidatingWebhook,
} from '@windlass/apimachinery/api/admissionregistration/v1';
import { appendAll } from '@windlass/base';
import { urlRules } from '../../custom/definition/conversion-rules.ts';
import type { Stored } from '../../resource/strategy.ts';
import { declareVariables } from '../policies/admission-variables.ts';
import { validateMatchConditions } from './match-condition-validation.ts';
import { MATCH_POLICIES, validateRule } from './rule-validation.ts';

type Webhook = Partial<DeepReadonly<MutatingWebhook & ValidatingWebhook>>;

const FAILURE_POLICIES = ['Fail', 'Ignore'];
const SIDE_EFFECTS = ['None', 'NoneOnDryRun'];
const REINVOCATION_POLICIES = ['IfNeeded', 'Never'];
const REVIEW_VERSIONS = ['v1', 'v1beta1'];

/** What is wrong with a configuration of webhooks, of either sort. */
export function validateWebhooks(object: Stored): FieldError[] {
  // Stored under the kind of a configuration, so it has this form.
  const webhooks = (object as { readonly webhooks?: readonly Webhook[] }).webhooks ?? [];
  const names = new Set<string>();
  return webhooks.flatMap((webhook, index) => {
    const path = FieldPath.of('webhooks').index(index);
    const { name = '' } = webhook;
    const errors = [
      ...validateWebhook(webhook, path),
      ...validateReviewVersions(webhook.admissionReviewVersions ?? [], path.child('admissionReviewVersions')),
    ];
    if (name !== '' && names.has(name)) errors.push(fieldDuplicate(path.child('name'), name));
    names.add(name);
    return errors;
  });
}

function validateWebhook(webhook: Webhook, path: FieldPath): FieldError[] {
  const { name = '', rules = [], failurePolicy, matchPolicy, sideEffects, timeoutSeconds } = webhook;
  const { namespaceSelector, objectSelector, reinvocationPolicy, matchConditions = [] } = webhook;
  const errors = validateFullName(name, path.child('name'));
  const oneOf = (field: string, value: string | undefined, supported: readonly string[]): void => {
    if (value !== undefined && !supported.includes(value))
      errors.push(fieldNotSupported(path.child(field), value, supported));
  };
  for (const [index, rule] of rules.entries())
    appendAll(errors, validateRule(rule, path.child('rules').index(index)));
  oneOf('failurePolicy', failurePolicy, FAILURE_POLICIES);
  oneOf('matchPolicy', matchPolicy, MATCH_POLICIES);
  // What must be there and is not is null.
  if ((sideEffects ?? '') === '')
    errors.push(fieldRequired(path.child('sideEffects'), `must specify one of ${SIDE_EFFECTS.join(', ')}`));
  else oneOf('sideEffects', sideEffects, SIDE_EFFECTS);
  if (timeoutSeconds !== undefined && (timeoutSeconds > 30 || timeoutSeconds < 1))
    errors.push(
      fieldInvalid(
        path.child('timeoutSeconds'),
        timeoutSeconds,
        'the timeout value must be between 1 and 30 seconds',
      ),
    );
  appendAll(errors, validateLabelSelector(namespaceSelector, path.child('namespaceSelector')));
  appendAll(errors, validateLabelSelector(objectSelector, path.child('objectSelector')));
  oneOf('reinvocationPolicy', reinvocationPolicy, REINVOCATION_POLICIES);
  const { url, service } = webhook.clientConfig ?? {};
  const config = path.child('clientConfig');
  if ((url === undefined) === (service === undefined))
    errors.push(fieldRequired(config, 'exactly one of url or service is required'));
  else if (url !== undefined) appendAll(errors, urlRules(url, config.child('url')));
  else if (service !== undefined) appendAll(errors, validateService(service, config.child('service')));
  const env = declareVariables({ hasParams: false, hasAuthorizer: true });
  appendAll(errors, validateMatchConditions(matchConditions, env, path.child('matchConditions')));
  return errors;
}

function validateFullName(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [fieldRequired(path)];
  const problems = validateDns1123Subdomain(name);
  if (problems.length > 0) return [fieldInvalid(path, name, problems.join(','))];
  return name.split('.').length < 3
    ? [fieldInvalid(path, name, 'should be a domain with at least three segments separated by dots')]
    : [];
}

/** The schema comes later, so what the API requires may still be missing. */
function validateService(service: Partial<DeepReadonly<ServiceReference>>, path: FieldPath): FieldError[] {
  const { name, namespace, port, path: urlPath } = service;
  const errors: FieldError[] = [];
  if ((name ?? '') === '') errors.push(fieldRequired(path.child('name')));
  if ((namespace ?? '') === '') errors.push(fieldRequired(path.child('namespace')));
  if (port !== undefined && (port < 1 || port > 65_535))
    errors.push(
      fieldInvalid(path.child('port'), port, 'port is not valid: must be between 1 and 65535, inclusive'),
    );
  if (urlPath === undefined || urlPath === '/' || urlPath === '') return errors;
  const at = path.child('path');
  if (!urlPath.startsWith('/')) errors.push(fieldInvalid(at, urlPath, "must start with a '/'"));
  const steps = urlPath.replace(/\/$/, '').slice(1).split('/');
  for (const [index, step] of steps.entries()) {
    if (step === '') errors.push(fieldInvalid(at, urlPath, `segment[${index}] may not be empty`));
    else
      appendAll(
        errors,
        validateDns1123Subdomain(step).map((problem) =>
          fieldInvalid(at, urlPath, `segment[${index}]: ${problem}`),
        ),
      );
  }
  return errors;
}

function validateReviewVersions(versions: readonly string[], path: FieldPath): FieldError[] {
  const known = REVIEW_VERSIONS.join(', ');
  if (versions.length === 0) return [fieldRequired(path, `must specify one of ${known}`)];
  const seen = new Set<string>();
  const errors = versions.flatMap((version, index) => {
    if (seen.has(version)) return [fieldInvalid(path.index(index), version, 'duplicate version')];
    seen.add(version);
    return validateDns1035Label(version).map((problem) => fieldInvalid(path.index(index), version, problem));
  });
  if (!versions.some((version) => REVIEW_VERSIONS.includes(version)))
    errors.push(fieldInvalid(path, versions, `must include at least one of ${known}`));
  return errors;
}
