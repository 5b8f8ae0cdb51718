import assert from 'node:assert/strict';
import { it } from 'node:test';
import { History } from '../history.ts';
import { configMap } from '../testing/objects.ts';
import { PastBytes } from './past-bytes.ts';
import { bytesOf, StoredState } from './stored-state.ts';
import { WriteEvent } from './write-event.ts';

const custom = {
  apiVersion: 'example.com/v1',
  kind: 'Wide',
  metadata: { name: 'a' },
  spec: { wide: 9_007_199_254_740_993n, text: 'ünï 𝄞', empty: {}, none: null, list: [1.5, [], 'x'] },
};

it('a state that is there stays an object', () => {
  const state = StoredState.of('/a/a', custom, 7);
  const before = state.object;
  state.putAway();
  assert.equal(state.object, before);
});

it('a deletion is the last state with its own revision, also when both were put away', () => {
  const last = StoredState.withBytes('/a/a', custom, 7);
  const deletion = StoredState.deletion('/a/a', last, 9);
  const expected = { ...custom, metadata: { name: 'a', resourceVersion: '9' } };
  const past = new PastBytes();
  for (const putAway of [
    () => {},
    () => deletion.putAway(),
    () => last.becomePast((bytes) => past.keep(bytes)),
  ]) {
    putAway();
    assert.deepEqual(deletion.object, expected);
    assert.ok(Object.isFrozen(deletion.object) && Object.isFrozen(deletion.object.metadata));
    assert.match(String(bytesOf(deletion)), /"resourceVersion":"9"/);
  }
});

it('a state of the past is the same one, and is kept as an object no more', () => {
  const past = new PastBytes();
  for (const object of [configMap('a', 'x'), custom, configMap('a', 'x'.repeat(300_000))]) {
    const state = StoredState.of('/a/a', object, 7);
    const before = state.object;
    const json = String(bytesOf(state));
    state.becomePast((bytes) => past.keep(bytes));
    state.becomePast(() => assert.fail('it is past already'));
    state.putAway();
    assert.equal(String(bytesOf(state)), json);
    assert.notEqual(state.object, before);
    assert.deepEqual(state.object, before);
    assert.ok(Object.isFrozen(state.object));
    state.putAway();
    assert.deepEqual(state.object, before);
    assert.ok(state.weight < 1000);
  }
});

it('of the past, small objects are kept for a while once they are read, and large ones are not', () => {
  const past = new PastBytes();
  for (const [length, isKept] of [
    [100, true],
    [20_000, false],
  ] as const) {
    const state = StoredState.of('/a/a', configMap('a', 'x'.repeat(length)), 7);
    state.becomePast((bytes) => past.keep(bytes));
    assert.equal(state.object === state.object, isKept);
    assert.deepEqual(state.object, state.object);
  }
});

it('a restored state is bytes until it is read, and says what it takes', () => {
  const json = JSON.stringify({ ...configMap('a', 'x'.repeat(1000)), metadata: { resourceVersion: '3' } });
  const state = StoredState.restore('/a/a', json, 3);
  assert.ok(state.weight < json.length + 500);
  assert.equal(String(bytesOf(state)), json);
  assert.deepEqual(state.object, JSON.parse(json));
});

it('a history that was pushed and dropped weighs nothing', () => {
  const history = new History();
  let previous: StoredState | undefined;
  for (let revision = 1; revision <= 3000; revision++) {
    const stored = StoredState.of('/a/b/c', configMap('c', `${revision}`), revision);
    history.push(new WriteEvent('put', stored, previous));
    previous = stored;
    // Bytes that are made late change what the past takes.
    if (revision % 3 === 0) bytesOf(stored);
  }
  assert.ok(history.weight > 3000 * 300 && history.weight < 3000 * 700, `it weighs ${history.weight}`);
  const half = history.revisionAbove(history.weight / 2);
  assert.ok(half > 1000 && half < 2000, `half of it is until ${half}`);
  history.drop(1500);
  history.drop(3000);
  assert.equal(history.weight, 0);
});

it('a deletion of long ago keeps neither object nor bytes, and one of now keeps both', () => {
  const history = new History();
  const push = (revision: number): StoredState => {
    const stored = StoredState.withBytes(`/a/b/${revision}`, configMap('c'), revision);
    history.push(new WriteEvent('put', stored, undefined));
    return stored;
  };
  const deletion = StoredState.deletion('/a/b/1', push(1), 2);
  history.push(new WriteEvent('delete', deletion, undefined));
  assert.equal(bytesOf(deletion), bytesOf(deletion));
  assert.equal(deletion.object, deletion.object);
  for (let revision = 3; revision < 1100; revision++) push(revision);
  assert.notEqual(bytesOf(deletion), bytesOf(deletion));
  assert.notEqual(deletion.object, deletion.object);
  assert.deepEqual(JSON.parse(String(bytesOf(deletion))), deletion.object);
});
