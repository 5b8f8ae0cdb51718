import { addProvisioner, type CsiServices, serveCsi } from '@windlass/csi';
import type { Manager } from '@windlass/runtime';
import { addDirectpvController, identityService } from '../controller-service/index.ts';
import { DRIVER_NAME } from '../resources/index.ts';
import { served } from './served.ts';

export interface DriverControllerOptions {
  /** The build's. */
  readonly version: string;
  /** @default directpv-min-io */
  readonly driverName?: string;
  /** Where sidecars would find it. @default it is not served to others */
  readonly socketPath?: string;
}

/** The driver's controller with all that sidecars do elsewhere, in one manager. */
export async function addDriverController(
  manager: Manager,
  { version, driverName = DRIVER_NAME, socketPath }: DriverControllerOptions,
): Promise<void> {
  const controller = addDirectpvController(manager, { driverName });
  const identity = identityService({ version, driverName, isReady: () => controller.isReady });
  const driver: CsiServices = { identity, controller };
  // A volume is only ever on one node, so that no other node's topology is of use.
  addProvisioner(manager, {
    driver,
    name: 'directpv-provisioner',
    strictTopology: true,
    defaultFsType: 'xfs',
  });
  if (socketPath === undefined) return;
  const { logger, metrics, clock } = manager;
  const start = (): ReturnType<typeof serveCsi> =>
    serveCsi({ ...driver, socketPath, logger, metrics, clock });
  await manager.add(served('CSI server', start), 'always');
}
