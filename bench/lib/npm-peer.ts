import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MissingNeedError } from '../../tests/real/harness/needs.ts';
import { outputOf } from './child.ts';

const peers = new URL('../peers/', import.meta.url).pathname;

export interface NpmPeer {
  readonly folder: string;
  /** What it measures and in which release, such as `@kubernetes/client-node 2.0.1`. */
  readonly name: string;
}

/**
 * Installs bench/peers/NAME, which has a package.json and a lock file of its own, where that has not
 * been done since the lock file changed.
 * @throws MissingNeedError when npm cannot
 */
export async function installNpmPeer(
  name: string,
  dependency: string,
  log: (line: string) => void,
): Promise<NpmPeer> {
  const folder = join(peers, name);
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const stamp = join(folder, 'node_modules', '.windlass-installed');
  const wanted = createHash('sha256').update(lock).digest('hex');
  if ((await readFile(stamp, 'utf8').catch(() => '')) !== wanted) {
    log(`installing bench/peers/${name}`);
    await outputOf('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder }).catch(
      (cause: unknown) => {
        throw new MissingNeedError(`npm cannot install bench/peers/${name}`, { cause });
      },
    );
    await writeFile(stamp, wanted);
  }
  const { packages } = JSON.parse(lock) as { packages: Record<string, { version?: string }> }; // npm wrote it
  return { folder, name: `${dependency} ${packages[`node_modules/${dependency}`]?.version ?? 'unknown'}` };
}
