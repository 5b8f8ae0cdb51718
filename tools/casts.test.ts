import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unexplainedCasts } from './casts.ts';

const castsIn = (source: string): string[] =>
  unexplainedCasts('a.ts', source).map(({ line, text }) => `${line}: ${text}`);

interface Row {
  readonly name: string;
  readonly source: string;
  readonly found: readonly string[];
}

const SORTS: readonly Row[] = [
  { name: 'as', source: 'const a = b as T;', found: ['1: b as T'] },
  {
    name: 'as unknown as is two',
    source: 'f(a as unknown as T);',
    found: ['1: a as unknown as T', '1: a as unknown'],
  },
  { name: '!', source: 'const a = b!.c;', found: ['1: b!'] },
  { name: '<T>', source: 'const a = <T>b;', found: ['1: <T>b'] },
  { name: 'as const', source: 'const a = [1] as const;', found: [] },
  { name: 'satisfies', source: 'const a = {} satisfies T;', found: [] },
  { name: 'definite assignment of a variable', source: 'let a!: T;', found: [] },
  { name: 'a renaming import', source: "import { a as b } from './a.ts';", found: [] },
  {
    name: 'a renaming key of a mapped type',
    source: 'type A<T> = { [K in keyof T as `x${K & string}`]: T[K] };',
    found: [],
  },
  { name: 'the words in a text', source: "const a = 'b as T!';", found: [] },
  { name: 'no cast at all', source: 'const a = 1;', found: [] },
];

const EXPLAINED: readonly Row[] = [
  { name: 'at the end of its line', source: 'const a = b as T; // why', found: [] },
  { name: 'before it on its line', source: 'const a = /* why */ b as T;', found: [] },
  { name: 'where a long cast ends', source: 'const a = b as {\n  c: string;\n}; // why', found: [] },
  { name: 'on the line above', source: '// why\nconst a = b as T;', found: [] },
  { name: 'in a block above', source: '/* why,\n   and more */\nconst a = b as T;', found: [] },
  { name: 'on the line above, inside a statement', source: 'f(\n  1,\n  // why\n  b as T,\n);', found: [] },
  { name: 'after a question mark', source: 'const a = c\n  ? // why\n    (b as T)\n  : d;', found: [] },
  { name: 'above the statement', source: '// why\nreturned = f(\n  1,\n  b as T,\n);', found: [] },
  {
    name: 'above a condition',
    source: 'function f() {\n  // why\n  if (\n    a &&\n    (b as T)\n  ) return;\n}',
    found: [],
  },
  { name: 'above a property', source: 'const a = {\n  // why\n  b:\n    c as T,\n};', found: [] },
  { name: 'above a field of a class', source: 'class A {\n  // why\n  #b =\n    c as T;\n}', found: [] },
  { name: 'above a constant, exported', source: '/** why */\nexport const a =\n  b as T;', found: [] },
];

const UNEXPLAINED: readonly Row[] = [
  { name: 'at the end of the line above', source: 'f(); // why\nconst a = b as T;', found: ['2: b as T'] },
  {
    name: 'at the end of the argument above',
    source: 'f(\n  1, // why\n  b as T,\n);',
    found: ['3: b as T'],
  },
  { name: 'two lines above', source: '// why\n\nconst a = b as T;', found: ['3: b as T'] },
  { name: 'on the line below', source: 'const a = b as T;\n// why', found: ['1: b as T'] },
  { name: 'above another statement', source: '// why\nf();\nconst a = b as T;', found: ['3: b as T'] },
  {
    name: 'above the statement around the statement',
    source: '// why\nif (c) {\n  a = b as T;\n}',
    found: ['3: b as T'],
  },
  {
    name: 'above another property',
    source: 'const a = {\n  // why\n  b: 1,\n  c: d as T,\n};',
    found: ['4: d as T'],
  },
  {
    name: 'above the object of the property',
    source: '// why\nconst a = {\n  b: 1,\n  c: d as T,\n};',
    found: ['4: d as T'],
  },
  {
    name: 'above the function',
    source: '/** What f does. */\nfunction f() {\n  return a as T;\n}',
    found: ['3: a as T'],
  },
  {
    name: 'above the function, for a default',
    source: '/** What f does. */\nfunction f(a = b as T) {}',
    found: ['2: b as T'],
  },
  {
    name: 'above the exported function',
    source: '/** What f does. */\nexport function f(a = b as T) {}',
    found: ['2: b as T'],
  },
  {
    name: 'above the function, for a default further down',
    source: '/** What f does. */\nfunction f(\n  a = b as T,\n) {}',
    found: ['3: b as T'],
  },
  {
    name: 'above the method',
    source: 'class A {\n  /** What f does. */\n  f(a = b as T) {\n    return a as T;\n  }\n}',
    found: ['3: b as T', '4: a as T'],
  },
  { name: 'above the class', source: '/** What A is. */\nclass A extends (B as T) {}', found: ['2: B as T'] },
];

for (const [title, rows] of [
  ['is a cast or is none', SORTS],
  ['a comment explains it', EXPLAINED],
  ['a comment does not explain it', UNEXPLAINED],
] as const)
  for (const { name, source, found } of rows)
    test(`${title}: ${name}`, () => assert.deepEqual(castsIn(source), found));

test('a long cast is told in one line', () => {
  const [cast] = unexplainedCasts('a.ts', `const a = b as {\n${'  field: string;\n'.repeat(10)}};`);
  assert.equal(
    cast?.text,
    `${'b as { field: string; field: string; field: string; field: string; field: string; field: string;'.slice(0, 80)}…`,
  );
});

test('a source that does not parse is an error, not clean', () => {
  assert.throws(() => unexplainedCasts('a.ts', 'const a = b as ;'), /a\.ts does not parse/);
});
