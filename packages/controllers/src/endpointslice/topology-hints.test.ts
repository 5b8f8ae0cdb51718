import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Node } from '@windlass/apimachinery/api/core/v1';
import type { Endpoint } from '@windlass/apimachinery/api/discovery/v1';
import * as fc from 'fast-check';
import { endpointKey } from './endpoint.ts';
import { closeHints, sharedHints, wantsZoneShares } from './topology-hints.ts';
import { zoneSharesOf } from './zone-shares.ts';

const endpoint = (at: number, zone?: string, ready = true): Endpoint => ({
  addresses: [`10.0.0.${at}`],
  conditions: { ready },
  nodeName: `node-${at}`,
  ...(zone !== undefined && { zone }),
});
const node = (zone: string | undefined, cpu: string, more: Partial<Node> = {}): Node => ({
  metadata: { ...(zone !== undefined && { labels: { 'topology.kubernetes.io/zone': zone } }) },
  status: { allocatable: { cpu }, conditions: [{ type: 'Ready', status: 'True' }] },
  ...more,
});

describe('traffic that stays close', () => {
  const rows: [wish: string | undefined, of: Endpoint, expected: Endpoint['hints']][] = [
    [undefined, endpoint(1, 'a'), undefined],
    ['PreferClose', endpoint(1, 'a'), { forZones: [{ name: 'a' }] }],
    ['PreferSameZone', endpoint(1, 'a'), { forZones: [{ name: 'a' }] }],
    ['PreferSameNode', endpoint(1, 'a'), { forZones: [{ name: 'a' }], forNodes: [{ name: 'node-1' }] }],
    ['PreferSameNode', endpoint(1), { forNodes: [{ name: 'node-1' }] }],
    ['PreferClose', endpoint(1), undefined],
    ['PreferClose', endpoint(1, 'a', false), undefined],
    ['Somewhere', endpoint(1, 'a'), undefined],
  ];
  for (const [wish, of, expected] of rows)
    it(`${wish} ${of.zone} ${of.conditions?.ready}`, () => {
      const service = { spec: { ...(wish !== undefined && { trafficDistribution: wish }) } };
      assert.deepEqual(closeHints(service, of).hints, expected);
    });
});

describe('shares of zones', () => {
  it('are those of the processors of nodes that run work', () => {
    const shares = zoneSharesOf([
      node('a', '3'),
      node('b', '500m'),
      node('b', '500m'),
      node('c', '9', { status: { allocatable: { cpu: '9' } } }),
      node('c', '9', {
        metadata: {
          labels: { 'topology.kubernetes.io/zone': 'c', 'node-role.kubernetes.io/control-plane': '' },
        },
      }),
    ]);
    assert.deepEqual(
      [...(shares ?? [])],
      [
        ['a', 0.75],
        ['b', 0.25],
      ],
    );
  });

  it('cannot be told of one zone, nor where a node does not say what it is', () => {
    assert.equal(zoneSharesOf([node('a', '3'), node('a', '3')]), undefined);
    assert.equal(zoneSharesOf([node('a', '3'), node('b', '3'), node(undefined, '3')]), undefined);
    assert.equal(zoneSharesOf([node('a', '3'), node('b', '0')]), undefined);
  });

  it('are asked for by an annotation', () => {
    const of = (annotations: Record<string, string>): boolean =>
      wantsZoneShares({ metadata: { annotations } });
    assert.ok(of({ 'service.kubernetes.io/topology-mode': 'Auto' }));
    assert.ok(of({ 'service.kubernetes.io/topology-aware-hints': 'auto' }));
    assert.ok(!of({ 'service.kubernetes.io/topology-mode': 'Disabled' }));
    assert.ok(!of({}));
  });
});

describe('hints by shares', () => {
  const halves = new Map([
    ['a', 0.5],
    ['b', 0.5],
  ]);
  const zonesOf = (
    endpoints: readonly Endpoint[],
    shares: ReadonlyMap<string, number> | undefined = halves,
    previous: Record<number, string> = {},
  ): unknown => {
    const before = new Map(
      Object.entries(previous).map(([at, zone]) => [endpointKey(endpoint(Number(at))), zone]),
    );
    const hints = sharedHints(endpoints, before, shares);
    return 'problem' in hints ? hints.problem : endpoints.map((one) => hints.zones.get(endpointKey(one)));
  };

  it('are the own zone where that is even', () => {
    assert.deepEqual(zonesOf([endpoint(1, 'a'), endpoint(2, 'b')]), ['a', 'b']);
  });

  it('move from where there are too many', () => {
    assert.deepEqual(zonesOf([1, 2, 3, 4].map((at) => endpoint(at, 'a'))), ['b', 'b', 'a', 'a']);
  });

  it('stay as they are where that does', () => {
    const four = [1, 2, 3, 4].map((at) => endpoint(at, 'a'));
    assert.deepEqual(zonesOf(four, halves, { 3: 'b', 4: 'b', 1: 'a', 2: 'a' }), ['a', 'a', 'b', 'b']);
  });

  it('are for endpoints that are ready', () => {
    const endpoints = [endpoint(1, 'a'), endpoint(2, 'b', false), endpoint(3, 'b')];
    assert.deepEqual(zonesOf(endpoints), ['a', undefined, 'b']);
  });

  const problems: [
    what: string,
    endpoints: Endpoint[],
    shares: ReadonlyMap<string, number> | undefined,
    text: string,
  ][] = [
    [
      'zones are not known',
      [endpoint(1, 'a')],
      undefined,
      'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes',
    ],
    [
      'there are fewer than zones',
      [endpoint(1, 'a')],
      halves,
      'Insufficient number of endpoints (1 endpoints, 2 zones)',
    ],
    [
      'one would be too much for a zone',
      [endpoint(1, 'a'), endpoint(2, 'b')],
      new Map([
        ['a', 0.9],
        ['b', 0.1],
      ]),
      'Unable to allocate minimum required endpoints to each zone without exceeding overload threshold (2 endpoints, 2 zones)',
    ],
    [
      'one is nowhere',
      [endpoint(1, 'a'), endpoint(2)],
      halves,
      'One or more endpoints do not have a zone specified',
    ],
  ];
  for (const [what, endpoints, shares, text] of problems)
    it(`are not given when ${what}`, () => {
      const hints = sharedHints(endpoints, new Map(), shares);
      assert.equal('problem' in hints ? hints.problem : 'none', text);
    });

  it('may leave a small zone without any', () => {
    const shares = new Map([
      ['a', 0.6],
      ['b', 0.1],
      ['c', 0.3],
    ]);
    const hints = sharedHints(
      Array.from({ length: 6 }, (_, at) => endpoint(at, 'a')),
      new Map(),
      shares,
    );
    assert.deepEqual('zones' in hints ? [...new Set(hints.zones.values())].toSorted() : hints, ['a', 'c']);
  });

  it('overload no endpoint, and are the same when asked again', () => {
    const zones = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 3, maxLength: 40 });
    const cpus = fc.tuple(
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 9 }),
    );
    fc.assert(
      fc.property(zones, cpus, (where, [a, b, c]) => {
        const shares = new Map(
          [
            ['a', a],
            ['b', b],
            ['c', c],
          ].map(([zone, cpu]) => [String(zone), Number(cpu) / (a + b + c)]),
        );
        const endpoints = where.map((zone, at) => endpoint(at, zone));
        const hints = sharedHints(endpoints, new Map(), shares);
        if ('problem' in hints) return;
        const counts = new Map<string, number>();
        for (const zone of hints.zones.values()) counts.set(zone, (counts.get(zone) ?? 0) + 1);
        for (const [zone, share] of shares) {
          const count = counts.get(zone);
          // Where no endpoint is for a zone, its proxies use all of them. That can be: the zones' least numbers are
          // rounded up, so that the largest may have too little left over to give one away.
          if (count !== undefined) assert.ok((share * where.length) / count <= 1.5, `${zone} is overloaded`);
        }
        const again = sharedHints(endpoints, hints.zones, shares);
        assert.deepEqual(again, hints);
      }),
    );
  });
});
