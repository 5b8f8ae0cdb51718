import { join } from 'node:path';
import type { Transport } from '@windlass/apimachinery';
import {
  CancelledError,
  type Clock,
  type Logger,
  type MetricsRegistry,
  makeDirectory,
  type Random,
  silentLogger,
  throwIfAborted,
  WindlassError,
} from '@windlass/base';
import { createClient } from '@windlass/client';
import {
  addDriverController,
  addDriverNode,
  DRIVER_NAME,
  ensureStorage,
  formatDrives,
} from '@windlass/directpv';
import { Manager } from '@windlass/runtime';
import { DRIVERS_STOP_MS } from '../stop-limits.ts';
import { type BackendChoice, DEFAULT_DRIVE_OPTIONS, type DriveOptions } from './drive-options.ts';
import { loopObstacle } from './loop-devices.ts';
import { nodeMachine } from './node-machine.ts';
import { NodeMachines } from './node-machines.ts';

/** The controllers that format drives are called so, one for each node. */
const FORMATTING = 'directpv-initrequest ';

/** A node with the folder in which its kubelet looks for drivers. */
export interface StorageNode {
  readonly name: string;
  readonly root: string;
}

export interface StorageOptions {
  readonly drives: DriveOptions;
  readonly nodes: readonly StorageNode[];
  /** The build's. */
  readonly version: string;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  /** Ends the start. */
  readonly signal?: AbortSignal | undefined;
}

/** DirectPV as it runs beside simulated nodes. */
export interface Storage extends AsyncDisposable {
  readonly backend: BackendChoice;
  /** Of the drivers. */
  readonly manager: Manager;
  /**
   * Begins to stop the drivers. The formatting of drives is cut off at once, and is done at the next start: it may be
   * that hundreds wait for it, and each program that is started holds up this process.
   */
  beginStop(): void;
  /** Formats the drives that are free. Resolves with a sentence for each that could not be. */
  initialise(signal: AbortSignal): Promise<readonly string[]>;
}

/**
 * Starts DirectPV in this process: its controller with what sidecars do elsewhere, and on each node its driver on
 * sockets of its own, where a kubelet finds it as any other. To be started before the kubelets, and stopped after them.
 */
export async function startStorage(options: StorageOptions): Promise<Storage> {
  const { drives, nodes, version, signal, ...environment } = options;
  const { perNode, size, backend: wanted } = { ...DEFAULT_DRIVE_OPTIONS, ...drives };
  const { transport, clock, random, logger } = options;
  const backend = await chooseBackend(wanted);
  const client = createClient({ transport, clock, random });
  await ensureStorage(client, clock, signal);
  const machines = new NodeMachines();
  const manager = new Manager({
    ...environment,
    identity: 'windlass',
    gracefulStopMs: DRIVERS_STOP_MS,
    clientOptions: { fieldManager: 'directpv' },
  });
  const stop = async (): Promise<void> => {
    try {
      await manager.stop();
    } finally {
      await machines[Symbol.asyncDispose]();
    }
  };
  try {
    await addDriverController(manager, { version, namespace: 'kube-system' });
    for (const [index, { name, root }] of nodes.entries()) {
      throwIfAborted(signal);
      // It is one machine, whose warnings are the same for each of its nodes.
      const machineLogger = index === 0 ? logger : silentLogger;
      const machine = {
        backend: backend.backend,
        folder: root,
        drives: perNode,
        size,
        logger: machineLogger,
      };
      const { os, root: mounts } = machines.add(await nodeMachine(machine));
      const plugin = join(root, 'plugins', DRIVER_NAME);
      const registry = join(root, 'plugins_registry');
      for (const folder of [plugin, registry]) await makeDirectory(folder);
      const socketPath = join(plugin, 'csi.sock');
      await addDriverNode(manager, {
        version,
        nodeName: name,
        os,
        root: mounts,
        socketPath,
        registration: { directory: registry, endpoint: socketPath },
      });
    }
    await manager.start(signal);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    backend,
    manager,
    beginStop: () => {
      for (const [name, controller] of manager.controllers) {
        if (!name.startsWith(FORMATTING)) continue;
        // They are told to end, and the manager waits for them: a program that formats may take a second to end.
        void controller.stop();
        controller.abortRuns(new CancelledError('the cluster stops'));
      }
      // Whoever disposes of it hears of a failure.
      void manager.stop().catch(() => {});
    },
    initialise: (signal) => formatDrives(client, { clock, random, signal }),
    [Symbol.asyncDispose]: stop,
  };
}

async function chooseBackend(wanted: 'auto' | 'directory' | 'loop'): Promise<BackendChoice> {
  if (wanted === 'directory') return { backend: 'directory', reason: 'as asked' };
  const obstacle = await loopObstacle();
  if (obstacle === undefined)
    return { backend: 'loop', reason: wanted === 'auto' ? 'this process can mount them' : 'as asked' };
  if (wanted === 'loop') throw new LoopDevicesError(obstacle);
  return { backend: 'directory', reason: `no loop devices: ${obstacle}` };
}

/** Loop devices were asked for by name and cannot be had. */
class LoopDevicesError extends WindlassError {
  constructor(obstacle: string) {
    super(`drives cannot be loop devices here: ${obstacle}; choose --drive-backend directory, or auto`, {
      code: 'NO_LOOP_DEVICES',
    });
  }
}
