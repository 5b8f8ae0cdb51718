export {
  AUDIT_LEVELS,
  type AuditLevel,
  type AuditPolicy,
  auditPolicyFor,
  OPTIONAL_PLUGINS,
  type OptionalPlugin,
  parseAuditPolicy,
  parseTokenFile,
  type StaticToken,
} from '@windlass/apiserver';
export type { Disturbances } from './disturbances.ts';
export type { ClusterInside } from './inside.ts';
export { type RunningCluster, type StartClusterOptions, startCluster } from './start-cluster.ts';
export { type BackendChoice, DEFAULT_DRIVE_OPTIONS, type DriveOptions } from './storage/drive-options.ts';
