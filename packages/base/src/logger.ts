import { InvalidArgumentError } from './errors.ts';

/** From least to most urgent. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
/** How important a record is. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Whether the value is the name of a log level. */
export function isLogLevel(value: unknown): value is LogLevel {
  return LOG_LEVELS.some((level) => level === value);
}

/** What a record is about, by name. */
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * What the packages log to. Four levels, a message that is the same each time, and the changing parts
 * as fields. Never put a secret in either.
 */
export interface Logger {
  /** Whether `debug` goes anywhere, so that an expensive field need not be computed. */
  readonly debugEnabled: boolean;
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A logger that adds these fields to each record. */
  with(fields: LogFields): Logger;
}

/** One entry of the log. */
export interface LogRecord {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** Where records end up. Must not throw, whatever is in the fields. */
export type LogSink = (record: LogRecord) => void;

const NO_FIELDS: LogFields = Object.freeze({});

/** @param level records below it are dropped; "info" unless told */
export function createLogger(sink: LogSink, level: LogLevel = 'info', fields: LogFields = NO_FIELDS): Logger {
  if (!isLogLevel(level)) throw new InvalidArgumentError('level', level, `one of ${LOG_LEVELS.join(', ')}`);
  const threshold = LOG_LEVELS.indexOf(level);
  const at = (recordLevel: LogLevel): Logger[LogLevel] =>
    LOG_LEVELS.indexOf(recordLevel) < threshold
      ? noop
      : (message, extra) =>
          sink({
            level: recordLevel,
            message,
            fields: extra === undefined ? fields : { ...fields, ...extra },
          });
  return {
    debugEnabled: threshold <= 0,
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (extra) => createLogger(sink, level, { ...fields, ...extra }),
  };
}

/** Says nothing: what a library does unless it is given a logger. */
export const silentLogger: Logger = createLogger(noop, 'error');

function noop(): void {}
