import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Query } from '../../request/query-values.ts';
import { requestInfoOf } from '../../request/request-info.ts';
import { estimateWork, type ObjectStats } from './work-estimate.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const MB: ObjectStats = { count: 100, averageBytes: 10_000 };
const TEN_MB: ObjectStats = { count: 1000, averageBytes: 10_000 };

interface Row {
  readonly name: string;
  readonly query?: Query;
  readonly stats?: ObjectStats | undefined;
  readonly maxSeats?: number;
  readonly seats: number;
}

const LISTS: readonly Row[] = [
  { name: 'of a resource that is not known', stats: undefined, seats: 1 },
  { name: 'of nothing', stats: { count: 0, averageBytes: 0 }, seats: 1 },
  { name: 'of 1 MB', stats: MB, seats: 10 },
  { name: 'of 1 MB, at a level that allows fewer', stats: MB, maxSeats: 8, seats: 8 },
  { name: 'of 10 MB holds no more than 1 MB at once', stats: TEN_MB, seats: 10 },
  { name: 'of a page', query: { limit: '5' }, stats: TEN_MB, seats: 1 },
  { name: 'of one object by name', query: { fieldSelector: 'metadata.name=x' }, stats: MB, seats: 1 },
  {
    name: 'of the past holds all of it',
    query: { resourceVersion: '5', resourceVersionMatch: 'Exact' },
    stats: TEN_MB,
    seats: 100,
  },
  {
    name: 'of a version and no older holds little',
    query: { resourceVersion: '5', resourceVersionMatch: 'NotOlderThan' },
    stats: TEN_MB,
    seats: 10,
  },
  { name: 'of the next page', query: { limit: '500', continue: 'x' }, stats: TEN_MB, seats: 50 },
  {
    name: 'of the next page that is selected looks at half of all',
    query: { limit: '10', continue: 'x', labelSelector: 'a=b' },
    stats: TEN_MB,
    seats: 50,
  },
  { name: 'of a page at a version', query: { limit: '500', resourceVersion: '7' }, stats: TEN_MB, seats: 50 },
  { name: 'of a page at version 0', query: { limit: '500', resourceVersion: '0' }, stats: TEN_MB, seats: 10 },
  { name: 'of objects of unknown size', stats: { count: 3, averageBytes: 0 }, seats: 10 },
  { name: 'with a limit that cannot be read', query: { limit: 'x' }, stats: MB, maxSeats: 37, seats: 37 },
];

const WATCHES: readonly Row[] = [
  { name: 'that begins with all there is', stats: MB, seats: 10 },
  { name: 'from version 0', query: { resourceVersion: '0' }, stats: MB, seats: 10 },
  { name: 'from a version', query: { resourceVersion: '5' }, stats: MB, seats: 1 },
  {
    name: 'from a version that wants all there is',
    query: { resourceVersion: '5', sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' },
    stats: MB,
    seats: 10,
  },
];

describe('a list is estimated by what it holds in memory:', () => {
  for (const { name, query = {}, stats, maxSeats = 1000, seats } of LISTS)
    test(`a list ${name}`, () => {
      const info = requestInfoOf({ method: 'GET', path: MAPS, query });
      const estimate = estimateWork(info, query, { stats, watchers: 50, maxSeats });
      assert.deepEqual(estimate, { initialSeats: seats, finalSeats: 0, lingerMs: 0 });
    });
  for (const { name, query: given = {}, stats, maxSeats = 1000, seats } of WATCHES)
    test(`a watch ${name}`, () => {
      const query = { ...given, watch: 'true' };
      const info = requestInfoOf({ method: 'GET', path: MAPS, query });
      assert.equal(estimateWork(info, query, { stats, watchers: 0, maxSeats }).initialSeats, seats);
    });
});

describe('a write is estimated by how many watchers it wakes:', () => {
  const rows: readonly [watchers: number, maxSeats: number, finalSeats: number, lingerMs: number][] = [
    [9, 10, 0, 0],
    [10, 10, 1, 5],
    [11, 10, 2, 5],
    [100, 10, 10, 5],
    [1000, 37, 10, 50],
    [100, 2, 2, 25],
  ];
  for (const [watchers, maxSeats, finalSeats, lingerMs] of rows)
    test(`${watchers} watchers, at a level that allows ${maxSeats}`, () => {
      for (const [method, path] of [
        ['POST', MAPS],
        ['PUT', `${MAPS}/x`],
        ['PATCH', `${MAPS}/x`],
        ['DELETE', `${MAPS}/x`],
      ] as const) {
        const info = requestInfoOf({ method, path });
        const estimate = estimateWork(info, {}, { stats: undefined, watchers, maxSeats });
        assert.deepEqual(estimate, { initialSeats: 1, finalSeats, lingerMs }, method);
      }
    });

  test('a token wakes nobody, and neither does a read', () => {
    const facts = { stats: undefined, watchers: 100, maxSeats: 10 };
    const one = { initialSeats: 1, finalSeats: 0, lingerMs: 0 };
    const token = requestInfoOf({ method: 'POST', path: '/api/v1/namespaces/a/serviceaccounts/b/token' });
    assert.deepEqual(estimateWork(token, {}, facts), one);
    assert.deepEqual(estimateWork(requestInfoOf({ method: 'GET', path: `${MAPS}/x` }), {}, facts), one);
  });
});
