import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Served } from '@windlass/apimachinery';
import { type Endpoint, EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import { served } from '@windlass/apimachinery/testing';
import * as fc from 'fast-check';
import { endpointKey } from './endpoint.ts';
import { type FilledSlice, packEndpoints, type SliceChanges } from './packing.ts';

const endpoint = (at: number, ready = true): Endpoint => ({
  addresses: [`10.0.${Math.floor(at / 256)}.${at % 256}`],
  conditions: { ready },
  targetRef: { kind: 'Pod', name: `p${at}`, uid: `u${at}` },
});
const range = (from: number, to: number): Endpoint[] =>
  Array.from({ length: to - from }, (_, at) => endpoint(from + at));
const labels = { app: 'web' };
const slice = (name: string, endpoints: Endpoint[], own = labels) => ({
  ...served(EndpointSlice, { addressType: 'IPv4', metadata: { name, labels: own } }),
  endpoints,
});
const newSlice = (): FilledSlice => ({ addressType: 'IPv4', metadata: { labels }, endpoints: [] });
const pack = (
  existing: readonly Served<EndpointSlice>[],
  desired: readonly Endpoint[],
  max = 10,
): SliceChanges => packEndpoints({ existing, desired, labels, newSlice, max });
const sizes = ({ create, update, delete: deleted }: SliceChanges): unknown => ({
  create: create.map(({ endpoints }) => endpoints.length),
  update: update.map(({ metadata, endpoints }) => `${metadata?.name}: ${endpoints.length}`),
  delete: deleted.map(({ metadata }) => metadata?.name),
});

describe('endpoints', () => {
  it('fill new slices', () => {
    assert.deepEqual(sizes(pack([], range(0, 25))), { create: [10, 10, 5], update: [], delete: [] });
  });

  it('that are there already cost nothing', () => {
    assert.deepEqual(sizes(pack([slice('a', range(0, 5))], range(0, 5))), {
      create: [],
      update: [],
      delete: [],
    });
  });

  it('that are gone take their slice with them when it was all it had', () => {
    const existing = [slice('a', range(0, 5)), slice('b', range(5, 10))];
    assert.deepEqual(sizes(pack(existing, range(0, 6))), { create: [], update: ['b: 1'], delete: [] });
    assert.deepEqual(sizes(pack(existing, range(0, 5))), { create: [], update: [], delete: ['b'] });
  });

  it('that changed are written where they are', () => {
    const changed = [endpoint(0, false), ...range(1, 5)];
    const { update } = pack(
      [slice('a', range(0, 5)), slice('b', range(5, 10))],
      [...changed, ...range(5, 10)],
    );
    assert.deepEqual(
      update.map(({ metadata }) => metadata?.name),
      ['a'],
    );
  });

  it('that are new go first where something is written anyway, the fullest first', () => {
    const existing = [slice('a', range(0, 4)), slice('b', range(10, 18)), slice('c', range(20, 25))];
    const desired = [...range(1, 4), ...range(11, 18), ...range(20, 25), ...range(30, 34)];
    assert.deepEqual(sizes(pack(existing, desired)), { create: [], update: ['a: 4', 'b: 10'], delete: [] });
  });

  it('that are new go into one unchanged slice that has room, the fullest of those', () => {
    const existing = [slice('a', range(0, 4)), slice('b', range(10, 17)), slice('c', range(20, 29))];
    const desired = [...existing.flatMap(({ endpoints }) => endpoints), ...range(40, 43)];
    assert.deepEqual(sizes(pack(existing, desired)), { create: [], update: ['b: 10'], delete: [] });
  });

  it('that fit into no single slice get a new one', () => {
    const existing = [slice('a', range(0, 7)), slice('b', range(10, 17))];
    const desired = [...existing.flatMap(({ endpoints }) => endpoints), ...range(40, 44)];
    assert.deepEqual(sizes(pack(existing, desired)), { create: [4], update: [], delete: [] });
  });

  it('with other labels on the service make every slice be written', () => {
    const old = slice('a', range(0, 2), { app: 'old' });
    const { update } = pack([old], range(0, 2));
    assert.deepEqual(
      update.map(({ metadata }) => metadata?.labels),
      [labels],
    );
  });
});

it('after the changes, each endpoint is in exactly one slice, and none is too full', () => {
  const subset = fc.uniqueArray(fc.nat(60), { maxLength: 60 });
  fc.assert(
    fc.property(subset, subset, fc.integer({ min: 1, max: 8 }), (before, after, max) => {
      const first = pack(
        [],
        before.map((at) => endpoint(at)),
        max,
      );
      const existing = first.create.map(({ endpoints }, at) => slice(`s${at}`, endpoints));
      const changes = pack(
        existing,
        after.map((at) => endpoint(at)),
        max,
      );
      const written = new Map(existing.map((one) => [one.metadata.name, one.endpoints]));
      for (const { metadata } of changes.delete) written.delete(metadata?.name ?? '');
      for (const { metadata, endpoints } of changes.update) written.set(metadata?.name ?? '', endpoints);
      const all = [...written.values(), ...changes.create.map(({ endpoints }) => endpoints)];
      assert.ok(all.every((endpoints) => endpoints.length > 0 && endpoints.length <= max));
      assert.deepEqual(
        all.flat().map(endpointKey).toSorted(),
        after.map((at) => endpointKey(endpoint(at))).toSorted(),
      );
    }),
  );
});
