import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PodSpec, ResourceRequirements } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import { qosClassOf } from './qos-class.ts';

const full = { cpu: '1', memory: '1Gi' };
const of = (...all: ResourceRequirements[]): View<PodSpec> => ({
  containers: all.map((resources) => ({ resources })),
});

const rows: [what: string, spec: View<PodSpec>, expected: string][] = [
  ['nothing asked', of({}), 'BestEffort'],
  ['no containers', {}, 'BestEffort'],
  ['an amount of zero is none', of({ limits: { cpu: '0' }, requests: { memory: '0' } }), 'BestEffort'],
  ['only what is not counted', of({ limits: { 'example.com/gpu': '1' } }), 'BestEffort'],
  ['limits without requests', of({ limits: full }), 'Guaranteed'],
  [
    'requests that are the limits, written otherwise',
    of({ limits: full, requests: { cpu: '1000m', memory: '1024Mi' } }),
    'Guaranteed',
  ],
  ['requests below the limits', of({ limits: full, requests: { cpu: '500m' } }), 'Burstable'],
  ['requests without limits', of({ requests: full }), 'Burstable'],
  ['a limit of one resource only', of({ limits: { cpu: '1' } }), 'Burstable'],
  ['one container of two', of({ limits: full }, {}), 'Burstable'],
  [
    'an init container counts',
    { ...of({ limits: full }), initContainers: [{ resources: { requests: { cpu: '1' } } }] },
    'Burstable',
  ],
  [
    'the pod as a whole counts instead of its containers',
    { ...of({ requests: { cpu: '1' } }), resources: { limits: full } },
    'Guaranteed',
  ],
];

for (const [what, spec, expected] of rows)
  test(`${what}: ${expected}`, () => assert.equal(qosClassOf(spec), expected));
