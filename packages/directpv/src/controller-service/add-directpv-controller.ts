import { onAbort, WindlassError } from '@windlass/base';
import type { Manager, RunnableContext } from '@windlass/runtime';
import type { RecordedBytes } from '../accounting/index.ts';
import {
  DirectPVDrive,
  DirectPVSnapshot,
  DirectPVVolume,
  EVENT_COMPONENT,
  IDENTITY,
} from '../resources/index.ts';
import { capacityGauges } from './capacity-gauges.ts';
import type { ControllerContext } from './context.ts';
import { controllerService, type ServedMethods } from './controller-service.ts';
import { DeletedByHand } from './deleted-by-hand.ts';
import { DriveLedger } from './drive-ledger.ts';
import { DriveRepair } from './drive-repair.ts';
import type { Holding } from './holdings.ts';
import { KeyedLock } from './keyed-lock.ts';
import { LostNodes } from './lost-nodes.ts';
import { controllerMetrics } from './metrics.ts';
import { ObjectChanges } from './object-changes.ts';
import { whenReady } from './when-ready.ts';

/** Options of the part of DirectPV that runs once in a cluster. */
export interface DirectPVControllerOptions {
  /** @default directpv-min-io */
  readonly driverName?: string;
  /**
   * How long something half-done is left to whoever is at work on it, before it is repaired. More than the minute that
   * a creation may take.
   * @default 300000
   */
  readonly repairGraceMs?: number;
  /** How long a node's object must be missing before its drives and volumes count as lost. @default 300000 */
  readonly nodeGoneAfterMs?: number;
  /** How long an empty drive of a lost node is kept. @default 86400000 */
  readonly forgetLostDrivesAfterMs?: number;
}

/** The defaults of `DirectPVControllerOptions`. */
export const DEFAULT_DIRECTPV_CONTROLLER_OPTIONS = Object.freeze({
  driverName: IDENTITY,
  repairGraceMs: 300_000,
  nodeGoneAfterMs: 300_000,
  forgetLostDrivesAfterMs: 24 * 3_600_000,
});

/** CSI's controller service, and whether it would answer. */
export type DirectPVControllerService = ServedMethods & {
  /** Whether the drives and volumes of the cluster are known. Calls before that answer UNAVAILABLE. */
  readonly isReady: boolean;
};

const DRIVE_INDEX = 'directpv-drive';
/** A server that cannot be watched for longer makes the process not ready. */
const MAX_SILENCE_MS = 60_000;

/**
 * Makes a manager serve DirectPV's controller: the CSI service, which is returned, and the loops that repair what
 * crashes leave and clean up after lost nodes. The service works on every replica; with leader election the loops do
 * on one, without it on all of them.
 */
export function addDirectPVController(
  manager: Manager,
  options: DirectPVControllerOptions = {},
): DirectPVControllerService {
  const { driverName, repairGraceMs, nodeGoneAfterMs, forgetLostDrivesAfterMs } = {
    ...DEFAULT_DIRECTPV_CONTROLLER_OPTIONS,
    ...options,
  };
  const { clock, random, logger } = manager;
  const metrics = controllerMetrics(manager.metrics);
  const driveKind = manager.cluster.cache.kind(DirectPVDrive);
  const volumeKind = manager.cluster.cache.kind(DirectPVVolume);
  volumeKind.addIndexers({ [DRIVE_INDEX]: ({ status }) => [status.fsuuid] });
  const snapshotKind = manager.cluster.cache.kind(DirectPVSnapshot);
  snapshotKind.addIndexers({ [DRIVE_INDEX]: ({ status }) => [status.fsuuid] });

  const recorded =
    (drive: string): RecordedBytes =>
    (id) => {
      const status = (volumeKind.find(id) ?? snapshotKind.find(id))?.status;
      return status?.fsuuid === drive ? status.totalCapacity : undefined;
    };
  const ledger = new DriveLedger({
    drives: manager.client.resource(DirectPVDrive),
    recorded,
    clock,
    random,
    metrics,
  });
  const context: ControllerContext = {
    ledger,
    volumes: manager.objects(DirectPVVolume),
    snapshots: manager.objects(DirectPVSnapshot),
    changes: new ObjectChanges(),
    locks: new KeyedLock(),
    clock,
    random,
    logger,
    recorder: manager.recorder(EVENT_COMPONENT),
    metrics,
  };

  let isReady = false;
  const run = async ({ signal, ready }: RunnableContext): Promise<void> => {
    const subscription = driveKind.subscribe(
      {
        onAdd: (drive) => ledger.observe(drive),
        onUpdate: (_, drive) => ledger.observe(drive),
        onDelete: (drive) => ledger.forget(drive),
      },
      { name: 'directpv-ledger' },
    );
    const tell = ({ metadata }: Holding): void => context.changes.tell(metadata.name);
    const news = { onAdd: tell, onUpdate: (_: Holding, now: Holding) => tell(now), onDelete: tell };
    volumeKind.subscribe(news, { name: 'directpv-waiting' });
    snapshotKind.subscribe(news, { name: 'directpv-waiting' });
    for (const kind of [driveKind, volumeKind, snapshotKind]) kind.start();
    try {
      await Promise.all([
        subscription.synced(signal),
        volumeKind.synced(signal),
        snapshotKind.synced(signal),
        context.volumes.warmUp(signal),
        context.snapshots.warmUp(signal),
      ]);
      isReady = true;
      ready();
      await new Promise<void>((resolve) => void onAbort(signal, resolve));
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      isReady = false;
      await Promise.all([driveKind, volumeKind, snapshotKind].map((kind) => kind.release()));
    }
  };
  // As long as any cache: what asks it for volumes, such as the capacity publisher, is started after and stopped before.
  void manager.add({ name: 'directpv-controller', signalsReady: true, run }, 'caches');

  const driveRepair = new DriveRepair(context, {
    graceMs: repairGraceMs,
    holdingsOf: (drive): readonly Holding[] => [
      ...volumeKind.byIndex(DRIVE_INDEX, drive),
      ...snapshotKind.byIndex(DRIVE_INDEX, drive),
    ],
  });
  const lostNodes = new LostNodes(manager, context, {
    goneAfterMs: nodeGoneAfterMs,
    forgetDrivesAfterMs: forgetLostDrivesAfterMs,
  });
  const deletedByHand = new DeletedByHand(manager, context, { driverName, waitMs: 60_000 });
  for (const loop of [driveRepair, lostNodes, deletedByHand]) loop.addTo(manager);
  capacityGauges(manager.metrics, { drives: () => ledger.drives(), volumes: () => volumeKind.list() });

  let failingSince: number | undefined;
  manager.addReadinessCheck('directpv-controller', () => {
    if (!isReady) throw new NotReadyError('drives and volumes are not known yet');
    const error = driveKind.informerOf('')?.lastError ?? volumeKind.informerOf('')?.lastError;
    failingSince = error === undefined ? undefined : (failingSince ?? clock.monotonic());
    if (failingSince !== undefined && clock.monotonic() - failingSince > MAX_SILENCE_MS)
      throw new NotReadyError(`drives or volumes cannot be watched: ${error?.message ?? ''}`);
  });

  return {
    ...whenReady(controllerService(context), () => isReady),
    get isReady() {
      return isReady;
    },
  };
}

class NotReadyError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'NOT_READY' });
  }
}
