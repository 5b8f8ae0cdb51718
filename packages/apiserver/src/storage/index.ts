export * from './errors.ts';
export { createMemoryStore, type MemoryStoreOptions } from './memory-store.ts';
export type { RetentionOptions } from './retention.ts';
export { isStoreOpen } from './sqlite/is-open.ts';
export { openSqliteStore, type SqliteStoreOptions } from './sqlite/sqlite-store.ts';
export * from './store.ts';
export { bytesOf, restamped } from './stored-state.ts';
