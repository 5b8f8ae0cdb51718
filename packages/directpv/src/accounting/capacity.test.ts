import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Cached } from '@windlass/apimachinery';
import * as fc from 'fast-check';
import {
  type DirectPVDrive,
  holdsVolume,
  LABELS,
  readReservations,
  volumesOfDrive,
} from '../resources/index.ts';
import { servedDrive } from '../testing/index.ts';
import { expand, release, repair, reserve, settle, withUsableCapacity } from './index.ts';

type Drive = Cached<DirectPVDrive>;
const AT = '2026-01-01T00:00:00Z';
const empty = servedDrive({ fsuuid: 'd', totalCapacity: 100 });

function sums({ status }: Drive): readonly number[] {
  return [status.totalCapacity, status.allocatedCapacity, status.freeCapacity];
}

describe('reserve', () => {
  it('moves bytes, holds the volume and notes the reservation in one step', () => {
    const drive = reserve(empty, { volume: 'v', bytes: 30, at: AT, claimId: 'c' });
    assert.deepEqual(sums(drive), [100, 30, 70]);
    assert.ok(holdsVolume(drive, 'v'));
    assert.deepEqual([...readReservations(drive)], [['v', { bytes: 30, at: AT }]]);
    assert.equal(drive.metadata?.labels?.[`${LABELS.volumeClaimId}-c`], 'true');
    assert.deepEqual(sums(empty), [100, 0, 100]);
  });

  it('is the same when it is done again', () => {
    const drive = reserve(empty, { volume: 'v', bytes: 30, at: AT });
    assert.equal(reserve(drive, { volume: 'v', bytes: 30, at: AT }), drive);
  });

  it('renews a reservation that somebody left, with other bytes if so', () => {
    const left = reserve(empty, { volume: 'v', bytes: 30, at: AT });
    const drive = reserve(left, { volume: 'v', bytes: 50, at: '2026-01-01T00:00:01Z' });
    assert.deepEqual(sums(drive), [100, 50, 50]);
    assert.equal(readReservations(drive).get('v')?.at, '2026-01-01T00:00:01Z');
  });

  it('refuses what is not there, and says what is', () => {
    assert.throws(() => reserve(empty, { volume: 'v', bytes: 101, at: AT }), {
      code: 'INSUFFICIENT_CAPACITY',
      message: /drive d has 100 bytes free, but 101 are wanted/,
    });
  });
});

describe('release', () => {
  it('gives back what the object says, once', () => {
    const drive = servedDrive({ fsuuid: 'd', totalCapacity: 100, volumes: { v: 30, w: 10 } });
    const released = release(drive, { volume: 'v', bytes: 30 });
    assert.deepEqual(sums(released), [100, 10, 90]);
    assert.deepEqual(volumesOfDrive(released), ['w']);
    assert.equal(release(released, { volume: 'v', bytes: 30 }), released);
  });

  it('gives back what was reserved when the object knows less', () => {
    const drive = servedDrive({ fsuuid: 'd', totalCapacity: 100, volumes: { v: 30 } });
    const expanded = expand(drive, { volume: 'v', current: 30, bytes: 50, at: AT });
    assert.deepEqual(sums(release(expanded, { volume: 'v', bytes: 30 })), [100, 0, 100]);
  });

  it('takes the label of the claim with it', () => {
    const drive = reserve(empty, { volume: 'v', bytes: 30, at: AT, claimId: 'c' });
    const released = release(drive, { volume: 'v', bytes: 30, claimId: 'c' });
    assert.equal(released.metadata?.labels?.[`${LABELS.volumeClaimId}-c`], undefined);
  });

  it('never frees more than there is', () => {
    const wrong = { ...empty, status: { ...empty.status, allocatedCapacity: 5, freeCapacity: 95 } };
    const drive = { ...wrong, metadata: { ...wrong.metadata, finalizers: ['directpv.min.io.volume/v'] } };
    assert.deepEqual(sums(release(drive, { volume: 'v', bytes: 30 })), [100, 0, 100]);
  });
});

describe('expand', () => {
  const drive = servedDrive({ fsuuid: 'd', totalCapacity: 100, volumes: { v: 30 } });

  it('weakness 5: takes the difference once, however often it is asked for', () => {
    const once = expand(drive, { volume: 'v', current: 30, bytes: 50, at: AT });
    assert.deepEqual(sums(once), [100, 50, 50]);
    assert.equal(expand(once, { volume: 'v', current: 30, bytes: 50, at: 'later' }), once);
    assert.deepEqual(sums(expand(once, { volume: 'v', current: 30, bytes: 60, at: AT })), [100, 60, 40]);
  });

  it('does not shrink', () => {
    assert.equal(expand(drive, { volume: 'v', current: 30, bytes: 20, at: AT }), drive);
  });

  it('refuses what is not there and what it does not hold', () => {
    assert.throws(() => expand(drive, { volume: 'v', current: 30, bytes: 101, at: AT }), {
      code: 'INSUFFICIENT_CAPACITY',
    });
    assert.throws(() => expand(drive, { volume: 'w', current: 30, bytes: 31, at: AT }), {
      code: 'VOLUME_NOT_HELD',
    });
  });
});

describe('settle', () => {
  it('drops what the objects say as well', () => {
    const one = reserve(empty, { volume: 'v', bytes: 30, at: AT });
    const two = reserve(one, { volume: 'w', bytes: 30, at: AT });
    const settled = settle(two, (volume) => (volume === 'v' ? 30 : 20));
    assert.deepEqual([...readReservations(settled).keys()], ['w']);
    assert.equal(
      settle(settled, () => undefined),
      settled,
    );
  });
});

describe('the accounting of drives that DirectPV wrote', () => {
  it('weakness 7: is taken over without inventing capacity', () => {
    const rows: readonly (readonly [what: string, drive: Drive, sums: readonly number[]])[] = [
      [
        'as initialised, blocks of the file system in the total alone',
        servedDrive({ fsuuid: 'd', totalCapacity: 100, overhead: 10, volumes: { v: 30 } }),
        [90, 30, 60],
      ],
      [
        'after a release, blocks of the file system in allocated',
        status({ totalCapacity: 100, allocatedCapacity: 40, freeCapacity: 60 }),
        [90, 30, 60],
      ],
      [
        'after an expansion that was counted twice',
        status({ totalCapacity: 100, allocatedCapacity: 50, freeCapacity: 40 }),
        [70, 30, 40],
      ],
      [
        'with a volume that was never reserved',
        servedDrive({ fsuuid: 'd', totalCapacity: 100, overhead: 10 }),
        [90, 30, 60],
      ],
      [
        'with a volume that was never reserved, and blocks of the file system in allocated',
        { ...status({ totalCapacity: 100, allocatedCapacity: 40, freeCapacity: 60 }, []) },
        [60, 30, 30],
      ],
    ];
    for (const [what, drive, expected] of rows)
      assert.deepEqual(sums(repair(drive, { volumes: new Map([['v', 30]]) })), expected, what);
  });

  function status(sums: object, finalizers = ['directpv.min.io.volume/v']): Drive {
    const drive = servedDrive({ fsuuid: 'd', totalCapacity: 100, overhead: 10 });
    return { ...drive, metadata: { ...drive.metadata, finalizers }, status: { ...drive.status, ...sums } };
  }

  it('is exact once the node has measured', () => {
    const drive = servedDrive({ fsuuid: 'd', totalCapacity: 100, overhead: 10, volumes: { v: 30 } });
    const measured = withUsableCapacity(drive, 88);
    assert.deepEqual(sums(measured), [88, 30, 58]);
    assert.equal(withUsableCapacity(measured, 88), measured);
    assert.deepEqual(sums(withUsableCapacity(measured, 20)), [20, 30, 0]);
  });
});

describe('repair', () => {
  const drive = servedDrive({ fsuuid: 'd', totalCapacity: 100, volumes: { v: 30 } });

  it('leaves a sound drive alone', () => {
    assert.equal(repair(drive, { volumes: new Map([['v', 30]]) }), drive);
  });

  it('holds what belongs to the drive and lets go of what was abandoned', () => {
    const abandoned = reserve(drive, { volume: 'gone', bytes: 20, at: AT });
    const repaired = repair(abandoned, {
      volumes: new Map([
        ['v', 30],
        ['found', 5],
      ]),
      abandoned: new Set(['gone']),
    });
    assert.deepEqual(volumesOfDrive(repaired), ['v', 'found']);
    assert.deepEqual(sums(repaired), [100, 35, 65]);
    assert.equal(readReservations(repaired).size, 0);
  });

  it('waits for reservations that may still be used', () => {
    const reserved = reserve(drive, { volume: 'new', bytes: 20, at: AT });
    assert.equal(repair(reserved, { volumes: new Map([['v', 30]]) }), reserved);
  });

  it('does not let a volume that is there go, whoever abandoned it', () => {
    const facts = { volumes: new Map([['v', 30]]), abandoned: new Set(['v']) };
    assert.equal(repair(drive, facts), drive);
  });

  it('says that nothing is free when more was promised than there is', () => {
    assert.deepEqual(sums(repair(drive, { volumes: new Map([['v', 130]]) })), [100, 130, 0]);
  });

  it('is right after any history of reservations, expansions, releases and crashes', () => {
    const step = fc.record({
      kind: fc.constantFrom('reserve', 'record', 'expand', 'release', 'settle'),
      volume: fc.constantFrom('a', 'b', 'c'),
      bytes: fc.nat(60),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let drive: Drive = servedDrive({ fsuuid: 'd', totalCapacity: 100 });
        // What objects say. `record` is the second write of a creation or an expansion; without it there was a crash.
        const objects = new Map<string, number>();
        for (const [at, { kind, volume, bytes }] of steps.entries()) {
          try {
            if (kind === 'reserve' && !objects.has(volume)) {
              drive = reserve(drive, { volume, bytes, at: String(at) });
            } else if (kind === 'record') {
              const reserved = readReservations(drive).get(volume);
              if (reserved !== undefined) objects.set(volume, reserved.bytes);
            } else if (kind === 'expand') {
              const current = objects.get(volume);
              if (current !== undefined) drive = expand(drive, { volume, current, bytes, at: String(at) });
            } else if (kind === 'release') {
              drive = release(drive, { volume, bytes: objects.get(volume) ?? 0 });
              objects.delete(volume);
            } else if (kind === 'settle') {
              drive = settle(drive, (id) => objects.get(id));
            }
          } catch (error) {
            if ((error as { code?: string }).code !== 'INSUFFICIENT_CAPACITY') throw error;
          }
          check(drive, objects);
          assert.ok(drive.status.freeCapacity >= 0);
        }
        // Nobody is at work any more: what has no object goes, expansions are completed.
        for (const [volume, { bytes }] of readReservations(drive))
          if (objects.has(volume)) objects.set(volume, bytes);
        const abandoned = new Set(volumesOfDrive(drive).filter((volume) => !objects.has(volume)));
        const rest = repair(drive, { volumes: objects, abandoned });
        check(rest, objects);
        assert.deepEqual(volumesOfDrive(rest).toSorted(), [...objects.keys()].toSorted());
        assert.equal(readReservations(rest).size, 0);
      }),
    );
  });

  function check(drive: Drive, objects: ReadonlyMap<string, number>): void {
    const [total = 0, allocated = 0, free = 0] = sums(drive);
    const reservations = readReservations(drive);
    const held = volumesOfDrive(drive).map((id) => reservations.get(id)?.bytes ?? objects.get(id) ?? 0);
    assert.equal(allocated + free, total);
    assert.equal(
      allocated,
      held.reduce((sum, bytes) => sum + bytes, 0),
    );
  }
});
