import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import type * as errors from './errors.ts';
import {
  CancelledError,
  DeadlineError,
  describe,
  type ErrorKind,
  InvalidArgumentError,
  isCancelled,
  toError,
  WindlassError,
} from './errors.ts';

class DriveGoneError extends WindlassError {
  constructor() {
    super('drive sdb is gone', { code: 'DRIVE_GONE', cause: new Error('ENXIO') });
  }
}

const ERRORS: readonly (readonly [WindlassError, string, string, ErrorKind])[] = [
  [new CancelledError(), 'CancelledError', 'CANCELLED', 'cancelled'],
  [new DeadlineError('too late'), 'DeadlineError', 'DEADLINE_EXCEEDED', 'expected'],
  [new InvalidArgumentError('replicas', -1, 'at least 0'), 'InvalidArgumentError', 'INVALID_ARGUMENT', 'bug'],
  [new DriveGoneError(), 'DriveGoneError', 'DRIVE_GONE', 'expected'],
];

for (const [error, name, code, kind] of ERRORS) {
  test(`${name} has its name, code and kind, and shows as itself`, () => {
    assert.deepEqual([error.name, error.code, error.kind], [name, code, kind]);
    assert.ok(error instanceof WindlassError && error instanceof Error && Error.isError(error));
    assert.equal(error.stack?.split('\n')[0], `${name}: ${error.message}`);
    assert.deepEqual(Object.keys(error).toSorted(), ['code', 'kind']);
    assert.ok(!inspect(error).includes('Symbol('));
  });
}

test('a cause is there only if there is one', () => {
  assert.equal((new DriveGoneError().cause as Error).message, 'ENXIO');
  assert.equal('cause' in new CancelledError(), false);
  assert.equal(new CancelledError('stop', 'why').cause, 'why');
});

test('instanceof WindlassError holds across copies of the module, and only for our errors', async () => {
  // A query makes the loader evaluate the file again, as a second copy in node_modules would be.
  const copy = (await import(`${import.meta.resolve('./errors.ts')}?copy`)) as typeof errors;
  assert.notEqual(copy.WindlassError, WindlassError);
  const foreign: unknown = new copy.CancelledError();
  assert.ok(foreign instanceof WindlassError);
  assert.ok(new DriveGoneError() instanceof copy.WindlassError);
  assert.ok(isCancelled(foreign));
  assert.equal(foreign instanceof CancelledError, false);
  for (const value of [new Error('x'), {}, null, undefined, 'text', { code: 'CANCELLED', kind: 'cancelled' }])
    assert.equal(value instanceof WindlassError, false);
  assert.equal(new DriveGoneError() instanceof CancelledError, false);
  assert.equal(new CancelledError() instanceof CancelledError, true);
});

test('cancelled is what a caller aborted, by us or by the platform', () => {
  const controller = new AbortController();
  controller.abort();
  const rows: readonly (readonly [unknown, boolean])[] = [
    [new CancelledError(), true],
    [controller.signal.reason, true],
    [new DOMException('x', 'AbortError'), true],
    [new DOMException('x', 'TimeoutError'), false],
    [new DeadlineError('x'), false],
    [new Error('aborted'), false],
    [{ name: 'AbortError' }, false],
    [undefined, false],
  ];
  for (const [error, expected] of rows) assert.equal(isCancelled(error), expected, inspect(error));
});

test('a message describes a value and its type, and never prints what an object holds', () => {
  const rows: readonly (readonly [unknown, string])[] = [
    ['a"b', '"a\\"b" (string)'],
    ['', '"" (string)'],
    ['x'.repeat(100), `"${'x'.repeat(80)}…" (string)`],
    [-1, '-1 (number)'],
    [Number.NaN, 'NaN (number)'],
    [10n, '10 (bigint)'],
    [false, 'false (boolean)'],
    [null, 'null'],
    [undefined, 'undefined'],
    [[1, 2], 'an array of 2'],
    [{ token: 'secret' }, 'an object'],
    [() => 1, 'a function'],
    [Symbol('s'), 'a symbol'],
  ];
  for (const [value, expected] of rows) assert.equal(describe(value), expected);
  assert.equal(
    new InvalidArgumentError('delayMs', '5', 'a number').message,
    'delayMs must be a number, but it is "5" (string)',
  );
});

test('whatever was thrown becomes an Error, and an Error stays itself', () => {
  const error = new TypeError('x');
  assert.equal(toError(error), error);
  for (const thrown of ['text', undefined, null, 0, { message: 'no error' }]) {
    const wrapped = toError(thrown);
    assert.ok(wrapped instanceof WindlassError);
    assert.deepEqual([wrapped.code, wrapped.kind, wrapped.cause], ['NON_ERROR_THROWN', 'bug', thrown]);
  }
  assert.match(toError('text').message, /"text" \(string\)$/);
});
