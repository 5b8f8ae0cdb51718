// What a pod may ask for, as a client sees it (ValidatePodSpec of Kubernetes 1.36).
import { describe } from 'node:test';
import { inDefault, type Json, KindApi, testRefusals } from '../../testing/kind-api.ts';

const api = new KindApi();
const PODS = inDefault('pods');
const CONTAINER = { name: 'c', image: 'i' };
const pod = (spec: Json): Json => ({ spec: { containers: [CONTAINER], ...spec } });
const volume = (source: Json): Json => pod({ volumes: [{ name: 'v', ...source }] });

describe('a requirement on the labels of a node', () => {
  const NONE = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
  const SOME = "must be specified when `operator` is 'In' or 'NotIn'";
  const ONE = "must be specified single value when `operator` is 'Lt' or 'Gt'";
  const at =
    'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0]';
  const affinity = (requirement: Json): Json => {
    const nodeSelectorTerms = [{ matchExpressions: [{ key: 'a', ...requirement }] }];
    const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
    return pod({ affinity: { nodeAffinity: required } });
  };
  testRefusals(api, PODS, affinity, [
    ['lists values with In', { operator: 'In', values: ['x', 'y'] }, []],
    ['lists values with NotIn', { operator: 'NotIn', values: ['x'] }, []],
    ['has no values with Exists', { operator: 'Exists' }, []],
    ['has no values with DoesNotExist', { operator: 'DoesNotExist' }, []],
    ['has one value with Gt', { operator: 'Gt', values: ['1'] }, []],
    ['has one value with Lt', { operator: 'Lt', values: ['1'] }, []],
    ['needs a value with In', { operator: 'In' }, [`${at}.values: Required value: ${SOME}`]],
    ['needs a value with NotIn', { operator: 'NotIn' }, [`${at}.values: Required value: ${SOME}`]],
    [
      'takes no value with Exists',
      { operator: 'Exists', values: ['x'] },
      [`${at}.values: Forbidden: ${NONE}`],
    ],
    [
      'takes no value with DoesNotExist',
      { operator: 'DoesNotExist', values: ['x'] },
      [`${at}.values: Forbidden: ${NONE}`],
    ],
    [
      'takes one value with Gt',
      { operator: 'Gt', values: ['1', '2'] },
      [`${at}.values: Required value: ${ONE}`],
    ],
    ['takes one value with Lt', { operator: 'Lt', values: [] }, [`${at}.values: Required value: ${ONE}`]],
    [
      'has one of these operators',
      { operator: 'Equals', values: ['x'] },
      [`${at}.operator: Invalid value: "Equals": not a valid selector operator`],
    ],
  ]);
});

describe('a pod for Windows', () => {
  const WINDOWS = 'Forbidden: cannot be set for a windows pod';
  testRefusals(api, PODS, (spec) => pod({ os: { name: 'windows' }, ...spec }), [
    ['needs nothing more', {}, []],
    [
      'shares no users and no processes, whichever way it says so',
      { hostUsers: true, shareProcessNamespace: false },
      [`spec.hostUsers: ${WINDOWS}`, `spec.shareProcessNamespace: ${WINDOWS}`],
    ],
    ['may say that it does not use the processes of the host', { hostPID: false, hostIPC: false }, []],
    [
      'does not use the processes of the host',
      { hostPID: true, hostIPC: true },
      [`spec.hostIPC: ${WINDOWS}`, `spec.hostPID: ${WINDOWS}`],
    ],
    [
      'has no users and groups of Linux',
      {
        securityContext: { fsGroup: 1, runAsUser: 1 },
        containers: [{ ...CONTAINER, securityContext: { privileged: false } }],
      },
      [
        `spec.containers[0].securityContext.privileged: ${WINDOWS}`,
        `spec.securityContext.fsGroup: ${WINDOWS}`,
        `spec.securityContext.runAsUser: ${WINDOWS}`,
      ],
    ],
  ]);
  testRefusals(api, PODS, pod, [
    [
      'has options that one for Linux has not',
      { os: { name: 'linux' }, securityContext: { windowsOptions: { runAsUserName: 'a' } } },
      ['spec.securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod'],
    ],
    [
      'is one of two',
      { os: { name: 'plan9' } },
      ['spec.os: Unsupported value: "plan9": supported values: "linux", "windows"'],
    ],
  ]);
});

describe('a volume', () => {
  const token = (expirationSeconds: number): Json => ({
    projected: { sources: [{ serviceAccountToken: { path: 't', expirationSeconds } }] },
  });
  const TOKEN = 'spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value';
  testRefusals(api, PODS, volume, [
    ['may tell the pod nothing about itself', { downwardAPI: {} }, []],
    [
      'tells the pod about what there is',
      { downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'metadata.age' } }] } },
      [
        'spec.volumes[0].downwardAPI.fieldRef.fieldPath: Invalid value: "metadata.age": error converting fieldPath: field label not supported: metadata.age',
      ],
    ],
    ['may have a token for 10 minutes', token(600), []],
    [
      'has no token for less than 10 minutes',
      token(599),
      [`${TOKEN}: 599: may not specify a duration less than 10 minutes`],
    ],
    ['may have a token for 2^32 seconds', token(2 ** 32), []],
    [
      'has no token for more than 2^32 seconds',
      token(2 ** 32 + 1),
      [`${TOKEN}: 4294967297: may not specify a duration larger than 2^32 seconds`],
    ],
    [
      'projects one thing with each source',
      { projected: { sources: [{ secret: { name: 'a' }, configMap: { name: 'b' } }] } },
      ['spec.volumes[0].projected.sources[0]: Forbidden: may not specify more than 1 volume type per source'],
    ],
    [
      'projects each path once',
      {
        projected: {
          sources: [
            { secret: { name: 'a', items: [{ key: 'k', path: 'p' }] } },
            { configMap: { name: 'b', items: [{ key: 'k', path: 'p' }] } },
          ],
        },
      },
      ['spec.volumes[0].projected: Invalid value: "b": conflicting duplicate paths'],
    ],
    [
      'has an image to show',
      { image: { pullPolicy: 'Now' } },
      [
        'spec.volumes[0].image.pullPolicy: Unsupported value: "Now": supported values: "Always", "IfNotPresent", "Never"',
        'spec.volumes[0].image.reference: Required value',
      ],
    ],
  ]);
});

describe('the resources of a whole pod', () => {
  const container = { ...CONTAINER, resources: { requests: { cpu: '2' }, limits: { cpu: '3' } } };
  testRefusals(api, PODS, (resources) => pod({ resources, containers: [container] }), [
    ['may be those of its containers', { requests: { cpu: '2' }, limits: { cpu: '3' } }, []],
    [
      'are no less than its containers request',
      { requests: { cpu: '1' }, limits: { cpu: '3' } },
      [
        'spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 2',
      ],
    ],
    [
      'are no less than the limit of each container',
      { requests: { cpu: '2' }, limits: { cpu: '2' } },
      [
        'spec.resources.containers[0][cpu].limits: Invalid value: "3": must be less than or equal to pod limits of 2',
      ],
    ],
    [
      'are processors, memory and huge pages',
      { limits: { 'ephemeral-storage': '1' } },
      [
        'spec.resources.limits[ephemeral-storage]: Unsupported value: "ephemeral-storage": supported values: "cpu", "hugepages-", "memory"',
      ],
    ],
  ]);
});
