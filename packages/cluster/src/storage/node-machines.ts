import { WindlassError } from '@windlass/base';
import { detachLoopDevices, unmountAll } from './loop-devices.ts';
import type { NodeMachine } from './node-machine.ts';

const PASSES = 3;

/** The machines of all nodes: what the kernel keeps for them is taken away together. */
export class NodeMachines implements AsyncDisposable {
  readonly #machines: NodeMachine[] = [];

  add(machine: NodeMachine): NodeMachine {
    this.#machines.push(machine);
    return machine;
  }

  /** Unmounts everything below the folders of the nodes and detaches the devices. At the next start it comes back. */
  async [Symbol.asyncDispose](): Promise<void> {
    const kept = this.#machines.flatMap((machine) => machine.kept ?? []);
    if (kept.length === 0) return;
    const folders = kept.map(({ folder }) => folder);
    let left = await this.#mountsBelow(folders);
    // A program that mounts may have been under way, and was late.
    for (let pass = 0; pass < PASSES && left.length > 0; pass++) {
      // The last mount first, so that nothing is mounted in what goes.
      await unmountAll(left.toReversed());
      left = await this.#mountsBelow(folders);
    }
    await detachLoopDevices(kept.flatMap(({ devices }) => devices));
    if (left.length > 0)
      throw new WindlassError(`${left.length} mounts are left, such as ${left[0]}; umount takes them away`, {
        code: 'MOUNTS_LEFT',
      });
  }

  async #mountsBelow(folders: readonly string[]): Promise<string[]> {
    const os = this.#machines[0]?.os;
    if (os === undefined) return [];
    const roots = new Set(await Promise.all(folders.map((folder) => os.realPath(folder))));
    const mounts = await os.mounts();
    return mounts.flatMap(({ mountPoint }) => (isBelow(mountPoint, roots) ? [mountPoint] : []));
  }
}

function isBelow(path: string, roots: ReadonlySet<string>): boolean {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
    if (roots.has(path.slice(0, end))) return true;
  return false;
}
