import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PodSpec } from '@windlass/apimachinery/api/core/v1';
import { newPodRecord } from './pod-record.ts';
import { NOW, testPod } from './testing.ts';

const container = (name: string) => ({ name, image: 'x' });

// As upstream's convertStatusToAPIStatus says it of containers that have not run yet.
describe('what a new container waits for', () => {
  const rows: readonly (readonly [rule: string, spec: Partial<PodSpec>, reasons: Record<string, string>])[] =
    [
      ['is that it is made', {}, { a: 'ContainerCreating' }],
      [
        'is one that goes before it',
        { initContainers: [container('i')] },
        { i: 'PodInitializing', a: 'PodInitializing' },
      ],
      [
        'is no other when it was added to the pod',
        { initContainers: [container('i'), container('j')], ephemeralContainers: [container('e')] },
        { e: 'ContainerCreating', i: 'PodInitializing', j: 'PodInitializing', a: 'PodInitializing' },
      ],
    ];
  for (const [rule, spec, reasons] of rows)
    it(rule, () => {
      const { containers } = newPodRecord(testPod(spec), 'default/p', NOW);
      const found = Array.from(containers, ([name, { phase }]) => [
        name,
        phase.kind === 'waiting' ? phase.reason : phase.kind,
      ]);
      assert.deepEqual(Object.fromEntries(found), reasons);
    });
});
