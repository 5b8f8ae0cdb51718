import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ContentDecision, decideContent } from './content-decision.ts';
import { BEING_CREATED, BEING_DELETED, CONTENT_FINALIZER } from './names.ts';
import type { VolumeSnapshotContent } from './volume-snapshot.ts';

const DRIVER = 'a.csi';

interface Row {
  readonly isGoing?: boolean;
  readonly notes?: readonly string[];
  readonly isProtected?: boolean;
  readonly isGiven?: boolean;
  readonly isReady?: boolean;
  readonly isBound?: boolean;
  readonly policy?: 'Delete' | 'Retain';
  readonly driver?: string;
}

const content = (row: Row): VolumeSnapshotContent => ({
  metadata: {
    name: 'c',
    annotations: Object.fromEntries((row.notes ?? []).map((note) => [note, 'yes'])),
    finalizers: row.isProtected === false ? [] : [CONTENT_FINALIZER],
    ...(row.isGoing === true && { deletionTimestamp: '2026-01-02T03:04:05Z' }),
  },
  spec: {
    driver: row.driver ?? DRIVER,
    deletionPolicy: row.policy ?? 'Delete',
    source: row.isGiven === true ? { snapshotHandle: 's' } : { volumeHandle: 'v' },
    volumeSnapshotRef: { namespace: 'n', name: 's', ...(row.isBound !== false && { uid: 'u' }) },
  },
  status: { readyToUse: row.isReady ?? false },
});

const rows: readonly (readonly [what: string, row: Row, decision: ContentDecision])[] = [
  ['another driver’s', { driver: 'b.csi' }, 'ignore'],
  ['a new one', {}, 'create'],
  ['one that is ready', { isReady: true }, 'ignore'],
  ['one that is given', { isGiven: true }, 'look up'],
  ['one that is given and ready', { isGiven: true, isReady: true }, 'ignore'],
  ['deleted by hand', { isGoing: true, isReady: true }, 'ignore'],
  ['deleted by hand before it was made', { isGoing: true }, 'ignore'],
  ['deleted while a call is open', { isGoing: true, notes: [BEING_CREATED, BEING_DELETED] }, 'create'],
  ['deleted with its snapshot', { isGoing: true, isReady: true, notes: [BEING_DELETED] }, 'delete'],
  [
    'deleted with its snapshot, and kept',
    { isGoing: true, isReady: true, notes: [BEING_DELETED], policy: 'Retain' },
    'let go',
  ],
  ['never bound', { isGoing: true, isGiven: true, isBound: false }, 'delete'],
  ['never bound, and kept', { isGoing: true, isGiven: true, isBound: false, policy: 'Retain' }, 'let go'],
  ['gone but for others', { isGoing: true, notes: [BEING_DELETED], isProtected: false }, 'ignore'],
  ['its snapshot goes, it does not', { isReady: true, notes: [BEING_DELETED] }, 'ignore'],
];

for (const [what, row, decision] of rows)
  test(`a content, ${what}: ${decision}`, () => assert.equal(decideContent(content(row), DRIVER), decision));
