import { join } from 'node:path';
import { type CsiServices, serveCsi, serveRegistration } from '@windlass/csi';
import type { Manager } from '@windlass/runtime';
import { identityService } from '../controller-service/index.ts';
import { addDirectPVNode, type DirectPVNodeOptions } from '../handlers/index.ts';
import { DRIVER_NAME } from '../resources/index.ts';
import { serverRunnable } from './server-runnable.ts';

/** How the node service of the driver is served. */
export interface DriverNodeOptions extends DirectPVNodeOptions {
  /** The build's. */
  readonly version: string;
  /** @default directpv-min-io */
  readonly driverName?: string;
  readonly socketPath: string;
  /** Where the kubelet looks for drivers, and how it sees our socket. @default somebody else registers it */
  readonly registration?: { readonly directory: string; readonly endpoint: string };
}

/** The driver's node server, which also registers itself with the kubelet. */
export async function addDriverNode(manager: Manager, options: DriverNodeOptions): Promise<void> {
  const { version, driverName = DRIVER_NAME, socketPath, registration, ...node } = options;
  const { logger, metrics, clock } = manager;
  const isReady = (): boolean => manager.lifecycle === 'running';
  const driver: CsiServices = {
    identity: identityService({ version, driverName, isReady }),
    node: addDirectPVNode(manager, node),
  };
  const start = (): ReturnType<typeof serveCsi> =>
    serveCsi({ ...driver, socketPath, logger, metrics, clock });
  await manager.add(serverRunnable(`CSI server of ${node.nodeName}`, start), 'always');
  if (registration === undefined) return;
  const register = (): ReturnType<typeof serveRegistration> =>
    serveRegistration({
      socketPath: join(registration.directory, `${driverName}-reg.sock`),
      info: { name: driverName, endpoint: registration.endpoint },
      logger,
      metrics,
      clock,
    });
  await manager.add(serverRunnable(`plugin registration of ${node.nodeName}`, register), 'always');
}
