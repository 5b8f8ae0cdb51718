import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DecodedStates } from './decoded-states.ts';

class State {
  isWanted = false;
  isAway = false;

  putAway(): void {
    this.isAway = true;
  }
}

it('of more than the limit, the first that nobody has read since goes', () => {
  const decoded = new DecodedStates(3);
  const states = Array.from({ length: 5 }, () => new State());
  const [first, second, third, fourth, fifth] = states;
  assert.ok(first && second && third && fourth && fifth);
  for (const state of [first, second, third]) decoded.add(state);
  first.isWanted = true;
  decoded.add(fourth);
  assert.deepEqual(
    states.map(({ isAway }) => isAway),
    [false, true, false, false, false],
  );
  // The first one has had its second chance.
  decoded.add(fifth);
  assert.equal(third.isAway, true);
  assert.equal(first.isAway, false);
});

it('when all are wanted, one goes all the same', () => {
  const decoded = new DecodedStates(2);
  const states = [new State(), new State(), new State()];
  for (const state of states) {
    state.isWanted = true;
    decoded.add(state);
  }
  assert.deepEqual(
    states.map(({ isAway }) => isAway),
    [true, false, false],
  );
});
