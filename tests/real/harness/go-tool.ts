import { execFile } from 'node:child_process';
import { access, mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { needGo } from './needs.ts';
import { cacheFolder, repositoryRoot } from './paths.ts';

export interface GoTool {
  /** The folder below tools/ whose go.mod pins it. */
  readonly folder: string;
  readonly module: string;
  /** The package of the program; default the module itself. */
  readonly package?: string;
}

/** The path of a Go program of its pinned release, built from the published module where the cache has none. */
export async function ensureGoTool(tool: GoTool): Promise<string> {
  const cwd = join(repositoryRoot, 'tools', tool.folder);
  const lines = (await readFile(join(cwd, 'go.mod'), 'utf8')).split('\n');
  const line = lines.find((one) => one.includes(`${tool.module} v`)) ?? '';
  const version = /v\d+\.\d+\.\d+\S*/.exec(line)?.[0];
  if (version === undefined) throw new Error(`${cwd}/go.mod does not require ${tool.module}`);
  const target = cacheFolder('bin', `${tool.folder}-${version}`);
  const isThere = await access(target).then(
    () => true,
    () => false,
  );
  if (isThere) return target;
  const go = await needGo(`${tool.module} ${version}`);
  await mkdir(cacheFolder('bin'), { recursive: true });
  // Two runs may build at the same time; the rename makes each result appear whole.
  const partial = `${target}.${process.pid}`;
  const flags = ['build', '-trimpath', '-ldflags', '-s -w', '-o', partial, tool.package ?? tool.module];
  await promisify(execFile)(go, flags, { cwd, env: { ...process.env, CGO_ENABLED: '0' } });
  await rename(partial, target);
  return target;
}
