// Which devices claims get on a node, as tables. The expressions are the API server's.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Node } from '@windlass/apimachinery/api/core/v1';
import type { Device, DeviceClaim, DeviceSubRequest } from '@windlass/apimachinery/api/resource/v1';
import { compileDeviceSelector } from '@windlass/apiserver';
import type { ReadonlyDeviceClass, ReadonlyResourceClaim, ReadonlySlice } from '../framework/device-view.ts';
import { allocateDevices } from './allocate-devices.ts';
import { allocatedBy } from './allocated-devices.ts';
import { DRIVER, requestOf, selectorsOf, testClaim, testClass, testSlice } from './device-testing.ts';

const NODE: Node = { metadata: { name: 'n1', labels: { zone: 'a' } } };
const CLASSES = [
  testClass('any'),
  testClass('big', { selectors: selectorsOf(`device.attributes["${DRIVER}"].size >= 2`) }),
  testClass('broken', { selectors: selectorsOf(`device.attributes["${DRIVER}"].nothing`) }),
];

interface World {
  readonly claims: readonly DeviceClaim[];
  readonly slices: readonly ReadonlySlice[];
  readonly taken?: readonly ReadonlyResourceClaim[];
}

/** `request=device` of each claim; `-` when there is no solution; or what is wrong. */
function allocated({ claims, slices, taken = [] }: World): string {
  const classOf = (name: string): ReadonlyDeviceClass | undefined =>
    CLASSES.find(({ metadata }) => metadata.name === name);
  try {
    const found = allocateDevices({
      node: NODE,
      claims: claims.map((devices, index) => testClaim(`c${index}`, devices)),
      slices: slices.filter(({ spec }) => spec.nodeName === undefined || spec.nodeName === 'n1'),
      slicesOfPool: (driver, pool) =>
        slices.filter(({ spec }) => spec.driver === driver && spec.pool.name === pool),
      allocated: allocatedBy(taken),
      classOf,
      matches: (expression, device) => compileDeviceSelector(expression).matches(device),
    });
    if (found === undefined) return '-';
    return found
      .map((devices) =>
        devices.map(({ wanted, candidate }) => `${wanted.name}=${candidate.device.name}`).join(' '),
      )
      .join(' | ');
  } catch (error) {
    assert.ok(error instanceof Error);
    return error.message;
  }
}

type Row = readonly [what: string, world: World, expected: string];
function table(name: string, rows: readonly Row[]): void {
  describe(name, () => {
    for (const [what, world, expected] of rows) it(what, () => assert.equal(allocated(world), expected));
  });
}

/** A claim that has these devices. */
const holder = (...devices: readonly string[]): ReadonlyResourceClaim =>
  testClaim(
    'holder',
    {},
    {
      allocation: {
        devices: { results: devices.map((device) => ({ request: 'r', driver: DRIVER, pool: 'p', device })) },
      },
    },
  );
const sized = (name: string, size: number, more: Partial<Device> = {}): Device => ({
  name,
  attributes: { size: { int: size } },
  ...more,
});
const one = { requests: [requestOf('r')] };
const all = { requests: [requestOf('r', { allocationMode: 'All' })] };
const two = { requests: [requestOf('r', { count: 2 })] };

table('devices', [
  ['are taken in their order', { claims: [one], slices: [testSlice('p', ['a', 'b'])] }, 'r=a'],
  ['are taken once', { claims: [one, one], slices: [testSlice('p', ['a', 'b'])] }, 'r=a | r=b'],
  ['are not there', { claims: [one], slices: [] }, '-'],
  ['are too few', { claims: [two], slices: [testSlice('p', ['a'])] }, '-'],
  [
    'that others have are left to them',
    { claims: [one], slices: [testSlice('p', ['a', 'b'])], taken: [holder('a')] },
    'r=b',
  ],
  ['are as many as asked for', { claims: [two], slices: [testSlice('p', ['a', 'b', 'c'])] }, 'r=a r=b'],
  [
    'are all that there are',
    { claims: [all], slices: [testSlice('p', ['a']), testSlice('q', ['b'])] },
    'r=a r=b',
  ],
  ['of none are not all', { claims: [all], slices: [] }, '-'],
  [
    'are not all when another has one',
    { claims: [all], slices: [testSlice('p', ['a', 'b'])], taken: [holder('a')] },
    '-',
  ],
  [
    'are not more than a claim can say',
    { claims: [{ requests: [requestOf('r', { count: 33 })] }], slices: [] },
    'claim default/c0: number of requested devices 33 exceeds the claim limit of 32',
  ],
]);

table('selectors', [
  [
    'of the class decide',
    {
      claims: [{ requests: [requestOf('r', { deviceClassName: 'big' })] }],
      slices: [testSlice('p', [sized('a', 1), sized('b', 2)])],
    },
    'r=b',
  ],
  [
    'of the request decide, too',
    {
      claims: [
        {
          requests: [
            requestOf('r', {
              deviceClassName: 'big',
              selectors: selectorsOf(`device.attributes["${DRIVER}"].size < 4`),
            }),
          ],
        },
      ],
      slices: [testSlice('p', [sized('a', 1), sized('b', 4), sized('c', 3)])],
    },
    'r=c',
  ],
  [
    'that fail end the search',
    {
      claims: [{ requests: [requestOf('r', { deviceClassName: 'broken' })] }],
      slices: [testSlice('p', ['a'])],
    },
    `class broken: selector #0 on device ${DRIVER}/p/a: CEL error: no such key: nothing`,
  ],
  [
    'of a class that is not there cannot be asked',
    { claims: [{ requests: [requestOf('r', { deviceClassName: 'gone' })] }], slices: [] },
    'request r: device class gone does not exist',
  ],
  [
    'may need another order than the first',
    {
      claims: [{ requests: [requestOf('r'), requestOf('s', { deviceClassName: 'big' })] }],
      slices: [testSlice('p', [sized('a', 2), sized('b', 1)])],
    },
    'r=b s=a',
  ],
]);

const alternative = (name: string, more: Partial<DeviceSubRequest> = {}): DeviceSubRequest => ({
  name,
  deviceClassName: 'any',
  allocationMode: 'ExactCount',
  count: 1,
  ...more,
});

table('alternatives', [
  [
    'are taken in their order',
    {
      claims: [
        {
          requests: [
            { name: 'r', firstAvailable: [alternative('x', { deviceClassName: 'big' }), alternative('y')] },
          ],
        },
      ],
      slices: [testSlice('p', [sized('a', 1), sized('b', 2)])],
    },
    'r/x=b',
  ],
  [
    'are there for when the first cannot be had',
    {
      claims: [
        {
          requests: [
            { name: 'r', firstAvailable: [alternative('x', { count: 3 }), alternative('y', { count: 2 })] },
          ],
        },
      ],
      slices: [testSlice('p', ['a', 'b'])],
    },
    'r/y=a r/y=b',
  ],
  [
    'give way to a later request',
    {
      claims: [
        {
          requests: [
            { name: 'r', firstAvailable: [alternative('x', { count: 2 }), alternative('y')] },
            requestOf('s'),
          ],
        },
      ],
      slices: [testSlice('p', ['a', 'b'])],
    },
    'r/y=a s=b',
  ],
]);

const inRoom = (name: string, room: string, more: Partial<Device> = {}): Device => ({
  name,
  attributes: { room: { string: room } },
  ...more,
});
const ROOM = `${DRIVER}/room`;

table('constraints', [
  [
    'want the same of all',
    {
      claims: [{ ...two, constraints: [{ matchAttribute: ROOM }] }],
      slices: [testSlice('p', [inRoom('a', 'x'), inRoom('b', 'y'), inRoom('c', 'y')])],
    },
    'r=b r=c',
  ],
  [
    'find the attribute also with its domain',
    {
      claims: [{ ...two, constraints: [{ matchAttribute: ROOM }] }],
      slices: [testSlice('p', [inRoom('a', 'x'), { name: 'b', attributes: { [ROOM]: { string: 'x' } } }])],
    },
    'r=a r=b',
  ],
  [
    'want the attribute to be there',
    { claims: [{ ...one, constraints: [{ matchAttribute: ROOM }] }], slices: [testSlice('p', ['a'])] },
    '-',
  ],
  [
    'want another of each',
    {
      claims: [{ ...two, constraints: [{ distinctAttribute: ROOM }] }],
      slices: [testSlice('p', [inRoom('a', 'x'), inRoom('b', 'x'), inRoom('c', 'y')])],
    },
    'r=a r=c',
  ],
  [
    'are about their requests only',
    {
      claims: [
        {
          requests: [requestOf('r'), requestOf('s'), requestOf('t')],
          constraints: [{ matchAttribute: ROOM, requests: ['r', 't'] }],
        },
      ],
      slices: [testSlice('p', [inRoom('a', 'x'), 'b', inRoom('c', 'x')])],
    },
    'r=a s=b t=c',
  ],
  [
    'do not compare values of different types',
    {
      claims: [{ ...two, constraints: [{ matchAttribute: ROOM }] }],
      slices: [testSlice('p', [inRoom('a', '1'), { name: 'b', attributes: { room: { int: 1 } } }])],
    },
    '-',
  ],
]);

table('an administrator', [
  [
    'may look after devices that others have',
    {
      claims: [{ requests: [requestOf('r', { adminAccess: true })] }],
      slices: [testSlice('p', ['a'])],
      taken: [holder('a')],
    },
    'r=a',
  ],
  [
    'takes nothing away',
    {
      claims: [{ requests: [requestOf('r', { adminAccess: true })] }, one],
      slices: [testSlice('p', ['a'])],
    },
    'r=a | r=a',
  ],
  [
    'has each device once',
    {
      claims: [{ requests: [requestOf('r', { adminAccess: true }), requestOf('s', { adminAccess: true })] }],
      slices: [testSlice('p', ['a', 'b'])],
    },
    'r=a s=b',
  ],
]);

const tainted = (name: string, effect: string): Device => ({
  name,
  taints: [{ key: 'k', value: 'v', effect }],
});

table('taints', [
  [
    'keep requests away',
    { claims: [one], slices: [testSlice('p', [tainted('a', 'NoSchedule'), 'b'])] },
    'r=b',
  ],
  ['may only inform', { claims: [one], slices: [testSlice('p', [tainted('a', 'None')])] }, 'r=a'],
  [
    'may be tolerated by their value',
    {
      claims: [
        { requests: [requestOf('r', { tolerations: [{ key: 'k', operator: 'Equal', value: 'v' }] })] },
      ],
      slices: [testSlice('p', [tainted('a', 'NoExecute')])],
    },
    'r=a',
  ],
  [
    'may be tolerated whatever they are',
    {
      claims: [{ requests: [requestOf('r', { tolerations: [{ operator: 'Exists' }] })] }],
      slices: [testSlice('p', [tainted('a', 'NoSchedule')])],
    },
    'r=a',
  ],
  [
    'are not tolerated for another effect or value',
    {
      claims: [
        {
          requests: [
            requestOf('r', {
              tolerations: [
                { key: 'k', operator: 'Equal', value: 'w' },
                { key: 'k', operator: 'Exists', effect: 'NoExecute' },
              ],
            }),
          ],
        },
      ],
      slices: [testSlice('p', [tainted('a', 'NoSchedule')])],
    },
    '-',
  ],
]);

const selecting = (zone: string) => ({
  nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] }],
});

table('pools', [
  [
    'of another node are not looked at',
    { claims: [one], slices: [testSlice('p', ['a'], { nodeName: 'n2' })] },
    '-',
  ],
  ['of all nodes are', { claims: [one], slices: [testSlice('p', ['a'], { allNodes: true })] }, 'r=a'],
  [
    'of nodes that are selected are',
    {
      claims: [one],
      slices: [
        testSlice('p', ['a'], { nodeSelector: selecting('b') }),
        testSlice('q', ['b'], { nodeSelector: selecting('a') }),
      ],
    },
    'r=b',
  ],
  [
    'may have some devices here',
    {
      claims: [one],
      slices: [
        testSlice(
          'p',
          [
            { name: 'a', nodeName: 'n2' },
            { name: 'b', nodeSelector: selecting('b') },
            { name: 'c', allNodes: true },
          ],
          { perDeviceNodeSelection: true },
        ),
      ],
    },
    'r=c',
  ],
  [
    'that are not whole are not used',
    { claims: [one], slices: [testSlice('p', ['a'], { pool: { resourceSliceCount: 2 } })] },
    '-',
  ],
  [
    'that are not whole do not say what all are',
    { claims: [all], slices: [testSlice('p', ['a'], { pool: { resourceSliceCount: 2 } })] },
    `claim default/c0, request r: asks for all devices, but resource pool ${DRIVER}/p is currently being updated`,
  ],
  [
    'are as their newest generation has them',
    {
      claims: [one],
      slices: [testSlice('p', ['a']), testSlice('p2', ['b'], { pool: { name: 'p', generation: 2 } })],
    },
    'r=b',
  ],
  [
    'are also whole with slices of other nodes',
    {
      claims: [one],
      slices: [
        testSlice('p', ['a'], { pool: { resourceSliceCount: 2 } }),
        testSlice('p2', ['b'], { nodeName: 'n2', pool: { name: 'p', resourceSliceCount: 2 } }),
      ],
    },
    'r=a',
  ],
  [
    'that name a device twice are not used',
    {
      claims: [one],
      slices: [
        testSlice('p', ['a'], { pool: { resourceSliceCount: 2 } }),
        testSlice('p2', ['a'], { pool: { name: 'p', resourceSliceCount: 2 } }),
        testSlice('q', ['b']),
      ],
    },
    'r=b',
  ],
  [
    'whose devices take time are last',
    {
      claims: [one],
      slices: [
        testSlice('p', [{ name: 'a', bindingConditions: ['Ready'], bindingFailureConditions: ['Failed'] }]),
        testSlice('q', ['b']),
      ],
    },
    'r=b',
  ],
]);

/** Two halves of a card of 8Gi, and the card. */
const half = (name: string, memory: string): Device => ({
  name,
  consumesCounters: [{ counterSet: 'card', counters: { memory: { value: memory } } }],
});
const COUNTERS = testSlice('p2', [], {
  pool: { name: 'p', resourceSliceCount: 2 },
  sharedCounters: [{ name: 'card', counters: { memory: { value: '8Gi' } } }],
});
const CARD = [
  testSlice('p', [half('half-1', '4Gi'), half('whole', '8Gi'), half('half-2', '4Gi')], {
    pool: { resourceSliceCount: 2 },
  }),
  COUNTERS,
];

table('devices that share counters', [
  ['can be had as long as there is something left', { claims: [two], slices: CARD }, 'r=half-1 r=half-2'],
  ['cannot all be had', { claims: [{ requests: [requestOf('r', { count: 3 })] }], slices: CARD }, '-'],
  ['are counted when others have them', { claims: [one], slices: CARD, taken: [holder('whole')] }, '-'],
  ['leave the rest to others', { claims: [one], slices: CARD, taken: [holder('half-1')] }, 'r=half-2'],
  [
    'of counters that are not there are not used',
    {
      claims: [one],
      slices: [testSlice('p', [half('a', '1Gi')])],
    },
    '-',
  ],
]);

const shared = (policy?: NonNullable<Device['capacity']>[string]['requestPolicy']): Device => ({
  name: 'nic',
  allowMultipleAllocations: true,
  capacity: { bandwidth: { value: '10', ...(policy !== undefined && { requestPolicy: policy }) } },
});
const wanting = (bandwidth: string): DeviceClaim => ({
  requests: [requestOf('r', { capacity: { requests: { bandwidth } } })],
});
const share = (bandwidth: string): ReadonlyResourceClaim =>
  testClaim(
    'sharer',
    {},
    {
      allocation: {
        devices: {
          results: [
            {
              request: 'r',
              driver: DRIVER,
              pool: 'p',
              device: 'nic',
              shareID: '6b3ba23e-9238-4a11-a361-4a3210eed55e',
              consumedCapacity: { bandwidth },
            },
          ],
        },
      },
    },
  );

table('a device that is shared', [
  [
    'serves several',
    { claims: [wanting('4'), wanting('6')], slices: [testSlice('p', [shared()])] },
    'r=nic | r=nic',
  ],
  [
    'serves not more than it has',
    { claims: [wanting('5'), wanting('6')], slices: [testSlice('p', [shared()])] },
    '-',
  ],
  [
    'counts what others have',
    { claims: [wanting('5')], slices: [testSlice('p', [shared()])], taken: [share('6')] },
    '-',
  ],
  [
    'is had whole by who does not say how much',
    { claims: [one, wanting('1')], slices: [testSlice('p', [shared()])] },
    '-',
  ],
  [
    'is had by its default by who does not say how much',
    {
      claims: [one, wanting('7')],
      slices: [testSlice('p', [shared({ default: '3', validValues: ['3', '7'] })])],
    },
    'r=nic | r=nic',
  ],
  [
    'rounds up to what it allows',
    {
      claims: [wanting('4'), wanting('4')],
      slices: [testSlice('p', [shared({ default: '3', validValues: ['3', '7'] })])],
    },
    '-',
  ],
  [
    'rounds up to its steps',
    {
      claims: [wanting('2'), wanting('3')],
      slices: [testSlice('p', [shared({ default: '1', validRange: { min: '1', step: '4' } })])],
    },
    'r=nic | r=nic',
  ],
  [
    'allows no more than its range',
    {
      claims: [wanting('6')],
      slices: [testSlice('p', [shared({ default: '1', validRange: { min: '1', max: '5' } })])],
    },
    '-',
  ],
  [
    'does not have what it does not name',
    {
      claims: [{ requests: [requestOf('r', { capacity: { requests: { lanes: '1' } } })] }],
      slices: [testSlice('p', [shared()])],
    },
    '-',
  ],
]);

it('a search without an end is given up', () => {
  const devices = Array.from({ length: 40 }, (_, index) => inRoom(`d${index}`, `room-${index % 2}`));
  const claim = { requests: [requestOf('r', { count: 21 })], constraints: [{ matchAttribute: ROOM }] };
  assert.match(allocated({ claims: [claim], slices: [testSlice('p', devices)] }), /given up$/);
});
