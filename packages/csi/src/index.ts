export type { Call, CallOptions, GrpcCode, MessageInit, ServerOptions } from '@windlass/grpc';
export { GrpcError, SocketError } from '@windlass/grpc';
export {
  addCapacityPublisher,
  type CapacityPublisher,
  type CapacityPublisherOptions,
} from './capacity/capacity-publisher.ts';
export * from './generated/csi.ts';
export * from './generated/registration.ts';
export type { ClientOptions } from './protocol/client-options.ts';
export { CsiClient } from './protocol/csi-client.ts';
export { type DirectDriverOptions, directDriver } from './protocol/direct-driver.ts';
export { livenessCheck } from './protocol/liveness.ts';
export { type RunningServer, type ServeCsiOptions, serveCsi } from './protocol/serve-csi.ts';
export type {
  ControllerService,
  CsiDriver,
  CsiServices,
  IdentityService,
  NodeService,
} from './protocol/services.ts';
export type { ProvisionerOptions } from './provisioner/options.ts';
export { addProvisioner } from './provisioner/provisioner.ts';
export { RegistrationClient } from './registration/registration-client.ts';
export { type ServeRegistrationOptions, serveRegistration } from './registration/serve-registration.ts';
export { addResizer, type ResizerOptions } from './resizer/resizer.ts';
export { snapshotDefinitions } from './snapshots/definitions.ts';
export { addSnapshotController, type SnapshotControllerOptions } from './snapshots/snapshot-controller.ts';
export { addSnapshotter, type SnapshotterOptions } from './snapshots/snapshotter.ts';
export * from './snapshots/volume-snapshot.ts';
