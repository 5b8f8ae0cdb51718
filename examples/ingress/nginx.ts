import { execFile } from 'node:child_process';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What the controller needs of a web server. */
export interface Nginx {
  /** Takes the configuration over, all of it or nothing. @throws when it is refused; then the old one stays */
  load(config: string): Promise<void>;
}

export interface RealNginxOptions {
  readonly program: string;
  readonly folder: string;
}

/** A real nginx: the new file is tested, put in place, and loaded without losing a connection. */
export function realNginx({ program, folder }: RealNginxOptions): Nginx {
  const file = join(folder, 'nginx.conf');
  let isRunning = false;
  return {
    async load(config) {
      const draft = `${file}.new`;
      await writeFile(draft, config);
      await run(program, ['-t', '-q', '-p', folder, '-c', draft]);
      await rename(draft, file);
      await run(program, ['-p', folder, '-c', file, ...(isRunning ? ['-s', 'reload'] : [])]);
      isRunning = true;
    },
  };
}
