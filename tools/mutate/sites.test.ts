import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OPERATORS } from './operators.ts';
import { applyEdit, isValid, requiredArgumentsOf, sitesIn } from './sites.ts';
import { parseTypeScript } from './syntax.ts';

/** The mutants of a source by one operator, as whole texts. */
function mutantsBy(operator: string, source: string): string[] {
  const required = requiredArgumentsOf([parseTypeScript('a.ts', source).program]);
  return sitesIn('a.ts', source, required)
    .filter((site) => site.operator === operator)
    .map(({ edit }) => applyEdit(source, edit));
}

const cases: [operator: string, source: string, ...mutants: string[]][] = [
  ['negate a condition', 'if (ready(x)) go();', 'if (!(ready(x))) go();'],
  ['negate a condition', 'if (!ready) go();', 'if (ready) go();'],
  ['negate a condition', 'const a = b ? c : d;', 'const a = !(b) ? c : d;'],
  ['negate a condition', 'if (a === b) go();'],
  ['drop a "not"', 'const a = !b;', 'const a = b;'],
  ['drop a "not"', 'if (!a) go();'],
  ['change a comparison', 'const a = b < c;', 'const a = b <= c;'],
  ['change a comparison', 'const a = b >= c;', 'const a = b > c;'],
  ['change a comparison', "const a = b !== 'x';", "const a = b === 'x';"],
  [
    'swap && and ||',
    'const a = b && c || d;',
    'const a = ((b && c) && (d));',
    'const a = ((b) || (c)) || d;',
  ],
  ['swap && and ||', 'const a = b ?? c;'],
  ['change arithmetic', 'const a = b + 1;', 'const a = b - 1;'],
  ['change arithmetic', 'a -= 2;', 'a += 2;'],
  ['change arithmetic', "const a = b + ' pods' + c;"],
  ['drop a statement', 'this.#seen.add(x);', ';'],
  ['drop a statement', 'await close();', ';'],
  ['drop a statement', "'use strict';"],
  ['drop a statement', 'class A extends B { constructor() { super(1); } }'],
  ['drop a guard', 'for (const a of b) { if (c) continue; d(); }', 'for (const a of b) { ; d(); }'],
  ['drop a guard', 'if (c) go();'],
  [
    'return at once',
    'function f(): void { a(); b(); } async function g(): Promise<void> { a(); b(); }',
    'function f(): void { return; a(); b(); } async function g(): Promise<void> { a(); b(); }',
    'function f(): void { a(); b(); } async function g(): Promise<void> { return; a(); b(); }',
  ],
  ['return at once', 'function f(): number { a(); return 1; }'],
  [
    'change a number',
    'const a = [0, 1, 30_000];',
    'const a = [1, 1, 30_000];',
    'const a = [0, 2, 30_000];',
    'const a = [0, 1, 60000];',
  ],
  ['change a boolean', 'const a = { b: true };', 'const a = { b: false };'],
  ['empty a string', "const a = { 'x-y': 'Pod' };", "const a = { 'x-y': '' };"],
  ['empty a string', "const a = 'This is a sentence.';"],
  ['drop a default', 'const a = b ?? c;', 'const a = b;'],
  [
    'drop an optional argument',
    'function f(a: number, b = 2) {} function g(a?: number) {} f(1, 3); f(1); g(4);',
    'function f(a: number, b = 2) {} function g(a?: number) {} f(1); f(1); g(4);',
    'function f(a: number, b = 2) {} function g(a?: number) {} f(1, 3); f(1); g();',
  ],
  ['drop an optional argument', 'function all(a?: number) {} Promise.all(b);'],
  ['remove an element', 'const a = [b, ...c];', 'const a = [b];'],
  ['remove an element', 'const a = [];'],
  [
    'swap a method',
    'a.some(f); Math.min(b, c);',
    'a.every(f); Math.min(b, c);',
    'a.some(f); Math.max(b, c);',
  ],
];

describe('an operator', () => {
  for (const [operator, source, ...mutants] of cases)
    it(`${operator}: ${source}`, () => {
      assert.deepEqual(mutantsBy(operator, source), mutants);
    });

  it('has a row in the table above', () => {
    const tested = new Set(cases.map(([operator]) => operator));
    assert.deepEqual(
      OPERATORS.filter(({ name }) => !tested.has(name)),
      [],
    );
  });
});

describe('no mutant touches', () => {
  for (const [what, source] of [
    [
      'imports and what is passed on',
      "import { a } from './a.ts'; export { b } from './b.ts'; export * from './c.ts';",
    ],
    ['types', "type A = 'x' | 1; interface B { readonly c: true } const d = e as 'f';"],
    [
      'log lines',
      "this.#logger.warn('odd', { count: 1 }); logger?.info('x'); this.#logger.with({ a: 1 }).debug('y');",
    ],
    ['texts of errors', "throw new StatusError('gone');"],
  ] as const)
    it(what, () => {
      assert.deepEqual(sitesIn('a.ts', source), []);
    });

  it('but the numbers beside the text of an error count', () => {
    assert.deepEqual(mutantsBy('change a number', "throw new StatusError(409, 'conflict');"), [
      "throw new StatusError(818, 'conflict');",
    ]);
  });
});

it('a site says where it is, and the line before and after', () => {
  const source = 'const a = 1;\n\n  if (b)\n    return c;\n';
  const site = sitesIn('a.ts', `function f() {${source}}`).find(
    ({ operator }) => operator === 'drop a guard',
  );
  assert.deepEqual(
    { line: site?.line, column: site?.column, original: site?.original, mutated: site?.mutated },
    { line: 3, column: 3, original: 'if (b)', mutated: ';' },
  );
});

it('a mutant that does not parse is told apart', () => {
  const source = 'const a = b;';
  const [site] = sitesIn('a.ts', 'const a = !b;');
  assert.ok(site !== undefined);
  const broken = { ...site, edit: { start: 0, end: 5, text: ')' } };
  assert.equal(isValid(broken, source), false);
  assert.equal(isValid({ ...broken, edit: { start: 10, end: 11, text: 'c' } }, source), true);
});

it('an argument is optional only if all functions of that name agree', () => {
  const programs = ['function f(a: number, b = 2) {}', 'class C { f(a: number, b: number) {} }'].map(
    (source) => parseTypeScript('a.ts', source).program,
  );
  assert.equal(requiredArgumentsOf(programs).get('f'), undefined);
  assert.equal(requiredArgumentsOf(programs.slice(0, 1)).get('f'), 1);
});
