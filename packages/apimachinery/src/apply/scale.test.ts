import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ManagedFieldsEntry } from '../object.ts';
import { pathOf } from './fields/path-element.ts';
import { ownersOfParent, ownersOfScale } from './scale.ts';

const REPLICAS = { 'f:spec': { 'f:replicas': {} } };
const paths = new Map([
  ['apps/v1', pathOf('spec', 'replicas')],
  ['apps/v2', undefined],
]);

function entry(
  manager: string,
  operation: string,
  fieldsV1: ManagedFieldsEntry['fieldsV1'],
  more: Partial<ManagedFieldsEntry> = {},
): ManagedFieldsEntry {
  return {
    manager,
    operation,
    apiVersion: 'apps/v1',
    fieldsType: 'FieldsV1',
    ...(fieldsV1 && { fieldsV1 }),
    ...more,
  };
}

const creator = entry('creator', 'Update', { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } });
const rest = entry('creator', 'Update', { 'f:spec': { 'f:paused': {} } });
const owners = { entries: [creator], apiVersion: 'apps/v1', paths };

describe('scale', () => {
  it('shows who owns the replicas, as owners of a Scale', () => {
    const others = [
      entry('nobody', 'Update', { 'f:metadata': {} }),
      entry('unknown', 'Update', REPLICAS, { apiVersion: 'apps/v2' }),
    ];
    assert.deepEqual(ownersOfScale({ ...owners, entries: [creator, ...others] }), [
      entry('creator', 'Update', REPLICAS, { apiVersion: 'autoscaling/v1' }),
    ]);
  });

  it('takes the replicas from whoever lost them, and gives them to whoever scaled', () => {
    const scaled = [
      entry('scaler', 'Update', REPLICAS, { apiVersion: 'autoscaling/v1', subresource: 'scale' }),
    ];
    assert.deepEqual(ownersOfParent(owners, scaled), [
      rest,
      entry('scaler', 'Update', REPLICAS, { subresource: 'scale' }),
    ]);
  });

  it('keeps the times of owners, and gives one who came by a scale none, by which it stands first', () => {
    const early = { time: '2030-01-01T00:00:00Z' };
    const scale = { apiVersion: 'autoscaling/v1', subresource: 'scale', time: '2030-01-02T00:00:00Z' };
    const scaled = ownersOfParent({ ...owners, entries: [{ ...creator, ...early }] }, [
      entry('scaler', 'Update', REPLICAS, scale),
    ]);
    assert.deepEqual(scaled, [
      entry('scaler', 'Update', REPLICAS, { subresource: 'scale' }),
      { ...rest, ...early },
    ]);
    const other = entry(
      'scaler',
      'Apply',
      { 'f:spec': { 'f:paused': {} } },
      { subresource: 'scale', ...early },
    );
    assert.deepEqual(
      ownersOfParent({ ...owners, entries: [other] }, [entry('scaler', 'Apply', REPLICAS, scale)]),
      [{ ...other, fieldsV1: { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } } }],
    );
  });

  it('removes an owner that had nothing else', () => {
    const entries = [entry('only', 'Apply', REPLICAS)];
    const scaled = [
      entry('scaler', 'Apply', REPLICAS, { apiVersion: 'autoscaling/v1', subresource: 'scale' }),
    ];
    assert.deepEqual(ownersOfParent({ ...owners, entries }, scaled), [
      entry('scaler', 'Apply', REPLICAS, { subresource: 'scale' }),
    ]);
  });

  it('changes nothing when nobody changed the replicas', () => {
    const entries = [entry('applier', 'Apply', REPLICAS), creator];
    const same = { ...owners, entries };
    assert.deepEqual(ownersOfParent(same, ownersOfScale(same)), entries);
  });

  it('drops owners in versions that it does not know', () => {
    const entries = [
      entry('old', 'Update', { 'f:a': {} }, { apiVersion: 'apps/v0' }),
      entry('new', 'Update', { 'f:a': {} }, { apiVersion: 'apps/v2' }),
    ];
    assert.deepEqual(ownersOfParent({ ...owners, entries }, undefined), entries.slice(1));
  });

  it('has no owners without managedFields', () => {
    assert.deepEqual(ownersOfScale({ ...owners, entries: undefined }), []);
    assert.deepEqual(ownersOfParent({ ...owners, entries: undefined }, []), []);
  });
});
