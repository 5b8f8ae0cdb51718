import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import { isMeasured, simulatedUsage, totalUsage } from './usage.ts';

function pod(annotations: Record<string, string>, requests?: Record<string, string>, phase = 'Running'): Pod {
  return {
    metadata: { name: 'p', namespace: 'default', annotations },
    spec: {
      nodeName: 'node-1',
      containers: [{ name: 'main', image: 'x', ...(requests !== undefined && { resources: { requests } }) }],
    },
    status: { phase },
  };
}

const rows: readonly [string, Pod, string, string][] = [
  ['nothing said', pod({}), '1m', '1Mi'],
  ['a tenth of what is requested', pod({}, { cpu: '500m', memory: '256Mi' }), '50m', '26214Ki'],
  ['a small request', pod({}, { cpu: '5m', memory: '4Mi' }), '1m', '1Mi'],
  [
    'annotations',
    pod({ 'kwok.x-k8s.io/usage-cpu': '1.5', 'kwok.x-k8s.io/usage-memory': '2Gi' }),
    '1500m',
    '2Gi',
  ],
  [
    'one annotation',
    pod({ 'kwok.x-k8s.io/usage-cpu': '200m' }, { cpu: '1', memory: '100Mi' }),
    '200m',
    '10Mi',
  ],
  ['no quantity', pod({ 'kwok.x-k8s.io/usage-cpu': 'much' }), '1m', '1Mi'],
];

for (const [name, object, cpu, memory] of rows)
  test(`simulated usage: ${name}`, () =>
    assert.deepEqual(simulatedUsage(object), [{ name: 'main', usage: { cpu, memory } }]));

test('usages are added up', () => {
  const parts = [
    { cpu: '1500m', memory: '1Mi' },
    { cpu: '500m', memory: '1023Ki' },
  ];
  assert.deepEqual(totalUsage(parts), { cpu: '2', memory: '2047Ki' });
  assert.deepEqual(totalUsage([]), { cpu: '0', memory: '0' });
});

test('only what runs on a node is measured', () => {
  assert.equal(isMeasured(pod({})), true);
  assert.equal(isMeasured(pod({}, undefined, 'Pending')), false);
  assert.equal(isMeasured({ ...pod({}), spec: { containers: [] } }), false);
});
