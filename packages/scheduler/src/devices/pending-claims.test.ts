import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ResourceClaim } from '@windlass/apimachinery/api/resource/v1';
import { served } from '@windlass/apimachinery/testing';
import type { ReadonlyResourceClaim } from '../framework/device-view.ts';
import { PendingClaims } from './pending-claims.ts';

const claimOf = (resourceVersion: string, uid = 'u'): ReadonlyResourceClaim =>
  served(ResourceClaim, { metadata: { name: 'c', resourceVersion, uid }, spec: {} });
const MINE = claimOf('1');

describe('a claim that is being written', () => {
  it('is as it will be until the server has it', () => {
    const pending = new PendingClaims();
    pending.set('default/c', MINE);
    assert.equal(pending.over('default/c', claimOf('3')), MINE, 'a step on the way does not count');
    assert.ok(pending.isOpen('default/c'));
    pending.written('default/c', '5');
    assert.ok(!pending.isOpen('default/c'));
    assert.equal(pending.over('default/c', claimOf('4')), MINE, 'the cache is behind');
    const seen = claimOf('5');
    assert.equal(pending.over('default/c', seen), seen);
    const later = claimOf('4');
    assert.equal(pending.over('default/c', later), later, 'and then it is forgotten');
  });

  it('is nothing when it is gone, or another has its name', () => {
    const pending = new PendingClaims();
    pending.set('default/c', MINE);
    assert.equal(pending.over('default/c', undefined), undefined);
    const other = claimOf('9', 'other');
    assert.equal(pending.over('default/c', other), other);
    assert.ok(pending.isOpen('default/c'), 'who writes it has yet to hear so');
  });

  it('is as the server has it when it is given up', () => {
    const pending = new PendingClaims();
    pending.set('default/c', MINE);
    pending.delete('default/c');
    const known = claimOf('2');
    assert.equal(pending.over('default/c', known), known);
    assert.ok(!pending.isOpen('default/c'));
  });
});
