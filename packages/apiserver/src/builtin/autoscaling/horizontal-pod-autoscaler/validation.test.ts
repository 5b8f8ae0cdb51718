import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HorizontalPodAutoscaler } from '@windlass/apimachinery/api/autoscaling/v2';
import type { View } from '../../../resource/views.ts';
import { Findings } from '../../shared/findings.ts';
import { validateAutoscaler } from './validation.ts';

type Autoscaler = View<HorizontalPodAutoscaler>;
type Described = { readonly kind: string; readonly name: string; readonly apiVersion?: string };

const GROUP = 'apiVersion must specify API group';
const PARTS = 'unexpected GroupVersion string: a/b/c';

function scaling(kind: string, apiVersion?: string, more: object = {}): Autoscaler {
  const scaleTargetRef = { kind, name: 'web', ...(apiVersion !== undefined && { apiVersion }) };
  return { metadata: { name: 'web' }, spec: { scaleTargetRef, maxReplicas: 3, ...more } };
}

function describing(apiVersion: string): Autoscaler {
  const describedObject: Described = { kind: 'Pod', name: 'a', apiVersion };
  const target = { type: 'Value', value: '1' };
  const metrics = [{ type: 'Object', object: { describedObject, metric: { name: 'm' }, target } }];
  return scaling('Deployment', 'apps/v1', { metrics });
}

function problems(object: Autoscaler, old?: Autoscaler): string[] {
  const findings = new Findings();
  validateAutoscaler(object, old, findings);
  return findings.errors.map(({ field, detail }) => `${field}: ${detail}`);
}

describe('the group of what an autoscaler scales', () => {
  const at = 'spec.scaleTargetRef.apiVersion';
  const rows: [object: Autoscaler, old: Autoscaler | undefined, expected: string[]][] = [
    [scaling('Deployment', 'apps/v1'), undefined, []],
    [scaling('Deployment', 'v1'), undefined, [`${at}: ${GROUP}`]],
    [scaling('Deployment', '/v1'), undefined, [`${at}: ${GROUP}`]],
    [scaling('Deployment'), undefined, [`${at}: ${GROUP}`]],
    [scaling('ReplicationController', 'v1'), undefined, []],
    [scaling('ReplicationController'), undefined, []],
    [scaling('ReplicationController', 'a/b/c'), undefined, [`${at}: ${PARTS}`]],
    [scaling('Deployment', 'v1'), scaling('Deployment', 'v1'), []],
    [scaling('Deployment', 'a/b/c'), scaling('Deployment', 'a/b/c'), []],
    [scaling('Deployment', 'v1'), scaling('Deployment', 'apps/v1'), [`${at}: ${GROUP}`]],
    [scaling('StatefulSet', 'v1'), scaling('Deployment', 'v1'), [`${at}: ${GROUP}`]],
  ];
  for (const [object, old, expected] of rows)
    it(`${JSON.stringify(object.spec?.scaleTargetRef)} after ${JSON.stringify(old?.spec?.scaleTargetRef)}`, () =>
      assert.deepEqual(problems(object, old), expected));
});

describe('the group of what a metric describes', () => {
  const at = 'spec.metrics[0].object.describedObject.apiVersion';
  it('may be the core one', () => assert.deepEqual(problems(describing('v1')), []));
  it('is a group', () => assert.deepEqual(problems(describing('a/b/c')), [`${at}: ${PARTS}`]));
  it('may stay wrong', () => assert.deepEqual(problems(describing('a/b/c'), describing('a/b/c')), []));
  it('may not become wrong', () =>
    assert.deepEqual(problems(describing('a/b/c'), describing('v1')), [`${at}: ${PARTS}`]));
});

describe('the least number of replicas', () => {
  const zero = scaling('Deployment', 'apps/v1', {
    minReplicas: 0,
    metrics: [
      { type: 'External', external: { metric: { name: 'm' }, target: { type: 'Value', value: '1' } } },
    ],
  });
  it('is one', () =>
    assert.deepEqual(problems(zero), ['spec.minReplicas: must be greater than or equal to 1']));
  it('may stay zero', () => assert.deepEqual(problems(zero, zero), []));
});
