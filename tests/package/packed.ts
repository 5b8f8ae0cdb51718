// The tarball that npm would publish, and a project that has installed it.
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from '../../tools/build/main.ts';
import { run } from '../real/harness/needs.ts';

/** What checks the package, and the programs to run it with: see tools/package-check. */
export const CHECK = new URL('../../tools/package-check/', import.meta.url).pathname;

export interface Packed {
  /** What was packed. */
  readonly built: string;
  readonly tarball: string;
  /** A folder with a package.json and the package in its node_modules. */
  readonly project: string;
}

/** Builds, packs and installs below `folder`. */
export async function packAndInstall(folder: string): Promise<Packed> {
  const built = join(folder, 'built');
  await build(pathToFileURL(`${built}/`));
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: built });
  const [packed] = JSON.parse(stdout) as [{ filename: string }]; // npm's format
  const tarball = join(folder, packed.filename);
  const project = await mkdtemp(join(folder, 'project-'));
  await writeFile(join(project, 'package.json'), '{"type":"module","private":true}');
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...quiet, tarball], { cwd: project });
  return { built, tarball, project };
}
