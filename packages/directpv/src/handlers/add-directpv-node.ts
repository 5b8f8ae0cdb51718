import { InvalidArgumentError, isCancelled, toError, WindlassError } from '@windlass/base';
import type { NodeService } from '@windlass/csi';
import { channelSource, type Manager, type Runnable, type RunnableContext } from '@windlass/runtime';
import { KeyedLock } from '../controller-service/keyed-lock.ts';
import { NodeMetrics } from '../metrics/node-metrics.ts';
import { layoutOf } from '../node-service/layout.ts';
import type { NodeContext } from '../node-service/node-context.ts';
import { createNodeService } from '../node-service/node-service.ts';
import { podsOfVolume } from '../node-service/pods-of-volume.ts';
import type { OperatingSystem } from '../os/index.ts';
import {
  contentSource,
  DirectPVDrive,
  DirectPVInitRequest,
  DirectPVNode,
  DirectPVSnapshot,
  DirectPVVolume,
  EVENT_COMPONENT,
  IDENTITY,
  LABELS,
  nodeLabelValue,
  PATHS,
} from '../resources/index.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { DeviceInventory } from './device-inventory.ts';
import { DriveHandler } from './drive-handler.ts';
import { InitHandler } from './init-handler.ts';
import { groupHints } from './known-drives.ts';
import { NodeHandler } from './node-handler.ts';
import { Purger } from './purge/purger.ts';
import { SnapshotHandler } from './snapshot-handler.ts';
import { VolumeHandler } from './volume-handler.ts';

/** Options of the part of DirectPV that runs on each node. */
export interface DirectPVNodeOptions {
  /** The Kubernetes node; also what CSI calls it. */
  readonly nodeName: string;
  readonly os: OperatingSystem;
  /** Where drives are mounted: `<root>/mnt/<drive>`. @default /var/lib/directpv */
  readonly root?: string;
  /** Where the node is. @default `default` for each */
  readonly topology?: { readonly rack?: string; readonly zone?: string; readonly region?: string };
  /** How often a drive is looked at when nothing happens, in milliseconds. @default 60000 */
  readonly healthCheckMs?: number;
  /** How often volumes and drives are measured, in milliseconds; 0: never. @default 30000 */
  readonly metricsMs?: number;
  /** How many devices are formatted at a time. @default 4 */
  readonly initConcurrency?: number;
  /** How many volumes, and drives, are worked on at a time. @default 40 */
  readonly concurrency?: number;
}

/** The defaults of `DirectPVNodeOptions`. */
export const DEFAULT_DIRECTPV_NODE_OPTIONS = Object.freeze({
  root: PATHS.root,
  healthCheckMs: 60_000,
  metricsMs: 30_000,
  initConcurrency: 4,
  concurrency: 40,
});

/** CSI's node service, and whether the node's drives are as they should be. */
export type DirectPVNodeService = NodeService & {
  /** Whether every drive of the node has been looked at, and mounted if it could be. */
  readonly isReady: boolean;
};

/** The node is not ready yet, or no longer. */
class NodeNotReadyError extends WindlassError {
  constructor(why: string) {
    super(why, { code: 'NODE_NOT_READY' });
  }
}

/**
 * Makes a manager keep the drives and volumes of one node, and returns the CSI service for its kubelet. A manager may
 * keep several nodes; each has its own operating system and root.
 */
export function addDirectPVNode(manager: Manager, options: DirectPVNodeOptions): DirectPVNodeService {
  const {
    nodeName,
    os,
    root,
    topology = {},
    healthCheckMs,
    metricsMs,
    initConcurrency,
    concurrency,
  } = {
    ...DEFAULT_DIRECTPV_NODE_OPTIONS,
    ...options,
  };
  if (nodeName === '') throw new InvalidArgumentError('nodeName', nodeName, "a node's name");
  if (!root.startsWith('/')) throw new InvalidArgumentError('root', root, 'an absolute path');
  const { clock, random } = manager;
  const logger = manager.logger.with({ node: nodeName });
  const labelSelector = `${LABELS.node}=${nodeLabelValue(nodeName)}`;
  const driveKind = manager.cluster.cache.kind(DirectPVDrive, { labelSelector });
  const volumeKind = manager.cluster.cache.kind(DirectPVVolume, { labelSelector });
  const snapshotKind = manager.cluster.cache.kind(DirectPVSnapshot, { labelSelector });
  const context: NodeContext = {
    nodeName,
    topology: {
      [LABELS.identity]: IDENTITY,
      [LABELS.rack]: topology.rack ?? 'default',
      [LABELS.zone]: topology.zone ?? 'default',
      [LABELS.region]: topology.region ?? 'default',
      [LABELS.node]: nodeLabelValue(nodeName),
    },
    os,
    layout: layoutOf(root),
    client: manager.client,
    volumes: manager.objects(DirectPVVolume),
    drives: manager.objects(DirectPVDrive),
    snapshots: manager.objects(DirectPVSnapshot),
    local: {
      drives: () => driveKind.list(),
      volumes: () => volumeKind.list(),
      snapshots: () => snapshotKind.list(),
    },
    recorder: manager.recorder(EVENT_COMPONENT),
    logger,
    clock,
    random,
    locks: new KeyedLock(),
  };
  const inventory = new DeviceInventory(os, clock, () => groupHints(driveKind.list()));
  const purger = new Purger(os);
  const nodeChanges = channelSource('devices');
  const driveWakes = channelSource('devices');
  const volumeWakes = channelSource('removals');
  const driveHandler = new DriveHandler(context, {
    inventory,
    purger,
    healthCheckMs,
    wake: (drive) => void driveWakes.send(drive, 'leftovers were removed'),
  });
  const volumeHandler = new VolumeHandler(context, {
    purger,
    wake: (volume) => void volumeWakes.send(volume, 'its data was removed'),
  });
  const snapshotWakes = channelSource('removals');
  const snapshotHandler = new SnapshotHandler(context, {
    purger,
    wake: (snapshot) => void snapshotWakes.send(snapshot, 'its data was removed'),
  });
  const requests = manager.objects(DirectPVInitRequest);
  const initHandler = new InitHandler(context, {
    inventory,
    requests,
    limit: new ConcurrencyLimit(initConcurrency),
  });
  const nodeHandler = new NodeHandler(context, { inventory, nodes: manager.objects(DirectPVNode) });
  let problem: string | undefined = 'the drives of the node are not looked at yet';

  const add = (runnable: Runnable): void => {
    // A manager that is stopping takes nothing, and the controllers below are told so at once.
    manager.add(runnable, 'always').catch((error: unknown) => logger.warn('a part is not run', { error }));
  };
  const watchDevices = async ({ signal, ready }: RunnableContext): Promise<void> => {
    const kinds = [driveKind, volumeKind, snapshotKind];
    for (const kind of kinds) kind.start();
    await Promise.all(kinds.map((kind) => kind.synced(signal)));
    const changes = os.deviceChanges({ signal });
    try {
      await os.makeDirectory(context.layout.mounts, { recursive: true });
      await os.mountEmpty(context.layout.empty, { signal });
    } catch (error) {
      // Drives and suspended volumes that need them try again.
      logger.warn('the directories for drives and suspended volumes could not be prepared', {
        error: toError(error),
      });
    }
    await os
      .resumePods(volumeKind.list().flatMap(podsOfVolume))
      .catch((error: unknown) =>
        logger.warn('pods that were paused may stand still', { error: toError(error) }),
      );
    nodeChanges.send(nodeName, 'start');
    problem = undefined;
    ready();
    try {
      for await (const { action, name } of changes) {
        logger.info('a device has changed', { action, device: name });
        inventory.forget();
        nodeHandler.changed();
        nodeChanges.send(nodeName, `${action} ${name}`);
        for (const { metadata } of driveKind.list()) driveWakes.send(metadata.name, `${action} ${name}`);
      }
    } catch (error) {
      if (!isCancelled(error) || !signal.aborted) throw error;
    } finally {
      problem = 'the node has stopped';
      await purger.stop();
      await Promise.all(kinds.map((kind) => kind.release()));
    }
  };
  add({ name: `directpv devices of ${nodeName}`, signalsReady: true, run: watchDevices });

  if (metricsMs > 0) {
    const { run } = new NodeMetrics(manager.metrics, context, metricsMs);
    add({ name: `directpv metrics of ${nodeName}`, run });
  }

  const own = { labelSelector };
  // A drive may be copied or formatted for hours; what hangs for good, the operating system's own deadlines end.
  const settings = { needsLeadership: false, concurrency, timeoutMs: 0 };
  manager
    .controller(`directpv-drive ${nodeName}`)
    .for(DirectPVDrive, own)
    .source(driveWakes)
    .reconcile(driveHandler.reconcile, settings);
  manager
    .controller(`directpv-volume ${nodeName}`)
    .for(DirectPVVolume, own)
    .watches(
      DirectPVDrive,
      ({ metadata }) =>
        volumeKind
          .list()
          .filter(({ status }) => status.fsuuid === metadata.name)
          .map((volume) => volume.metadata.name),
      own,
    )
    .source(volumeWakes)
    .reconcile(volumeHandler.reconcile, settings);
  manager
    .controller(`directpv-snapshot ${nodeName}`)
    .for(DirectPVSnapshot, own)
    // One that is deleted waits for the volumes that are made of it.
    .watches(
      DirectPVVolume,
      (volume) => {
        const source = contentSource(volume);
        return source?.kind === 'snapshot' ? [source.id] : [];
      },
      own,
    )
    .source(snapshotWakes)
    .reconcile(snapshotHandler.reconcile, settings);
  manager
    .controller(`directpv-initrequest ${nodeName}`)
    .for(DirectPVInitRequest, own)
    .reconcile(initHandler.reconcile, { ...settings, concurrency: Math.max(10, initConcurrency) });
  manager
    .controller(`directpv-node ${nodeName}`)
    .for(DirectPVNode, own)
    .watches(
      DirectPVDrive,
      () => {
        // Whether a device is ours is shown with it.
        nodeHandler.changed();
        return [nodeName];
      },
      { ...own, predicates: [(event) => event.type !== 'update'] },
    )
    .source(nodeChanges)
    .reconcile(nodeHandler.reconcile, { ...settings, concurrency: 1 });

  const whyNotReady = (): string | undefined => {
    const unseen = driveKind.list().find(({ metadata }) => !driveHandler.hasChecked(metadata.name));
    if (problem !== undefined || unseen === undefined) return problem;
    return `drive ${unseen.metadata.name} has not been looked at yet`;
  };
  manager.addReadinessCheck(`directpv-node ${nodeName}`, () => {
    const why = whyNotReady();
    if (why !== undefined) throw new NodeNotReadyError(why);
  });
  return {
    ...createNodeService(context),
    get isReady() {
      return whyNotReady() === undefined;
    },
  };
}
