import type { Transport } from '@windlass/apimachinery';
import {
  type Clock,
  type KeyPair,
  type Logger,
  type MetricsRegistry,
  orAbort,
  type Random,
  throwIfAborted,
  toError,
} from '@windlass/base';
import { createClient } from '@windlass/client';
import { DEFAULT_LOAD_BALANCER_CIDR, type ServingApproval } from '@windlass/controllers';
import { waitForDrivers } from '@windlass/directpv';
import { type NodeSpec, simulatedNodes } from '@windlass/kubelet';
import type { Manager } from '@windlass/runtime';
import { startControllerManager } from './controller-manager.ts';
import type { Inside } from './inside.ts';
import { type MachineOptions, machineName, startMachineNode } from './machine-node.ts';
import { startNodes } from './nodes.ts';
import type { Parts } from './parts.ts';
import type { SimulatedNetwork } from './simulated-network.ts';
import { type BackendChoice, DEFAULT_DRIVE_OPTIONS, type DriveOptions } from './storage/drive-options.ts';
import { nodeRoots } from './storage/node-roots.ts';
import { type Storage, startStorage } from './storage/start-storage.ts';

/** Without it a new node would never take a pod. Who excludes it has said so before. */
const NODES = 'node-lifecycle-controller';

/** What acts on an API server, beside it in this process. */
export interface PartsOptions {
  readonly controllers: readonly string[] | undefined;
  readonly nodes: number | readonly NodeSpec[] | undefined;
  readonly drives: DriveOptions | undefined;
  /** This machine as one more node. */
  readonly machine: MachineOptions | undefined;
  /** Nothing of the cluster is there at the next start. */
  readonly isPassing: boolean;
  /** Where nodes keep their volumes; temporary folders without it. */
  readonly nodesDir: string | undefined;
  /** The authority: pods know the server by it, and it signs certificates that are asked for. */
  readonly authority: KeyPair | undefined;
  /** PEM; signs the tokens that secrets ask for. */
  readonly serviceAccountKey: string | undefined;
  /** Undefined leaves the serving certificates of nodes to people. */
  readonly servingApproval: ServingApproval | undefined;
  /** How the API server reaches simulated nodes. */
  readonly network: SimulatedNetwork;
  readonly version: string;
  /** Gets what is started. */
  readonly inside: Inside;
  readonly progress: (step: string) => void;
}

export interface PartsEnvironment {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  /** Ends the start. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Starts them one after the other and puts each into `parts`. Resolves, when every part serves, with what the drives
 * are; undefined when there are none. Rejects when the signal aborts; what was started is then in `parts`.
 */
export async function startParts(
  options: PartsOptions,
  environment: PartsEnvironment,
  parts: Parts,
): Promise<BackendChoice | undefined> {
  const { nodes, drives, progress } = options;
  const { signal } = environment;
  const controllers = await startControllers(options, environment, parts);
  throwIfAborted(signal);
  if (nodes === undefined) return undefined;
  const specs = typeof nodes === 'number' ? simulatedNodes(nodes) : nodes;
  const machine = options.machine === undefined ? undefined : { name: machineName(options.machine) };
  // Neither needs the other to stop, and both have a lot to end. To stop twice is to stop once.
  const startTheNodes = async (
    specsToStart: readonly NodeSpec[],
    machineWithRoot?: Pick<NodeSpec, 'name' | 'root'>,
  ): Promise<void> => {
    progress('starting the nodes');
    const { authority, network } = options;
    const serving = authority === undefined ? undefined : { network, authority };
    const running = await startNodes({ ...environment, nodes: specsToStart, serving });
    parts.use('the nodes', running);
    options.inside.addManager(...running.managers);
    options.inside.addKubelet(running.kubelet);
    const { machine: wanted, isPassing } = options;
    if (wanted !== undefined && machineWithRoot?.root !== undefined) {
      const { root } = machineWithRoot;
      progress(`making this machine a node`);
      const node = await startMachineNode({ ...environment, machine: wanted, root, serving, isPassing });
      parts.use('the node of this machine', node);
      options.inside.addManager(...node.managers);
    }
    parts.defer('the controllers', async () => void controllers?.stop().catch(() => {}));
  };
  const names = [...specs, ...(machine === undefined ? [] : [machine])].map(({ name }) => name);
  const hasDrives = drives !== undefined && names.length > 0;
  if (!hasDrives && machine === undefined) {
    await startTheNodes(specs);
    return undefined;
  }
  const roots = parts.use('the folders of the nodes', await nodeRoots(options.nodesDir, names));
  const withRoots = specs.map((spec) => ({ root: roots.folder(spec.name), ...spec }));
  const machineRoot = machine === undefined ? [] : [{ name: machine.name, root: roots.folder(machine.name) }];
  if (!hasDrives) {
    await startTheNodes(specs, machineRoot[0]);
    return undefined;
  }
  progress('attaching the drives');
  const storage = parts.use(
    'the drivers and drives of the nodes',
    await startStorage({
      ...environment,
      drives,
      nodes: [...withRoots, ...machineRoot],
      version: options.version,
    }),
  );
  options.inside.addManager(storage.manager);
  throwIfAborted(signal);
  await startTheNodes(withRoots, machineRoot[0]);
  // Formatting and mounting hundreds of drives would go on while the nodes stop, and hold them up.
  parts.defer('the drivers', async () => storage.beginStop());
  const { transport, clock, random } = environment;
  await waitForDrivers(createClient({ transport, clock, random }), names, { clock, signal });
  if (drives.init ?? DEFAULT_DRIVE_OPTIONS.init) {
    progress('formatting the drives');
    const formatting = inBackground(storage, environment.logger);
    parts.use('the formatting of drives', formatting);
    // Formatting and mounting hundreds of drives would go on while the nodes stop, and hold them up.
    parts.defer('the drivers', async () => storage.beginStop());
    // Directories take no time. Real file systems take seconds, and claims can wait for those.
    if (storage.backend.backend === 'directory') await orAbort(formatting.done, signal);
  }
  return storage.backend;
}

async function startControllers(
  { nodes, authority, serviceAccountKey, servingApproval, progress, ...options }: PartsOptions,
  environment: PartsEnvironment,
  parts: Parts,
): Promise<Manager | undefined> {
  const controllers = nodes === undefined ? options.controllers : [...(options.controllers ?? []), NODES];
  if (controllers === undefined) return undefined;
  progress('starting the controllers');
  const manager = await startControllerManager({
    ...environment,
    controllers,
    serviceAccountKey,
    rootCa: authority?.cert,
    signing: authority,
    servingApproval,
    // Simulated nodes have simulated load balancers; on real ones somebody real gives addresses.
    loadBalancerCidr: nodes === undefined ? undefined : DEFAULT_LOAD_BALANCER_CIDR,
  });
  options.inside.addManager(manager);
  return parts.use('the controllers', manager);
}

/** Formats the drives; what goes wrong is logged, and a stop is not held up. */
function inBackground(storage: Storage, logger: Logger): AsyncDisposable & { readonly done: Promise<void> } {
  const stop = new AbortController();
  const format = async (): Promise<void> => {
    try {
      for (const problem of await storage.initialise(stop.signal)) logger.warn(problem);
    } catch (error) {
      if (!stop.signal.aborted)
        logger.error('drives were not formatted; windlass directpv discover and init do it by hand', {
          error: toError(error),
        });
    }
  };
  const done = format();
  return {
    done,
    [Symbol.asyncDispose]: () => {
      stop.abort();
      return done;
    },
  };
}
