import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClient } from '@windlass/client';
import type { Check } from '../simulation.ts';
import { State } from '../state.ts';
import { judge } from './judge.ts';

const state = new State({
  client: createClient({
    transport: {
      request: () => assert.fail('nothing is asked'),
      watch: () => assert.fail('nothing is watched'),
      [Symbol.asyncDispose]: async () => {},
    },
  }),
  elapsedMs: 5,
  journal: [],
  checked: 0,
  machines: new Map(),
});
/** Waits for ever. */
const patient = (): Promise<never> => new Promise(() => {});
// What a check in JavaScript may do, and what no type checks.
const said = (check: (state: State) => unknown): Promise<string | undefined> =>
  judge(check as Check, state, patient);

describe('an invariant', () => {
  const answered = (what: string): string =>
    `the invariant itself answered ${what}; when something is wrong it must throw or answer with a sentence, and otherwise with nothing`;
  for (const [name, check, expected] of [
    ['has nothing to say', () => {}, undefined],
    ['has nothing to say after a while', async () => {}, undefined],
    ['answers with a sentence', () => 'too many', 'too many'],
    ['answers with a sentence after a while', async () => 'too many', 'too many'],
    ['throws what an assertion throws', () => assert.fail('one is two'), 'one is two'],
    [
      'throws',
      () => {
        throw new Error('too many');
      },
      'too many',
    ],
    [
      'is wrong itself',
      () => {
        throw new TypeError('x is not a function');
      },
      'the invariant itself threw TypeError: x is not a function',
    ],
    [
      'throws what is no error',
      () => Promise.reject('text'),
      'the invariant itself threw WindlassError: a value that is no Error was thrown: "text" (string)',
    ],
    ['answers with false', () => false, answered('false (boolean)')],
    ['answers with true after a while', async () => true, answered('true (boolean)')],
    ['answers with null', () => null, answered('null')],
    ['sees the state', ({ elapsedMs }: State) => `at ${elapsedMs}`, 'at 5'],
  ] as const)
    it(name, async () => {
      assert.equal(await said(check), expected);
    });

  it('that does not end is told so, and one that has ended is not waited for', async () => {
    const never: Check = () => new Promise(() => {});
    assert.equal(
      await judge(never, state, async (isOver) => assert.equal(isOver(), false)),
      'the invariant itself does not end; it may ask the server, and wait for nothing else',
    );
    let isDone = (): boolean => false;
    const asked = (isOver: () => boolean): Promise<never> => {
      isDone = isOver;
      return patient();
    };
    assert.equal(await judge(async () => 'so', state, asked), 'so');
    assert.equal(isDone(), true);
  });
});
