import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inDefault, type Json, KindApi, testRefusals } from '../../testing/kind-api.ts';

const api = new KindApi();
const SLICES = inDefault('discovery.k8s.io/v1/endpointslices');
const endpoint = (fields: Json): Json => ({
  addressType: 'IPv4',
  endpoints: [{ addresses: ['10.0.0.1'], ...fields }],
});
const names = (count: number): Json[] => Array.from({ length: count }, (_, index) => ({ name: `z${index}` }));

describe('an endpoint', () => {
  testRefusals(api, SLICES, endpoint, [
    ['needs an address', {}, []],
    [
      'without an address is none',
      { addresses: [] },
      ['endpoints[0].addresses: Required value: must contain at least 1 address'],
    ],
    [
      'has an address of the family of its slice',
      { addresses: ['fd00::1'] },
      ['endpoints[0].addresses: Invalid value: "fd00::1": must be an IPv4 address'],
    ],
    ['may be for 8 zones and 8 nodes', { hints: { forZones: names(8), forNodes: names(8) } }, []],
    [
      'is for no more than 8 zones',
      { hints: { forZones: names(9) } },
      ['endpoints[0].hints.forZones: Too many: 9: must have at most 8 items'],
    ],
    [
      'is for no more than 8 nodes, also when it is for a zone',
      { hints: { forZones: names(1), forNodes: names(9) } },
      ['endpoints[0].hints.forNodes: Too many: 9: must have at most 8 items'],
    ],
    [
      'is for each zone once',
      { hints: { forZones: [{ name: 'a' }, { name: 'a' }] } },
      ['endpoints[0].hints.forZones[1].name: Duplicate value: "a"'],
    ],
  ]);
  testRefusals(api, SLICES, (fields) => ({ addressType: 'FQDN', endpoints: [fields] }), [
    ['may be known by a domain', { addresses: ['a.example.com.'] }, []],
    [
      'is known by a domain of two parts at least',
      { addresses: ['a'] },
      [
        'endpoints[0].addresses[0]: Invalid value: "a": should be a domain with at least two segments separated by dots',
      ],
    ],
  ]);
});

describe('a slice', () => {
  testRefusals(api, SLICES, (fields) => ({ endpoints: [], ...fields }), [
    ['has a kind of addresses', {}, ['addressType: Required value']],
    [
      'has one of three kinds of addresses',
      { addressType: 'MAC' },
      ['addressType: Unsupported value: "MAC": supported values: "FQDN", "IPv4", "IPv6"'],
    ],
    [
      'has each port once',
      { addressType: 'IPv4', ports: [{ name: 'a' }, { name: 'a' }] },
      ['ports[1].name: Duplicate value: "a"'],
    ],
  ]);

  it('keeps its kind of addresses', async () => {
    const path = await api.create(SLICES, { addressType: 'IPv4', endpoints: [] });
    assert.deepEqual(await api.changeRefusals(path, { addressType: 'IPv6' }), [
      'addressType: Invalid value: "IPv6": field is immutable',
    ]);
  });
});
