import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { holdsAddress, holdsRange, isOverlap } from './ranges.ts';

describe('a range holds an address', () => {
  const rows: readonly [cidr: string, address: string, holds: boolean, why: string][] = [
    ['10.0.0.0/24', '10.0.0.1', true, 'the first that services may have'],
    ['10.0.0.0/24', '10.0.0.0', false, 'the network itself'],
    ['10.0.0.0/24', '10.0.0.254', true, 'the last that services may have'],
    ['10.0.0.0/24', '10.0.0.255', false, 'the broadcast address'],
    ['10.0.0.0/24', '10.0.1.1', false, 'outside'],
    ['10.0.0.0/16', '10.0.255.255', false, 'the broadcast address of a wider one'],
    ['10.0.0.0/24', 'fd00::1', false, 'another family'],
    ['fd00::/64', 'fd00::1', true, 'IPv6'],
    ['fd00::/64', 'fd00::', false, 'the network itself'],
    ['fd00::/64', 'fd00::ffff:ffff:ffff:ffff', true, 'IPv6 has no broadcast address'],
    ['fd00::/64', '10.0.0.1', false, 'another family'],
    ['fd00::/128', 'fd00::1', false, 'one address only'],
    ['fd00::/129', 'fd00::1', false, 'no range: too long'],
    ['10.0.0.0/33', '10.0.0.1', false, 'no range: too long'],
    ['10.0.0.0', '10.0.0.1', false, 'no range: no length'],
    ['nonsense/8', '10.0.0.1', false, 'no range: no address'],
  ];
  for (const [cidr, address, holds, why] of rows)
    test(`${cidr}, ${address}: ${why}`, () => assert.equal(holdsAddress(cidr, address), holds));
});

describe('a range holds another', () => {
  const rows: readonly [outer: string, inner: string, holds: boolean, overlap: boolean][] = [
    ['10.0.0.0/16', '10.0.1.0/24', true, true],
    ['10.0.1.0/24', '10.0.0.0/16', false, true],
    ['10.0.0.0/24', '10.0.0.0/24', true, true],
    ['10.0.0.0/24', '10.0.1.0/24', false, false],
    ['fd00::/64', 'fd00::/112', true, true],
    ['fd00::/64', '10.0.0.0/24', false, false],
    ['fd00::/64', 'fd00::/200', false, false],
  ];
  for (const [outer, inner, holds, overlap] of rows)
    test(`${outer}, ${inner}`, () => {
      assert.equal(holdsRange(outer, inner), holds);
      assert.equal(isOverlap(outer, inner), overlap);
    });
});
