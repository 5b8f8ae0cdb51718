import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TypedFormError, toTypedForm } from './typed-form.ts';

const deployment = (spec: unknown): Record<string, unknown> => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec,
});

describe('the typed form', () => {
  it('shows what Go shows of an empty object', () => {
    const { object, problems } = toTypedForm('apps/v1', 'Deployment', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
    });
    assert.deepEqual(problems, []);
    assert.deepEqual(object, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { selector: null, template: { metadata: {}, spec: { containers: null } }, strategy: {} },
      status: {},
    });
  });

  it('leaves out unknown fields and nulls, and says which were unknown', () => {
    const { object, problems } = toTypedForm(
      'apps/v1',
      'Deployment',
      deployment({ replicas: null, foo: 1, template: { spec: { containers: [{ name: 'c', bar: 2 }] } } }),
    );
    assert.deepEqual(problems, [
      'unknown field "spec.template.spec.containers[0].bar"',
      'unknown field "spec.foo"',
    ]);
    const spec = object['spec'] as Record<string, unknown>;
    assert.equal('replicas' in spec, false);
    assert.equal('foo' in spec, false);
  });

  it('keeps a zero that is set and drops one that is not', () => {
    const spec = toTypedForm('apps/v1', 'Deployment', deployment({ replicas: 0, minReadySeconds: 0 })).object[
      'spec'
    ] as Record<string, unknown>;
    assert.equal(spec['replicas'], 0);
    assert.equal('minReadySeconds' in spec, false);
  });

  it('writes quantities and times in their canonical form', () => {
    const { object } = toTypedForm('v1', 'PersistentVolumeClaim', {
      metadata: { name: 'a', creationTimestamp: '2026-01-01T01:00:00+01:00' },
      spec: { resources: { requests: { storage: '1024Mi' } } },
    });
    assert.equal(
      (object['metadata'] as Record<string, unknown>)['creationTimestamp'],
      '2026-01-01T00:00:00Z',
    );
    assert.deepEqual((object['spec'] as Record<string, unknown>)['resources'], {
      requests: { storage: '1Gi' },
    });
  });

  it('shares nothing with what it was given', () => {
    const given = deployment({ selector: { matchLabels: { app: 'web' } } });
    const { object } = toTypedForm('apps/v1', 'Deployment', given);
    (
      ((object['spec'] as Record<string, unknown>)['selector'] as Record<string, unknown>)[
        'matchLabels'
      ] as Record<string, string>
    )['app'] = 'other';
    assert.deepEqual(given['spec'], { selector: { matchLabels: { app: 'web' } } });
  });

  for (const [what, spec, message] of [
    [
      'a text for a number',
      { replicas: 'three' },
      'json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      'a number for a text',
      { template: { spec: { nodeName: 5 } } },
      'json: cannot unmarshal number into Go struct field PodSpec.spec.template.spec.nodeName of type string',
    ],
    [
      'an object for a list',
      { template: { spec: { containers: {} } } },
      'json: cannot unmarshal object into Go struct field PodSpec.spec.template.spec.containers of type []v1.Container',
    ],
  ] as const) {
    it(`refuses ${what}`, () => {
      assert.throws(
        () => toTypedForm('apps/v1', 'Deployment', deployment(spec)),
        (error) => error instanceof TypedFormError && error.message === message,
      );
    });
  }
});
