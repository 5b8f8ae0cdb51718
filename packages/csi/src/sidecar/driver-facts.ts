import type { ControllerServiceCapabilityRPCType, PluginCapabilityServiceType } from '../generated/csi.ts';
import type { CsiDriver } from '../protocol/services.ts';

/** What a driver says of itself. */
export interface DriverFacts {
  readonly name: string;
  readonly services: ReadonlySet<PluginCapabilityServiceType>;
  readonly controller: ReadonlySet<ControllerServiceCapabilityRPCType>;
  /** Whether volumes can be used on some nodes only. */
  readonly hasTopology: boolean;
}

/**
 * Asks once and remembers; a failure is not remembered. Drivers say the same as long as they run, and one
 * that says more after an upgrade is asked again when its sidecar starts anew.
 */
export function driverFacts(driver: CsiDriver): (signal?: AbortSignal) => Promise<DriverFacts> {
  let known: DriverFacts | undefined;
  return async (signal) => {
    if (known !== undefined) return known;
    const { name } = await driver.getPluginInfo({}, { signal });
    const plugin = await driver.getPluginCapabilities({}, { signal });
    const services = new Set(plugin.capabilities.flatMap(({ service }) => (service ? [service.type] : [])));
    const controller = services.has('CONTROLLER_SERVICE')
      ? (await driver.controllerGetCapabilities({}, { signal })).capabilities
      : [];
    known = {
      name,
      services,
      controller: new Set(controller.flatMap(({ rpc }) => (rpc ? [rpc.type] : []))),
      hasTopology: services.has('VOLUME_ACCESSIBILITY_CONSTRAINTS'),
    };
    return known;
  };
}
