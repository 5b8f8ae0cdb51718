import { type ErrorKind, WindlassError } from '@windlass/base';

/** What the system answered, in the system's own words: `EIO`, `ENOENT`, `EBUSY`, `EDQUOT`. */
export class OperatingSystemError extends WindlassError {
  constructor(code: string, message: string, cause?: unknown, kind: ErrorKind = 'expected') {
    super(message, { code, kind, cause });
  }
}

/** A program ended with an error. The message has what it wrote to stderr. */
export class CommandError extends OperatingSystemError {
  readonly program: string;
  readonly exitCode: number | undefined;
  readonly stderr: string;

  constructor(options: {
    readonly program: string;
    readonly args: readonly string[];
    readonly exitCode: number | undefined;
    readonly stderr: string;
    readonly code: string;
    readonly cause: unknown;
  }) {
    const { program, args, exitCode, stderr, code, cause } = options;
    const said = stderr.trim() === '' ? 'and said nothing' : `and said: ${stderr.trim().slice(0, 2000)}`;
    super(code, `"${[program, ...args].join(' ')}" ended with ${exitCode ?? 'a signal'} ${said}`, cause);
    this.program = program;
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

/** This kernel cannot limit the size of a directory, and the limit was said to be required. */
export class QuotaUnsupportedError extends OperatingSystemError {
  constructor(reason: string) {
    super('QUOTA_UNSUPPORTED', `${reason}; use a kernel that can, or run with --quota=preferred`);
  }
}

/** The code of an error of the system, of whatever class; undefined where it is none. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

export function isIoError(error: unknown): boolean {
  return systemCode(error) === 'EIO';
}

export function isNoEntry(error: unknown): boolean {
  const code = systemCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}
