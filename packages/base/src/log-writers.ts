import { styleText } from 'node:util';
import type { Clock } from './clock.ts';
import { errorFields, printable, stackLines, toJson, toText } from './log-values.ts';
import { createLogger, type Logger, type LogLevel, type LogRecord, type LogSink } from './logger.ts';

/** Where records are written. */
export interface LogWriterOptions {
  readonly clock: Clock;
  /** Takes one record: a line with its line break, or several where an error has a stack. */
  readonly write: (text: string) => void;
}

/** Options of a writer for people who read along. */
export interface TerminalWriterOptions extends LogWriterOptions {
  /** @default false */
  readonly color?: boolean;
  /** Whether lines begin with the date too, as those of a file should. @default false */
  readonly date?: boolean;
}

const COLORS = { debug: 'gray', info: 'cyan', warn: 'yellow', error: 'red' } as const;

/** For people: time, level, message, then `key=value`; at level error, stacks on the lines below. */
export function terminalWriter({
  clock,
  write,
  color = false,
  date = false,
}: TerminalWriterOptions): LogSink {
  return ({ level, message, fields }) => {
    const iso = new Date(clock.now()).toISOString();
    const time = date ? iso : iso.slice(11, 23);
    const label = level.toUpperCase().padEnd(5);
    const shownLabel = color ? styleText(COLORS[level], label, { validateStream: false }) : label;
    let text = `${time} ${shownLabel} ${printable(message)}`;
    let below = '';
    for (const [key, value] of Object.entries(fields)) {
      if (value === undefined) continue;
      text += ` ${key}=${toText(value)}`;
      if (level !== 'error' || !(value instanceof Error)) continue;
      for (const line of stackLines(value)) below += `    ${line}\n`;
    }
    write(`${text}\n${below}`);
  };
}

const RESERVED: ReadonlySet<string> = new Set(['time', 'level', 'msg']);

/**
 * For machines: one JSON object a line with `time`, `level`, `msg` and the fields. A field by one of
 * those three names gets an underscore at its end.
 */
export function jsonWriter({ clock, write }: LogWriterOptions): LogSink {
  return ({ level, message, fields }) => {
    let text = `{"time":"${new Date(clock.now()).toISOString()}","level":"${level}","msg":${toJson(message)}`;
    // Field by field, so that one which cannot be printed costs only itself.
    for (const [key, value] of Object.entries(fields)) {
      if (value === undefined) continue;
      text += `,${toJson(RESERVED.has(key) ? `${key}_` : key)}:${toJson(value)}`;
    }
    write(`${text}}\n`);
  };
}

/** The part of pino that we call. */
export type PinoLike = Readonly<Record<LogLevel, (fields: object, message: string) => void>>;

/** Hands records to a pino logger, or to anything with the same four methods. */
export function pinoWriter(pino: PinoLike): LogSink {
  return ({ level, message, fields }) => {
    const shown = ([key, value]: [string, unknown]): [string, unknown] => [
      key,
      value instanceof Error ? errorFields(value) : value,
    ];
    pino[level](Object.fromEntries(Object.entries(fields).map(shown)), message);
  };
}

/**
 * For whoever gave no logger: what fails is a warning of the process, which Node prints on stderr, and nothing
 * else is said. `silentLogger` is for those who want not even that.
 */
export const warningLogger: Logger = createLogger(({ message, fields }) => {
  const shown = Object.entries(fields).map(([key, value]) => ` ${key}=${toText(value)}`);
  const error = Object.values(fields).find((value) => value instanceof Error);
  const detail = error === undefined ? '' : stackLines(error).join('\n');
  process.emitWarning(`${printable(message)}${shown.join('')}`, { type: 'WindlassError', detail });
}, 'error');

/** For tests: keeps what was logged. */
export function memoryWriter(): LogSink & { readonly records: readonly LogRecord[] } {
  const records: LogRecord[] = [];
  return Object.assign((record: LogRecord) => void records.push(record), { records });
}
