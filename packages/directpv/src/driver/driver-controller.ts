import type { Cached, OwnerReference } from '@windlass/apimachinery';
import {
  addCapacityPublisher,
  addProvisioner,
  addResizer,
  addSnapshotController,
  addSnapshotter,
  type CapacityPublisher,
  type CsiServices,
  serveCsi,
} from '@windlass/csi';
import type { Manager, ObjectEvent } from '@windlass/runtime';
import { freeCapacity } from '../accounting/index.ts';
import { addDirectPVController, identityService } from '../controller-service/index.ts';
import { DirectPVDrive, DRIVER_NAME, isSuspended, NAMESPACE } from '../resources/index.ts';
import { serverRunnable } from './server-runnable.ts';

/** Which of the parts that make snapshots run. */
export type SnapshotService = 'all' | 'contents' | 'none';

/** How the controller service of the driver is served. */
export interface DriverControllerOptions {
  /** The build's. */
  readonly version: string;
  /** @default directpv-min-io */
  readonly driverName?: string;
  /** Where sidecars would find it. @default it is not served to others */
  readonly socketPath?: string;
  /** Where the scheduler is told of free capacity. @default directpv */
  readonly namespace?: string;
  /**
   * `all`: VolumeSnapshots of the driver's volumes are bound and made. `contents`: they are made, and the cluster has a
   * snapshot-controller of its own that binds them. `none`: the cluster has no definitions of snapshots.
   * @default all
   */
  readonly snapshots?: SnapshotService;
  /** Whose going takes along what is told there. @default nobody's */
  readonly owner?: OwnerReference;
}

/** The driver's controller with all that sidecars do elsewhere, in one manager. */
export async function addDriverController(manager: Manager, options: DriverControllerOptions): Promise<void> {
  const { version, driverName = DRIVER_NAME, socketPath, namespace = NAMESPACE, owner } = options;
  const { snapshots = 'all' } = options;
  const controller = addDirectPVController(manager, { driverName });
  const identity = identityService({ version, driverName, isReady: () => controller.isReady });
  const driver: CsiServices = { identity, controller };
  // A volume is only ever on one node, so that no other node's topology is of use.
  addProvisioner(manager, {
    driver,
    name: 'directpv-provisioner',
    strictTopology: true,
    // Blocks are shared on one drive.
    sourceDecides: true,
    defaultFsType: 'xfs',
  });
  addResizer(manager, { driver, name: 'directpv-resizer' });
  if (snapshots !== 'none') addSnapshotter(manager, { driver, name: 'directpv-snapshotter' });
  if (snapshots === 'all') addSnapshotController(manager, { driver: driverName, name: 'directpv-snapshots' });
  const publisher = addCapacityPublisher(manager, { driver, name: 'directpv-capacity', namespace, owner });
  refreshWithDrives(manager, publisher);
  if (socketPath === undefined) return;
  const { logger, metrics, clock } = manager;
  const start = (): ReturnType<typeof serveCsi> =>
    serveCsi({ ...driver, socketPath, logger, metrics, clock });
  await manager.add(serverRunnable('CSI server', start), 'always');
}

/** A drive that fills, empties, comes or goes is told at once; the publisher's own timer would take a minute. */
function refreshWithDrives(manager: Manager, publisher: CapacityPublisher): void {
  manager
    .controller('directpv-capacity-changes')
    .watches(DirectPVDrive, () => ['drives'], { predicates: [changesCapacity] })
    .reconcile(() => {
      publisher.refresh();
      return Promise.resolve();
    });
}

function changesCapacity(event: ObjectEvent<DirectPVDrive>): boolean {
  return event.type !== 'update' || offer(event.old) !== offer(event.object);
}

/** All of a drive that decides what GetCapacity says. */
function offer(drive: Cached<DirectPVDrive>): string {
  const { status, spec } = drive;
  return [freeCapacity(drive), status.status, spec?.unschedulable === true, isSuspended(drive)].join();
}
