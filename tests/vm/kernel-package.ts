// Debian's kernel for virtual machines, unpacked beside our other programs and not installed: this machine's own boot
// is nobody's business.
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram, type Log, MissingNeedError, run } from '../real/harness/needs.ts';
import { cacheFolder } from '../real/harness/paths.ts';

export interface KernelPackage {
  /** The kernel itself. */
  readonly image: string;
  /** Where its modules are. */
  readonly modules: string;
}

const META_PACKAGE = 'linux-image-cloud-amd64';

/** @throws MissingNeedError where it cannot be had */
export async function kernelPackage(log: Log): Promise<KernelPackage> {
  for (const program of ['apt-get', 'apt-cache', 'dpkg-deb'])
    if ((await findProgram(program)) === undefined)
      throw new MissingNeedError(`it needs Debian's kernel, and there is no "${program}" to fetch it with`);
  const name = await packageName();
  const folder = cacheFolder('vm', name);
  const found = await findKernel(folder);
  if (found !== undefined) return found;
  log(`fetches ${name}`);
  const draft = `${folder}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  try {
    await run('apt-get', ['download', '-q', name], { cwd: draft });
    const archive = (await readdir(draft)).find((file) => file.endsWith('.deb'));
    await run('dpkg-deb', ['--extract', join(draft, archive ?? ''), draft]);
    await rm(join(draft, archive ?? ''));
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
  } catch (error) {
    throw new MissingNeedError(`Debian's kernel ${name} could not be fetched: ${String(error)}`);
  }
  const kernel = await findKernel(folder);
  if (kernel === undefined) throw new Error(`${name} has no kernel in boot/`);
  return kernel;
}

/** The newest one that is known here; known packages may be out of date, and are asked for again then. */
async function packageName(): Promise<string> {
  for (const isLast of [false, true]) {
    const { stdout } = await run('apt-cache', ['depends', META_PACKAGE]).catch(() => ({ stdout: '' }));
    const name = /Depends: (linux-image-\S+)/.exec(stdout)?.[1];
    if (name !== undefined) return name;
    if (isLast) break;
    await run('apt-get', ['update', '-q']).catch(() => {});
  }
  throw new MissingNeedError(`this machine's packages have no ${META_PACKAGE}`);
}

async function findKernel(folder: string): Promise<KernelPackage | undefined> {
  const files = await readdir(join(folder, 'boot')).catch(() => []);
  const image = files.find((file) => file.startsWith('vmlinuz-'));
  if (image === undefined) return undefined;
  const release = image.slice('vmlinuz-'.length);
  for (const modules of ['lib/modules', 'usr/lib/modules']) {
    const path = join(folder, modules, release);
    if ((await readdir(path).catch(() => [])).length > 0)
      return { image: join(folder, 'boot', image), modules: path };
  }
  return undefined;
}
