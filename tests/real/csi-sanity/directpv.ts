// DirectPV whole, controller and node in one process, as csi-sanity wants a driver: behind one socket.
import path from 'node:path';
import { CSINode } from '@windlass/apimachinery/api/storage/v1';
import { ApiServer, createMemoryStore } from '@windlass/apiserver';
import { realClock, silentLogger, systemRandom } from '@windlass/base';
import { createClient } from '@windlass/client';
import type { CsiServices } from '@windlass/csi';
import {
  addDirectPVController,
  addDirectPVNode,
  DRIVER_NAME,
  discoverDevices,
  ensureStorage,
  identityService,
  initConfigOf,
  initDrives,
  type OperatingSystem,
} from '@windlass/directpv';
import { Manager } from '@windlass/runtime';

export interface RunningDirectPV extends AsyncDisposable {
  readonly services: CsiServices;
}

/** With its drives formatted and ready. */
export async function startDirectPV(os: OperatingSystem, folder: string): Promise<RunningDirectPV> {
  const [clock, random] = [realClock, systemRandom];
  const parts = new AsyncDisposableStack();
  try {
    const server = new ApiServer({ store: createMemoryStore({ clock }), clock, random });
    parts.defer(() => server.close());
    await server.ready();
    const transport = server.transport();
    const client = createClient({ transport, clock, random });
    parts.defer(() => client.close());
    await ensureStorage(client, clock);
    // As a kubelet would write it after the driver has registered.
    await client.resource(CSINode).create({
      metadata: { name: 'node-1' },
      spec: { drivers: [{ name: DRIVER_NAME, nodeID: 'node-1' }] },
    });
    const manager = new Manager({ transport, clock, random, logger: silentLogger });
    const controller = addDirectPVController(manager, { driverName: DRIVER_NAME });
    const node = addDirectPVNode(manager, { nodeName: 'node-1', os, root: path.join(folder, 'directpv') });
    parts.defer(() => manager.stop());
    await manager.start();
    const { devices } = await discoverDevices(client, { clock });
    const results = await initDrives(client, initConfigOf(devices), { clock, random });
    for (const { drive, error } of results)
      if (error !== undefined) throw new Error(`drive ${drive} is not usable: ${error}`);
    const identity = identityService({
      version: '1.0.0',
      driverName: DRIVER_NAME,
      isReady: () => controller.isReady,
    });
    return { services: { identity, controller, node }, [Symbol.asyncDispose]: () => parts.disposeAsync() };
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}
