import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { validateDns1123Subdomain, validateLabelValue, validateQualifiedName } from '@windlass/apimachinery';
import { FakeClock } from '@windlass/base';
import * as fc from 'fast-check';
import {
  type DirectPVDrive,
  DRIVE_CONDITIONS,
  holdsVolume,
  isReservedLabel,
  isSnapshotId,
  isVolumeClaimId,
  LABELS,
  latestDriveProblem,
  nodeLabelValue,
  parseAccessTier,
  readReservations,
  resourceDefinitions,
  snapshotIdOf,
  toLabelKey,
  toLabelValue,
  toUserLabelKey,
  volumeFinalizer,
  volumeIdOf,
  volumesOfDrive,
  withoutProblem,
  withProblem,
  withReservations,
} from './index.ts';

const long = `pvc-${'a'.repeat(100)}`;

describe('names', () => {
  it('weakness 9: a volume of any name has an id that serves as object, finalizer and label', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ minLength: 1 }), fc.string({ unit: 'binary', minLength: 1 })),
        (name) => {
          const id = volumeIdOf(name);
          assert.deepEqual(validateDns1123Subdomain(id), []);
          assert.deepEqual(validateLabelValue(id), []);
          assert.deepEqual(validateQualifiedName(volumeFinalizer(name)), []);
          assert.equal(volumeIdOf(id), id);
        },
      ),
    );
  });

  it('a snapshot of any name has an id that no volume has, and that serves as one', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ minLength: 1 }), fc.string({ unit: 'binary', minLength: 1, maxLength: 200 })),
        (name) => {
          const id = snapshotIdOf(name);
          assert.deepEqual(validateDns1123Subdomain(id), []);
          assert.deepEqual(validateLabelValue(id), []);
          assert.equal(volumeFinalizer(id), `directpv.min.io.volume/${id}`);
          assert.ok(isSnapshotId(id));
          assert.ok(!isSnapshotId(volumeIdOf(name)));
        },
      ),
    );
    assert.equal(snapshotIdOf('snapshot-1'), 'snapshot-1.snapshot');
    assert.ok(!isSnapshotId(volumeIdOf('x.snapshot')));
    assert.notEqual(snapshotIdOf(`${long}1`), snapshotIdOf(`${long}2`));
  });

  it('keeps the names that DirectPV could use', () => {
    for (const name of ['pvc-dca914b0-83da-409f-8cd6-13b0f711596a', 'a', 'a.b-c', 'x'.repeat(63)]) {
      assert.equal(volumeIdOf(name), name);
      assert.equal(volumeFinalizer(name), `directpv.min.io.volume/${name}`);
    }
  });

  it('tells long names apart, and never makes one that looks like a removed directory', () => {
    assert.notEqual(volumeIdOf(`${long}1`), volumeIdOf(`${long}2`));
    assert.notEqual(volumeIdOf('Data'), volumeIdOf('data'));
    assert.doesNotMatch(volumeIdOf('a.deleted'), /\.deleted$/);
    // Its finalizer stays what DirectPV wrote.
    assert.equal(volumeFinalizer('a.deleted'), 'directpv.min.io.volume/a.deleted');
  });

  it('weakness 9: a node of any name has a label', () => {
    assert.equal(nodeLabelValue('node-1.example.com'), 'node-1.example.com');
    const [one, two] = [nodeLabelValue(`${long}.one`), nodeLabelValue(`${long}.two`)];
    assert.notEqual(one, two);
    assert.deepEqual(validateLabelValue(one), []);
  });
});

describe('finalizers', () => {
  it("are the list of a drive's volumes", () => {
    const drive = {
      metadata: { finalizers: ['directpv.min.io/data-protection', 'directpv.min.io.volume/a', 'other/b'] },
    };
    assert.deepEqual(volumesOfDrive(drive), ['a']);
    assert.equal(holdsVolume(drive, 'a'), true);
    assert.equal(holdsVolume(drive, 'b'), false);
    assert.deepEqual(volumesOfDrive({}), []);
  });
});

describe('labels', () => {
  const values: readonly (readonly [text: string, value: string])[] = [
    ['', ''],
    ['sdb', 'sdb'],
    ['a.b_c-d', 'a.b_c-d'],
    ['/dev/sdb', 'xdev-sdb'],
    ['mapper/vg 0.lv_1', 'mapper-vg-0.lv_1'],
    ['trailing-', 'trailingx'],
    ['-', 'x'],
    [`${'a'.repeat(62)}-b`, `${'a'.repeat(62)}x`],
  ];
  for (const [text, value] of values)
    it(`makes ${JSON.stringify(text)} the value ${JSON.stringify(value)}`, () => {
      assert.equal(toLabelValue(text), value);
    });

  it('makes any text a value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.deepEqual(validateLabelValue(toLabelValue(text)), []);
      }),
    );
  });

  it("gives keys the group's prefix", () => {
    assert.equal(toLabelKey('tenant'), 'directpv.min.io/tenant');
    assert.equal(toLabelKey('example.com/tenant'), 'example.com/tenant');
    assert.throws(() => toLabelKey('a b'), { code: 'INVALID_LABEL', message: /"a b" is invalid/ });
  });

  it('keeps its own keys from people', () => {
    for (const key of [...Object.values(LABELS), `${LABELS.volumeClaimId}-x`])
      assert.ok(isReservedLabel(key), key);
    assert.equal(isReservedLabel('directpv.min.io/tenant'), false);
    assert.throws(() => toUserLabelKey('node'), { message: /"directpv.min.io\/node" is reserved/ });
  });

  it('knows tiers in any case, and claim ids', () => {
    assert.equal(parseAccessTier('hOT'), 'Hot');
    assert.equal(parseAccessTier('tepid'), undefined);
    assert.ok(isVolumeClaimId('B2D4B5A0-1c3f-4f58-b7ad-d2a6ea4ea4b1'));
    assert.ok(!isVolumeClaimId('b2d4b5a0'));
  });
});

describe('reservations', () => {
  it('come back as they were written, beside other annotations', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string(),
          fc.record({ bytes: fc.maxSafeNat(), at: fc.string() }, { noNullPrototype: true }),
          {
            noNullPrototype: true,
          },
        ),
        (entries) => {
          const reservations = new Map(Object.entries(entries));
          const annotations = withReservations({ other: 'x' }, reservations);
          assert.equal(annotations['other'], 'x');
          assert.deepEqual(readReservations({ metadata: { annotations } }), reservations);
        },
      ),
    );
  });

  it('leave no annotation when there are none', () => {
    assert.deepEqual(withReservations({ 'directpv.min.io/reservations': '{"a":1}' }, new Map()), {});
  });

  for (const text of ['', 'null', '7', '{"a":{"bytes":-1,"at":""}}', '{"a":{"bytes":"1","at":""}}', '[1]'])
    it(`are none in ${JSON.stringify(text)}`, () => {
      const drive = { metadata: { annotations: { 'directpv.min.io/reservations': text } } };
      assert.equal(readReservations(drive).size, 0);
    });
});

describe('conditions', () => {
  const drive: DirectPVDrive = {
    status: {
      totalCapacity: 0,
      allocatedCapacity: 0,
      freeCapacity: 0,
      fsuuid: 'u',
      status: 'Ready',
      topology: {},
    },
  };

  it('weakness 26: are taken back', async () => {
    const clock = new FakeClock();
    const bad = withProblem(drive, 'IOError', 'Drive has I/O error', clock);
    assert.equal(bad.status.conditions?.[0]?.reason, DRIVE_CONDITIONS.IOError);
    assert.equal(withProblem(bad, 'IOError', 'Drive has I/O error', clock), bad);
    await clock.advance(1_000);
    const worse = withProblem(bad, 'MountError', 'no such device', clock);
    assert.equal(latestDriveProblem(worse)?.type, 'MountError');
    const better = withoutProblem(worse, 'MountError');
    assert.equal(latestDriveProblem(better)?.type, 'IOError');
    const well = withoutProblem(better, 'IOError', 'MountError');
    assert.equal(latestDriveProblem(well), undefined);
    assert.equal(withoutProblem(well, 'IOError'), well);
  });
});

describe('definitions', () => {
  it('name the five resources, cluster-scoped, without a status subresource', () => {
    assert.deepEqual(
      resourceDefinitions.map(({ metadata }) => metadata?.name),
      ['directpvdrives', 'directpvvolumes', 'directpvsnapshots', 'directpvnodes', 'directpvinitrequests'].map(
        (plural) => `${plural}.directpv.min.io`,
      ),
    );
    for (const { spec } of resourceDefinitions) {
      assert.equal(spec.scope, 'Cluster');
      assert.equal(spec.versions[0]?.subresources, undefined);
    }
  });
});
