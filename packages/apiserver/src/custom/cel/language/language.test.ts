import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Schema } from '@windlass/apimachinery';
import { compileRules } from '../../rules/compiled-rules.ts';
import { CelEnvironment } from '../cel-environment.ts';
import { CelError } from '../cel-error.ts';

const env = CelEnvironment.create()
  .variable('self', 'dyn')
  .variable('n', 'int')
  .variable('names', 'list<string>');
const VARIABLES = {
  self: new Map<string, unknown>([
    ['list', [new Map([['x', 1n]]), new Map()]],
    ['time', '2024-02-29T12:30:00Z'],
    ['empty', new Map()],
  ]),
  n: 3n,
  names: ['a', 'b'],
};

describe('expressions', () => {
  for (const source of [
    // presence
    'has(self.list[0].x) && !has(self.list[1].x)',
    'has({"a": 1}.a) && !has(self.empty.a)',
    // operators, and what they give for absent operands
    '-n == -3 && !(n == 4) && --n == 3 && 7 / 2 == 3 && -7 % 3 == -1',
    'n > 2.5 && dyn(3u) == 3 && 1 + 2 * 3 == 7 && (1 + 2) * 3 == 9',
    'n == 3 || 1 / 0 == 1',
    'n == 4 && 1 / 0 == 1 ? false : true',
    '[1, 2, 3].exists(x, 1 / (x - 1) == 1)',
    '"é" < "z" == false && "a" + "b" == "ab" && b"a" + b"b" == b"ab"',
    '1 in [1, 2] && "a" in {"a": 1} && !("b" in names == false)',
    // maps have keys of any type
    '{1: "a"}[1] == "a" && dyn({true: "b"})[true] == "b" && {"__proto__": 1}["__proto__"] == 1',
    // conversions, also of what is of the type already
    'matches("abc", "^a") && timestamp(timestamp("2024-01-01T00:00:00Z")) == timestamp("2024-01-01T00:00:00Z")',
    'duration(duration("90s")) == duration("1m30s") && int(int(1)) == 1 && string(string("a")) == "a"',
    'timestamp(self.time).getDayOfMonth() == 28 && timestamp(self.time).getHours("+02:00") == 14',
    'duration("1h30m").getMinutes() == 90 && string(duration("1.5s")) == "1.5s"',
    'timestamp(self.time) + duration("1s") > timestamp(self.time)',
    'type(1) == int && type("a") == string && type([]) == list && type(null) == null_type',
    'double("1.5") == 1.5 && int("12") == 12 && uint(3) == 3u && bool("true") && bytes("a") == b"a"',
    // optionals
    'optional.of(1) != null && !(optional.none() == null)',
    '[?optional.of(1), ?optional.none(), 2] == [1, 2]',
    '{?"a": optional.of(1), ?"b": optional.none()} == {"a": 1}',
    'self.?list[0].x == optional.of(1) && !self.?none.a.b.hasValue()',
    'optional.of([1, 2])[?1] == optional.of(2) && optional.of([1, 2])[1] == optional.of(2)',
    'optional.of({"a": 1})[?"a"] == optional.of(1) && !optional.of({"a": 1})["b"].hasValue()',
    '[1, 2][?1] == optional.of(2) && !{"a": 1}[?"b"].hasValue()',
    'self[?"list"][?5].orValue({}) == {} && names[?0].orValue("") == "a"',
    'optional.of(2).optMap(x, x + 1).orValue(0) == 3 && !optional.none().optMap(x, x).hasValue()',
    'optional.none().or(optional.of(1)).value() == 1 && optional.ofNonZeroValue("").orValue("z") == "z"',
    // loops
    '[[1, 2], [3]].map(l, l.map(x, x * n)) == [[3, 6], [9]]',
    '[1, 2, 3, 4].filter(x, x % 2 == 0).map(x, x > 2, x + 1) == [5]',
    '{"a": 1}.all(k, k == "a") && {"a": 1}.map(k, k) == ["a"] && [1, 1].exists_one(x, x == 2) == false',
    // literals
    '"\\u00e9\\x41\\101\\n".size() == 4 && r"\\d" == "\\\\d" && """a"b""" == \'a"b\' && 0x10 == 16 && 1e3 == 1000.0',
    'names == ["a", "b",] // a comment',
  ]) {
    it(source, () => {
      assert.equal(env.compile(source).evaluate(VARIABLES), true);
    });
  }

  for (const [source, text] of [
    ['n >', "1:4: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true'"],
    ['n == 3)', "1:7: Syntax error: extraneous input ')' expecting <EOF>"],
    ['n # 3', "1:3: Syntax error: token recognition error at: '#'"],
    ['n == "a', `1:6: Syntax error: token recognition error at: '"a'`],
    ['for == 1', '1:1: reserved identifier: for'],
    ['n == 9223372036854775809', '1:6: invalid int literal'],
    ['has(n)', '1:5: invalid argument to has() macro'],
    ['names.all(1, true)', '1:11: argument must be a simple name'],
    ['n > "a"', "1:3: found no matching overload for '_>_' applied to '(int, string)'"],
    [
      'names.startsWith("a")',
      "1:17: found no matching overload for 'startsWith' applied to 'list(string).(string)'",
    ],
    ['nope == 1', "1:1: undeclared reference to 'nope' (in container '')"],
    ['nope(1)', "1:5: undeclared reference to 'nope' (in container '')"],
    ['n && true', "1:1: expected type 'bool' but found 'int'"],
    [
      'n.all(x, true)',
      "1:1: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)",
    ],
    ['n.a', "1:2: type 'int' does not support field selection"],
    ['[1, "a"] == []', "1:5: expected type 'int' but found 'string'"],
    ['[?n] == []', "1:3: expected type 'optional_type(int)' but found 'int'"],
    ['true ? 1 : "a"', "1:6: found no matching overload for '_?_:_' applied to '(bool, int, string)'"],
    ['Thing{a: 1}', "1:6: undeclared reference to 'Thing' (in container '')"],
  ] as const) {
    it(`${source} is none: ${text}`, () => {
      assert.throws(
        () => env.compile(source),
        (error) =>
          error instanceof CelError &&
          error.failure === 'compile' &&
          error.message.includes(`ERROR: <input>:${text}`),
      );
    });
  }

  it('name everything that is wrong, and the lines where it is', () => {
    assert.throws(() => env.compile('n > "a" &&\n  nope'), {
      message:
        "ERROR: <input>:1:3: found no matching overload for '_>_' applied to '(int, string)'\n | n > \"a\" &&\n | ..^\nERROR: <input>:2:3: undeclared reference to 'nope' (in container '')\n |   nope\n | ..^",
    });
  });

  it('are refused when they are nested too deep', () => {
    assert.throws(
      () => env.compile(`${'('.repeat(300)}1${')'.repeat(300)} == 1`),
      /recursion limit exceeded/,
    );
    for (const source of [
      `${'!-'.repeat(1000)}n == 1`,
      `n${' + n'.repeat(20_000)} == 1`,
      `self${'.a'.repeat(20_000)} == 1`,
    ])
      assert.throws(() => env.compile(source), /recursion limit exceeded/);
  });

  it('may have long chains of conditions', () => {
    assert.equal(env.compile(`n == 3${' && n == 3'.repeat(5000)}`).evaluate(VARIABLES), true);
    assert.equal(env.compile(`n == 4${' || n == 5'.repeat(5000)} || n == 3`).evaluate(VARIABLES), true);
  });
});

describe('rules of the shapes that definitions in the wild have', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      kind: { type: 'string' },
      port: { type: 'integer' },
      type: { type: 'string', enum: ['A', 'B'] },
      header: { type: 'object', properties: { name: { type: 'string', maxLength: 64 } } },
      matches: {
        type: 'array',
        maxItems: 8,
        items: {
          type: 'object',
          properties: {
            path: {
              type: 'object',
              properties: { type: { type: 'string' }, value: { type: 'string', maxLength: 1024 } },
            },
          },
        },
      },
      refs: {
        type: 'array',
        maxItems: 16,
        items: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, group: { type: 'string' }, port: { type: 'integer' } },
        },
      },
      timeout: { type: 'string', maxLength: 32 },
      quantity: { 'x-kubernetes-int-or-string': true },
      labels: { type: 'object', additionalProperties: { type: 'string', maxLength: 63 }, maxProperties: 16 },
      fixed: {
        type: 'object',
        'x-kubernetes-map-type': 'atomic',
        properties: { at: { type: 'string' } },
      },
    },
  };
  for (const rule of [
    "self.kind == 'Service' ? has(self.port) : true",
    "!(has(self.header) && self.type != 'A')",
    'self.matches.all(m, m.path.value.matches(r"^/[A-Za-z0-9/\\-._~!$&\'()*+,;=:]*$"))',
    'self.matches.exists_one(m, has(m.path) && m.path.type == "Exact") || self.matches.size() <= 1',
    'has(self.matches[0].path) && !has(self.refs[0].group)',
    'self.refs.all(a, self.refs.exists_one(b, a.name == b.name && (has(a.port) ? has(b.port) && a.port == b.port : !has(b.port))))',
    "self.refs.filter(r, !has(r.group) || r.group == '').size() > 0",
    "(has(self.timeout) && duration(self.timeout) != duration('0s')) ? duration(self.timeout) <= duration('1h') : true",
    'self.fixed == oldSelf.fixed && self.labels == oldSelf.labels',
    "self.labels.all(k, k.size() < 64 && self.labels[k] != '')",
    "type(self.quantity) == string ? quantity(self.quantity).isGreaterThan(quantity('0')) : self.quantity > 0",
    "has(self.refs) ? self.refs.map(r, r.name).join(',').size() < 100 : true",
    'size(self.refs) > 0 && self.refs.exists(r, r.name in ["a", "b"])',
    "!self.?header.name.hasValue() || self.?header.?name.orValue('') != 'host'",
    'isIP(self.kind) || url("https://" + self.kind).getHostname() != ""',
  ]) {
    it(rule, () => {
      const [compiled] = compileRules({ ...schema, 'x-kubernetes-validations': [{ rule }] }, false).rules;
      assert.equal(compiled?.error, undefined);
    });
  }
});
