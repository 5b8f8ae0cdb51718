import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mayGo, type ReadonlyIpAddress, type ReadonlyServiceCidr } from './deletion.ts';
import { holdsAddress, holdsRange, isOverlap } from './ranges.ts';

describe('a range', () => {
  const rows: [cidr: string, address: string, holds: boolean][] = [
    ['10.0.0.0/24', '10.0.0.1', true],
    ['10.0.0.0/24', '10.0.0.254', true],
    ['10.0.0.0/24', '10.0.0.0', false],
    ['10.0.0.0/24', '10.0.0.255', false],
    ['10.0.0.0/24', '10.0.1.1', false],
    ['10.0.0.0/16', '10.0.0.255', true],
    ['10.0.0.0/24', 'fd00::1', false],
    ['fd00::/64', 'fd00::1', true],
    ['fd00::/64', 'fd00::', false],
    ['fd00::/64', 'fd00::ffff:ffff:ffff:ffff', true],
    ['fd00::/64', '10.0.0.1', false],
  ];
  for (const [cidr, address, holds] of rows)
    it(`${cidr} ${holds ? 'has' : 'does not have'} ${address} for services`, () =>
      assert.equal(holdsAddress(cidr, address), holds));

  it('holds smaller ones and itself, and overlaps what it holds or is held by', () => {
    const pairs: [string, string, boolean, boolean][] = [
      ['10.0.0.0/16', '10.0.1.0/24', true, true],
      ['10.0.1.0/24', '10.0.0.0/16', false, true],
      ['10.0.0.0/24', '10.0.0.0/24', true, true],
      ['10.0.0.0/24', '10.0.1.0/24', false, false],
      ['fd00::/64', 'fd00::/112', true, true],
      ['fd00::/64', '10.0.0.0/24', false, false],
    ];
    for (const [a, b, holds, overlaps] of pairs)
      assert.deepEqual([holdsRange(a, b), isOverlap(a, b)], [holds, overlaps], `${a} ${b}`);
  });
});

const META = { uid: 'u', resourceVersion: '1', creationTimestamp: '2030-01-01T00:00:00Z' };
const range = (name: string, ...cidrs: string[]): ReadonlyServiceCidr => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'ServiceCIDR',
  metadata: { ...META, name },
  spec: { cidrs },
});
const address = (name: string, by = 'ipallocator.k8s.io'): ReadonlyIpAddress => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IPAddress',
  metadata: { ...META, name, labels: { 'ipaddress.kubernetes.io/managed-by': by } },
  spec: { parentRef: { resource: 'services', namespace: 'default', name: 'a' } },
});

describe('a ServiceCIDR that is being deleted', () => {
  const going = range('going', '10.1.0.0/24');
  const rows: [what: string, others: ReadonlyServiceCidr[], addresses: ReadonlyIpAddress[], may: boolean][] =
    [
      ['goes when nothing is in it', [], [], true],
      ['stays for an address of a service', [], [address('10.1.0.7')], false],
      ['goes for an address outside', [], [address('10.2.0.7')], true],
      ["goes for an address that is no service's", [], [address('10.1.0.7', 'me')], true],
      ['goes when another one has its range', [range('same', '10.1.0.0/24')], [address('10.1.0.7')], true],
      ['goes when another one holds its range', [range('wide', '10.0.0.0/8')], [address('10.1.0.7')], true],
      [
        'goes when another one has all that is in use',
        [range('half', '10.1.0.0/25')],
        [address('10.1.0.7')],
        true,
      ],
      [
        'stays for what the other one does not have',
        [range('half', '10.1.0.0/25')],
        [address('10.1.0.200')],
        false,
      ],
      [
        'stays for the last address of the other one',
        [range('half', '10.1.0.0/25')],
        [address('10.1.0.127')],
        false,
      ],
    ];
  for (const [what, others, addresses, may] of rows)
    it(what, () => assert.equal(mayGo(going, [going, ...others], addresses), may));
});
