import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkProgram } from './check-program.ts';

const setUp = (): void => {};
const program = { workload: () => Promise.resolve(), processes: { operator: setUp } };
const ground = { others: ['controllers', 'user'], processes: ['controllers', 'operator'], quietMs: 60_000 };
// What a program in JavaScript may have, and what no type checks.
const check = (change: object): void => checkProgram({ ...program, ...change }, { ...ground });

describe('a program', () => {
  it('may have everything', () => {
    check({});
    check({
      processes: { operator: { setUp, replicas: 3, leaderElection: true }, other: setUp },
      invariants: { a: setUp, b: { always: setUp }, c: { atRest: setUp, afterDeletion: setUp } },
      faults: ['kill', 'drive'],
      faultsOn: ['operator', 'controllers'],
      restWithinMs: 60_000,
    });
    check({ processes: undefined, invariants: { a: { always: undefined, atRest: setUp } } });
  });

  const INVARIANT = 'a function, or an object whose always, atRest or afterDeletion are functions';
  const REST = 'a number of at least 60000: only after so many milliseconds without a write there is rest';
  for (const [change, message] of [
    [{ workload: undefined }, 'workload must be a function, but it is undefined'],
    [
      { processes: { operator: 5 } },
      'processes.operator must be a function, or options with one as setUp, but it is 5 (number)',
    ],
    [
      { processes: { operator: null } },
      'processes.operator must be a function, or options with one as setUp, but it is null',
    ],
    [
      { processes: { operator: { replicas: 2 } } },
      'processes.operator must be a function, or options with one as setUp, but it is an object',
    ],
    [
      { processes: { operator: { setUp, replicas: 0 } } },
      'processes.operator.replicas must be a whole number of at least 1; leave the process out to run none, but it is 0 (number)',
    ],
    [
      { processes: { controllers: setUp } },
      'the name of a process must be none of "controllers", "user", but it is "controllers" (string)',
    ],
    [
      { processes: { a: { setUp, replicas: 2 }, 'a-1': setUp } },
      'the name of a process must be a name that no other process or replica has, but it is "a-1" (string)',
    ],
    [
      { faultsOn: ['operator', 'nobody'] },
      'faultsOn[1] must be one of "controllers", "operator", but it is "nobody" (string)',
    ],
    [
      { faults: ['explode'] },
      /^faults\[0\] must be one of "request", .*, "drive", "call", but it is "explode" \(string\)$/,
    ],
    [{ invariants: { one: 'no' } }, `invariants.one must be ${INVARIANT}, but it is "no" (string)`],
    [{ invariants: { one: null } }, `invariants.one must be ${INVARIANT}, but it is null`],
    [{ invariants: { one: {} } }, `invariants.one must be ${INVARIANT}, but it is an object`],
    [{ invariants: { one: { always: 5 } } }, `invariants.one must be ${INVARIANT}, but it is an object`],
    [
      { invariants: { one: { atRest: setUp, atrest: setUp } } },
      `invariants.one must be ${INVARIANT}, but it is an object`,
    ],
    [
      { invariants: { one: { atRest: undefined } } },
      `invariants.one must be ${INVARIANT}, but it is an object`,
    ],
    [{ restWithinMs: -1 }, `restWithinMs must be ${REST}, but it is -1 (number)`],
    [{ restWithinMs: 59_999 }, `restWithinMs must be ${REST}, but it is 59999 (number)`],
    [{ restWithinMs: Number.NaN }, `restWithinMs must be ${REST}, but it is NaN (number)`],
    [{ restWithinMs: '1m' }, `restWithinMs must be ${REST}, but it is "1m" (string)`],
  ] as const)
    it(`is told what is wrong: ${typeof message === 'string' ? message : message.source}`, () => {
      assert.throws(() => check(change), { code: 'INVALID_ARGUMENT', message });
    });

  it('says so when there is nobody whom faults could meet, and which kinds there can be', () => {
    const none = { ...ground, processes: [] };
    assert.throws(() => checkProgram({ ...program, faultsOn: ['nobody'] }, none), {
      message: 'faultsOn[0] must be absent: there is none, but it is "nobody" (string)',
    });
    assert.throws(() => checkProgram({ ...program, faults: ['clock'] }, { ...ground, kinds: ['kill'] }), {
      message: 'faults[0] must be one of "kill", but it is "clock" (string)',
    });
  });
});
