import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkPlan } from './check-plan.ts';
import type { Plan } from './fault.ts';

const cast = { processes: ['operator'], nodes: ['node-1'], drives: ['drive-1'] };
const process = 'operator';
// What a plan in JavaScript may have, and what no type checks.
const check = (...faults: unknown[]): void => checkPlan(faults as Plan, cast);

describe('a plan', () => {
  it('may have every kind of fault', () => {
    check(
      { kind: 'request', process, write: 1, answer: 'lost', times: 2 },
      { kind: 'request', process, read: 3, answer: 'timeout' },
      { kind: 'latency', process, when: 0, forMs: 0, addMs: 20 },
      { kind: 'watch', process, when: { write: 1, by: 'user' }, effect: 'hold', forMs: 5, resource: 'pods' },
      { kind: 'watch', process, when: 5.5, effect: 'drop' },
      { kind: 'kill', process, when: { write: 2, by: process }, downMs: 1 },
      { kind: 'freeze', process, when: 1, forMs: 1 },
      { kind: 'clock', process, when: 1, byMs: -400 },
      { kind: 'partition', process, when: 1, forMs: 1 },
      { kind: 'server', when: 1, downMs: 1, compacts: true },
      { kind: 'node', node: 'node-1', when: 1, forMs: 1 },
      { kind: 'drive', node: 'node-1', drive: 'drive-1', effect: 'lost', when: 1, forMs: 1 },
      { kind: 'call', process, call: 'rename', number: 1, code: 'EIO' },
    );
  });

  const TIME = 'a number of milliseconds of at least 0';
  const COUNT = 'a whole number of at least 1';
  const kill = { kind: 'kill', process, when: 0, downMs: 1 };
  const request = { kind: 'request', process, write: 1, answer: 'lost' };
  const watch = { kind: 'watch', process, when: 0, effect: 'hold', forMs: 1 };
  for (const [fault, message] of [
    [undefined, 'plan[0] must be a fault, but it is undefined'],
    ['kill', 'plan[0] must be a fault, but it is "kill" (string)'],
    [
      { ...kill, kind: 'explode' },
      /^plan\[0\]\.kind must be one of "request", .*"node", "drive", "call", but it is "explode" \(string\)$/,
    ],
    [
      { ...kill, process: 'nobody' },
      'plan[0].process must be one of "operator", but it is "nobody" (string)',
    ],
    [{ kind: 'kill', when: 0, downMs: 1 }, 'plan[0].process must be one of "operator", but it is undefined'],
    [{ ...kill, when: -5 }, `plan[0].when must be ${TIME}, but it is -5 (number)`],
    [{ kind: 'kill', process, downMs: 1 }, `plan[0].when must be ${TIME}, but it is undefined`],
    [{ ...kill, when: Number.NaN }, `plan[0].when must be ${TIME}, but it is NaN (number)`],
    [{ ...kill, when: null }, `plan[0].when must be ${TIME}, but it is null`],
    [
      { ...kill, when: { write: 0, by: process } },
      `plan[0].when.write must be ${COUNT}, but it is 0 (number)`,
    ],
    [
      { ...kill, when: { write: 1, by: 'x' } },
      'plan[0].when.by must be one of "operator", "user", but it is "x" (string)',
    ],
    [{ ...kill, downMs: '1s' }, `plan[0].downMs must be ${TIME}, but it is "1s" (string)`],
    [
      { ...request, answer: 'no' },
      /^plan\[0\]\.answer must be one of "lost", .*, but it is "no" \(string\)$/,
    ],
    [{ ...request, read: 1 }, /^plan\[0\] must be a fault with exactly one of write and read, but it is /],
    [
      { kind: 'request', process, answer: 'lost' },
      /^plan\[0\] must be a fault with exactly one of write and read/,
    ],
    [{ ...request, write: 1.5 }, `plan[0].write must be ${COUNT}, but it is 1.5 (number)`],
    [{ ...request, times: 0 }, `plan[0].times must be ${COUNT}, but it is 0 (number)`],
    [
      { ...watch, effect: 'lose' },
      'plan[0].effect must be one of "drop", "hold", "compact", "gap", but it is "lose" (string)',
    ],
    [{ ...watch, forMs: undefined }, `plan[0].forMs must be ${TIME}, but it is undefined`],
    [
      { kind: 'latency', process, when: 0, forMs: -1, addMs: 1 },
      `plan[0].forMs must be ${TIME}, but it is -1 (number)`,
    ],
    [
      { kind: 'latency', process, when: 0, forMs: 1, addMs: -1 },
      `plan[0].addMs must be ${TIME}, but it is -1 (number)`,
    ],
    [{ kind: 'freeze', process, when: 0 }, `plan[0].forMs must be ${TIME}, but it is undefined`],
    [
      { kind: 'clock', process, when: 0, byMs: Infinity },
      'plan[0].byMs must be a number of milliseconds, but it is Infinity (number)',
    ],
    [{ kind: 'server', when: 0, downMs: -1 }, `plan[0].downMs must be ${TIME}, but it is -1 (number)`],
    [
      { kind: 'node', node: 'x', when: 0, forMs: 1 },
      'plan[0].node must be one of "node-1", but it is "x" (string)',
    ],
  ] as const)
    it(`says what is wrong with ${JSON.stringify(fault)}`, () => {
      assert.throws(() => check(fault), { code: 'INVALID_ARGUMENT', message });
    });

  it('names the fault by its place', () => {
    assert.throws(() => check(kill, { ...kill, downMs: -1 }), { message: /^plan\[1\]\.downMs must be/ });
  });

  it('says so when there is nobody whom it could name', () => {
    const fault = { kind: 'node', node: 'x', when: 0, forMs: 1 } as const;
    assert.throws(() => checkPlan([fault], { ...cast, nodes: [] }), {
      message: 'plan[0].node must be absent: there is none, but it is "x" (string)',
    });
  });
});
