export type { ClientIdentity, KeyPair } from './certificates.ts';
export type { ControlPlaneProgram } from './control-plane-program.ts';
export { type RealControllerManagerOptions, startRealControllerManager } from './controller-manager.ts';
export { PLAIN_USER, PLAIN_USER_GROUP } from './credentials.ts';
export {
  type RealCluster,
  type RealClusterAccess,
  type RealClusterOptions,
  startRealCluster,
} from './real-cluster.ts';
export { sharedRealCluster } from './shared-cluster.ts';
