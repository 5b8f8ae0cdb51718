import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PersistentVolumeClaimSpec } from '@windlass/apimachinery/api/core/v1';
import type { DraftOf } from '../../../resource/views.ts';
import { alignDataSources } from './data-sources.ts';

type Spec = DraftOf<PersistentVolumeClaimSpec>;

// A group that the client left out is null in the typed form of a claim.
const claim = { apiGroup: null, kind: 'PersistentVolumeClaim', name: 'a' };
const empty = { ...claim, apiGroup: '' };
const snapshot = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'a' };
const other = { apiGroup: 'example.com', kind: 'Backup', name: 'a' };
const foreign = { ...snapshot, namespace: 'n' };

const rows: readonly (readonly [what: string, given: Spec, old: Spec | undefined, expected: Spec])[] = [
  ['nothing', {}, undefined, {}],
  ['another claim', { dataSource: claim }, undefined, { dataSource: claim, dataSourceRef: claim }],
  [
    'a claim with an empty group',
    { dataSource: empty },
    undefined,
    { dataSource: empty, dataSourceRef: empty },
  ],
  ['a snapshot', { dataSource: snapshot }, undefined, { dataSource: snapshot, dataSourceRef: snapshot }],
  ['a kind that the older field does not know', { dataSource: other }, undefined, {}],
  ['a claim of another group', { dataSource: { ...claim, apiGroup: 'example.com' } }, undefined, {}],
  ['a snapshot without its group', { dataSource: { ...snapshot, apiGroup: null } }, undefined, {}],
  [
    'an unknown kind that was there before',
    { dataSource: other },
    { dataSource: other },
    { dataSource: other, dataSourceRef: other },
  ],
  ['the newer field alone', { dataSourceRef: other }, undefined, { dataSource: other, dataSourceRef: other }],
  ['a source in another namespace', { dataSourceRef: foreign }, undefined, {}],
  [
    'a source in another namespace that is not the first',
    { dataSourceRef: foreign },
    { dataSource: snapshot, dataSourceRef: snapshot },
    { dataSourceRef: foreign },
  ],
  [
    'a kind that the older field does not know, named in both',
    { dataSource: other, dataSourceRef: other },
    undefined,
    { dataSource: other, dataSourceRef: other },
  ],
  [
    'a kind that the older field does not know, and one in another namespace',
    { dataSource: other, dataSourceRef: foreign },
    undefined,
    {},
  ],
  [
    'an unknown kind that the newer field had before',
    { dataSource: other },
    { dataSourceRef: foreign },
    { dataSource: other, dataSourceRef: other },
  ],
  [
    'both fields',
    { dataSource: claim, dataSourceRef: snapshot },
    undefined,
    { dataSource: claim, dataSourceRef: snapshot },
  ],
];

for (const [what, given, old, expected] of rows)
  test(`a claim that is filled from ${what}`, () => {
    const spec = structuredClone(given);
    alignDataSources(spec, old);
    assert.deepEqual(spec, expected);
  });
