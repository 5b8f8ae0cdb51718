import { type ApiRequest, parseTime } from '@windlass/apimachinery';
import { describe } from '@windlass/base';
import { InvalidRequestError } from '../errors.ts';

/** Which container's log is read, and which part of it. */
export interface LogOptions {
  /** @default the only one, or the one that the annotation `kubectl.kubernetes.io/default-container` names */
  readonly container?: string;
  /** Goes on with what is printed from now on, until the container ends. @default false */
  readonly follow?: boolean;
  /** Of the container before the last restart. @default false */
  readonly previous?: boolean;
  /** Only what is no older. Not together with `sinceTime`. @default everything */
  readonly sinceSeconds?: number;
  /** Only what is no older: RFC 3339, or a Date. @default everything */
  readonly sinceTime?: string | Date;
  /** Only so many lines from the end. @default all */
  readonly tailLines?: number;
  /** Ends after so many bytes. @default never */
  readonly limitBytes?: number;
  /** Puts the time before each line. @default false */
  readonly timestamps?: boolean;
  /** A line that is longer ends the reading of lines with an error. @default DEFAULT_MAX_LINE_BYTES: 16 MiB */
  readonly maxLineBytes?: number;
  /** Ends the reading, also of what is followed. */
  readonly signal?: AbortSignal;
}

/** Far more than any program prints as one line, and far less than a process has. */
export const DEFAULT_MAX_LINE_BYTES = 16 * 1024 * 1024;

type Query = NonNullable<ApiRequest['query']>;

/** @throws InvalidRequestError for what no server would take */
export function logQuery(options: LogOptions): Query {
  const { container, sinceSeconds, sinceTime, tailLines, limitBytes } = options;
  if (sinceSeconds !== undefined && sinceTime !== undefined)
    throw new InvalidRequestError('logs take either sinceSeconds or sinceTime, but both were given');
  return {
    container: container === '' ? undefined : container,
    follow: flag(options.follow),
    previous: flag(options.previous),
    timestamps: flag(options.timestamps),
    sinceSeconds: whole('sinceSeconds', sinceSeconds, 1),
    sinceTime: time(sinceTime),
    tailLines: whole('tailLines', tailLines, 0),
    limitBytes: whole('limitBytes', limitBytes, 1),
  };
}

/** @throws InvalidRequestError for no whole number */
export function maxLineBytesOf({ maxLineBytes = DEFAULT_MAX_LINE_BYTES }: LogOptions): number {
  whole('maxLineBytes', maxLineBytes, 1);
  return maxLineBytes;
}

function flag(value: boolean | undefined): string | undefined {
  return value === true ? 'true' : undefined;
}

function whole(name: string, value: number | undefined, least: number): string | undefined {
  if (value === undefined) return undefined;
  if (Number.isSafeInteger(value) && value >= least) return String(value);
  throw new InvalidRequestError(
    `${name} must be a whole number of at least ${least}, but it is ${describe(value)}`,
  );
}

function time(value: string | Date | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === 'string' ? value : Number.isNaN(value.getTime()) ? '' : value.toISOString();
  if (isTime(text)) return text;
  throw new InvalidRequestError(
    `sinceTime must be a time such as 2026-01-31T12:00:00Z, but it is ${describe(value)}`,
  );
}

function isTime(text: string): boolean {
  try {
    parseTime(text);
    return true;
  } catch {
    return false;
  }
}
