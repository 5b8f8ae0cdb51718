import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Served } from '@windlass/apimachinery';
import { Node, Service } from '@windlass/apimachinery/api/core/v1';
import type { Endpoint } from '@windlass/apimachinery/api/discovery/v1';
import { served } from '@windlass/apimachinery/testing';
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
const node = (zone: string | undefined, cpu: string, more: Partial<Node> = {}): Served<Node> =>
  served(Node, {
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
      const service = served(Service, { spec: { ...(wish !== undefined && { trafficDistribution: wish }) } });
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
      wantsZoneShares(served(Service, { metadata: { annotations } }));
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

  /** Zones `a`, `b`, `c` with so many processors each, and an endpoint in each zone that is named. */
  const cases = fc.record({
    where: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 3, maxLength: 40 }),
    cpus: fc.record({
      a: fc.integer({ min: 1, max: 9 }),
      b: fc.integer({ min: 1, max: 9 }),
      c: fc.integer({ min: 1, max: 9 }),
    }),
  });
  const countsOf = (zones: Iterable<string>): Record<string, number> => {
    const counts: Record<string, number> = { a: 0, b: 0, c: 0 };
    for (const zone of zones) counts[zone] = (counts[zone] ?? 0) + 1;
    return counts;
  };

  it('move what is worth a whole endpoint and nothing else, and are the same when asked again', () => {
    fc.assert(
      fc.property(cases, ({ where, cpus }) => {
        const all = cpus.a + cpus.b + cpus.c;
        const shares = new Map(Object.entries(cpus).map(([zone, cpu]) => [zone, cpu / all]));
        const endpoints = where.map((zone, at) => endpoint(at, zone));
        const hints = sharedHints(endpoints, new Map(), shares);
        if ('problem' in hints) return;
        assert.equal(hints.zones.size, where.length, 'every endpoint has a zone');
        const [before, after] = [countsOf(where), countsOf(hints.zones.values())];
        let [surplus, lack] = [0, 0];
        for (const [zone, share] of shares) {
          const wanted = share * where.length;
          const desired = Math.max(wanted, Math.ceil(wanted / 1.2));
          const [had = 0, has = 0] = [before[zone], after[zone]];
          // A move may go half an endpoint too far, and then nobody moves the other way.
          assert.ok(has >= Math.min(had, desired - 0.5) - 1e-9, `${zone} gave too much`);
          assert.ok(has <= Math.max(had, desired + 0.5) + 1e-9, `${zone} got too much`);
          surplus = Math.max(surplus, has - desired);
          lack = Math.max(lack, desired - has);
        }
        const isDone = surplus < 0.5 || lack < 0.5 || (surplus < 1 && lack < 1);
        assert.ok(isDone, `one zone has ${surplus} too many, another lacks ${lack}`);
        assert.deepEqual(sharedHints(endpoints, hints.zones, shares), hints);
      }),
    );
  });

  // By upstream's rule zone c gets one fewer than its least number, three: zone a has 4, and 0.44 too many is not
  // worth a whole endpoint.
  it('may leave a zone short of its least number', () => {
    const shares = new Map([
      ['a', 8 / 18],
      ['b', 3 / 18],
      ['c', 7 / 18],
    ]);
    const endpoints = ['b', 'a', 'a', 'a', 'a', 'b', 'a', 'a'].map((zone, at) => endpoint(at, zone));
    const hints = sharedHints(endpoints, new Map(), shares);
    assert.ok('zones' in hints);
    assert.deepEqual(countsOf(hints.zones.values()), { a: 4, b: 2, c: 2 });
  });
});
