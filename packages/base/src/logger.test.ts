import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryWriter } from './log-writers.ts';
import { createLogger, isLogLevel, LOG_LEVELS, type LogLevel, silentLogger } from './logger.ts';

const PASSED: Record<LogLevel, readonly LogLevel[]> = {
  debug: ['debug', 'info', 'warn', 'error'],
  info: ['info', 'warn', 'error'],
  warn: ['warn', 'error'],
  error: ['error'],
};

for (const level of LOG_LEVELS) {
  test(`at level ${level}, it and what is more urgent goes through`, () => {
    const sink = memoryWriter();
    const logger = createLogger(sink, level);
    for (const each of LOG_LEVELS) logger[each]('hello', { n: 1 });
    assert.deepEqual(
      sink.records.map((record) => record.level),
      PASSED[level],
    );
    assert.equal(logger.debugEnabled, level === 'debug');
    assert.equal(logger.with({ a: 1 }).debugEnabled, level === 'debug');
  });
}

test('fields add up from logger to logger, and the nearer ones win', () => {
  const sink = memoryWriter();
  const parent = createLogger(sink, 'info', { controller: 'foo', key: 'none' });
  parent.with({ key: 'a/b' }).with({ attempt: 1 }).info('retry', { attempt: 2, afterMs: 5 });
  parent.info('bare');
  assert.deepEqual(
    sink.records.map(({ message, fields }) => [message, fields]),
    [
      ['retry', { controller: 'foo', key: 'a/b', attempt: 2, afterMs: 5 }],
      ['bare', { controller: 'foo', key: 'none' }],
    ],
  );
});

test('a level that is none is refused, not taken for "log everything"', () => {
  assert.throws(() => createLogger(memoryWriter(), 'verbose' as LogLevel), {
    code: 'INVALID_ARGUMENT',
    message: 'level must be one of debug, info, warn, error, but it is "verbose" (string)',
  });
  assert.deepEqual(['info', 'INFO', '', 3].map(isLogLevel), [true, false, false, false]);
});

test('the silent logger takes everything and asks for no debug fields', () => {
  silentLogger.with({ a: 1 }).error('nothing happens');
  assert.equal(silentLogger.debugEnabled, false);
});
