import { join } from 'node:path';
import type { Logger } from '@windlass/base';
import { directoryOperatingSystem, linuxOperatingSystem, type OperatingSystem } from '@windlass/directpv';
import type { BackendChoice } from './drive-options.ts';
import { attachLoopDevices, type LoopDevices } from './loop-devices.ts';

/** The machine that a simulated node would be: its drives, and what mounts them. */
export interface NodeMachine {
  readonly os: OperatingSystem;
  /** Where drives are mounted, and the like: what `/var/lib/directpv` is elsewhere. */
  readonly root: string;
  /** What the kernel keeps for it until somebody takes it away; undefined when nothing. */
  readonly kept?: { readonly folder: string; readonly devices: LoopDevices };
}

export interface NodeMachineOptions {
  readonly backend: BackendChoice['backend'];
  /** Of the node. */
  readonly folder: string;
  readonly drives: number;
  readonly size: number;
  readonly logger: Logger;
}

export function nodeMachine(options: NodeMachineOptions): Promise<NodeMachine> {
  return options.backend === 'loop' ? loopMachine(options) : Promise.resolve(directoryMachine(options));
}

/** What a drive keeps for itself, where it is a directory. */
const OWN_BYTES = 2 ** 20;

function directoryMachine({ folder, drives, size }: NodeMachineOptions): NodeMachine {
  const os = directoryOperatingSystem({
    root: join(folder, 'drives'),
    drives: Array.from({ length: drives }, (_, index) => ({
      name: `drive-${index + 1}`,
      size: size + OWN_BYTES,
    })),
  });
  return { os, root: join(folder, 'directpv') };
}

async function loopMachine({ folder, drives, size, logger }: NodeMachineOptions): Promise<NodeMachine> {
  const devices: LoopDevices = await attachLoopDevices(join(folder, 'drives'), drives, size);
  // Volumes of a cluster on somebody's desk are worth having where the kernel cannot limit them.
  const os = linuxOperatingSystem({
    quota: 'preferred',
    loopDevices: devices,
    includes: () => false,
    logger,
  });
  return { os, root: join(folder, 'directpv'), kept: { folder, devices } };
}
