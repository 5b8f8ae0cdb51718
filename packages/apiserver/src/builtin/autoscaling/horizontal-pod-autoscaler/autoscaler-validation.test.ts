import { describe } from 'node:test';
import { inDefault, type Json, KindApi, testRefusals } from '../../testing/kind-api.ts';

const api = new KindApi();
const AUTOSCALERS = inDefault('autoscaling/v2/horizontalpodautoscalers');
const autoscaler = (spec: Json): Json => ({
  spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, ...spec },
});

describe('the behaviour of an autoscaler', () => {
  const policy = { type: 'Pods', value: 1, periodSeconds: 1 };
  const scaleDown = (rules: Json): Json =>
    autoscaler({ behavior: { scaleDown: { policies: [policy], ...rules } } });
  const at = 'spec.behavior.scaleDown';
  testRefusals(api, AUTOSCALERS, scaleDown, [
    ['may wait an hour', { stabilizationWindowSeconds: 3600 }, []],
    [
      'waits an hour at most',
      { stabilizationWindowSeconds: 3601 },
      [`${at}.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600`],
    ],
    [
      'does not wait for the past',
      { stabilizationWindowSeconds: -1 },
      [`${at}.stabilizationWindowSeconds: Invalid value: -1: must be greater than or equal to zero`],
    ],
    ['may count over half an hour', { policies: [{ ...policy, periodSeconds: 1800 }] }, []],
    [
      'counts over half an hour at most',
      { policies: [{ ...policy, periodSeconds: 1801 }] },
      [`${at}.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800`],
    ],
    [
      'has policies that allow something',
      { policies: [{ type: 'Nodes' }] },
      [
        `${at}.policies[0].periodSeconds: Invalid value: 0: must be greater than zero`,
        `${at}.policies[0].type: Unsupported value: "Nodes": supported values: "Percent", "Pods"`,
        `${at}.policies[0].value: Invalid value: 0: must be greater than zero`,
      ],
    ],
    [
      'has at least one policy',
      { policies: [] },
      [`${at}.policies: Required value: must specify at least one Policy`],
    ],
    [
      'takes the most, the least or none of its policies',
      { selectPolicy: 'Mean' },
      [`${at}.selectPolicy: Unsupported value: "Mean": supported values: "Disabled", "Max", "Min"`],
    ],
    [
      'tolerates nothing negative',
      { tolerance: '-1' },
      [`${at}.tolerance: Invalid value: "-1": must be greater than or equal to 0`],
    ],
  ]);
});

describe('the behaviour of an autoscaler that scales up', () => {
  const scaleUp = (rules: Json): Json => autoscaler({ behavior: { scaleUp: rules } });
  testRefusals(api, AUTOSCALERS, scaleUp, [
    ['has policies by default', {}, []],
    [
      'has no default where it says that there are none',
      { policies: [] },
      ['spec.behavior.scaleUp.policies: Required value: must specify at least one Policy'],
    ],
  ]);
});

describe('the bounds of an autoscaler', () => {
  testRefusals(api, AUTOSCALERS, autoscaler, [
    ['may be equal', { minReplicas: 2, maxReplicas: 2 }, []],
    [
      'have a most',
      { maxReplicas: undefined },
      [
        'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
        'spec.maxReplicas: Required value: must be set and greater than 0',
      ],
    ],
    [
      'are not negative',
      { maxReplicas: -1 },
      [
        'spec.maxReplicas: Invalid value: -1: must be greater than or equal to 1',
        'spec.maxReplicas: Invalid value: -1: must be greater than or equal to `minReplicas`',
      ],
    ],
  ]);
});

describe('the resource that an autoscaler watches', () => {
  const target = { type: 'Utilization', averageUtilization: 1 };
  const containers = (name: string): Json =>
    autoscaler({
      metrics: [{ type: 'ContainerResource', containerResource: { name, container: 'c', target } }],
    });
  const at = 'spec.metrics[0].containerResource.name: Invalid value:';
  testRefusals(api, AUTOSCALERS, ({ name }) => containers(String(name)), [
    ['is one that containers have', { name: 'cpu' }, []],
    ['may be an extended one', { name: 'example.com/gpu' }, []],
    [
      'is no other',
      { name: 'a_b' },
      [
        `${at} "a_b": must be a standard resource for containers`,
        `${at} "a_b": must be a standard resource type or fully qualified`,
      ],
    ],
  ]);
  testRefusals(api, AUTOSCALERS, autoscaler, [
    ['may be any of whole pods', { metrics: [{ type: 'Resource', resource: { name: 'a_b', target } }] }, []],
  ]);
});
