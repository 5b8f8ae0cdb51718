// Packages of the distribution that a lane needs. Only root may bring them, and only where there is apt.
import { findProgram, type Log, MissingNeedError, run } from '../../tests/real/harness/needs.ts';

/** @throws MissingNeedError that names the packages and why they could not be had */
export async function installPackages(names: readonly string[], log: Log): Promise<void> {
  const wanted = names.join(', ');
  if (process.getuid?.() !== 0)
    throw new MissingNeedError(`it needs the packages ${wanted}, and only root can install them`);
  if ((await findProgram('apt-get')) === undefined)
    throw new MissingNeedError(`it needs the packages ${wanted}, and there is no apt-get to install them`);
  log(`installs ${wanted}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await run('apt-get', ['update', '-q'], { env });
    await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...names], {
      env,
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    throw new MissingNeedError(
      `it needs the packages ${wanted}, which apt-get could not install: ${String(error)}`,
    );
  }
}
