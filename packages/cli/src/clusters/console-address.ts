import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONSOLE_FILE } from '@windlass/cluster';

/**
 * Where the console of the cluster that runs in a data directory is, with its token; undefined when none is served yet,
 * or when the caller may not read it. Its owner alone may: it is as good as a password.
 */
export async function consoleAddress(dataDir: string): Promise<string | undefined> {
  const text = await readFile(join(dataDir, CONSOLE_FILE), 'utf8').catch(() => '');
  // A file without the end of its line is being written.
  return text.endsWith('\n') ? text.trim() : undefined;
}
