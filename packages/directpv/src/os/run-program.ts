import { type ExecFileException, execFile } from 'node:child_process';
import { abortError, type Clock, isCancelled, orAbort, throwIfAborted, withDeadline } from '@windlass/base';
import { CommandError, OperatingSystemError } from './errors.ts';

export interface RunOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** How long it may take, in milliseconds. @default 300000 */
  readonly timeoutMs?: number;
  /** What it may write. @default 16 MiB */
  readonly maxOutputBytes?: number;
}

/** Runs a program with a list of arguments, never through a shell. */
export type RunProgram = (program: string, args: readonly string[], options: RunOptions) => Promise<string>;

const DEFAULT_TIMEOUT_MS = 300_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** What programs write for the codes that matter to us; they give no other sign. */
const CODES: readonly (readonly [RegExp, string])[] = [
  [/input\/output error/i, 'EIO'],
  [/structure needs cleaning/i, 'EUCLEAN'],
  [/(device or resource|target is|mount point) busy|contains a mounted filesystem/i, 'EBUSY'],
  [/no such (file|device)/i, 'ENOENT'],
  [/permission denied|operation not permitted|must be superuser/i, 'EPERM'],
  [/no space left/i, 'ENOSPC'],
  [/disk quota exceeded/i, 'EDQUOT'],
  [/operation not supported|inappropriate ioctl/i, 'EOPNOTSUPP'],
];

/**
 * Runs a program and returns what it wrote. A deadline or an abort ends the wait at once, also where the program
 * hangs in the kernel on a dying disk and cannot be killed.
 * @throws CommandError with the code that its message names
 */
export const runProgram: RunProgram = async (program, args, options) => {
  const { clock, timeoutMs = DEFAULT_TIMEOUT_MS, maxOutputBytes = MAX_OUTPUT_BYTES } = options;
  using deadline = withDeadline(clock, timeoutMs, program, options.signal);
  const { signal } = deadline;
  // To start a program takes a while, and holds up everything else in this process.
  throwIfAborted(signal);
  const ended = new Promise<string>((resolve, reject) => {
    const done = (error: ExecFileException | null, stdout: string, stderr: string): void => {
      if (error === null) resolve(stdout);
      else reject(failureOf(program, args, error, stderr));
    };
    // The programs' messages are looked at, so they must be in the language that we know.
    const env = { PATH: process.env['PATH'] ?? '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };
    const child = execFile(
      program,
      [...args],
      { env, signal, killSignal: 'SIGKILL', maxBuffer: maxOutputBytes },
      done,
    );
    child.stdin?.end();
  });
  try {
    return await orAbort(ended, signal);
  } catch (error) {
    // The platform's own abort error says less than the reason.
    if (signal.aborted && isCancelled(error)) throw abortError(signal);
    throw error;
  }
};

function failureOf(
  program: string,
  args: readonly string[],
  error: ExecFileException,
  stderr: string,
): Error {
  if (error.name === 'AbortError') return error;
  if (error.code === 'ENOENT')
    return new OperatingSystemError(
      'PROGRAM_MISSING',
      `"${program}" is not installed on this machine; install the package that has it (xfsprogs, util-linux)`,
      error,
    );
  const code = CODES.find(([pattern]) => pattern.test(stderr))?.[1] ?? 'COMMAND_FAILED';
  const exitCode = typeof error.code === 'number' ? error.code : undefined;
  return new CommandError({ program, args, exitCode, stderr, code, cause: error });
}
