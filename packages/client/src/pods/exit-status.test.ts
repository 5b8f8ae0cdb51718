import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@windlass/apimachinery';
import { TransportError } from '../errors.ts';
import { exitOf } from './exit-status.ts';

const failed = (reason: string, causes: unknown): string =>
  JSON.stringify({ metadata: {}, status: 'Failure', reason, message: 'it failed', details: { causes } });

test('a success is 0, and another code is no error', () => {
  assert.deepEqual(exitOf('{"metadata":{},"status":"Success"}', 'exec'), { exitCode: 0 });
  const text = failed('NonZeroExitCode', [{ reason: 'ExitCode', message: '137' }]);
  assert.deepEqual(exitOf(text, 'exec'), { exitCode: 137 });
});

test('what could not be run, and a connection that broke, are errors', () => {
  assert.throws(() => exitOf(failed('InternalError', undefined), 'exec'), StatusError);
  for (const text of ['', 'a sentence', '5']) assert.throws(() => exitOf(text, 'exec'), TransportError, text);
});
