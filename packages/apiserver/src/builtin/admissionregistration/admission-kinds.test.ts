// What the kinds that configure admission are given and how they are shown.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '@windlass/apimachinery/api/admissionregistration/v1';
import { cellsOf } from '../testing/cells.ts';
import { KindApi } from '../testing/kind-api.ts';
import { mutatingAdmissionPolicy } from './mutating-admission-policy/index.ts';
import { mutatingWebhookConfiguration } from './mutating-webhook-configuration/index.ts';
import { validatingAdmissionPolicy } from './validating-admission-policy/index.ts';
import { validatingAdmissionPolicyBinding } from './validating-admission-policy-binding/index.ts';

const api = new KindApi();
const GROUP = '/apis/admissionregistration.k8s.io/v1';
const webhook = {
  name: 'a.example.com',
  clientConfig: { service: { namespace: 'n', name: 's' } },
  rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};
const DEFAULTS = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
  clientConfig: { service: { namespace: 'n', name: 's', port: 443 } },
  rules: [{ ...webhook.rules[0], scope: '*' }],
};

describe('a configuration of webhooks', () => {
  it('has defaults for those that validate', async () => {
    const path = `${GROUP}/validatingwebhookconfigurations`;
    const made = await api.defaulted<ValidatingWebhookConfiguration>(path, { webhooks: [webhook] });
    assert.deepEqual(made.webhooks, [{ ...webhook, ...DEFAULTS }]);
  });

  it('has defaults for those that mutate, which are called once', async () => {
    const path = `${GROUP}/mutatingwebhookconfigurations`;
    const made = await api.defaulted<MutatingWebhookConfiguration>(path, { webhooks: [webhook] });
    assert.deepEqual(made.webhooks, [{ ...webhook, ...DEFAULTS, reinvocationPolicy: 'Never' }]);
  });

  for (const plural of ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'])
    it(`may be empty: ${plural}`, async () => {
      assert.deepEqual(await api.refusals(`${GROUP}/${plural}`, {}), []);
    });

  it('is shown with how many there are', () => {
    assert.equal(cellsOf(mutatingWebhookConfiguration, { webhooks: [webhook, webhook] })['Webhooks'], 2);
    assert.equal(cellsOf(mutatingWebhookConfiguration, {})['Webhooks'], 0);
  });
});

describe('a policy', () => {
  it('is shown with how many expressions it has and what its parameters are', () => {
    const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
    const { Age: _age, ...cells } = cellsOf(validatingAdmissionPolicy, {
      metadata: { name: 'p' },
      spec: { paramKind, validations: [{}, {}] },
    });
    assert.deepEqual(cells, { Name: 'p', Validations: 2, ParamKind: 'v1/ConfigMap' });
  });

  it('that mutates is shown with how many mutations it has', () => {
    const { Age: _age, ...cells } = cellsOf(mutatingAdmissionPolicy, {
      metadata: { name: 'p' },
      spec: { mutations: [{}] },
    });
    assert.deepEqual(cells, { Name: 'p', Mutations: 1, ParamKind: '<unset>' });
  });

  for (const [paramRef, shown] of [
    [{ name: 'a' }, '*/a'],
    [{ name: 'a', namespace: 'n' }, 'n/a'],
    [{ selector: { matchLabels: { a: 'b' } } }, 'a=b'],
    [undefined, '<unset>'],
  ] as const)
    it(`is bound to the parameters ${shown}`, () => {
      const cells = cellsOf(validatingAdmissionPolicyBinding, { spec: { policyName: 'p', paramRef } });
      assert.deepEqual([cells['PolicyName'], cells['ParamRef']], ['p', shown]);
    });
});
