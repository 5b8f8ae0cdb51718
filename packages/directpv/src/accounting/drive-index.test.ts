import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Cached } from '@windlass/apimachinery';
import { SeededRandom } from '@windlass/base';
import * as fc from 'fast-check';
import { type DirectPVDrive, LABELS } from '../resources/index.ts';
import { servedDrive } from '../testing/index.ts';
import { DriveIndex, type DriveQuery, isIn, isSchedulable, meets, type TopologySegments } from './index.ts';

type Drive = Cached<DirectPVDrive>;
const ANY = { labels: {}, bytes: 1 };
const NODE = LABELS.node;
const TIER = LABELS.accessTier;

function indexOf(drives: readonly Drive[], seed = 1): DriveIndex {
  const index = new DriveIndex({ random: new SeededRandom(seed) });
  for (const drive of drives) index.set(drive);
  return index;
}

const a = servedDrive({ fsuuid: 'a', node: 'one', totalCapacity: 100 });
const b = servedDrive({ fsuuid: 'b', node: 'two', totalCapacity: 200, labels: { [TIER]: 'Hot' } });
const c = servedDrive({
  fsuuid: 'c',
  node: 'two',
  totalCapacity: 50,
  labels: { [`${LABELS.volumeClaimId}-1`]: 'true', 'directpv.min.io/tenant': 't' },
});

describe('the choice of a drive', () => {
  const rows: readonly (readonly [what: string, query: Partial<DriveQuery>, expected: string | undefined])[] =
    [
      ['is the most free', {}, 'b'],
      ['has room', { bytes: 150 }, 'b'],
      ['is none without room', { bytes: 201 }, undefined],
      ['has the tier', { labels: { [TIER]: 'Default' } }, 'a'],
      ['has the labels', { labels: { 'directpv.min.io/tenant': 't' } }, 'c'],
      ['is none with an unknown label', { labels: { 'directpv.min.io/tenant': 'u' } }, undefined],
      ['has all labels', { labels: { 'directpv.min.io/tenant': 't', [TIER]: 'Hot' } }, undefined],
      ['has no volume of the claim', { claimId: '1', requisite: [{ [NODE]: 'two' }], bytes: 1 }, 'b'],
      ['is none where all have one', { claimId: '1', labels: { 'directpv.min.io/tenant': 't' } }, undefined],
      ['weakness 6: is in any of the places', { requisite: [{ [NODE]: 'one' }, { [NODE]: 'three' }] }, 'a'],
      ['has every segment of a place', { requisite: [{ [NODE]: 'one', [LABELS.zone]: 'z' }] }, undefined],
      ['is in none of unknown places', { requisite: [{ 'kubernetes.io/hostname': 'one' }] }, undefined],
      [
        'is in the preferred place first',
        { preferred: [{ [NODE]: 'one' }], requisite: [{ [NODE]: 'two' }] },
        'a',
      ],
      [
        'is elsewhere when there is no room in the preferred place',
        { bytes: 150, preferred: [{ [NODE]: 'one' }], requisite: [{ [NODE]: 'one' }, { [NODE]: 'two' }] },
        'b',
      ],
      ['is anywhere when a place is only preferred', { bytes: 150, preferred: [{ [NODE]: 'one' }] }, 'b'],
      [
        'follows the order of preference',
        { preferred: [{ [NODE]: 'none' }, { [NODE]: 'one' }, { [NODE]: 'two' }] },
        'a',
      ],
      ['is not one of those that are not wanted', { except: new Set(['b']) }, 'a'],
    ];
  for (const [what, query, expected] of rows)
    it(what, () => {
      assert.equal(indexOf([a, b, c]).choose({ ...ANY, ...query })?.name, expected);
    });

  const unfit: readonly (readonly [string, Drive])[] = [
    ['lost', servedDrive({ fsuuid: 'x', status: 'Lost' })],
    ['moving', servedDrive({ fsuuid: 'x', status: 'Moving' })],
    ['cordoned', servedDrive({ fsuuid: 'x', unschedulable: true })],
    ['weakness 6: suspended', servedDrive({ fsuuid: 'x', labels: { [LABELS.suspend]: 'true' } })],
    ['being deleted', { ...a, metadata: { ...a.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }],
  ];
  for (const [what, drive] of unfit)
    it(`is no drive that is ${what}`, () => {
      assert.equal(indexOf([drive]).choose(ANY), undefined);
    });

  it('is left to chance between drives that are as free', () => {
    const drives = Array.from({ length: 20 }, (_, at) => servedDrive({ fsuuid: `d${at}` }));
    const index = indexOf(drives);
    const chosen = new Map<string, number>();
    for (let round = 0; round < 2_000; round++) {
      const name = index.choose(ANY)?.name ?? '';
      chosen.set(name, (chosen.get(name) ?? 0) + 1);
    }
    assert.equal(chosen.size, 20);
    for (const count of chosen.values()) assert.ok(count > 50 && count < 160, String(count));
  });

  it('heeds what is withheld, changes and deletions', () => {
    const index = indexOf([a, b]);
    index.set(b, 150);
    assert.equal(index.choose(ANY)?.name, 'a');
    index.delete('a');
    assert.equal(index.choose(ANY)?.name, 'b');
    assert.equal(index.choose({ ...ANY, bytes: 51 }), undefined);
    index.set({ ...b, spec: { unschedulable: true } });
    assert.equal(index.size, 0);
  });

  it('counts the capacity of a place', () => {
    const index = indexOf([a, b, c]);
    assert.deepEqual(index.capacity({}, { labels: {} }), { total: 350, largest: 200 });
    assert.deepEqual(index.capacity({ [NODE]: 'two' }, { labels: {} }), { total: 250, largest: 200 });
    assert.deepEqual(index.capacity({ [NODE]: 'two' }, { labels: { [TIER]: 'Default' } }), {
      total: 50,
      largest: 50,
    });
    assert.deepEqual(index.capacity({ [NODE]: 'three' }, { labels: {} }), { total: 0, largest: 0 });
  });
});

describe('the index', () => {
  const word = fc.constantFrom('x', 'y');
  const drive = fc
    .record({
      name: fc.constantFrom('1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'),
      node: word,
      zone: word,
      tenant: word,
      free: fc.nat(4),
      cordoned: fc.boolean(),
      claimed: fc.boolean(),
      gone: fc.boolean(),
    })
    .map(({ name, node, zone, tenant, free, cordoned, claimed, gone }) => ({
      gone,
      drive: servedDrive({
        fsuuid: name,
        node,
        totalCapacity: free,
        unschedulable: cordoned,
        topology: { [LABELS.zone]: zone },
        labels: {
          'directpv.min.io/tenant': tenant,
          ...(claimed ? { [`${LABELS.volumeClaimId}-1`]: 'true' } : {}),
        },
      }),
    }));
  const place = fc.record({ [NODE]: word, [LABELS.zone]: word }, { requiredKeys: [], noNullPrototype: true });
  const query = fc.record(
    {
      bytes: fc.nat(4),
      labels: fc.record({ 'directpv.min.io/tenant': word }, { requiredKeys: [], noNullPrototype: true }),
      claimId: fc.constant('1'),
      preferred: fc.array(place, { maxLength: 2 }),
      requisite: fc.array(place, { maxLength: 2 }),
    },
    { requiredKeys: ['bytes', 'labels'], noNullPrototype: true },
  );

  it('chooses what a look at every drive would choose', () => {
    fc.assert(
      fc.property(
        fc.array(drive, { maxLength: 40 }),
        fc.array(query),
        fc.integer(),
        (changes, queries, seed) => {
          const index = new DriveIndex({ random: new SeededRandom(seed) });
          const drives = new Map<string, Drive>();
          for (const { gone, drive } of changes) {
            const name = drive.metadata.name;
            if (gone) drives.delete(name);
            else drives.set(name, drive);
            if (gone) index.delete(name);
            else index.set(drive);
          }
          for (const query of queries) {
            const allowed = model([...drives.values()], query);
            const found = index.choose(query);
            if (allowed.length === 0) assert.equal(found, undefined);
            else assert.ok(found !== undefined && allowed.includes(found.drive));
          }
        },
      ),
    );
  });

  function model(drives: readonly Drive[], query: DriveQuery): Drive[] {
    const { preferred = [], requisite = [], bytes } = query;
    const fit = drives.filter(
      (drive) => isSchedulable(drive) && drive.status.freeCapacity >= bytes && meets(drive, query),
    );
    const within = (places: readonly TopologySegments[]): Drive[] => {
      const there = fit.filter((drive) => places.some((place) => isIn(drive, place)));
      const most = Math.max(...there.map(({ status }) => status.freeCapacity));
      return there.filter(({ status }) => status.freeCapacity === most);
    };
    for (const place of preferred) {
      const found = within([place]);
      if (found.length > 0) return found;
    }
    return within(requisite.length === 0 ? [{}] : requisite);
  }

  it('looks at as few drives among many as among few', () => {
    class Looks extends Set<string> {
      count = 0;
      override has(name: string): boolean {
        this.count++;
        return super.has(name);
      }
    }
    const [few = 0, many = 0] = [100, 5_000].map((count) => {
      const drives = Array.from({ length: count }, (_, at) =>
        servedDrive({ fsuuid: `d${at}`, node: `n${at % (count / 10)}`, totalCapacity: 1_000 + (at % 7) }),
      );
      const index = indexOf(drives);
      const except = new Looks();
      for (let round = 0; round < 50; round++) {
        index.choose({ ...ANY, except });
        index.choose({ ...ANY, except, requisite: [{ [NODE]: 'n0' }] });
      }
      return except.count;
    });
    assert.ok(many <= few, `${many} looks instead of ${few}`);
  });
});
