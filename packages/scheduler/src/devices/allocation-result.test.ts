import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Device, DeviceClaim, ResourceSliceSpec } from '@windlass/apimachinery/api/resource/v1';
import { allocateDevices } from './allocate-devices.ts';
import { allocatedBy } from './allocated-devices.ts';
import { allocationResult } from './allocation-result.ts';
import { DRIVER, requestOf, testClaim, testClass, testSlice } from './device-testing.ts';

const opaque = (name: string) => ({ opaque: { driver: DRIVER, parameters: { name } } });
const CLASSES = [
  testClass('any', { config: [opaque('any')] }),
  testClass('other', { config: [opaque('other')] }),
];

function resultOf(
  devices: DeviceClaim,
  given: readonly (string | Device)[],
  slice: Partial<ResourceSliceSpec> = {},
) {
  const claim = testClaim('c', devices);
  const { pool: _, ...more } = slice;
  const slices = [testSlice('p', given, more)];
  const [chosen] =
    allocateDevices({
      node: { metadata: { name: 'n1', labels: { zone: 'a' } } },
      claims: [claim],
      slices,
      slicesOfPool: () => slices,
      allocated: allocatedBy([]),
      classOf: (name) => CLASSES.find(({ metadata }) => metadata.name === name),
      matches: () => true,
    }) ?? [];
  let count = 0;
  return allocationResult(claim, chosen ?? [], 'n1', () => `share-${count++}`);
}

const nameOf = (parameters: unknown): string => (parameters as { name: string } | undefined)?.name ?? '';
const one: DeviceClaim = { requests: [requestOf('r')] };

describe('what a claim has', () => {
  it('names its devices, as they are', () => {
    const device = { name: 'a', bindingConditions: ['Ready'], bindingFailureConditions: ['Failed'] };
    const tolerations = [{ operator: 'Exists' }];
    const { devices } = resultOf({ requests: [requestOf('r', { adminAccess: true, tolerations })] }, [
      device,
    ]);
    assert.deepEqual(devices?.results, [
      {
        request: 'r',
        driver: DRIVER,
        pool: 'p',
        device: 'a',
        adminAccess: true,
        tolerations,
        bindingConditions: ['Ready'],
        bindingFailureConditions: ['Failed'],
      },
    ]);
  });

  it('says how much it takes of a device that is shared', () => {
    const device = { name: 'a', allowMultipleAllocations: true, capacity: { lanes: { value: '4' } } };
    const { devices } = resultOf({ requests: [requestOf('r', { capacity: { requests: { lanes: '1' } } })] }, [
      device,
    ]);
    assert.partialDeepStrictEqual(devices?.results, [
      { shareID: 'share-0', consumedCapacity: { lanes: '1' } },
    ]);
  });
});

describe('the configuration of a claim', () => {
  const configOf = (devices: DeviceClaim): readonly string[] =>
    (resultOf(devices, ['a', 'b']).devices?.config ?? []).map(
      ({ source, requests, opaque: given }) =>
        `${source} ${nameOf(given?.parameters)} ${requests?.join() ?? '*'}`,
    );
  const rows: readonly (readonly [what: string, claim: DeviceClaim, config: readonly string[]])[] = [
    [
      'is that of its classes and its own',
      { ...one, config: [opaque('own')] },
      ['FromClass any *', 'FromClaim own *'],
    ],
    ['has that of each class once', { requests: [requestOf('r'), requestOf('s')] }, ['FromClass any *']],
    [
      'says whom it is for when it is not for all',
      {
        requests: [requestOf('r'), requestOf('s', { deviceClassName: 'other' })],
        config: [{ ...opaque('own'), requests: ['s'] }],
      },
      ['FromClass any r', 'FromClass other s', 'FromClaim own s'],
    ],
    [
      'leaves out what is for alternatives that were not taken',
      {
        requests: [
          {
            name: 'r',
            firstAvailable: [
              { name: 'x', deviceClassName: 'other', allocationMode: 'ExactCount', count: 3 },
              { name: 'y', deviceClassName: 'any', allocationMode: 'ExactCount', count: 1 },
            ],
          },
          requestOf('s'),
        ],
        config: [
          { ...opaque('x'), requests: ['r/x'] },
          { ...opaque('y'), requests: ['r/y'] },
          { ...opaque('r'), requests: ['r'] },
        ],
      },
      ['FromClass any *', 'FromClaim y r/y', 'FromClaim r r'],
    ],
  ];
  for (const [what, claim, config] of rows) it(what, () => assert.deepEqual(configOf(claim), config));
});

describe('the nodes of a claim', () => {
  const inZone = { key: 'zone', operator: 'In', values: ['a'] };
  const onNode = {
    nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }],
  };
  const inZones = { nodeSelectorTerms: [{ matchExpressions: [inZone] }] };
  const rows: readonly (readonly [
    string,
    readonly (string | Device)[],
    Partial<ResourceSliceSpec>,
    unknown,
  ])[] = [
    ['are the one that has its device', ['a'], {}, onNode],
    ['are all that have it', ['a'], { allNodes: true }, undefined],
    ['are those that are selected', ['a'], { nodeSelector: inZones }, inZones],
    ['are as the device says', [{ name: 'a', nodeName: 'n1' }], { perDeviceNodeSelection: true }, onNode],
    [
      'are the one that the device is bound to',
      [{ name: 'a', bindsToNode: true }],
      { allNodes: true },
      onNode,
    ],
  ];
  for (const [what, devices, slice, expected] of rows)
    it(what, () => assert.deepEqual(resultOf(one, devices, slice).nodeSelector, expected));
});
