import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EndpointPort, EndpointSubset } from '@windlass/apimachinery/api/core/v1';
import { repacked } from './repack.ts';

const at = (...ips: readonly string[]) => ips.map((ip) => ({ ip }));
const http = { name: 'http', port: 80 };
const https = { name: 'https', port: 443 };
const on = (uid: string) => ({ ip: '10.0.0.1', targetRef: { uid } });

/** Ports, then addresses; one that is not ready has a question mark. */
const told = (subsets: readonly EndpointSubset[]): string[] =>
  repacked(subsets).map(({ ports, ready, notReady }) =>
    [
      ports.map(({ port, protocol = '', appProtocol = '' }) => `${port}${protocol}${appProtocol}`).join('+'),
      ...ready.map(({ ip }) => ip),
      ...notReady.map(({ ip }) => `${ip}?`),
    ].join(' '),
  );

type Row = readonly [rule: string, subsets: readonly EndpointSubset[], packed: readonly string[]];

const OTHERS: readonly (readonly [what: string, port: EndpointPort, shown: string])[] = [
  ['name', { ...http, name: 'web' }, '80'],
  ['number', { ...http, port: 81 }, '81'],
  ['protocol', { ...http, protocol: 'UDP' }, '80UDP'],
  ['protocol of the application', { ...http, appProtocol: 'h2' }, '80h2'],
];

describe('subsets are packed anew', () => {
  const rows: readonly Row[] = [
    ['nothing stays nothing', [], []],
    ['addresses without ports are there', [{ addresses: at('10.0.0.1') }], [' 10.0.0.1']],
    [
      'a port that is there twice is there once',
      [
        { ports: [http], addresses: at('10.0.0.1') },
        { ports: [http], addresses: at('10.0.0.2') },
      ],
      ['80 10.0.0.1 10.0.0.2'],
    ],
    [
      'ports of the same addresses are together',
      [
        { ports: [http], addresses: at('10.0.0.1') },
        { ports: [https], addresses: at('10.0.0.1') },
      ],
      ['80+443 10.0.0.1'],
    ],
    [
      'ports of other addresses are not',
      [
        { ports: [http, https], addresses: at('10.0.0.1') },
        { ports: [https], addresses: at('10.0.0.2') },
      ],
      ['80 10.0.0.1', '443 10.0.0.1 10.0.0.2'],
    ],
    ...OTHERS.map(
      ([what, other, shown]): Row => [
        `a port is another one by its ${what}`,
        [
          { ports: [http], addresses: at('10.0.0.1') },
          { ports: [other], addresses: at('10.0.0.2') },
        ],
        ['80 10.0.0.1', `${shown} 10.0.0.2`],
      ],
    ),
    [
      'what is said last of an address counts',
      [
        { ports: [http], addresses: at('10.0.0.1') },
        { ports: [http], notReadyAddresses: at('10.0.0.1') },
      ],
      ['80 10.0.0.1?'],
    ],
    [
      'an address is another one by who is there',
      [{ ports: [http], addresses: [on('a'), on('b'), on('a')] }],
      ['80 10.0.0.1 10.0.0.1'],
    ],
  ];
  for (const [rule, subsets, packed] of rows) it(rule, () => assert.deepEqual(told(subsets), packed));
});
