// What a lane needs from the machine, and how it says that the machine does not have it.
import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** The machine lacks something that this program cannot bring. A lane ends with {@link SKIP_EXIT_CODE}. */
export class MissingNeedError extends Error {
  override readonly name = 'MissingNeedError';
}

/** Tells `.ci/run` that a lane was not run for want of something, as opposed to 1: it ran and failed. */
export const SKIP_EXIT_CODE = 77;

export type Log = (line: string) => void;

export const run = promisify(execFile);

/** The full path of a program, as a shell would find it, or undefined. */
export async function findProgram(
  name: string,
  folders: readonly string[] = [],
): Promise<string | undefined> {
  for (const folder of [...(process.env['PATH'] ?? '').split(delimiter), ...folders]) {
    const candidate = join(folder, name);
    const usable = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (folder !== '' && usable) return candidate;
  }
  return undefined;
}

/** Go's command, also where the official archive puts it without touching PATH. */
export async function needGo(purpose: string): Promise<string> {
  const go = await findProgram('go', ['/usr/local/go/bin', '/usr/lib/go/bin']);
  if (go === undefined) {
    throw new MissingNeedError(
      `Go is needed to build ${purpose}; install it from go.dev or your distribution`,
    );
  }
  return go;
}

export async function needOpenssl(): Promise<string> {
  const openssl = await findProgram('openssl');
  if (openssl === undefined) {
    throw new MissingNeedError('openssl is needed to make certificates; install the package "openssl"');
  }
  return openssl;
}
