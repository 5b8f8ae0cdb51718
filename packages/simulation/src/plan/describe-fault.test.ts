import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeFault, ms } from './describe-fault.ts';
import type { Fault } from './fault.ts';

const process = 'operator';

describe('a fault in one line', () => {
  for (const [fault, text] of [
    [{ kind: 'request', process, write: 2, answer: 'answer lost' }, 'write 2 of operator: answer lost'],
    [
      { kind: 'request', process, read: 1, answer: 'timeout', times: 3 },
      'read 1 and the next 2 of operator: timeout',
    ],
    [
      { kind: 'latency', process, when: 500, forMs: 2000, addMs: 20 },
      'operator is 20 ms slower for 2 s, at 500 ms',
    ],
    [{ kind: 'watch', process, when: 0, effect: 'drop' }, 'watches of everything of operator break, at 0 ms'],
    [
      {
        kind: 'watch',
        process,
        when: { write: 3, by: 'user' },
        effect: 'hold',
        forMs: 1500,
        resource: 'pods',
      },
      'watches of pods of operator are held for 1.5 s, at write 3 of user',
    ],
    [
      { kind: 'watch', process, when: 0, effect: 'compact' },
      'watches of everything of operator break, and the past is forgotten, at 0 ms',
    ],
    [
      { kind: 'watch', process, when: 0, effect: 'gap', forMs: 50 },
      'watches of everything of operator are held for 50 ms, then break, and the past is forgotten, at 0 ms',
    ],
    [
      { kind: 'kill', process, when: { write: 2, by: process }, downMs: 1000 },
      'operator is killed, at write 2 of operator, and is back after 1 s',
    ],
    [{ kind: 'freeze', process, when: 1, forMs: 60_000 }, 'operator stands still for 60 s, at 1 ms'],
    [{ kind: 'clock', process, when: 1, byMs: -8000 }, 'the clock of operator is set by -8 s, at 1 ms'],
    [
      { kind: 'partition', process, when: 1, forMs: 50 },
      'operator cannot reach the API server for 50 ms, at 1 ms',
    ],
    [{ kind: 'server', when: 1, downMs: 50 }, 'the API server is away for 50 ms, at 1 ms'],
    [
      { kind: 'server', when: 1, downMs: 50, compacts: true },
      'the API server is away for 50 ms, at 1 ms, and has forgotten the past',
    ],
    [{ kind: 'node', node: 'node-1', when: 1, forMs: 400_000 }, 'node node-1 is silent for 400 s, at 1 ms'],
  ] satisfies [Fault, string][])
    it(text, () => assert.equal(describeFault(fault), text));

  it('rounds times', () => {
    assert.deepEqual([ms(0.04), ms(12.34), ms(999.94), ms(1234)], ['0 ms', '12.3 ms', '999.9 ms', '1.2 s']);
  });
});
