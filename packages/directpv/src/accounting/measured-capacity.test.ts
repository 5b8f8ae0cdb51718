import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Cached } from '@windlass/apimachinery';
import * as fc from 'fast-check';
import { ANNOTATIONS, type DirectPVDrive, readReservations, volumesOfDrive } from '../resources/index.ts';
import { servedDrive } from '../testing/index.ts';
import { expand, release, reserve, settle, withUsableCapacity } from './capacity.ts';
import { isSchedulable } from './criteria.ts';
import {
  freeCapacity,
  isCounted,
  measuredCapacity,
  overcommittedBytes,
  totalAfter,
  usableCapacity,
} from './measured-capacity.ts';
import { repair } from './repair.ts';

type Drive = Cached<DirectPVDrive>;
const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const AT = '2026-01-01T00:00:00Z';

/** As DirectPV's own node server writes it at each start: the size of the device, and the rest of it as free. */
function rewritten(drive: Drive, raw: number): Drive {
  const freeCapacityOfRaw = Math.max(0, raw - drive.status.allocatedCapacity);
  return { ...drive, status: { ...drive.status, totalCapacity: raw, freeCapacity: freeCapacityOfRaw } };
}

describe('what was measured', () => {
  const drive = withUsableCapacity(servedDrive({ fsuuid: 'd', totalCapacity: 100, volumes: { v: 30 } }), 90);

  it('bounds what is promised, whatever somebody else has written', () => {
    const inflated = rewritten(drive, 200);
    assert.equal(usableCapacity(inflated), 90);
    assert.equal(freeCapacity(inflated), 60);
    assert.throws(() => reserve(inflated, { volume: 'w', bytes: 61, at: AT }), {
      code: 'INSUFFICIENT_CAPACITY',
    });
    const { status } = reserve(inflated, { volume: 'w', bytes: 60, at: AT });
    assert.deepEqual([status.totalCapacity, status.allocatedCapacity, status.freeCapacity], [90, 90, 0]);
  });

  it('bounds what a release gives back, until what is promised too much is made up for', () => {
    const over = withUsableCapacity(drive, 20);
    assert.equal(overcommittedBytes(over), 10);
    assert.equal(isSchedulable(over), false);
    const two = { ...servedDrive({ fsuuid: 'd', totalCapacity: 100, volumes: { v: 30, w: 30 } }) };
    const released = release(withUsableCapacity(two, 40), { volume: 'w', bytes: 30 });
    assert.deepEqual([released.status.allocatedCapacity, released.status.freeCapacity], [30, 10]);
    assert.equal(isSchedulable(released), true);
  });

  it('is not guessed: without it a drive of DirectPV has what it says, in its own way of counting', () => {
    const theirs = servedDrive({ fsuuid: 'd', totalCapacity: 100, volumes: { v: 30 } });
    // After a resize, the file system's own blocks count as free.
    const drive = { ...theirs, status: { ...theirs.status, freeCapacity: 75 } };
    assert.equal(freeCapacity(drive), 75);
  });

  it('is not there where nobody has measured, or what is written is no number', () => {
    assert.equal(measuredCapacity(servedDrive({ fsuuid: 'd' })), undefined);
    for (const text of ['', '-1', '1e3', 'many', '99999999999999999999']) {
      const annotations = { ...drive.metadata?.annotations, [ANNOTATIONS.measuredCapacity]: text };
      const strange = { ...drive, metadata: { ...drive.metadata, annotations } };
      assert.equal(measuredCapacity(strange), undefined, text);
      assert.equal(freeCapacity(strange), drive.status.freeCapacity);
    }
  });

  it('is followed downwards at once, and upwards when it is worth it', () => {
    const rows: readonly [current: number, measured: number, total: number][] = [
      [10 * GIB, 10 * GIB, 10 * GIB],
      [10 * GIB, 9 * GIB + 1, 9 * GIB + 1],
      [10 * GIB, 10 * GIB - 1, 10 * GIB - MIB],
      [10 * GIB - MIB, 10 * GIB - 1, 10 * GIB - MIB],
      [10 * GIB, 10 * GIB + 100 * MIB, 10 * GIB],
      [10 * GIB, 10 * GIB + 103 * MIB, 10 * GIB + 103 * MIB],
      [100 * MIB, 110 * MIB, 100 * MIB],
      [100 * MIB, 117 * MIB, 117 * MIB],
    ];
    for (const [current, measured, total] of rows) assert.equal(totalAfter(current, measured), total);
    fc.assert(
      fc.property(fc.nat(4 * GIB), fc.nat(4 * GIB), (current, measured) => {
        assert.ok(totalAfter(current, measured) <= Math.max(measured, 0));
      }),
    );
  });
});

it('volumes and what is free are never more than was measured, whoever writes what and when', () => {
  const step = fc.record({
    kind: fc.constantFrom(
      'reserve',
      'record',
      'expand',
      'release',
      'settle',
      'repair',
      'measure',
      'rewrite',
      'adopt',
    ),
    volume: fc.constantFrom('a', 'b', 'c', 'd'),
    bytes: fc.nat(70),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      let drive: Drive = withUsableCapacity(servedDrive({ fsuuid: 'd', totalCapacity: 100 }), 95);
      const objects = new Map<string, number>();
      for (const [at, { kind, volume, bytes }] of steps.entries()) {
        const before = drive;
        try {
          drive = apply(drive, { kind, volume, bytes, at: String(at) }, objects);
        } catch (error) {
          if ((error as { code?: string }).code !== 'INSUFFICIENT_CAPACITY') throw error;
        }
        check(before, drive, kind);
      }
    }),
    { numRuns: 1000 },
  );

  function check(before: Drive, after: Drive, kind: string): void {
    const measured = measuredCapacity(after);
    if (measured === undefined) return;
    const { allocatedCapacity } = after.status;
    const free = freeCapacity(after);
    assert.ok(free >= 0);
    assert.ok(allocatedCapacity + free <= Math.max(measured, allocatedCapacity), kind);
    const wasGiven = allocatedCapacity > before.status.allocatedCapacity;
    if (wasGiven && kind !== 'repair')
      assert.ok(allocatedCapacity <= measured, `${kind} promised what is not there`);
    // Whatever we write ourselves also says so in the status, for those who know nothing of measurements.
    if (after !== before && ['reserve', 'expand', 'release', 'repair', 'measure'].includes(kind))
      assert.ok(
        allocatedCapacity + after.status.freeCapacity <= Math.max(measured, allocatedCapacity),
        `${kind} wrote more than was measured`,
      );
    assert.equal(isSchedulable(after), allocatedCapacity <= usableCapacity(after));
  }
});

interface Step {
  readonly kind: string;
  readonly volume: string;
  readonly bytes: number;
  readonly at: string;
}

function apply(drive: Drive, { kind, volume, bytes, at }: Step, objects: Map<string, number>): Drive {
  switch (kind) {
    case 'reserve':
      return objects.has(volume) ? drive : reserve(drive, { volume, bytes, at });
    case 'record': {
      const reserved = readReservations(drive).get(volume);
      if (reserved !== undefined) objects.set(volume, reserved.bytes);
      return drive;
    }
    case 'expand': {
      const current = objects.get(volume);
      return current === undefined ? drive : expand(drive, { volume, current, bytes, at });
    }
    case 'release': {
      const held = objects.get(volume) ?? 0;
      objects.delete(volume);
      return release(drive, { volume, bytes: held });
    }
    case 'settle':
      return settle(drive, (id) => objects.get(id));
    case 'repair': {
      const held = new Set(volumesOfDrive(drive));
      return repair(drive, { volumes: new Map([...objects].filter(([id]) => held.has(id))) });
    }
    case 'measure':
      return isCounted(drive) ? withUsableCapacity(drive, 30 + bytes) : drive;
    case 'rewrite':
      return rewritten(drive, 100 + bytes);
    default: {
      // Made anew by somebody who keeps no annotations but the reservations, which are ours to lose.
      const { [ANNOTATIONS.accounting]: _a, ...annotations } = { ...drive.metadata?.annotations };
      return { ...drive, metadata: { ...drive.metadata, annotations } };
    }
  }
}
