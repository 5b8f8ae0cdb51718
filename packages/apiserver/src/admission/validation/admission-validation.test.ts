import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldErrorMessage } from '@windlass/apimachinery';
import { validatePolicy, validatePolicyBinding } from './policy-validation.ts';
import { validateWebhooks } from './webhook-validation.ts';

type Fields = Readonly<Record<string, unknown>>;
const RULE = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };
const SELECTS = { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} };
const policy = (spec: Fields): string[] =>
  validatePolicy({
    metadata: { name: 'p' },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: { ...SELECTS, resourceRules: [RULE] },
      validations: [{ expression: 'true' }],
      ...spec,
    },
  }).map(fieldErrorMessage);
const withRule = (rule: Fields): string[] =>
  policy({ matchConstraints: { ...SELECTS, resourceRules: [{ ...RULE, ...rule }] } });
const one = (validation: Fields): string[] =>
  policy({ validations: [{ expression: 'true', ...validation }] });
const binding = (spec: Fields): string[] =>
  validatePolicyBinding({ spec: { policyName: 'p', validationActions: ['Deny'], ...spec } }).map(
    fieldErrorMessage,
  );
const webhook = (more: Fields): string[] =>
  validateWebhooks({
    webhooks: [
      {
        name: 'a.example.org',
        clientConfig: { url: 'https://example.org/x' },
        rules: [RULE],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...more,
      },
    ],
  }).map(fieldErrorMessage);

const RULES = 'spec.matchConstraints.resourceRules[0]';

describe('a policy, a binding and a webhook that are right', () => {
  it('have nothing wrong with them', () => {
    assert.deepEqual([policy({}), binding({}), webhook({})], [[], [], []]);
    assert.deepEqual(
      policy({
        paramKind: { apiVersion: 'example.org/v1', kind: 'Limit' },
        matchConditions: [{ name: 'a', expression: 'params.x == object.y' }],
        variables: [
          { name: 'a', expression: 'object.spec' },
          { name: 'b', expression: 'variables.a.replicas > 3' },
        ],
        validations: [
          { expression: 'variables.b', message: 'm', messageExpression: "'no ' + string(variables.a)" },
        ],
        auditAnnotations: [{ key: 'k', valueExpression: "'x' + object.metadata.name" }],
      }),
      [],
    );
  });
});

describe('what is wrong with one is told', () => {
  for (const [errors, ...expected] of [
    [
      policy({ failurePolicy: 'Maybe' }),
      'spec.failurePolicy: Unsupported value: "Maybe": supported values: "Fail", "Ignore"',
    ],
    [policy({ matchConstraints: undefined }), 'spec.matchConstraints: Required value'],
    [policy({ matchConstraints: SELECTS }), 'spec.matchConstraints.resourceRules: Required value'],
    [
      policy({ validations: [] }),
      'spec.validations: Required value: validations or auditAnnotations must contain at least one item',
      'spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item',
    ],
    [
      policy({ paramKind: { apiVersion: 'a/b/c', kind: 'K' } }),
      'spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
    ],
    [policy({ paramKind: { kind: 'K' } }), 'spec.paramKind.apiVersion: Required value'],
    [
      policy({ variables: [{ name: 'in', expression: '1' }] }),
      'spec.variables[0].name: Invalid value: "in": must be a valid CEL identifier',
    ],
    [
      policy({ variables: [{ name: 'a', expression: ' ' }] }),
      'spec.variables[0].expression: Required value: expression is not specified',
    ],
    [one({ expression: '' }), 'spec.validations[0].expression: Required value: expression is not specified'],
    [
      one({ expression: 'object.x' }),
      'spec.validations[0].expression: Invalid value: "object.x": must evaluate to bool but got dyn',
    ],
    [
      one({ messageExpression: '1' }),
      'spec.validations[0].messageExpression: Invalid value: "1": must evaluate to string but got int',
    ],
    [
      one({ messageExpression: ' ' }),
      'spec.validations[0].messageExpression: Invalid value: " ": must be non-empty if specified',
    ],
    [
      one({ message: 'a\nb' }),
      'spec.validations[0].message: Invalid value: "a\\nb": must not contain line breaks',
    ],
    [
      one({ reason: 'Sad' }),
      'spec.validations[0].reason: Unsupported value: "Sad": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
    ],
    [
      policy({
        auditAnnotations: [
          { key: 'a', valueExpression: '1' },
          { key: 'a', valueExpression: "''" },
        ],
      }),
      'spec.auditAnnotations[0].valueExpression: Invalid value: "1": must evaluate to one of [string null_type] but got int',
      'spec.auditAnnotations[1].key: Duplicate value: "a"',
    ],
    [
      withRule({ operations: ['*', 'CREATE'] }),
      `${RULES}.operations: Invalid value: ["*","CREATE"]: if '*' is present, must not specify other operations`,
    ],
    [
      withRule({ operations: ['READ'] }),
      `${RULES}.operations[0]: Unsupported value: "READ": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"`,
    ],
    [withRule({ apiGroups: [] }), `${RULES}.apiGroups: Required value`],
    [withRule({ apiVersions: [''] }), `${RULES}.apiVersions[0]: Required value`],
    [
      withRule({ resources: ['*', 'pods'] }),
      `${RULES}.resources: Invalid value: ["*","pods"]: if '*' is present, must not specify other resources without subresources`,
    ],
    [
      withRule({ resources: ['pods/*', 'pods/log'] }),
      `${RULES}.resources[1]: Invalid value: "pods/log": if 'pods/*' is present, must not specify pods/log`,
    ],
    [
      withRule({ scope: 'Galaxy' }),
      `${RULES}.scope: Unsupported value: "Galaxy": supported values: "*", "Cluster", "Namespaced"`,
    ],
    [withRule({ resourceNames: ['a', 'a'] }), `${RULES}.resourceNames[1]: Duplicate value: "a"`],
    [binding({ policyName: '' }), 'spec.policyName: Required value'],
    [
      binding({ validationActions: [] }),
      'spec.validationActions: Required value: at least one validation action is required',
    ],
    [
      binding({ validationActions: ['Deny', 'Warn', 'Deny', 'Shout'] }),
      'spec.validationActions[2]: Duplicate value: "Deny"',
      'spec.validationActions[3]: Unsupported value: "Shout": supported values: "Audit", "Deny", "Warn"',
      'spec.validationActions: Invalid value: ["Deny","Warn","Deny","Shout"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
    ],
    [
      binding({ paramRef: { name: 'a', selector: {} } }),
      'spec.paramRef.name: Forbidden: name and selector are mutually exclusive',
      'spec.paramRef.selector: Forbidden: name and selector are mutually exclusive',
      'spec.paramRef.parameterNotFoundAction: Required value',
    ],
    [
      binding({ paramRef: { parameterNotFoundAction: 'Deny' } }),
      'spec.paramRef: Required value: one of name or selector must be specified',
    ],
    [
      webhook({ name: 'short' }),
      'webhooks[0].name: Invalid value: "short": should be a domain with at least three segments separated by dots',
    ],
    [
      webhook({ sideEffects: 'Some' }),
      'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
    ],
    [
      webhook({ timeoutSeconds: 31 }),
      'webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds',
    ],
    [
      webhook({ clientConfig: {} }),
      'webhooks[0].clientConfig: Required value: exactly one of url or service is required',
    ],
    [
      webhook({ clientConfig: { service: { name: 'a', namespace: 'b', path: 'x' } } }),
      `webhooks[0].clientConfig.service.path: Invalid value: "x": must start with a '/'`,
      'webhooks[0].clientConfig.service.path: Invalid value: "x": segment[0] may not be empty',
    ],
    [
      webhook({ admissionReviewVersions: ['v9'] }),
      'webhooks[0].admissionReviewVersions: Invalid value: ["v9"]: must include at least one of v1, v1beta1',
    ],
  ] as const) {
    it(expected[0], () => {
      assert.deepEqual(errors, expected);
    });
  }
});
