import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { needGo } from '../../tests/real/harness/needs.ts';
import { cacheFolder } from '../../tests/real/harness/paths.ts';
import { outputOf } from './child.ts';

const bench = new URL('../', import.meta.url).pathname;

export interface GoPeer {
  readonly program: string;
  /** What it measures and in which release, such as `client-go v0.36.3`. */
  readonly name: string;
}

/**
 * Builds bench/peers/NAME, a Go program with a go.mod of its own; Go's cache makes a second time cheap.
 * @param module the module that it measures
 * @throws MissingNeedError without Go
 */
export async function buildGoPeer(
  name: string,
  module: string,
  log: (line: string) => void,
): Promise<GoPeer> {
  const folder = `peers/${name}`;
  const program = await buildGoProgram(folder, log);
  const version = requiredVersion(join(bench, folder, 'go.mod'), module);
  return { program, name: `${module.split('/').at(-1)} ${version}` };
}

/**
 * Builds a Go program with a go.mod of its own, and returns its path.
 * @param folder within bench
 * @throws MissingNeedError without Go
 */
export async function buildGoProgram(folder: string, log: (line: string) => void): Promise<string> {
  const go = await needGo(`bench/${folder}`);
  const program = cacheFolder('bench', basename(folder));
  await mkdir(cacheFolder('bench'), { recursive: true });
  log(`building bench/${folder}`);
  await outputOf(go, ['build', '-buildvcs=false', '-trimpath', '-o', program, '.'], {
    cwd: join(bench, folder),
  });
  return program;
}

function requiredVersion(file: string, module: string): string {
  const line = readFileSync(file, 'utf8')
    .split('\n')
    .map((text) => text.trim().split(' '))
    .find(([name]) => name === module);
  if (line?.[1] === undefined) throw new Error(`${file} does not require ${module}`);
  return line[1];
}
