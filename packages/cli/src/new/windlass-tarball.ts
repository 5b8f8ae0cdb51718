import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { UsageError } from '../command-line/exit.ts';

/**
 * The tarball that the running Windlass was installed from, as `npx ./windlass-1.2.3.tgz` does; undefined when it came
 * from elsewhere. A project that is made by it then takes the same.
 * @param program a file of the running package
 */
export async function installedFrom(program: string): Promise<string | undefined> {
  const modules = dirname(dirname(program));
  if (basename(modules) !== 'node_modules') return undefined;
  const installer = dirname(modules);
  const text = await readFile(resolve(installer, 'package.json'), 'utf8').catch(() => '{}');
  // npm has written it, or somebody who gave it to npm.
  const { dependencies } = JSON.parse(text) as { readonly dependencies?: Readonly<Record<string, unknown>> };
  const from = dependencies?.['windlass'];
  if (typeof from !== 'string' || !/^file:.*\.tgz$/.test(from)) return undefined;
  const tarball = resolve(installer, from.slice('file:'.length));
  return (await isFile(tarball)) ? tarball : undefined;
}

/** @throws UsageError when there is no such file, or it is no tarball */
export async function checkTarball(path: string): Promise<string> {
  if (!path.endsWith('.tgz') || !(await isFile(path)))
    throw new UsageError(
      `--windlass must be a tarball that npm pack has made, such as windlass-0.1.0.tgz, but it is "${path}"`,
    );
  return resolve(path);
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true;
}
