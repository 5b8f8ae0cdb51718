import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Printed, printedLines } from './printed-lines.ts';

/** The first lines, as `seconds text`. */
function first(command: readonly string[], count = 6): string[] {
  const found: string[] = [];
  const container = { command, environment: { NAME: 'x' }, hostname: 'web', startedAt: 0 };
  for (const { at, text } of printedLines(container) as Iterable<Printed>) {
    if (found.length === count) break;
    found.push(`${at / 1000} ${text}`);
  }
  return found;
}

const sh = (script: string): string[] => first(['sh', '-c', script]);

describe('what a container prints', () => {
  for (const [script, lines] of [
    ['echo hi', ['0 hi']],
    ['echo a; sleep 5; echo b', ['0 a', '5 b']],
    ['echo a && false || echo b', ['0 a', '0 b']],
    ['echo "one two"; exit 1; echo never', ['0 one two']],
    ['echo -n a; echo b', ['0 ab']],
    ['X=wrong Y=2 echo right', ['0 right']],
    ['echo -n end', ['0 end']],
    ['printf "a\\nb\\n"', ['0 a', '0 b']],
    ['echo $NAME $(hostname)', ['0 x web']],
    [
      'while true; do echo tick; sleep 2; done',
      ['0 tick', '2 tick', '4 tick', '6 tick', '8 tick', '10 tick'],
    ],
    ['while :; do echo spin; done', ['0 spin']],
    ['echo a; nginx; echo b', ['0 a']],
    ['echo secret > /data/f; echo shown', ['0 shown']],
    ['echo a | cat', []],
    ['sleep infinity; echo never', []],
  ] as const)
    it(`sh -c '${script}'`, () => assert.deepEqual(sh(script), lines));

  it('is nothing for a program that nobody knows', () =>
    assert.deepEqual(first(['nginx', '-g', 'daemon off;']), []));
  it('is the text of an echo without a shell', () =>
    assert.deepEqual(first(['/bin/echo', 'a', 'b']), ['0 a b']));
});
