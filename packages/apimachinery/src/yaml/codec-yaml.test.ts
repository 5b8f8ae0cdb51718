import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { parse as parseYaml12 } from 'yaml';
import { DecodeError } from '../errors.ts';
import { type Golden, golden } from '../golden-testing.ts';
import { jsonValue } from '../json/json-testing.ts';
import { anyFields } from '../json/strict-fields.ts';
import type { JsonValue } from '../object.ts';
import { decodeYaml, decodeYamlDocuments, encodeYaml, encodeYamlDocuments } from './codec-yaml.ts';

interface DocumentRow {
  readonly yaml: string;
  readonly error?: boolean;
  readonly json?: JsonValue;
  readonly strict?: string;
}

describe('decoding', () => {
  test('means what it means to kubectl, and is refused where it is refused there', () => {
    const { rows } = golden('yaml-documents') as Golden<DocumentRow>;
    assert.ok(rows.length > 120);
    for (const { yaml, error, json, strict } of rows) {
      const title = JSON.stringify(yaml);
      if (error === true) {
        assert.throws(() => decodeYaml(yaml), DecodeError, title);
        continue;
      }
      const decoded = decodeYaml(yaml);
      assert.deepEqual(decoded.value, json, title);
      assert.equal(decoded.problems.join(), strict ?? '', title);
    }
  });

  test('JSON is YAML', () => {
    fc.assert(
      fc.property(jsonValue, fc.constantFrom(undefined, 2), (value, space) => {
        assert.deepEqual(decodeYaml(JSON.stringify(value, undefined, space)).value, value);
      }),
    );
  });

  test('pairs of escapes are one character, as in JSON, where kubectl refuses them', () => {
    assert.deepEqual(decodeYaml('a: "\\ud83d\\ude00"').value, { a: '\u{1f600}' });
  });

  test('errors name line and column', () => {
    assert.throws(
      () => decodeYaml('a: 1\nb: [1,\n'),
      (error) =>
        error instanceof DecodeError &&
        error.line === 3 &&
        error.message.startsWith('yaml: line 3, column 1: '),
    );
    assert.throws(() => decodeYaml('a: 1\nb: *x\n'), {
      message: "yaml: line 2: unknown anchor 'x' referenced",
    });
  });

  test('unknown fields are found too', () => {
    const known = { field: (name: string) => (name === 'a' ? anyFields : undefined), items: anyFields };
    assert.deepEqual(decodeYaml('c: 1\na: 2\na: 3\nb: 4\n', { known }).problems, [
      'yaml: unmarshal errors:\n  line 3: key "a" already set in map',
      'unknown field "b"',
      'unknown field "c"',
    ]);
    assert.deepEqual(decodeYaml('{"b":1}', { known }).problems, ['unknown field "b"']);
  });
});

describe('several documents', () => {
  const text = '# first\na: 1\n---\n---\n# nothing\n---\nb: 2\n...\n--- \n- c\n';

  test('come in order, empty ones are left out', () => {
    assert.deepEqual(
      decodeYamlDocuments(text).map(({ value }) => value),
      [{ a: 1 }, { b: 2 }, ['c']],
    );
    assert.deepEqual(decodeYamlDocuments(''), []);
  });

  test('are too many where one is expected: none is dropped in silence', () => {
    assert.throws(() => decodeYaml(text), {
      code: 'DECODE_FAILED',
      message: 'the input has 3 YAML documents where one is expected',
    });
    assert.deepEqual(decodeYaml('---\na: 1\n---\n').value, { a: 1 });
  });

  test('are written with a line between', () => {
    const written = encodeYamlDocuments([{ a: 1 }, { b: 2 }]);
    assert.equal(written, 'a: 1\n---\nb: 2\n');
    assert.equal(decodeYamlDocuments(written).length, 2);
  });
});

describe('hostile input', () => {
  const bomb = Array.from({ length: 10 }, (_, level) =>
    level === 0
      ? 'a0: &a0 [x]'
      : `a${level}: &a${level} [${Array(9)
          .fill(`*a${level - 1}`)
          .join()}]`,
  ).join('\n');

  test('aliases of aliases end early', () => {
    assert.throws(() => decodeYaml(bomb), /document contains excessive aliasing/);
  });

  test('so do merges of merges, also of nothing', () => {
    const merges = Array.from({ length: 12 }, (_, level) =>
      level === 0
        ? 'a0: &a0 {}'
        : `a${level}: &a${level} {<<: [${Array(9)
            .fill(`*a${level - 1}`)
            .join()}]}`,
    ).join('\n');
    assert.throws(() => decodeYaml(merges), /document contains excessive aliasing/);
  });

  test('as many aliases as people write are fine', () => {
    const lines = Array.from({ length: 300 }, (_, index) => `k${index}: *x`);
    const { value } = decodeYaml(`x: &x {a: 1}\n${lines.join('\n')}\n`);
    assert.equal(Object.keys(value ?? {}).length, 301);
  });

  test('what contains itself is refused', () => {
    assert.throws(() => decodeYaml('a: &a\n  b: *a\n'), /anchor 'a' value contains itself/);
    assert.throws(() => decodeYaml('a: &a\n  <<: *a\n'), /anchor 'a' value contains itself/);
  });

  test('depth ends with an error, not with the process', () => {
    for (const text of [
      `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`,
      Array.from({ length: 2000 }, (_, level) => `${' '.repeat(level)}a:`).join('\n'),
      '- '.repeat(20_000),
    ])
      assert.throws(() => decodeYaml(text), /nested/);
    assert.throws(() => decodeYaml('a: {b: {c: 1}}', { maxDepth: 1 }), /nested more than 1 deep/);
  });

  test('length has a limit', () => {
    assert.throws(() => decodeYaml('a: b', { maxBytes: 3 }), /has 4 bytes; the limit is 3/);
  });

  test('a field named __proto__ is a field', () => {
    const { value } = decodeYaml('__proto__:\n  polluted: true\n');
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.equal(JSON.stringify(value), '{"__proto__":{"polluted":true}}');
    assert.equal('polluted' in {}, false);
  });
});

describe('writing', () => {
  test('looks as kubectl prints it', () => {
    const { rows } = golden('yaml-texts') as Golden<{ readonly value: JsonValue; readonly yaml: string }>;
    assert.ok(rows.length > 80);
    for (const { value, yaml } of rows) assert.equal(encodeYaml(value), yaml, JSON.stringify(value));
  });

  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom('a', ' ', '\n', '\t', ':', '#', '-', "'", '"', '0', '{', '\r', '\u2028'),
    }),
    fc.constantFrom(
      'yes',
      'no',
      '1',
      '0o17',
      '0x1f',
      '1:30',
      '2001-01-01',
      '~',
      'null',
      '.5',
      '1e3',
      '<<',
      '=',
    ),
  );
  const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.constantFrom<JsonValue>(null, true, false, 0, -1.5, 1e21),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(text, tie('tree'), { maxKeys: 3 }),
    ),
  }));
  const wellFormed = (value: JsonValue): JsonValue =>
    JSON.parse(JSON.stringify(value).replace(/\\ud[89a-f][0-9a-f]{2}/g, '\ufffd')) as JsonValue;

  test('gives the same value again', () => {
    fc.assert(
      fc.property(tree, (value) => {
        const expected = wellFormed(value);
        assert.deepEqual(decodeYaml(encodeYaml(expected)), { value: expected, problems: [] });
      }),
      { numRuns: 300 },
    );
  });

  test('means the same to readers of YAML 1.2', () => {
    fc.assert(
      fc.property(tree, (value) => {
        const expected = wellFormed(value);
        const read: unknown = parseYaml12(encodeYaml(expected));
        // That reader makes null of the key "" and drops __proto__; ours are tested above.
        if (!/"(?:__proto__)?":/.test(JSON.stringify(expected))) assert.deepEqual(read, expected);
      }),
      { numRuns: 300 },
    );
  });

  test('fields are in the order of their names, or in their own', () => {
    assert.equal(encodeYaml({ b: 1, a: { d: 1, c: 2 } }), 'a:\n  c: 2\n  d: 1\nb: 1\n');
    assert.equal(encodeYaml({ b: 1, a: 2 }, { sortKeys: false }), 'b: 1\na: 2\n');
  });

  test('what is undefined is left out, and long lines stay whole', () => {
    assert.equal(encodeYaml({ a: undefined, b: 1 }), 'b: 1\n');
    assert.equal(encodeYaml(undefined), 'null\n');
    const long = 'word '.repeat(100).trim();
    assert.equal(encodeYaml({ a: long }), `a: ${long}\n`);
  });
});
