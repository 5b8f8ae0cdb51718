import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { LineCounter, parseAllDocuments } from 'yaml';
import { DecodeError } from '../../errors.ts';
import { jsonValue } from '../../json/json-testing.ts';
import { encodeYaml } from '../codec-yaml.ts';
import { convertDocument, type YamlConversion } from '../yaml-nodes.ts';
import { readPlainYaml } from './plain-yaml.ts';

/** What the complete parser makes of it; undefined for a mistake, or for several documents. */
function complete(text: string): YamlConversion | undefined {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, {
    version: '1.1',
    schema: 'failsafe',
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
    lineCounter: lines,
  });
  if (!Array.isArray(documents) || documents.length > 1) return undefined;
  const [document] = documents;
  if (document === undefined) return { value: null, duplicates: [] };
  if (document.errors.length > 0) return undefined;
  const openEnd = text.endsWith('\n') ? undefined : text.length;
  return convertDocument(document, { lines, maxDepth: 1000, openEnd });
}

/** Whatever the plain reader reads, the complete parser reads alike. */
function agrees(text: string): boolean {
  const plain = readPlainYaml(text, 1000);
  if (!plain.isPlain) return false;
  const expected = complete(text);
  assert.ok(expected !== undefined, `only the plain reader takes ${JSON.stringify(text)}`);
  const { value, duplicates } = plain;
  assert.deepEqual({ value, duplicates }, { value: expected.value, duplicates: expected.duplicates }, text);
  return true;
}

const PLAIN: readonly string[] = [
  '',
  '# nothing\n\n  # more\n',
  'a: 1\nb: yes\nc: ~\nd:\n',
  '---\na: b\n',
  'a:\n- 1\n- 2\nb: 3\n',
  'a:\n  - 1\n  -\n    - 2\n  - - 3\n    - 4\n  - k: v\n    l: w\n',
  '- a: 1\n  b:\n    c: 2\n- \n- # comment\n  d: 3\n',
  'a: b # comment\nc: d#e\nf: "g # h" # i\n',
  "a: 'it''s'\n'b c': \"\\u00e9\\n\"\n",
  'a: |\n  one\n    two\n\n  three\nb: |-\n  x\n\nc: |+\n  y\n\n\nd: >\n  f\n  g\n\n  h\n',
  'a: |2\n    indented\n  not\nb: >-\n  x\n',
  'a: |\n  last',
  'a: |-\n  last',
  '- |\n  text\n- >\n  text\n  more\n',
  'a: [1, b, "c", [d], {e: f, "g":1}]\nb: {}\nc: []\nd: {x: [\n    1,\n    2\n  ]}\n',
  '{a: b,\nc: [d, e]}\n',
  '[a, {b: 1}]',
  'a: one\n  two\n\n  three # done\nb: c\n',
  'url: http://a.b:80/c?d=e#f\ntime: 12:30:45\nempty: ""\n',
  'a: -1\nb: -x\nc: 0x1F\nd: 1e3\ne: .5\n',
  'a: 1\na: 2\nb:\n  c: x\n  c: y\n',
  '__proto__: 1\nconstructor: {toString: 2}\n',
  'a:\n  b:\n    c:\n\n# comment\n\nd: 1',
];

const NOT_PLAIN: readonly string[] = [
  'a: &x 1\nb: *x\n',
  'a: !!str 1\n',
  '? a\n: b\n',
  'a: {<<: {b: c}}\n',
  '<<: {b: c}\n',
  '1: a\n',
  'yes: a\n',
  'a: b: c\n',
  'a:\n\t- b\n',
  'a: "b\n  c"\n',
  'a: [b: c]\n',
  'a: b\n---\nc: d\n',
  'a: .inf\n',
  'text\n',
  "a: 'b\n",
  '- a\nb: c\n',
  'a: - b\n',
  'a\r\n: b',
  '%YAML 1.1\n---\na: b\n',
];

describe('readPlainYaml', () => {
  for (const text of PLAIN)
    it(`reads ${JSON.stringify(text)} as the complete parser does`, () => assert.ok(agrees(text)));

  for (const text of NOT_PLAIN)
    it(`leaves ${JSON.stringify(text)} to the complete parser`, () => assert.ok(!agrees(text)));

  it('says from which line on it is not plain', () => {
    assert.deepEqual(readPlainYaml('a: 1\nb: 2\nc: *d\n', 1000), { isPlain: false, line: 3 });
  });

  it('reads what we write', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), jsonValue), (value) => {
        agrees(encodeYaml(value));
      }),
    );
  });

  it('never disagrees with the complete parser, whatever the text', () => {
    const piece = fc.constantFrom(
      'a',
      'b c',
      'key',
      '1',
      'yes',
      '-',
      '- ',
      ': ',
      ':',
      '\n',
      '\n',
      '\n  ',
      '\n    ',
      '  ',
      ' ',
      '#',
      ' # c',
      '"x"',
      "'y'",
      '"',
      "'",
      '[',
      ']',
      '{',
      '}',
      ', ',
      ',',
      '|',
      '|-',
      '>',
      '|2',
      '>+',
      '~',
      '?',
      '&a',
      '*a',
      '!',
      '---',
      '...',
      '<<',
      '\t',
      '\\',
      '%',
      '@',
      '=',
      'a: ',
      '- b: ',
      '\n- ',
      '\nk: ',
      '\n  k: ',
    );
    const text = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''));
    const keyed = fc.array(piece, { maxLength: 12 }).map((pieces) => `k: ${pieces.join('')}`);
    fc.assert(
      fc.property(fc.oneof(text, keyed), (sample) => void agrees(sample)),
      { numRuns: 20_000 },
    );
  });

  it('ends with an error where the value is too deep', () => {
    for (const text of ['- '.repeat(2000), `a: ${'['.repeat(2000)}`, deepMap(2000)])
      assert.throws(() => readPlainYaml(text, 1000), DecodeError);
  });
});

function deepMap(depth: number): string {
  return Array.from({ length: depth }, (_, level) => `${' '.repeat(level)}a:\n`).join('');
}
