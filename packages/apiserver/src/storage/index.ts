export * from './errors.ts';
export { EncryptionConfigurationError } from './etcd/encryption/configuration.ts';
export { EtcdUnusableError, StorageUnavailableError, WriteOutcomeUnknownError } from './etcd/errors.ts';
export { type EtcdStoreOptions, openEtcdStore } from './etcd/etcd-store.ts';
export { createMemoryStore, type MemoryStoreOptions } from './memory-store.ts';
export type { RetentionOptions } from './retention.ts';
export {
  parseSnapshotLine,
  type SnapshotObject,
  type StoreSnapshot,
  snapshotOf,
} from './snapshots/snapshot.ts';
export { isStoreOpen } from './sqlite/is-open.ts';
export {
  REVISIONS_AFTER_RESTORE,
  type RestoreOptions,
  restoreSqliteStore,
} from './sqlite/restore-store.ts';
export { openSqliteStore, type SqliteStoreOptions } from './sqlite/sqlite-store.ts';
export { bytesOf, restamped } from './states/stored-state.ts';
export * from './store.ts';
