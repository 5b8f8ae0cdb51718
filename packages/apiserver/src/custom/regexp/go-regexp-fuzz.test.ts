// Our regular expressions beside RE2JS, a port of Go's own: the same patterns are refused, and the same matches found.
// Decision 11 says why we have our own.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { RE2JS } from 're2js';
import { compileGoRegexp } from './go-regexp.ts';

const RUNS = 4000;

/** One after the other, between spaces; the space itself is added. */
const ATOMS = String.raw`a b c . \d \w \s \D \W \b \B ^ $ [ab] [^a] [a-c0-2] [[:alpha:]] \pL \x41 (?i) (?m) (?s) (?U) \A \z ä 😀 [ä-ü] -`;
const atom = fc.constantFrom(' ', ...ATOMS.split(' '));
/** What is wrong is refused by both. */
const wrong = fc.constantFrom(
  '(',
  ')',
  '[',
  '[b-a]',
  '\\',
  '\\8',
  '*',
  '{2}',
  '(?z)',
  '\\p{No}',
  'a**',
  'x{1001}',
  '[[:no:]]',
);
const quantifier = fc.constantFrom(
  '',
  '',
  '',
  '*',
  '+',
  '?',
  '*?',
  '+?',
  '??',
  '{2}',
  '{1,}',
  '{0,2}',
  '{1,2}?',
);

const pattern: fc.Arbitrary<string> = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atom,
    fc.tuple(atom, quantifier).map(([one, many]) => one + many),
    fc.tuple(tie('node'), tie('node')).map(([one, other]) => one + other),
    fc.tuple(tie('node'), tie('node')).map(([one, other]) => `${one}|${other}`),
    fc.tuple(tie('node'), quantifier).map(([one, many]) => `(${one})${many}`),
    fc.tuple(tie('node'), quantifier).map(([one, many]) => `(?:${one})${many}`),
  ),
})).node;

const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', 'A', 'B', '0', '1', '_', ' ', '\n', '-', 'ä', 'ö', '😀', 'é'),
  maxLength: 12,
});

function theirs(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(source);
  } catch {
    return undefined;
  }
}

function ours(source: string): ReturnType<typeof compileGoRegexp> | undefined {
  try {
    return compileGoRegexp(source);
  } catch (error) {
    assert.ok(error instanceof SyntaxError, String(error));
    return undefined;
  }
}

it('finds what Go finds, and refuses what Go refuses', () => {
  const seen = { matched: 0, refused: 0 };
  const source = fc.oneof(
    { weight: 8, arbitrary: pattern },
    { weight: 1, arbitrary: fc.tuple(pattern, wrong).map(([one, other]) => one + other) },
  );
  fc.assert(
    fc.property(source, text, (given, input) => {
      const [expected, actual] = [theirs(given), ours(given)];
      assert.equal(actual !== undefined, expected !== undefined, 'one refuses it');
      if (actual === undefined || expected === undefined) {
        seen.refused++;
        return;
      }
      const matcher = expected.matcher(input);
      const found = matcher.find() ? { start: matcher.start(), end: matcher.end() } : undefined;
      if (found !== undefined) seen.matched++;
      assert.deepEqual(actual.find(input), found);
      assert.equal(actual.test(input), found !== undefined);
    }),
    { numRuns: RUNS },
  );
  assert.ok(seen.matched > RUNS / 10 && seen.refused > RUNS / 50, JSON.stringify(seen));
});
