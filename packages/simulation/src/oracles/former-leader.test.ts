import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JournalEntry } from '../journal-entry.ts';
import { FormerLeaders } from './former-leader.ts';

const lease = { name: 'operator', namespace: 'default' };
const LEASE = '/coordination.k8s.io/leases/default/operator';
const entry = (by: string, atMs: number, key: string, object: object): JournalEntry => ({
  by,
  atMs,
  key,
  verb: 'update',
  revision: atMs,
  object,
  previous: undefined,
});
const held = (holder: string | undefined, atMs: number, key = LEASE): JournalEntry =>
  entry('operator-0', atMs, key, holder === undefined ? { spec: {} } : { spec: { holderIdentity: holder } });
const write = (by: string, atMs: number, key = '//configmaps/default/a') => entry(by, atMs, key, {});

function start(): FormerLeaders {
  return new FormerLeaders([
    { name: 'operator-0', lease },
    { name: 'operator-1', lease },
    { name: 'other', lease: undefined },
  ]);
}

describe('who writes', () => {
  it('must hold the lease when it sends the request, and not when that arrives', () => {
    const leaders = start();
    leaders.check(held('operator-0-0', 100), 99);
    leaders.check(held('operator-1-0', 200), 199);
    assert.equal(leaders.check(write('operator-0', 250), 199), undefined);
    assert.equal(
      leaders.check(write('operator-0', 250), 200),
      'operator-0 updates configmaps default/a, sent at 200 ms, although operator-1-0 has led since 200 ms',
    );
    assert.equal(leaders.check(write('operator-1', 250), 240), undefined);
    assert.notEqual(leaders.check(write('operator-1', 150), 150), undefined);
  });

  it('may be a later start of the same process', () => {
    const leaders = start();
    leaders.check(held('operator-0-0', 100), 99);
    assert.equal(leaders.check(write('operator-0', 250), 240), undefined);
    leaders.check(held('operator-0-1', 300), 299);
    assert.equal(leaders.check(write('operator-0', 350), 340), undefined);
  });

  it('is not a process whose name only begins alike', () => {
    const leaders = new FormerLeaders([{ name: 'operator-1', lease }]);
    leaders.check(held('operator-11-0', 100), 99);
    assert.notEqual(leaders.check(write('operator-1', 250), 240), undefined);
  });

  it('may be anybody while nobody leads, and whoever needs no lease', () => {
    const leaders = start();
    assert.equal(leaders.check(write('operator-0', 50), 49), undefined);
    leaders.check(held('operator-0-0', 100), 99);
    assert.equal(leaders.check(write('other', 150), 149), undefined);
    leaders.check(held(undefined, 200), 199);
    assert.equal(leaders.check(write('operator-1', 250), 240), undefined);
    leaders.check(held('operator-0-0', 300), 299);
    leaders.check(held('', 400), 399);
    assert.equal(leaders.check(write('operator-1', 450), 440), undefined);
  });

  it('is not told by another lease, by a renewal, or by heartbeats', () => {
    const leaders = start();
    leaders.check(held('operator-0-0', 100), 99);
    leaders.check(held('operator-1-0', 200, '/coordination.k8s.io/leases/kube-system/operator'), 199);
    leaders.check(held('operator-1-0', 200, '/coordination.k8s.io/leases/default/another'), 199);
    leaders.check(held('operator-0-0', 300), 299);
    assert.equal(leaders.check(write('operator-0', 350), 340), undefined);
    assert.match(leaders.check(write('operator-1', 350), 340) ?? '', /although operator-0-0 .* since 100 ms/);
    assert.equal(leaders.check(write('operator-1', 350, LEASE), 340), undefined);
    assert.equal(leaders.check(write('operator-1', 350, '//events/default/a'), 340), undefined);
  });
});
