import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ResourceSlice } from '@windlass/apimachinery/api/resource/v1';
import { type Json, KindApi, testRefusals } from '../../testing/kind-api.ts';

const api = new KindApi();
const PATH = '/apis/resource.k8s.io/v1/resourceslices';
const POOL = { name: 'node-1', generation: 1, resourceSliceCount: 1 };
const SPEC = { driver: 'gpu.example.com', pool: POOL, nodeName: 'node-1' };
const { nodeName: _, ...NOWHERE } = SPEC;
const termsOf = (...terms: Json[]) => ({ nodeSelectorTerms: terms });
const TERM = { matchExpressions: [{ key: 'a', operator: 'Exists' }] };
const oneOf = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';

describe('a new slice', () => {
  testRefusals(api, PATH, (spec) => ({ spec }), [
    ['may be of one node', SPEC, []],
    ['may be of some nodes', { ...NOWHERE, nodeSelector: termsOf(TERM) }, []],
    ['may be of all nodes', { ...NOWHERE, allNodes: true }, []],
    ['may leave it to its devices', { ...NOWHERE, perDeviceNodeSelection: true }, []],
    ['is somewhere', NOWHERE, [`spec: Required value: ${oneOf}`]],
    [
      'is in one way somewhere',
      { ...SPEC, allNodes: true },
      [`spec: Invalid value: "{\`nodeName\`, \`allNodes\`}": ${oneOf}, but multiple fields are set`],
    ],
    [
      'says where, not where not',
      { ...NOWHERE, allNodes: false },
      [
        'spec.allNodes: Invalid value: false: must be either unset or set to true',
        `spec: Required value: ${oneOf}`,
      ],
    ],
    [
      'has one term for its nodes',
      { ...NOWHERE, nodeSelector: termsOf(TERM, TERM) },
      [
        'spec.nodeSelector.nodeSelectorTerms: Invalid value: [{"matchExpressions":[{"key":"a","operator":"Exists"}]},{"matchExpressions":[{"key":"a","operator":"Exists"}]}]: must have exactly one node selector term',
      ],
    ],
    [
      'has a driver and a pool',
      { nodeName: 'node-1' },
      [
        'spec.driver: Required value',
        'spec.pool.name: Required value',
        'spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero',
      ],
    ],
    [
      'has a generation of its pool',
      { ...SPEC, pool: { ...POOL, generation: -1 } },
      ['spec.pool.generation: Invalid value: -1: must be greater than or equal to zero'],
    ],
    [
      'has devices or counters',
      { ...SPEC, devices: [{ name: 'a' }], sharedCounters: [{ name: 'b', counters: { c: { value: '1' } } }] },
      ['spec: Invalid value: "": only one of `sharedCounters` or `devices` is allowed'],
    ],
    [
      'has counters with names',
      { ...SPEC, sharedCounters: [{ counters: {} }] },
      ['spec.sharedCounters[0].counters: Required value', 'spec.sharedCounters[0].name: Required value'],
    ],
    [
      'has each device once',
      { ...SPEC, devices: [{ name: 'a' }, { name: 'a' }] },
      ['spec.devices[1]: Duplicate value: "a"'],
    ],
    [
      'has at most 128 devices',
      { ...SPEC, devices: Array.from({ length: 129 }, (_, index) => ({ name: `d${index}` })) },
      ['spec.devices: Too many: 129: must have at most 128 items'],
    ],
    [
      'has at most 64 devices when one is tainted',
      {
        ...SPEC,
        devices: Array.from({ length: 65 }, (_, index) => ({
          name: `d${index}`,
          taints: [{ key: 'a', effect: 'NoSchedule' }],
        })),
      },
      ['spec.devices: Too many: 65: must have at most 64 items'],
    ],
  ]);
});

describe('a device of a new slice', () => {
  const AT = 'spec.devices[0]';
  const capacityOf = (requestPolicy: Json) => ({
    allowMultipleAllocations: true,
    capacity: { memory: { value: '10Gi', requestPolicy } },
  });
  testRefusals(api, PATH, (device) => ({ spec: { ...SPEC, devices: [{ name: 'a', ...device }] } }), [
    [
      'may have attributes and capacity',
      {
        attributes: { a: { int: 1 }, 'example.com/b': { version: '1.2.3-rc.1+x' }, c: { string: '' } },
        capacity: { memory: { value: '1Gi' } },
      },
      [],
    ],
    [
      'has attributes of one value',
      { attributes: { a: {}, b: { bool: true, int: 1 } } },
      [
        `${AT}.attributes[a]: Invalid value: "": exactly one value must be specified`,
        `${AT}.attributes[b]: Invalid value: {"int":1,"bool":true}: exactly one value must be specified`,
      ],
    ],
    [
      'has texts and versions that are not too long, and versions that are some',
      { attributes: { a: { string: 'x'.repeat(65) }, b: { version: '1.2' } } },
      [
        `${AT}.attributes[a].string: Too long: may not be more than 64 bytes`,
        `${AT}.attributes[b].version: Invalid value: "1.2": must be a string compatible with semver.org spec 2.0.0`,
      ],
    ],
    [
      'has attributes with names',
      { attributes: { 'a/b/c': { int: 1 }, '/b': { int: 1 }, ['x'.repeat(33)]: { int: 1 } } },
      [
        `${AT}.attributes: Invalid value: "a/b/c": must not contain more than one slash`,
        `${AT}.attributes: Invalid value: "": the domain must not be empty`,
        `${AT}.attributes: Too long: may not be more than 32 bytes`,
      ],
    ],
    [
      'has 32 attributes and capacities at most',
      {
        attributes: Object.fromEntries(
          Array.from({ length: 32 }, (_, index) => [`a${index}`, { int: index }]),
        ),
        capacity: { b: { value: '1' } },
      },
      [`${AT}: Invalid value: 33: the total number of attributes and capacities must not exceed 32`],
    ],
    [
      'has taints with an effect',
      { taints: [{ key: 'a' }, { key: 'a', effect: 'Maybe' }] },
      [
        `${AT}.taints[0].effect: Required value`,
        `${AT}.taints[1].effect: Unsupported value: "Maybe": supported values: "NoExecute", "NoSchedule", "None"`,
      ],
    ],
    [
      'is where its slice is',
      { allNodes: true },
      [
        `${AT}: Invalid value: null: \`nodeName\`, \`nodeSelector\` and \`allNodes\` can only be set if \`perDeviceNodeSelection\` is set to true in the ResourceSlice spec`,
      ],
    ],
    [
      'takes counters of a set',
      { consumesCounters: [{}] },
      [
        `${AT}.consumesCounters[0].counterSet: Required value`,
        `${AT}.consumesCounters[0].counters: Required value`,
      ],
    ],
    [
      'lets others say how much they want only when it is shared',
      { ...capacityOf({}), allowMultipleAllocations: false },
      [`${AT}.capacity[memory].requestPolicy: Forbidden: allowMultipleAllocations must be true`],
    ],
    [
      'says what those get who do not ask',
      capacityOf({ validValues: ['1Gi'] }),
      [`${AT}.capacity[memory].requestPolicy.default: Required value: required when validValues is defined`],
    ],
    ['may have options', capacityOf({ default: '1Gi', validValues: ['1Gi', '2Gi'] }), []],
    [
      'has options in their order, of which the default is one',
      capacityOf({ default: '3Gi', validValues: ['2Gi', '1Gi', '11Gi'] }),
      [
        `${AT}.capacity[memory].requestPolicy.validValues[1]: Invalid value: "1Gi": values must be sorted in ascending order`,
        `${AT}.capacity[memory].requestPolicy.validValues[2]: Invalid value: "11Gi": option is larger than capacity value: 10Gi`,
        `${AT}.capacity[memory].requestPolicy.validValues: Invalid value: "3Gi": default value is not valid according to the requestPolicy`,
      ],
    ],
    [
      'may have a range',
      capacityOf({ default: '2Gi', validRange: { min: '1Gi', max: '5Gi', step: '1Gi' } }),
      [],
    ],
    [
      'has a range that its default is in',
      capacityOf({ default: '6Gi', validRange: { min: '1Gi', max: '5Gi' } }),
      [
        `${AT}.capacity[memory].requestPolicy.validRange.default: Invalid value: "6Gi": default is more than max: 5Gi`,
      ],
    ],
    [
      'has a default on one of the steps',
      capacityOf({ default: '2Gi', validRange: { min: '1Gi', step: '3Gi' } }),
      [
        `${AT}.capacity[memory].requestPolicy.validRange.step: Invalid value: "2Gi": value is not a multiple of a given step (3Gi) from (1Gi)`,
      ],
    ],
  ]);
});

describe('a device that says itself where it is', () => {
  const AT = 'spec.devices[0]';
  const oneOfThree =
    'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
  testRefusals(
    api,
    PATH,
    (device) => ({
      spec: { ...NOWHERE, perDeviceNodeSelection: true, devices: [{ name: 'a', ...device }] },
    }),
    [
      ['may be on all nodes', { allNodes: true }, []],
      ['is somewhere', {}, [`${AT}: Required value: ${oneOfThree}`]],
      [
        'is in one way somewhere',
        { nodeName: 'a', allNodes: true },
        [`${AT}: Invalid value: "{\`nodeName\`, \`allNodes\`}": ${oneOfThree}`],
      ],
    ],
  );
});

describe('a slice', () => {
  it('keeps its pool, its driver and its node', async () => {
    const path = await api.create(PATH, { spec: SPEC });
    const change = { driver: 'b', nodeName: 'c', pool: { name: 'd' } };
    assert.deepEqual(await api.changeRefusals(path, { spec: change }), [
      'spec.pool.name: Invalid value: "d": field is immutable',
      'spec.driver: Invalid value: "b": field is immutable',
      'spec.nodeName: Invalid value: "c": field is immutable',
    ]);
    await api.change(path, { spec: { pool: { generation: 2 } } });
  });

  it('dates its taints, and leaves out what is not served', async () => {
    const device = {
      name: 'a',
      attributes: { a: { int: 1, ints: [1] } },
      taints: [{ key: 'k', effect: 'NoSchedule' }],
    };
    const { spec } = await api.defaulted<ResourceSlice>(PATH, { spec: { ...SPEC, devices: [device] } });
    assert.deepEqual(spec.devices?.[0]?.attributes, { a: { int: 1 } });
    assert.match(spec.devices?.[0]?.taints?.[0]?.timeAdded ?? '', /^20.*Z$/);
  });

  it('is found by its driver and its node', async () => {
    await api.create(PATH, { spec: { ...SPEC, nodeName: 'other' } });
    const query = { fieldSelector: 'spec.driver=gpu.example.com,spec.nodeName=other' };
    const { body } = await api.request('GET', PATH, { query });
    assert.equal((body as { items: unknown[] }).items.length, 1);
  });
});
