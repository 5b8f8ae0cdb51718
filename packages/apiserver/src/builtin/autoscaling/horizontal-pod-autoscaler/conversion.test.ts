import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewFromV1 } from './conversion.ts';

const METRICS = 'autoscaling.alpha.kubernetes.io/metrics';
const BEHAVIOR = 'autoscaling.alpha.kubernetes.io/behavior';

/** The annotation, its text, and what it becomes; undefined where the annotation stays instead. */
const ROWS: readonly (readonly [name: string, text: string, spec: object | undefined])[] = [
  [
    METRICS,
    '[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"1000m"}}]',
    {
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1' } },
        },
      ],
    },
  ],
  [METRICS, '[]', {}],
  [METRICS, '[{"type":"Resource","resource":{"name":5,"targetAverageValue":"1"}}]', undefined],
  [METRICS, '[{"type":"Pods","pods":{"metricName":"a","targetAverageValue":"much"}}]', undefined],
  [METRICS, '[{"type":{}}]', undefined],
  [METRICS, 'no JSON', undefined],
  [BEHAVIOR, '{"scaleUp":{"selectPolicy":"Min"}}', { behavior: { scaleUp: { selectPolicy: 'Min' } } }],
  [BEHAVIOR, '{"scaleUp":[]}', undefined],
  [BEHAVIOR, '{"scaleDown":{"policies":{}}}', undefined],
];

for (const [name, text, spec] of ROWS)
  test(`${name.split('/')[1]} ${text} ${spec === undefined ? 'cannot be read and stays' : 'is read'}`, () => {
    const view = viewFromV1({ metadata: { name: 'a', annotations: { [name]: text } } });
    assert.deepEqual(view.spec, spec ?? {});
    assert.deepEqual(view.metadata?.annotations, spec === undefined ? { [name]: text } : undefined);
  });
