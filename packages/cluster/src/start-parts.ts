import type { Transport } from '@windlass/apimachinery';
import {
  type Clock,
  type KeyPair,
  type Logger,
  type MetricsRegistry,
  type Random,
  sleep,
  toError,
} from '@windlass/base';
import { createClient } from '@windlass/client';
import { driverNodes } from '@windlass/directpv';
import { type NodeSpec, simulatedNodes } from '@windlass/kubelet';
import { startControllerManager } from './controller-manager.ts';
import { startNodes } from './nodes.ts';
import { type BackendChoice, DEFAULT_DRIVE_OPTIONS, type DriveOptions } from './storage/drive-options.ts';
import { nodeRoots } from './storage/node-roots.ts';
import { type Storage, startStorage } from './storage/start-storage.ts';

/** Without it a new node would never take a pod. Who excludes it has said so before. */
const NODES = 'node-lifecycle-controller';
const POLL_MS = 10;

/** What acts on an API server, beside it in this process. */
export interface PartsOptions {
  readonly controllers: readonly string[] | undefined;
  readonly nodes: number | readonly NodeSpec[] | undefined;
  readonly drives: DriveOptions | undefined;
  /** Where nodes keep their volumes; temporary folders without it. */
  readonly dataDir: string | undefined;
  /** The authority: pods know the server by it, and it signs certificates that are asked for. */
  readonly authority: KeyPair | undefined;
  /** PEM; signs the tokens that secrets ask for. */
  readonly serviceAccountKey: string | undefined;
  readonly version: string;
  readonly progress: (step: string) => void;
}

export interface Surroundings {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/**
 * Starts them one after the other and puts each into `parts`. Resolves, when every part serves, with what the drives
 * are; undefined when there are none.
 */
export async function startParts(
  options: PartsOptions,
  surroundings: Surroundings,
  parts: AsyncDisposableStack,
): Promise<BackendChoice | undefined> {
  const { nodes, drives, authority, serviceAccountKey, progress } = options;
  const controllers = nodes === undefined ? options.controllers : [...(options.controllers ?? []), NODES];
  if (controllers !== undefined) {
    progress('starting the controllers');
    parts.use(
      await startControllerManager({
        ...surroundings,
        controllers,
        serviceAccountKey,
        rootCa: authority?.cert,
        signing: authority,
      }),
    );
  }
  if (nodes === undefined) return undefined;
  const specs = typeof nodes === 'number' ? simulatedNodes(nodes) : nodes;
  if (drives === undefined || specs.length === 0) {
    progress('starting the nodes');
    parts.use(await startNodes({ ...surroundings, nodes: specs }));
    return undefined;
  }
  progress('attaching the drives');
  const names = specs.map(({ name }) => name);
  const roots = parts.use(await nodeRoots(options.dataDir, names));
  const withRoots = specs.map((spec) => ({ root: roots.folder(spec.name), ...spec }));
  const storage = parts.use(
    await startStorage({ ...surroundings, drives, nodes: withRoots, version: options.version }),
  );
  progress('starting the nodes');
  parts.use(await startNodes({ ...surroundings, nodes: withRoots }));
  await registered(names, surroundings);
  if (drives.init ?? DEFAULT_DRIVE_OPTIONS.init) {
    progress('formatting the drives');
    const formatting = inBackground(storage, surroundings.logger);
    parts.use(formatting);
    // Directories take no time. Real file systems take seconds, and claims can wait for those.
    if (storage.backend.backend === 'directory') await formatting.done;
  }
  return storage.backend;
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

/** Until each kubelet has taken the driver in. */
async function registered(
  names: readonly string[],
  { transport, clock, random }: Surroundings,
): Promise<void> {
  const client = createClient({ transport, clock, random });
  for (;;) {
    const there = new Set(await driverNodes(client, {}));
    if (names.every((name) => there.has(name))) return;
    await sleep(clock, POLL_MS);
  }
}
