import type { ApiRequest } from '@windlass/apimachinery';
import { describe } from '@windlass/base';
import { InvalidRequestError } from '../errors.ts';

/** Which container is attached to, and which of its streams. */
export interface AttachOptions {
  /** @default the only one, or the one that the annotation `kubectl.kubernetes.io/default-container` names */
  readonly container?: string;
  /** Whether something is written to it. @default false */
  readonly stdin?: boolean;
  /** Whether what it prints is read. What is asked for must be read, or the command waits. @default true */
  readonly stdout?: boolean;
  /** As `stdout`. With a terminal there is none of its own. @default true without a terminal */
  readonly stderr?: boolean;
  /** Gives it a terminal. @default false */
  readonly tty?: boolean;
  /** Closes the connection. */
  readonly signal?: AbortSignal;
}

/** Which container a command runs in, and which of its streams are used. */
export interface ExecOptions extends AttachOptions {}

/** The size of a terminal, in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

type Query = NonNullable<ApiRequest['query']>;

export function commandQuery(options: AttachOptions, command?: readonly string[]): Query {
  const { container, stdin = false, stdout = true, tty = false } = options;
  const stderr = options.stderr ?? !tty;
  if (tty && stderr)
    throw new InvalidRequestError('with tty: true there is no stderr of its own; leave stderr out');
  if (!stdin && !stdout && !stderr)
    throw new InvalidRequestError('at least one of stdin, stdout and stderr must be asked for');
  return {
    container: container === '' ? undefined : container,
    command,
    stdin: String(stdin),
    stdout: String(stdout),
    stderr: String(stderr),
    tty: String(tty),
  };
}

/** @throws InvalidRequestError for a text, which no shell takes apart here, and for nothing */
export function checkCommand(command: unknown): asserts command is readonly string[] {
  if (Array.isArray(command) && command.length > 0 && command.every((word) => typeof word === 'string'))
    return;
  throw new InvalidRequestError(
    `the command must be a list of words such as ['sh', '-c', 'ls | wc'], but it is ${describe(command)}`,
  );
}

/** As the protocol has it. */
export function sizeText({ columns, rows }: TerminalSize): string {
  for (const [name, value] of Object.entries({ columns, rows }))
    if (!(Number.isInteger(value) && value > 0 && value < 65_536))
      throw new InvalidRequestError(
        `${name} of a terminal must be a whole number from 1 to 65535, but it is ${describe(value)}`,
      );
  return JSON.stringify({ Width: columns, Height: rows });
}
