import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { WindlassError } from './errors.ts';
import { FakeClock } from './fake-clock.ts';
import { jsonWriter, memoryWriter, pinoWriter, terminalWriter, warningLogger } from './log-writers.ts';
import type { LogFields, LogLevel } from './logger.ts';

const clock = new FakeClock({ start: Date.UTC(2026, 4, 17, 8, 30, 15, 250) });

function terminal(message: string, fields: LogFields = {}, level: LogLevel = 'info', color = false): string {
  let text = '';
  terminalWriter({ clock, color, write: (line) => (text += line) })({ level, message, fields });
  return text;
}

test('a line for a file begins with the date', () => {
  let text = '';
  const write = (line: string): void => void (text += line);
  terminalWriter({ clock, date: true, write })({ level: 'info', message: 'm', fields: {} });
  assert.equal(text, '2026-05-17T08:30:15.250Z INFO  m\n');
});

function json(message: string, fields: LogFields = {}, level: LogLevel = 'info'): Record<string, unknown> {
  let text = '';
  jsonWriter({ clock, write: (line) => (text += line) })({ level, message, fields });
  assert.ok(text.endsWith('}\n') && text.indexOf('\n') === text.length - 1, `one line: ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}

/** The value of one field, as either writer shows it. */
const shownInTerminal = (value: unknown): string =>
  /^\S+ \S+ +m k=(.*)\n$/s.exec(terminal('m', { k: value }))![1]!;
const shownInJson = (value: unknown): unknown => json('m', { k: value })['k'];

const circle: Record<string, unknown> = { name: 'loop', inner: {} };
circle['inner'] = { up: circle };
const shared = { id: 1 };
const throwing = {
  toJSON(): never {
    throw new Error('no JSON here');
  },
};
const named = (): void => {};

const VALUES: readonly (readonly [string, unknown, string, unknown])[] = [
  // what, the value, in the terminal, in JSON
  ['a word', 'kube-system/pod-1', 'kube-system/pod-1', 'kube-system/pod-1'],
  ['a string with spaces', 'a b', '"a b"', 'a b'],
  ['an empty string', '', '""', ''],
  ['a string with =', 'a=b', '"a=b"', 'a=b'],
  ['a line break', 'a\nlevel=error', '"a\\nlevel=error"', 'a\nlevel=error'],
  ['an escape sequence', '\u001b[2J\u009b2J', '"\\u001b[2J\\u009b2J"', '\u001b[2J\u009b2J'],
  ['a number', 1.5, '1.5', 1.5],
  ['NaN', Number.NaN, 'NaN', 'NaN'],
  ['Infinity', Number.NEGATIVE_INFINITY, '-Infinity', '-Infinity'],
  ['a BigInt', 10n ** 20n, '100000000000000000000', '100000000000000000000'],
  ['a boolean', false, 'false', false],
  ['null', null, 'null', null],
  ['a function', named, 'a function', 'a function'],
  ['a symbol', Symbol('s'), 'a symbol', 'a symbol'],
  ['an object', { a: [1n, Number.NaN], u: undefined }, '{"a":["1","NaN"]}', { a: ['1', 'NaN'] }],
  ['a date', new Date(0), '"1970-01-01T00:00:00.000Z"', '1970-01-01T00:00:00.000Z'],
  ['a map', new Map([['a', 1]]), '[["a",1]]', [['a', 1]]],
  ['a set', new Set(['a']), '["a"]', ['a']],
  [
    'a circle',
    circle,
    '{"name":"loop","inner":{"up":"[circular]"}}',
    { name: 'loop', inner: { up: '[circular]' } },
  ],
  ['one object twice', [shared, shared], '[{"id":1},{"id":1}]', [{ id: 1 }, { id: 1 }]],
  ['toJSON that throws', throwing, '"[unprintable: no JSON here]"', '[unprintable: no JSON here]'],
];

for (const [what, value, inTerminal, inJson] of VALUES) {
  test(`${what} is shown in either writer`, () => {
    assert.equal(shownInTerminal(value), inTerminal);
    assert.deepEqual(shownInJson(value), inJson);
  });
}

test('a terminal line has time, level, message and fields; undefined fields are left out', () => {
  assert.equal(
    terminal('caches populated', { kind: 'Pod', count: 3, none: undefined }, 'warn'),
    '08:30:15.250 WARN  caches populated kind=Pod count=3\n',
  );
  assert.equal(terminal('up'), '08:30:15.250 INFO  up\n');
});

test('color is there only if asked for, and only on the level', () => {
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    const plain = terminal('m', { k: 'v' }, level);
    const colored = terminal('m', { k: 'v' }, level, true);
    assert.equal(stripVTControlCharacters(colored), plain);
    assert.match(JSON.stringify(colored), /^"\S+ \\u001b\[\d+m[A-Z]+ *\\u001b\[39m m k=v\\n"$/);
    assert.ok(!plain.includes('\u001b'));
  }
});

test('a message cannot break its line or steer the terminal', () => {
  assert.equal(
    terminal('a\n08:30:15.250 ERROR forged\u001b[2J'),
    '08:30:15.250 INFO  a\\n08:30:15.250 ERROR forged\\u001b[2J\n',
  );
  assert.equal(json('a\nb')['msg'], 'a\nb');
});

test('a JSON line has time, level, msg and the fields, and no field can take their place', () => {
  const line = json('retry', { level: 9, time: 1, msg: 'x', key: 'a/b', none: undefined }, 'error');
  assert.deepEqual(line, {
    time: '2026-05-17T08:30:15.250Z',
    level: 'error',
    msg: 'retry',
    level_: 9,
    time_: 1,
    msg_: 'x',
    key: 'a/b',
  });
  assert.deepEqual(Object.keys(line).slice(0, 3), ['time', 'level', 'msg']);
});

test('one field that cannot be printed costs no other', () => {
  assert.deepEqual(json('m', { a: 1, bad: throwing, b: 2 }), {
    ...json('m'),
    a: 1,
    bad: '[unprintable: no JSON here]',
    b: 2,
  });
});

const root = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:6443'), { code: 'ECONNREFUSED' });
const failed = new WindlassError('failed to list pods', { code: 'LIST_FAILED', cause: root });

test('an error in the terminal: the messages of its causes in the line, the stacks below at level error', () => {
  assert.equal(
    terminal('relist', { error: failed }, 'warn'),
    '08:30:15.250 WARN  relist error="failed to list pods: connect ECONNREFUSED 127.0.0.1:6443"\n',
  );
  const lines = terminal('relist', { error: failed }, 'error').split('\n');
  assert.equal(lines[1], '    WindlassError: failed to list pods');
  assert.match(lines[2]!, /^ {8}at /);
  assert.ok(lines.includes('    caused by Error: connect ECONNREFUSED 127.0.0.1:6443'), lines.join('\n'));
});

test('an error in JSON: name, message, code, stack and cause, at any depth, and nothing it carries besides', () => {
  const shown = shownInJson(Object.assign(failed, { request: { headers: { authorization: 'secret' } } }));
  const { stack, cause, ...rest } = shown as { stack: string; cause: { stack: string } };
  assert.deepEqual(rest, { name: 'WindlassError', message: 'failed to list pods', code: 'LIST_FAILED' });
  assert.match(stack, /^WindlassError: failed to list pods\n {4}at /);
  assert.deepEqual(
    { ...cause, stack: undefined },
    { name: 'Error', message: 'connect ECONNREFUSED 127.0.0.1:6443', code: 'ECONNREFUSED', stack: undefined },
  );
  const nested = shownInJson({ tries: [root] }) as { tries: [{ message: string }] };
  assert.equal(nested.tries[0].message, root.message);
});

test('a wrapper that repeats its cause is not repeated', () => {
  const wrapped = new Error(`list: ${root.message}`, { cause: root });
  assert.equal(shownInTerminal(wrapped), '"list: connect ECONNREFUSED 127.0.0.1:6443"');
});

test('an error without a message shows what it has', () => {
  const rows: readonly (readonly [Error, string])[] = [
    [Object.assign(new Error(), { code: 'EPIPE' }), 'EPIPE'],
    [new TypeError(), 'TypeError'],
    [
      new AggregateError([new Error('::1 refused'), new Error('127.0.0.1 refused')]),
      '"::1 refused; 127.0.0.1 refused"',
    ],
  ];
  for (const [error, expected] of rows) assert.equal(shownInTerminal(error), expected);
  const aggregate = shownInJson(rows[2]![0]) as { errors: { message: string }[] };
  assert.deepEqual(
    aggregate.errors.map((each) => each.message),
    ['::1 refused', '127.0.0.1 refused'],
  );
});

test('errors that are each other’s cause, or hold themselves, come to an end', () => {
  const [a, b] = [new Error('a'), new Error('b')];
  a.cause = b;
  b.cause = a;
  assert.equal(shownInTerminal(a), '"a: b"');
  assert.ok(terminal('m', { error: a }, 'error').length < 20_000);
  assert.equal((shownInJson(a) as { cause: { message: string; cause: string } }).cause.cause, 'an object');
  const tree = new AggregateError([], 'tree');
  tree.errors = Array.from({ length: 50 }, () => tree);
  assert.ok(JSON.stringify(shownInJson(tree)).length < 20_000);
});

test('a chain of causes that does not end is cut', () => {
  let error = new Error('root');
  for (let depth = 0; depth < 20_000; depth++) error = new Error(`layer ${depth}`, { cause: error });
  const shown = JSON.stringify(shownInJson(error));
  assert.ok(shown.includes('layer 19990') && !shown.includes('layer 19900'));
  assert.ok(!shownInTerminal(error).includes('layer 19900'));
});

test('a cause that is no error is described, an object without its contents', () => {
  assert.equal((shownInJson(new Error('x', { cause: 'why' })) as { cause: string }).cause, '"why" (string)');
  assert.equal(
    (shownInJson(new Error('x', { cause: { token: 's' } })) as { cause: string }).cause,
    'an object',
  );
});

test('an error that cannot be read does not fail the log call', () => {
  const hostile = new Error('x');
  Object.defineProperty(hostile, 'message', {
    get() {
      throw new Error('hostile getter');
    },
  });
  assert.equal(shownInTerminal(hostile), '"[unprintable: hostile getter]"');
  assert.deepEqual(shownInJson(hostile), { message: '[unprintable: hostile getter]' });
});

test('pino gets fields first, errors spelled out, and its own methods called on itself', () => {
  const calls: unknown[] = [];
  const pino = {
    calls,
    debug(): void {},
    info(fields: object, message: string): void {
      this.calls.push([fields, message]);
    },
    warn(): void {},
    error(): void {},
  };
  pinoWriter(pino)({ level: 'info', message: 'm', fields: { key: 'a', err: root } });
  const [[fields, message]] = calls as [[{ key: string; err: { message: string; code: string } }, string]];
  assert.deepEqual(
    [message, fields.key, fields.err.message, fields.err.code],
    ['m', 'a', root.message, 'ECONNREFUSED'],
  );
});

test('the memory writer keeps records as they are', () => {
  const sink = memoryWriter();
  const record = { level: 'info', message: 'm', fields: { a: 1 } } as const;
  sink(record);
  assert.deepEqual(sink.records, [record]);
});

test('the logger of those who gave none warns of errors, with the stack, and says nothing else', async () => {
  const warned = once(process, 'warning') as Promise<[Error & { detail?: string }]>;
  warningLogger.info('nobody hears this');
  warningLogger.error('the handler failed', { key: 'a/b', error: new Error('boom') });
  const [warning] = await warned;
  assert.equal(warning.name, 'WindlassError');
  assert.match(warning.message, /^the handler failed key=a\/b error=/);
  assert.match(warning.detail ?? '', /boom/);
});
