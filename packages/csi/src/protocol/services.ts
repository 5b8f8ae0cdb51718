import { type ClientOf, type Handler, handlersOf, type ServiceOf } from '@windlass/grpc';
import type { ControllerMethods, IdentityMethods, NodeMethods } from '../generated/csi.ts';
import { CSI_METHODS } from './methods.ts';

/** A method that a driver leaves out answers UNIMPLEMENTED. What it throws, its caller gets as GrpcError. */
type With<Service, Required extends keyof Service> = Service & {
  readonly [Key in Required]-?: NonNullable<Service[Key]>;
};

/** What a driver says about itself. */
export type IdentityService = With<ServiceOf<IdentityMethods>, keyof IdentityMethods>;
/** What a driver does once for a volume, wherever it will be used. */
export type ControllerService = With<ServiceOf<ControllerMethods>, 'controllerGetCapabilities'>;
/** What a driver does on the node where a volume is used. */
export type NodeService = With<ServiceOf<NodeMethods>, 'nodeGetCapabilities' | 'nodeGetInfo'>;

/** A driver as it is written: identity, and what of the other two it has. */
export interface CsiServices {
  readonly identity: IdentityService;
  readonly controller?: ControllerService | undefined;
  readonly node?: NodeService | undefined;
}

/** A driver as it is called: over a socket (`CsiClient`) or in the same process (`directDriver`). */
export type CsiDriver = ClientOf<IdentityMethods> & ClientOf<ControllerMethods> & ClientOf<NodeMethods>;

/** Every method, those that the driver lacks without anything behind them. */
export function csiHandlers({ identity, controller, node }: CsiServices): Handler[] {
  return [
    ...handlersOf(CSI_METHODS.identity, identity),
    ...handlersOf(CSI_METHODS.controller, controller ?? {}),
    ...handlersOf(CSI_METHODS.node, node ?? {}),
  ];
}
