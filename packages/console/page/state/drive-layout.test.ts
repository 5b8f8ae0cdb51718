import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DriveItem, VolumeItem } from '../../src/protocol.ts';
import { layOutDrive, troubleOf } from './drive-layout.ts';

const drive = (changes: Partial<DriveItem> = {}): DriveItem => ({
  kind: 'Drive',
  key: 'd',
  uid: 'd',
  createdAt: 0,
  node: 'node-1',
  name: 'vda',
  status: 'Ready',
  readOnly: false,
  cordoned: false,
  totalBytes: 100,
  freeBytes: 60,
  allocatedBytes: 40,
  problem: undefined,
  ...changes,
});

const volume = (totalBytes: number, usedBytes = 0): VolumeItem => ({
  kind: 'Volume',
  key: 'v',
  uid: 'v',
  createdAt: 0,
  drive: 'd',
  node: 'node-1',
  pod: undefined,
  status: 'Ready',
  totalBytes,
  usedBytes,
  problem: undefined,
});

const sharesOf = (item: DriveItem, volumes: readonly VolumeItem[]): number[] =>
  layOutDrive(item, volumes).segments.map(({ share }) => Number(share.toFixed(3)));

test('volumes have their share of the drive, and what is used its share of the volume', () => {
  const { segments, freeShare } = layOutDrive(drive(), [volume(30, 15), volume(10, 20)]);
  assert.deepEqual(
    segments.map(({ share, used }) => [share, used]),
    [
      [0.3, 0.5],
      [0.1, 1],
    ],
  );
  assert.equal(freeShare.toFixed(3), '0.600');
});

test('what is allocated without a known volume is shown too', () => {
  assert.deepEqual(sharesOf(drive(), [volume(30)]), [0.3, 0.1]);
});

test('volumes that claim more than there is still fit', () => {
  assert.deepEqual(sharesOf(drive(), [volume(100), volume(100)]), [0.5, 0.5]);
  assert.equal(layOutDrive(drive(), [volume(100), volume(100)]).freeShare, 0);
});

test('a drive without a size is empty', () => {
  const { segments } = layOutDrive(drive({ totalBytes: 0, allocatedBytes: 0 }), []);
  assert.deepEqual(segments, []);
});

for (const [what, changes, trouble] of [
  ['a drive that is well', {}, undefined],
  ['one that is cordoned, which somebody wanted', { cordoned: true }, undefined],
  ['one that is read-only', { readOnly: true }, /read-only/],
  ['one that is lost', { status: 'Lost' }, /is lost/],
  ['one that says more', { status: 'Lost', problem: 'the disk is gone' }, /the disk is gone/],
] as const)
  test(`the trouble of ${what}`, () => {
    const text = troubleOf(drive(changes));
    if (trouble === undefined) assert.equal(text, undefined);
    else assert.match(text ?? '', trouble);
  });
