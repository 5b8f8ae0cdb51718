import type { IdentityService } from '@windlass/csi';
import { IDENTITY } from '../resources/index.ts';

/** What the driver says about itself. */
export interface IdentityOptions {
  /** The build's version. */
  readonly version: string;
  /** Whether calls would be answered. */
  readonly isReady: () => boolean;
  /** @default directpv-min-io */
  readonly driverName?: string;
}

/** Who the driver is; the same for its controller and its nodes. */
export function identityService({
  version,
  isReady,
  driverName = IDENTITY,
}: IdentityOptions): IdentityService {
  return {
    getPluginInfo: async () => ({ name: driverName, vendorVersion: version }),
    getPluginCapabilities: async () => ({
      capabilities: [
        { service: { type: 'CONTROLLER_SERVICE' } },
        { service: { type: 'VOLUME_ACCESSIBILITY_CONSTRAINTS' } },
        { volumeExpansion: { type: 'ONLINE' } },
      ],
    }),
    probe: async () => ({ ready: isReady() }),
  };
}
