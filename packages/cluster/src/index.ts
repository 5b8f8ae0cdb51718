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
export { type BackupOptions, backupCluster } from './backup/backup.ts';
export type { BackupHeader } from './backup/backup-file.ts';
export { BackupDamagedError, BackupFailedError } from './backup/errors.ts';
export {
  MigrationError,
  type MigrationOptions,
  migrateFromEtcd,
  migrateToEtcd,
} from './backup/migrate.ts';
export { NotEmptyError, type RestoreClusterOptions, restoreCluster } from './backup/restore.ts';
export type { EtcdOptions } from './cluster-store.ts';
export { DataDirInUseError } from './data-dir/claim.ts';
export type { ClusterRecord } from './data-dir/cluster-record.ts';
export { CONSOLE_FILE, LOG_FILE } from './data-dir/entries.ts';
export { type FoundCluster, findCluster } from './data-dir/find-cluster.ts';
export { identityOf, isRunning } from './data-dir/process-identity.ts';
export { type ResetResult, resetDataDir, StoreInUseError } from './data-dir/reset.ts';
export type { Disturbances } from './disturbances.ts';
export type { ClusterInside } from './inside.ts';
export { contextName } from './kubeconfig/kubeconfig.ts';
export type { MachineOptions } from './machine-node.ts';
export { type RunningCluster, type StartClusterOptions, startCluster } from './start-cluster.ts';
export { type BackendChoice, DEFAULT_DRIVE_OPTIONS, type DriveOptions } from './storage/drive-options.ts';
export { InProcessWebhooks } from './webhooks/in-process.ts';
