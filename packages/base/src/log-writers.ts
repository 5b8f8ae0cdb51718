import { styleText } from 'node:util';
import type { Clock } from './clock.ts';
import { describe } from './errors.ts';
import { LOG_LEVELS, type LogFields, type LogLevel, type LogSink } from './logger.ts';

export interface LogWriterOptions {
  readonly clock: Clock;
  /** Takes one line with its line break. */
  readonly write: (line: string) => void;
}

export interface TerminalWriterOptions extends LogWriterOptions {
  /** @default false */
  readonly color?: boolean;
}

const COLORS = { debug: 'gray', info: 'cyan', warn: 'yellow', error: 'red' } as const;

/** For people: time, level, message, then `key=value`; an error's stack on the lines below. */
export function terminalWriter({ clock, write, color = false }: TerminalWriterOptions): LogSink {
  return ({ level, message, fields }) => {
    const time = new Date(clock.now()).toISOString().slice(11, 23);
    const label = level.toUpperCase().padEnd(5);
    let line = `${time} ${color ? styleText(COLORS[level], label, { validateStream: false }) : label} ${message}`;
    let stack = '';
    for (const [key, value] of Object.entries(fields)) {
      if (value === undefined) continue;
      if (value instanceof Error) {
        line += ` ${key}=${quoted(value.message)}`;
        if (level === 'error' && value.stack !== undefined)
          stack += `${value.stack.replace(/^/gm, '    ')}\n`;
      } else line += ` ${key}=${quoted(value)}`;
    }
    write(`${line}\n${stack}`);
  };
}

/** For machines: one JSON object a line with `time`, `level`, `msg` and the fields. */
export function jsonWriter({ clock, write }: LogWriterOptions): LogSink {
  return ({ level, message, fields }) => {
    const record = { time: new Date(clock.now()).toISOString(), level, msg: message, ...plain(fields) };
    write(`${JSON.stringify(record, safeReplacer())}\n`);
  };
}

/** The part of pino that we call. */
export type PinoLike = Readonly<Record<LogLevel, (fields: object, message: string) => void>>;

/** Hands records to a pino logger, or to anything with the same four methods. */
export function pinoWriter(pino: PinoLike): LogSink {
  return ({ level, message, fields }) => pino[level](plain(fields), message);
}

export function isLogLevel(value: string): value is LogLevel {
  return LOG_LEVELS.some((level) => level === value);
}

/** For tests: keeps what was logged. */
export function memoryWriter(): LogSink & { readonly records: Parameters<LogSink>[0][] } {
  const records: Parameters<LogSink>[0][] = [];
  return Object.assign((record: Parameters<LogSink>[0]) => void records.push(record), { records });
}

function quoted(value: unknown): string {
  if (typeof value === 'string') return /^[\w./:@%+,-]+$/.test(value) ? value : JSON.stringify(value);
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  if (typeof value === 'object' && value !== null)
    return JSON.stringify(value, safeReplacer()) ?? describe(value);
  return describe(value);
}

/** An Error has no enumerable properties, so JSON would show `{}` for the one field that matters. */
function plain(fields: LogFields): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    result[key] = value instanceof Error ? errorFields(value) : value;
  }
  return result;
}

function errorFields(error: Error): Record<string, unknown> {
  const fields: Record<string, unknown> = { name: error.name, message: error.message, stack: error.stack };
  if ('code' in error) fields['code'] = error.code;
  if (error.cause instanceof Error) fields['cause'] = errorFields(error.cause);
  return fields;
}

/** A log call must not throw because a field is circular or a BigInt. */
function safeReplacer(): (key: string, value: unknown) => unknown {
  const seen = new Set<object>();
  return (_key, value) => {
    if (typeof value === 'bigint') return value.toString();
    if (typeof value !== 'object' || value === null) return value;
    if (seen.has(value)) return '[seen above]';
    seen.add(value);
    return value;
  };
}
