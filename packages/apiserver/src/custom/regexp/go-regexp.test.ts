import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { parseGoPattern } from './go-pattern.ts';
import { compileGoRegexp } from './go-regexp.ts';
import { LinearMatcher } from './linear-matcher.ts';

const textOf = (pattern: string, text: string): string | undefined => {
  const expression = compileGoRegexp(pattern);
  const linear = new LinearMatcher(parseGoPattern(pattern), pattern);
  const found = expression.find(text);
  assert.deepEqual(linear.find(text), found, 'both matchers find the same');
  assert.equal(expression.test(text), found !== undefined);
  assert.equal(linear.test(text), found !== undefined);
  return found === undefined ? undefined : text.slice(found.start, found.end);
};

describe('an expression of Go', () => {
  for (const [pattern, text, expected] of [
    ['', 'abc', ''],
    ['b', 'abc', 'b'],
    ['a|ab', 'abc', 'a'],
    ['ab|a', 'abc', 'ab'],
    ['(a|ab)(c|bcd)', 'abcd', 'abcd'],
    ['a*', 'aaab', 'aaa'],
    ['a*?b', 'aaab', 'aaab'],
    ['a+?', 'aaa', 'a'],
    ['(?U)a+', 'aaa', 'a'],
    ['(?U)a+?', 'aaa', 'aaa'],
    ['x{2}', 'xxx', 'xx'],
    ['x{2,}', 'xxxx', 'xxxx'],
    ['x{1,2}', 'xxx', 'xx'],
    ['x{,2}', 'x{,2}', 'x{,2}'],
    ['^b', 'a\nb', undefined],
    ['(?m)^b$', 'a\nb\nc', 'b'],
    ['a$', 'a\n', undefined],
    ['a.c', 'a\nc', undefined],
    ['(?s)a.c', 'a\nc', 'a\nc'],
    ['(?s:a.)c.', 'a\nc\n', undefined],
    ['(?i)HeLLo', 'say hello', 'hello'],
    ['(?i:a)b', 'AB', undefined],
    ['(?i)[a-c]+', 'xABCd', 'ABC'],
    ['a(?i)b', 'aB', 'aB'],
    ['\\bcat\\b', 'a cat!', 'cat'],
    ['\\Bat\\b', 'a cat', 'at'],
    ['\\Aa\\z', 'a', 'a'],
    ['\\d+\\s\\w', '12 a', '12 a'],
    ['\\s', '\v', undefined],
    ['[^\\d\\s]+', '1 ab', 'ab'],
    ['[\\D]+', '1ab2', 'ab'],
    ['[[:alpha:]_]+', '1ab_2', 'ab_'],
    ['[[:^digit:]]+', '1ab2', 'ab'],
    ['[]a]+', 'x]a', ']a'],
    ['[^]a]+', ']xa', 'x'],
    ['[a-]+', 'x-a', '-a'],
    ['[a\\-z]+', 'm-z', '-z'],
    ['[+--]+', 'a,-', ',-'],
    ['\\Qa.b\\E+', 'a.bbb', 'a.bbb'],
    ['\\x41\\x{1F600}\\101', 'A😀A', 'A😀A'],
    ['.', '😀', '😀'],
    ['^.$', '😀', '😀'],
    ['[😀-😂]', '😁', '😁'],
    ['\\p{Greek}+', 'abγδ', 'γδ'],
    ['\\pL+', '1ä', 'ä'],
    ['\\P{L}+', 'a12', '12'],
    ['(?P<name>a)(?<other>b)', 'ab', 'ab'],
    ['(?:a|b)+c', 'ababc', 'ababc'],
    ['(a*)*', 'b', ''],
    ['(a|b|)+c', 'abc', 'abc'],
    ['a{0}b', 'ab', 'b'],
    // Found by the fuzz test beside this file; Go 1.26 finds the same.
    ['$', '😀', ''],
    ['\\W\\D$', 'é😀', 'é😀'],
    ['((\\A)|\\W)+', '😀', ''],
    ['(|a)+', 'aa', ''],
    ['(([^a])??)?', 'c', ''],
    ['(\\D*?)+\\W', 'a😀ä', 'a😀'],
    ['a(?m)+', 'aaa', 'aaa'],
    ['a*(?m)*', 'aa', 'aa'],
    ['}', '}', '}'],
    ['a]', 'a]', 'a]'],
  ] as const) {
    it(`${JSON.stringify(pattern)} finds ${JSON.stringify(expected)} in ${JSON.stringify(text)}`, () => {
      assert.equal(textOf(pattern, text), expected);
    });
  }

  for (const [pattern, problem] of [
    ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['(?!a)', 'invalid or unsupported Perl syntax: `(?!`'],
    ['(?<=a)', 'invalid or unsupported Perl syntax: `(?<=`'],
    ['(a)\\1', 'invalid escape sequence: `\\1`'],
    ['[a', 'missing closing ]: `[a`'],
    ['(a', 'missing closing ): `(a`'],
    ['a)', 'unexpected ): `a)`'],
    ['*', 'missing argument to repetition operator: `*`'],
    ['a**', 'invalid nested repetition operator: `**`'],
    ['a{1001}', 'invalid repeat count: `{1001}`'],
    ['a{2,1}', 'invalid repeat count: `{2,1}`'],
    ['[z-a]', 'invalid character class range: `z-a`'],
    ['\\', 'trailing backslash at end of expression: ``'],
    ['\\y', 'invalid escape sequence: `\\y`'],
    ['[[:nope:]]', 'invalid character class range: `[:nope:]`'],
    ['((a{100}){100}){100}', 'expression too large: `((a{100}){100}){100}`'],
  ] as const) {
    it(`${JSON.stringify(pattern)} is none: ${problem}`, () => {
      assert.throws(() => compileGoRegexp(pattern), { name: 'SyntaxError', message: problem });
    });
  }

  it('takes no longer for expressions that are made to take long', () => {
    const text = `${'a'.repeat(5000)}!`;
    for (const pattern of [
      '(a+)+$',
      '^(a|a)*$',
      '(a|aa)+$',
      '(a?){50}a{50}!x',
      '(.*)(.*)(.*)(.*)x',
      '(([a-z])+.)+[A-Z]x',
    ])
      assert.equal(compileGoRegexp(pattern).test(text), false, pattern);
  });

  it('finds what JavaScript finds, where both mean the same', () => {
    const atom = fc.constantFrom('a', 'b', 'c', '.', '[ab]', '[^a]', '(?:a|bc)', '(?:ab?)', '\\w');
    const piece = fc
      .tuple(atom, fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,3}', '*?', '+?'))
      .map(([a, q]) => a + q);
    const sequence = fc.array(piece, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
    const pattern = fc.tuple(sequence, fc.option(sequence)).map(([a, b]) => (b === null ? a : `${a}|${b}`));
    fc.assert(
      fc.property(
        pattern,
        fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 12 }),
        (source, text) => {
          assert.equal(textOf(source, text), new RegExp(source, 'u').exec(text)?.[0]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('never throws anything but a SyntaxError', () => {
    const unit = fc.constantFrom(...'ab()[]{}|*+?^$.\\-:,<>=!PQEdwpLx019ims'.split(''));
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), fc.string({ maxLength: 8 }), (pattern, text) => {
        try {
          textOf(pattern, text);
        } catch (error) {
          assert.ok(error instanceof SyntaxError, String(error));
        }
      }),
      { numRuns: 2000 },
    );
  });
});
