import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { WindlassError } from '@windlass/base';
import { readKernelState } from './kernel-state.ts';
import { detachLoopDevices, unmountAll } from './loop-devices.ts';
import { planRelease, type ReleasePlan } from './plan-release.ts';

/** What was taken away. */
export interface Released {
  readonly unmounted: number;
  readonly detached: number;
}

/**
 * Unmounts and detaches what the kernel still keeps in folders that are to be deleted, of a cluster that does not run.
 * The folders are names in `dataDir`, and so are `nodes`, those that have nodes in them. Idempotent.
 * @throws ForeignMountError when somebody else has something mounted there; then nothing was changed
 * @throws KernelStateLeftError when something could not be taken away
 */
export async function releaseKernelState(
  dataDir: string,
  doomed: readonly string[],
  nodes: readonly string[],
): Promise<Released> {
  const home = await realpath(dataDir);
  const inHome = (names: readonly string[]): string[] => names.map((name) => join(home, name));
  const plan = async (): Promise<ReleasePlan> =>
    planRelease(inHome(doomed), inHome(nodes), await readKernelState());
  const found = await plan();
  if (found.foreign[0] !== undefined) throw new ForeignMountError(dataDir, found.foreign[0]);
  if (found.unmount.length === 0 && found.detach.length === 0) return { unmounted: 0, detached: 0 };
  await unmountAll(found.unmount);
  await detachLoopDevices(found.detach.map(({ name }) => name));
  const left = await plan();
  const [mountPoint] = left.unmount;
  if (mountPoint !== undefined) throw new KernelStateLeftError(`${mountPoint} is still mounted`);
  // One that a program still uses goes when that ends, and is no obstacle.
  const device = left.detach.find(({ goesByItself }) => !goesByItself);
  if (device !== undefined) throw new KernelStateLeftError(`/dev/${device.name} is still attached`);
  return { unmounted: found.unmount.length, detached: found.detach.length };
}

/** Something is mounted in a data directory that the cluster has not mounted. */
export class ForeignMountError extends WindlassError {
  constructor(dataDir: string, mountPoint: string) {
    super(
      `${mountPoint} is a mount that does not belong to the cluster in ${dataDir}; unmount it first: what is in it would be deleted`,
      { code: 'FOREIGN_MOUNT' },
    );
  }
}

/** The kernel keeps something that could not be taken away. */
export class KernelStateLeftError extends WindlassError {
  constructor(problem: string) {
    const isRoot = process.getuid?.() === 0;
    const advice = isRoot ? 'end the process that uses it, and try again' : 'try again as root';
    super(`${problem}; ${advice}`, { code: 'KERNEL_STATE_LEFT' });
  }
}
